import { desc, eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import type { RecordedCharge } from '../payments/record-charge.ts'
import { payments } from '../payments/tables.ts'
import { endHeldPurchase } from './end-purchase.ts'
import { holdPurchase } from './hold-purchase.ts'
import type { Purchase } from './live-purchase.ts'
import { tellOfPayment } from './tell-of-payment.ts'

/**
 * What a payment, its refunds and its disputes, as `recordCharge` found them, mean for what was bought with it:
 * ends the purchase where they end it, and tells who has to know. Idempotent, as `recordCharge` is.
 */
export async function followPayment(
  transaction: Transaction,
  { purchase: before, recorded }: { purchase: Purchase; recorded: RecordedCharge },
): Promise<void> {
  const purchaseId = before.id
  const held = await holdPurchase(transaction, purchaseId)
  await tellOfPayment(transaction, recorded)
  if (held.purchase.status === 'ended') {
    await payBackLate(transaction, before, recorded)
  } else if (recorded.dispute === 'lost') {
    await endHeldPurchase(transaction, held, { reason: 'dispute_lost' })
  } else if (recorded.refundedInFull && (await isLatest(transaction, purchaseId, recorded))) {
    await endHeldPurchase(transaction, held, { reason: 'refunded' })
  }
}

/** Money back for a month that is over takes nothing from the present one. */
async function isLatest(
  transaction: Transaction,
  purchaseId: string,
  { paymentId }: RecordedCharge,
): Promise<boolean> {
  const [latest] = await transaction
    .select({ id: payments.id })
    .from(payments)
    .where(eq(payments.purchaseId, purchaseId))
    .orderBy(desc(payments.paidAt), desc(payments.id))
    .limit(1)
  return latest!.id === paymentId
}

/**
 * The provider was about to charge the next month when the purchase ended. What is compared are times of the
 * provider: of the payment, and of the period in which the purchase ended, whose own payment we knew if there
 * was one. A payment that we hear of together with the end came before it.
 */
async function payBackLate(
  transaction: Transaction,
  { status, subscriptionId, currentPeriodStart }: Purchase,
  { isNew, refundedInFull, paymentId }: RecordedCharge,
): Promise<void> {
  if (status !== 'ended' || !isNew || refundedInFull || !subscriptionId) return
  const [payment] = await transaction
    .select({ chargeId: payments.chargeId, paidAt: payments.paidAt })
    .from(payments)
    .where(eq(payments.id, paymentId))
  const { chargeId, paidAt } = payment!
  if (currentPeriodStart && paidAt < currentPeriodStart) return
  const key = `refund ${chargeId}`
  await enqueue(transaction, 'refundCharge', { chargeId, key }, key)
}
