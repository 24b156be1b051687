import { desc, eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { payBackLate } from '../payments/pay-back-late.ts'
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
    // Here it had ended before, and is no sale of a single price.
    if (before.status === 'ended' && before.subscriptionId) {
      await payBackLate(transaction, recorded, before.currentPeriodStart)
    }
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
