import { lt, or, sql } from 'drizzle-orm'
import { forgetUsedCodes } from '../../server/auth/hooks.ts'
import { removeOldIdempotencyKeys } from '../../server/idempotency.ts'
import type { Services } from '../../server/services.ts'
import { removeOldTokens } from '../tokens/revoke-tokens.ts'
import { removeOldMessages } from '../webhooks/remove-old-messages.ts'
import { removeOldQueues } from '../webhooks/remove-old-queues.ts'
import { rateLimits, sessions, verifications } from './tables.ts'

/** Days after which a session ends, however often it was extended. */
const longestSession = 365

/** Daily: sessions, tokens, one-time values and counters that nobody can use any more, and what webhooks leave behind. */
export async function removeExpired(_payload: unknown, { db }: Services): Promise<void> {
  const longAgo = sql`now() - make_interval(days => ${longestSession})`
  await db
    .delete(sessions)
    .where(or(lt(sessions.expiresAt, sql`now()`), lt(sessions.createdAt, longAgo)))
  await db.delete(verifications).where(lt(verifications.expiresAt, sql`now()`))
  await db.delete(rateLimits).where(lt(rateLimits.expire, Date.now()))
  await forgetUsedCodes(db)
  await removeOldTokens(db)
  await removeOldIdempotencyKeys(db)
  await removeOldMessages(db)
  await removeOldQueues(db)
}
