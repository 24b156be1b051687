import { and, eq } from 'drizzle-orm'
import type { Services } from '../../server/services.ts'
import { admitStudent } from '../enrollment/admit-student.ts'
import { setRenewing } from '../payments/set-renewing.ts'
import { syncSubscription } from '../payments/sync-subscription.ts'
import { keepAtProvider } from './end-purchase.ts'
import { holdPurchase } from './hold-purchase.ts'
import { canRenew, type Purchase } from './live-purchase.ts'
import { stopRenewal } from './stop-renewal.ts'
import { purchases } from './tables.ts'

type Own = { purchaseId: string; userId: string }
type Set = Purchase | 'not found' | 'not monthly'

/**
 * No further month is paid: it ends with the period that is paid, and at once when that one is over. The
 * provider is asked first, so that nothing is promised that it does not keep.
 */
export async function cancelRenewal(services: Services, own: Own): Promise<Set> {
  const purchase = await ownMonthly(services, own)
  if (typeof purchase === 'string') return purchase
  const { id, status, subscriptionId, cancelAtPeriodEnd } = purchase
  if (status === 'past_due') {
    await services.db.transaction(async (transaction) =>
      stopRenewal(transaction, await holdPurchase(transaction, id)),
    )
  } else if (!cancelAtPeriodEnd) {
    await renewAtProvider(services, subscriptionId, false)
  }
  return found(services, own)
}

/** It goes on after all; who has left the course meanwhile is a member again. */
export async function resumeRenewal(services: Services, own: Own): Promise<Set | 'creator gone'> {
  const purchase = await ownMonthly(services, own)
  if (typeof purchase === 'string') return purchase
  const { id, subscriptionId } = purchase
  const isPossible = await services.db.transaction(async (transaction) => {
    const { course } = await holdPurchase(transaction, id)
    if (!course || !canRenew(course)) return false
    await keepAtProvider(transaction, subscriptionId)
    return true
  })
  if (!isPossible) return 'creator gone'
  await renewAtProvider(services, subscriptionId, true)
  await services.db.transaction(async (transaction) => {
    const { purchase: now, course } = await holdPurchase(transaction, id)
    if (!course || now.status === 'ended') return
    const { id: courseId, instructorId, slug, title } = course
    const joining = { userId: own.userId, courseId, instructorId, slug, courseTitle: title }
    await admitStudent(transaction, { ...joining, isPaid: true })
  })
  return found(services, own)
}

async function renewAtProvider(
  services: Services,
  subscriptionId: string,
  renews: boolean,
): Promise<void> {
  await setRenewing(services.payments.stripe, subscriptionId, renews)
  await syncSubscription(services, subscriptionId)
}

async function found({ db }: Services, { purchaseId, userId }: Own): Promise<Set> {
  const [purchase] = await db
    .select()
    .from(purchases)
    .where(and(eq(purchases.id, purchaseId), eq(purchases.userId, userId)))
  return purchase ?? 'not found'
}

async function ownMonthly(
  services: Services,
  own: Own,
): Promise<(Purchase & { subscriptionId: string }) | 'not found' | 'not monthly'> {
  const purchase = await found(services, own)
  if (typeof purchase === 'string') return purchase
  const { status, subscriptionId } = purchase
  if (status === 'ended' || !subscriptionId) return 'not monthly'
  return { ...purchase, subscriptionId }
}
