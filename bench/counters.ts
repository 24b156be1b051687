// What PostgreSQL itself says that it did.
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'

/** Rows that PostgreSQL read and statements (each its own transaction) that it was sent, so far. */
export async function countersOf(database: Client) {
  // What a connection did is counted once it has been idle for a while.
  await delay(12_000)
  await database.query('select pg_stat_clear_snapshot()')
  const { rows } = await database.query<{ read: string; statements: string }>(
    `select (select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) from pg_stat_user_tables) as read,
            (select xact_commit from pg_stat_database where datname = current_database()) as statements`,
  )
  return { read: Number(rows[0]!.read), statements: Number(rows[0]!.statements) }
}
