import { eq } from 'drizzle-orm'
import { forgetBegun } from '../../server/auth/begun-before.ts'
import type { Transaction } from '../../server/db.ts'
import { endStreamsOfSession } from '../../server/publish.ts'
import { revokeAllTokens } from '../tokens/revoke-tokens.ts'
import { sessions } from './tables.ts'

/** Signs a person out everywhere, open event streams and access tokens included; answers how many sessions. */
export async function endAllSessions(transaction: Transaction, userId: string): Promise<number> {
  // First: a log-in whose second step is under way either finds this when its session is stored, or has it ended below.
  await forgetBegun(transaction, userId)
  const ended = await transaction
    .delete(sessions)
    .where(eq(sessions.userId, userId))
    .returning({ id: sessions.id })
  // And what one of them began in between.
  await forgetBegun(transaction, userId)
  for (const { id } of ended) await endStreamsOfSession(transaction, id)
  await revokeAllTokens(transaction, userId)
  return ended.length
}
