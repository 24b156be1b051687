import { eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import { cancelAtProvider, endHeldPurchase } from './end-purchase.ts'
import { type HeldPurchase, holdPurchase } from './hold-purchase.ts'
import { livePurchase } from './live-purchase.ts'
import { purchases } from './tables.ts'

/**
 * No further month of a purchase that `holdPurchase` holds is paid: it ends with the period that is paid, and
 * at once when there is none. Nothing happens to one that is paid once.
 */
export async function stopRenewal(transaction: Transaction, held: HeldPurchase): Promise<void> {
  const { purchase, course } = held
  const { id, subscriptionId, status, userId } = purchase
  if (!subscriptionId || status === 'ended') return
  if (status === 'past_due') {
    await endHeldPurchase(transaction, held, { reason: 'canceled' })
    return
  }
  await transaction.update(purchases).set({ cancelAtPeriodEnd: true }).where(eq(purchases.id, id))
  await cancelAtProvider(transaction, subscriptionId, 'period end')
  if (userId && course) {
    await publishToPerson(transaction, userId, { type: 'purchase', courseId: course.id })
  }
}

/** The same for what this person has bought of this course, if anything. */
export async function stopRenewalOf(
  transaction: Transaction,
  which: { userId: string; courseId: string },
): Promise<void> {
  const purchase = await livePurchase(transaction, which)
  if (purchase) await stopRenewal(transaction, await holdPurchase(transaction, purchase.id))
}
