import { eq } from 'drizzle-orm'
import type { Services } from '../../server/services.ts'
import { tellOfMethod } from './tell-of-method.ts'
import { holdAccount } from './hold-account.ts'
import { hasOpenPayout, withPayoutMethod } from './hold-method.ts'
import { payoutRowsOf } from './payout-setup.ts'
import { connectedAccounts, payoutMethods } from './tables.ts'

/**
 * Nothing is paid out from now on. The account at the provider stays, with its bank account: it is needed again with
 * the next method. That bank account becomes the method again only after the provider's pages were opened once more.
 */
export async function removePayoutMethod(
  { db }: Services,
  userId: string,
): Promise<'removed' | 'PAYOUT_OPEN'> {
  const { ledgerAccountId } = await payoutRowsOf(db, userId)
  // Stryker disable next-line ConditionalExpression: for types; whoever has no ledger account has no method
  if (!ledgerAccountId) return 'removed'
  return withPayoutMethod(db, ledgerAccountId, async (transaction) => {
    await holdAccount(transaction, ledgerAccountId)
    if (await hasOpenPayout(transaction, ledgerAccountId)) return 'PAYOUT_OPEN'
    const removed = await transaction
      .delete(payoutMethods)
      .where(eq(payoutMethods.ledgerAccountId, ledgerAccountId))
      .returning({ method: payoutMethods.method })
    if (removed.length === 0) return 'removed'
    await transaction
      .update(connectedAccounts)
      .set({ adopts: false })
      .where(eq(connectedAccounts.ledgerAccountId, ledgerAccountId))
    await tellOfMethod(transaction, userId, {
      title: 'Your Payout Method Was Removed',
      message: 'Nothing is paid out until you set up another one.',
    })
    return 'removed'
  })
}
