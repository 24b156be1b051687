import { databaseConflict, databaseProblemOf } from './database-problem.ts'
import type { Db, Transaction } from './db.ts'

/**
 * A transaction, and once more when PostgreSQL undid it for another that waited for it while it waited for that one. What it
 * does outside of the database it does twice.
 */
export async function transactionAgain<Result>(
  db: Db,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction(work)
  } catch (error) {
    if (databaseProblemOf(error) !== databaseConflict) throw error
    return db.transaction(work)
  }
}
