import { eq, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { ledgerEntries } from './tables.ts'

/** The sum of an account's entries by currency, debit positive: of a creator negative when we owe something. */
export async function balanceOf(
  executor: Executor,
  accountId: string,
): Promise<Record<string, number>> {
  const rows = await executor
    .select({
      currency: ledgerEntries.currency,
      sum: sql<string>`sum(${ledgerEntries.amount})`.mapWith(Number),
    })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.accountId, accountId))
    .groupBy(ledgerEntries.currency)
  return Object.fromEntries(rows.map(({ currency, sum }) => [currency, sum]))
}
