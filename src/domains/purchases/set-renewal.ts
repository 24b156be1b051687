import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { paymentProblem } from '../../server/payment-problem.ts'
import type { Services } from '../../server/services.ts'
import { courses } from '../courses/tables.ts'
import { admitStudent } from '../enrollment/admit-student.ts'
import { withCustomer } from '../payments/hold-customer.ts'
import { unlessMissing } from '../payments/is-missing.ts'
import { idOf } from '../payments/outcome.ts'
import { requireOwnMode } from '../payments/payment-mode.ts'
import { refusalOf } from '../payments/refusal-of.ts'
import { setRenewing } from '../payments/set-renewing.ts'
import { syncHeldSubscription, syncSubscription } from '../payments/sync-subscription.ts'
import { endPurchase, keepAtProvider, waitingEndOf } from './end-purchase.ts'
import { type HeldPurchase, holdPurchase } from './hold-purchase.ts'
import { canRenew, type Purchase } from './live-purchase.ts'
import { stopRenewal } from './stop-renewal.ts'
import { purchases } from './tables.ts'

type Monthly = Purchase & { subscriptionId: string }
type Own = { purchaseId: string; userId: string }
type Set = Purchase | 'not found' | 'not monthly'

/**
 * No further month is paid: it ends with the period that is paid, and at once when the present one is not. The
 * provider is asked first, so that nothing is promised that it does not keep.
 */
export async function cancelRenewal(services: Services, own: Own): Promise<Set> {
  const purchase = await ownMonthlyNow(services, own)
  if (typeof purchase === 'string') return purchase
  const { id, status, cancelAtPeriodEnd } = purchase
  if (status === 'past_due') {
    await services.db.transaction(async (transaction) =>
      stopRenewal(transaction, await holdPurchase(transaction, id)),
    )
  } else if (!cancelAtPeriodEnd) {
    if (await renewAtProvider(services, purchase, false)) return 'not monthly'
  }
  return found(services, own)
}

/** It goes on after all; who has left the course meanwhile is a member again. */
export async function resumeRenewal(services: Services, own: Own): Promise<Set | 'creator gone'> {
  const purchase = await ownMonthly(services, own)
  if (typeof purchase === 'string') return purchase
  if (!(await hasCreator(services, purchase))) return 'creator gone'
  return (await renewAtProvider(services, purchase, true)) ?? found(services, own)
}

/**
 * Nobody else asks the provider or writes what it says meanwhile. It is one transaction with `keep`: what waits to
 * cancel it there is gone when our row says that it goes on, and stays when anything fails before.
 */
async function renewAtProvider(
  services: Services,
  { id, subscriptionId }: Monthly,
  renews: boolean,
): Promise<'creator gone' | 'not monthly' | null> {
  await requireOwnMode(services)
  const { stripe } = services.payments
  const there = await unlessMissing(stripe.subscriptions.retrieve(subscriptionId))
  // Of another account or mode of the provider: nobody is charged for it, and nobody will ever tell us of its end.
  if (!there) {
    const end = { purchaseId: id, reason: 'canceled', endedThere: new Date() } as const
    await services.db.transaction((transaction) => endPurchase(transaction, end))
    return renews ? 'not monthly' : null
  }
  const customerId = idOf(there.customer)!
  return withCustomer(services.db, customerId, async (transaction) => {
    const wishBefore = await waitingEndOf(transaction, subscriptionId)
    const refusal = await refusalOf(setRenewing(stripe, subscriptionId, renews))
    await syncHeldSubscription(services, transaction, { customerId, subscriptionId })
    const held = await holdPurchase(transaction, id)
    if (held.purchase.status === 'ended') return refusal ? 'not monthly' : null
    if (refusal) throw refusal
    return renews ? keep(transaction, held, wishBefore) : null
  })
}

/** Whoever left while the provider was asked, the learner or the creator, wished the contrary later: that counts. */
async function keep(
  transaction: Transaction,
  held: HeldPurchase,
  wishBefore: string | null,
): Promise<'creator gone' | null> {
  const { purchase, course } = held
  const subscriptionId = purchase.subscriptionId!
  const wish = await waitingEndOf(transaction, subscriptionId)
  const isGone = !course || !canRenew(course)
  if (isGone || (wish !== null && wish !== wishBefore)) {
    await stopRenewal(transaction, held)
    return isGone ? 'creator gone' : null
  }
  await keepAtProvider(transaction, subscriptionId)
  const { id: courseId, instructorId, slug, title } = course
  const joining = { userId: purchase.userId!, courseId, instructorId, slug, courseTitle: title }
  await admitStudent(transaction, { ...joining, isPaid: true })
  return null
}

async function hasCreator({ db }: Services, { courseId }: Purchase): Promise<boolean> {
  // Stryker disable next-line ConditionalExpression,BooleanLiteral: no course is found by no id
  if (courseId === null) return false
  const [course] = await db
    .select({ instructorId: courses.instructorId })
    .from(courses)
    .where(eq(courses.id, courseId))
  // Stryker disable next-line ConditionalExpression: a purchase forgets a course that is gone
  return course !== undefined && canRenew(course)
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
): Promise<Monthly | 'not found' | 'not monthly'> {
  const purchase = await found(services, own)
  if (typeof purchase === 'string') return purchase
  const { status, subscriptionId } = purchase
  if (status === 'ended' || !subscriptionId) return 'not monthly'
  return { ...purchase, subscriptionId }
}

/** One whose payment was missing may be paid since. While the provider does not answer, what we know has to do. */
async function ownMonthlyNow(services: Services, own: Own) {
  const purchase = await ownMonthly(services, own)
  if (typeof purchase === 'string' || purchase.status !== 'past_due') return purchase
  await syncSubscription(services, purchase.subscriptionId).catch((error: unknown) => {
    if (!paymentProblem(error)) throw error
  })
  return ownMonthly(services, own)
}
