import { and, eq, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { personalTokens } from './tables.ts'

/** False when it is not the person's, or gone. The next request with it is refused. */
export async function revokeToken(
  transaction: Transaction,
  { userId, tokenId }: { userId: string; tokenId: string },
): Promise<boolean> {
  const revoked = await transaction
    .delete(personalTokens)
    .where(and(eq(personalTokens.id, tokenId), eq(personalTokens.userId, userId)))
    .returning({ id: personalTokens.id })
  return revoked.length > 0
}

/** For when an account is closed to whoever came into it. */
export async function revokeAllTokens(executor: Executor, userId: string): Promise<void> {
  await executor.delete(personalTokens).where(eq(personalTokens.userId, userId))
}

/** Expired ones are shown to their owner for a month, who may look for why a program stopped. */
export async function removeOldTokens(executor: Executor): Promise<void> {
  await executor
    .delete(personalTokens)
    .where(sql`${personalTokens.expiresAt} < now() - interval '30 days'`)
}
