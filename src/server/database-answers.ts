import type { Pool } from 'pg'
import { inTime, TooLate } from './in-time.ts'
import { sharedQuestion } from './shared-question.ts'

/**
 * Asks whether the database answers this node. Where all connections are taken, this question waits for one like all
 * others, and what others are told meanwhile counts as well: a busy node is not a dead one.
 */
export function databaseAnswers(pool: Pool): () => Promise<boolean> {
  // However often balancers ask, one that is not answered takes one connection.
  const ask = sharedQuestion(() => pool.query('select 1'))
  let heardAt = -Infinity
  pool.on('release', (error) => {
    if (!error) heardAt = performance.now()
  })
  return async () => {
    const askedAt = performance.now()
    try {
      await inTime(ask())
      return true
    } catch (error) {
      return error instanceof TooLate && heardAt > askedAt
    }
  }
}
