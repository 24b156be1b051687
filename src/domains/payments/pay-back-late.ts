import { eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import type { RecordedCharge } from './record-charge.ts'
import { payments } from './tables.ts'

/**
 * Pays back what was paid for what had ended: the provider was about to charge, a bank took days, or an invoice was
 * still open. What is compared are times of the provider: of the payment, and of the period in which it ended, whose
 * own payment we knew if there was one. A payment that we hear of together with the end came before it.
 */
export async function payBackLate(
  transaction: Transaction,
  { isNew, refundedInFull, paymentId }: RecordedCharge,
  periodStart: Date | null,
): Promise<void> {
  if (!isNew || refundedInFull) return
  const [payment] = await transaction
    .select({ chargeId: payments.chargeId, paidAt: payments.paidAt })
    .from(payments)
    .where(eq(payments.id, paymentId))
  const { chargeId, paidAt } = payment!
  if (periodStart && paidAt < periodStart) return
  const key = `refund ${chargeId}`
  await enqueue(transaction, 'refundCharge', { chargeId, key }, key)
}
