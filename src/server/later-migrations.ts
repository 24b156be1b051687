import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Pool } from 'pg'
import type { Log } from './log.ts'

/**
 * Going back to the version before is allowed: each migration leaves what that one needs. Nobody knows that of
 * versions further apart, so whoever reads the log should see that it happened.
 */
export async function tellOfLaterMigrations(pool: Pool, folder: string, log: Log): Promise<void> {
  const ours = readMigrationFiles({ migrationsFolder: folder }).map(({ hash }) => hash)
  const { rows } = await pool.query<{ later: number }>(
    'select count(*)::int as later from drizzle.__drizzle_migrations where hash <> all($1)',
    [ours],
  )
  const { later } = rows[0]!
  if (later === 0) return
  log.warn(
    { migrations: later },
    'the database was migrated by a later version: this one works on it only if it is the one right before',
  )
}
