import { sql } from 'drizzle-orm'
import type { Db, Transaction } from '../../server/db.ts'

/**
 * Whoever brings our rows in line with the provider's about a customer holds this lock, from before the
 * provider is asked until what it answered is written. It comes before every lock of a row.
 */
async function holdCustomer(transaction: Transaction, customerId: string): Promise<void> {
  const key = `payment customer ${customerId}`
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/** Does all of the work while nobody else, on no node, does any about this customer. */
export const withCustomer = <Result>(
  db: Db,
  customerId: string,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (transaction) => {
    await holdCustomer(transaction, customerId)
    return work(transaction)
  })
