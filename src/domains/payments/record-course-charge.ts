import { eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { planOf, transactionFeePercent } from '../billing/plan.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import { followPayment } from '../purchases/follow-payment.ts'
import type { Purchase } from '../purchases/live-purchase.ts'
import type { PaidCharge } from './paid-charge.ts'
import { recordCharge, type RecordedCharge } from './record-charge.ts'

/**
 * Records charges of a purchase that `holdPurchase` holds, as it was before the provider was asked, and does what
 * follows from them.
 */
export async function recordCourseCharges(
  transaction: Transaction,
  purchase: Purchase,
  paid: PaidCharge[],
  checkoutId: string | null,
): Promise<RecordedCharge[]> {
  // Stryker disable next-line ConditionalExpression: without a charge nothing is recorded either way
  if (paid.length === 0) return []
  const feePercent = await feeOf(transaction, purchase.creatorAccountId)
  const recorded: RecordedCharge[] = []
  for (const one of paid) {
    const made = await recordCharge(transaction, {
      ...one,
      about: {
        kind: 'course',
        purchaseId: purchase.id,
        courseId: purchase.courseId,
        creatorAccountId: purchase.creatorAccountId,
        feePercent,
      },
      payerId: purchase.userId,
      description: purchase.courseTitle,
      checkoutId: one.isRenewal ? null : checkoutId,
    })
    recorded.push(made)
  }
  // When all are there: what follows from one depends on whether a newer one was paid.
  for (const made of recorded) {
    await followPayment(transaction, { purchase, recorded: made })
  }
  return recorded
}

/** Ours, of who sells: as it is now. */
async function feeOf(transaction: Transaction, creatorAccountId: string): Promise<number> {
  const [creator] = await transaction
    .select({ userId: ledgerAccounts.userId })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.id, creatorAccountId))
  const plan = creator?.userId ? await planOf(transaction, creator.userId) : 'free'
  return transactionFeePercent(plan)
}
