import { and, eq, sql } from 'drizzle-orm'
import { verifications } from '../../domains/accounts/tables.ts'
import type { Db } from '../db.ts'

/**
 * Every browser of this person is asked for the second step again. The library keeps whom a browser is trusted for
 * like its links and log-ins under way, under a name that only its cookie knows; it alone is kept for many days.
 */
export const forgetTrustedDevices = (db: Db, userId: string) =>
  db
    .delete(verifications)
    .where(
      and(
        eq(verifications.value, userId),
        sql`${verifications.expiresAt} - ${verifications.createdAt} > interval '1 day'`,
      ),
    )
