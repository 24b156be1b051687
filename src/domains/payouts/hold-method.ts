import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db, Executor, Transaction } from '../../server/db.ts'
import { payouts } from './tables.ts'

/** The name of the advisory lock of who changes where a creator is paid: while it is held nothing is sent there. */
export const changeOfMethod = (ledgerAccountId: string) => `payout method of ${ledgerAccountId}`

const connectedAccountOf = (ledgerAccountId: string) => `connected account of ${ledgerAccountId}`

async function hold(transaction: Transaction, key: string): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/**
 * Does the work while nobody else, on no node, brings the creator's account in line with the provider's: from
 * before the provider is asked until what it answered is written. It comes before every lock of a row.
 */
export const withConnectedAccount = <Result>(
  db: Db,
  ledgerAccountId: string,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (transaction) => {
    await hold(transaction, connectedAccountOf(ledgerAccountId))
    return work(transaction)
  })

/** The same, and no payout can be asked for meanwhile. */
export const withPayoutMethod = <Result>(
  db: Db,
  ledgerAccountId: string,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> =>
  withConnectedAccount(db, ledgerAccountId, async (transaction) => {
    await hold(transaction, changeOfMethod(ledgerAccountId))
    return work(transaction)
  })

export async function hasOpenPayout(executor: Executor, ledgerAccountId: string): Promise<boolean> {
  const open = and(
    eq(payouts.ledgerAccountId, ledgerAccountId),
    inArray(payouts.status, ['requested', 'in_transit']),
  )
  return (await executor.$count(payouts, open)) > 0
}
