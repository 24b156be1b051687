import { lt, sql } from 'drizzle-orm'
import { forgetUsedCodes } from '../../server/auth/hooks.ts'
import type { Services } from '../../server/services.ts'
import { rateLimits, sessions, verifications } from './tables.ts'

/** Daily: sessions, one-time values and counters that nobody can use any more. */
export async function removeExpired(_payload: unknown, { db }: Services): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`))
  await db.delete(verifications).where(lt(verifications.expiresAt, sql`now()`))
  await db.delete(rateLimits).where(lt(rateLimits.expire, Date.now()))
  await forgetUsedCodes(db)
}
