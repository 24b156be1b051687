import type { Transaction } from '../../server/db.ts'
import { ownAccounts } from './accounts.ts'
import type { Entry } from './rules.ts'
import { ledgerEntries, ledgerTransactions } from './tables.ts'

type Fact = typeof ledgerTransactions.$inferInsert

export interface NewLedgerTransaction {
  kind: Fact['kind']
  /** What it is about: 'payment ch_…', 'refund re_…'. */
  source: string
  /** Of a payment, or of a payout; neither when a balance is given up. */
  paymentId?: string
  payoutId?: string
  occurredAt: Date
  currency: string
  /** Null when no creator has a part in it. */
  creatorAccountId: string | null
  entries: Entry[]
}

/**
 * Writes a movement of money, once for each source: answers whether it was new. The database refuses entries
 * that do not add up to zero when the transaction ends.
 */
export async function postTransaction(
  transaction: Transaction,
  {
    kind,
    source,
    paymentId,
    payoutId,
    occurredAt,
    currency,
    creatorAccountId,
    entries,
  }: NewLedgerTransaction,
): Promise<boolean> {
  const [posted] = await transaction
    .insert(ledgerTransactions)
    .values({ kind, source, paymentId, payoutId, occurredAt })
    .onConflictDoNothing()
    .returning({ id: ledgerTransactions.id })
  if (!posted) return false
  if (entries.length === 0) return true
  const own = await ownAccounts(transaction)
  await transaction.insert(ledgerEntries).values(
    entries.map(({ account, what, amount }) => {
      const accountId = account === 'creator' ? creatorAccountId : own.get(account)
      if (!accountId) throw new Error(`there is no account ${account} for ${source}`)
      return { transactionId: posted.id, accountId, what, amount, currency }
    }),
  )
  return true
}
