import { and, eq, type SQL } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { endStreamsOfSession } from '../../server/publish.ts'
import { sessions } from './tables.ts'

async function endTheOne(transaction: Transaction, which: SQL | undefined): Promise<boolean> {
  const [ended] = await transaction.delete(sessions).where(which).returning({ id: sessions.id })
  if (!ended) return false
  await endStreamsOfSession(transaction, ended.id)
  return true
}

/** Signs a person out on one device, open event streams included; false when it is not the person's. */
export const endSession = (
  transaction: Transaction,
  { userId, sessionId }: { userId: string; sessionId: string },
) => endTheOne(transaction, and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))

/** The same for the session with this token, whosever it is. */
export const endSessionOfToken = (transaction: Transaction, token: string) =>
  endTheOne(transaction, eq(sessions.token, token))
