import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Pool } from 'pg'
import * as tables from '../tables.ts'
import type { Log } from './log.ts'

export type Db = ReturnType<typeof openDatabase>['db']
export type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0]
/** What a query needs: the pool, or the transaction that it is part of. */
export type Executor = Db | Transaction

/** Opens the pool. A lost connection is logged and replaced; it never ends the process. */
export function openDatabase(url: string, log: Log, connections = 20) {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    // A new connection is a new process of PostgreSQL: on a busy machine that takes seconds, and a page that
    // asks for ten things at once would wait for ten of them.
    connectionTimeoutMillis: 30_000,
    idleTimeoutMillis: 300_000,
  })
  const lost = (error: Error) =>
    log.warn({ error: error.message }, 'a database connection was lost')
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  return { pool, db: drizzle(pool, { schema: tables }) }
}

/** Applies the committed SQL that the database has not seen; several nodes may call it at once. */
export async function migrateDatabase(pool: Pool, folder: string) {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock(727274)')
    await migrate(drizzle(client), { migrationsFolder: folder })
  } finally {
    await client.query('select pg_advisory_unlock(727274)')
    client.release()
  }
}
