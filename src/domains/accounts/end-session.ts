import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { endStreamsOfSession } from '../../server/publish.ts'
import { sessions } from './tables.ts'

/** Signs a person out on one device, open event streams included; false when it is not the person's. */
export async function endSession(
  transaction: Transaction,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<boolean> {
  const ended = await transaction
    .delete(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
    .returning({ id: sessions.id })
  if (ended.length === 0) return false
  await endStreamsOfSession(transaction, sessionId)
  return true
}
