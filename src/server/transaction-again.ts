import { setTimeout as pause } from 'node:timers/promises'
import { databaseConflict, databaseProblemOf } from './database-problem.ts'
import type { Db, Transaction } from './db.ts'

const tries = 3

/** Milliseconds, at random up to twice as many: time for the other to go on, which would else wait for us anew. */
const headStart = 20

/**
 * A transaction, and twice more at most when PostgreSQL undid it for another that waited for it while it waited for that
 * one. What it does outside of the database it does as often.
 */
export async function transactionAgain<Result>(
  db: Db,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await db.transaction(work)
    } catch (error) {
      if (left === 0 || databaseProblemOf(error) !== databaseConflict) throw error
      await pause(headStart * (1 + Math.random()))
    }
  }
}
