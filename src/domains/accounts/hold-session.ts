import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import type { Viewer } from '../../server/viewer.ts'
import { sessions } from './tables.ts'

/**
 * Keeps the session of a request until the transaction ends; false when it is over since the request was let in. Whoever
 * ends it afterwards waits, and finds what was made by it.
 */
export async function holdSession(
  transaction: Transaction,
  { id, sessionId }: Pick<Viewer, 'id' | 'sessionId'>,
): Promise<boolean> {
  const found = await transaction
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.id, sessionId),
        eq(sessions.userId, id),
        sql`${sessions.expiresAt} > clock_timestamp()`,
      ),
    )
    .for('key share')
  return found.length > 0
}
