import { and, eq, ne } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import { cancelAtProvider, endHeldPurchase } from './end-purchase.ts'
import { type HeldPurchase, holdPurchase } from './hold-purchase.ts'
import { livePurchase } from './live-purchase.ts'
import { purchases } from './tables.ts'

/**
 * No further month of a purchase that `holdPurchase` holds is paid: it ends with the period that is paid, and
 * at once when there is none. Nothing happens to one that is paid once. Answers when it ends.
 */
export async function stopRenewal(
  transaction: Transaction,
  held: HeldPurchase,
): Promise<Date | 'at once' | null> {
  const { purchase } = held
  const { id, subscriptionId, status, userId, courseId } = purchase
  if (!subscriptionId || status === 'ended') return null
  if (status === 'past_due') {
    await endHeldPurchase(transaction, held, { reason: 'canceled' })
    return 'at once'
  }
  await transaction
    .update(purchases)
    .set({ cancelAtPeriodEnd: true })
    .where(and(eq(purchases.id, id), ne(purchases.status, 'ended')))
  await cancelAtProvider(transaction, subscriptionId, 'period end')
  if (userId && courseId) await publishToPerson(transaction, userId, { type: 'purchase', courseId })
  return purchase.currentPeriodEnd ?? 'at once'
}

/** The same for what this person has bought of this course, if anything. */
export async function stopRenewalOf(
  transaction: Transaction,
  which: { userId: string; courseId: string },
): Promise<void> {
  const purchase = await livePurchase(transaction, which)
  const held = purchase && (await holdPurchase(transaction, purchase.id))
  if (held) await stopRenewal(transaction, held)
}
