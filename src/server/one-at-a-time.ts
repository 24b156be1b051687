import { sql } from 'drizzle-orm'
import type { Db } from './db.ts'
import { inTurns } from './turns.ts'

/**
 * Runs work that concerns the same key one after the other, on all nodes. `work` may use connections of its
 * own: of all the callers on a node only one waits with a connection in its hands.
 */
export function oneAtATime(db: Db) {
  const turns = inTurns(1)
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const done = await turns.take(key)
    try {
      return await db.transaction(async (transaction) => {
        await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
        return await work()
      })
    } finally {
      done()
    }
  }
}
