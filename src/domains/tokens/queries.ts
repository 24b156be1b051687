import { desc, eq, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { personalTokens } from './tables.ts'

/** What a person sees of an own token. */
export const shownToken = {
  id: personalTokens.id,
  name: personalTokens.name,
  ending: personalTokens.ending,
  scopes: personalTokens.scopes,
  expiresAt: personalTokens.expiresAt,
  isExpired: sql<boolean>`coalesce(${personalTokens.expiresAt} <= now(), false)`,
  lastUsedAt: personalTokens.lastUsedAt,
  createdAt: personalTokens.createdAt,
}

export const tokensOf = (executor: Executor, userId: string) =>
  executor
    .select(shownToken)
    .from(personalTokens)
    .where(eq(personalTokens.userId, userId))
    .orderBy(desc(personalTokens.createdAt), desc(personalTokens.id))
