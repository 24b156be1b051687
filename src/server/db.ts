import { setTimeout as pause } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { type Client, Pool, type PoolClient, type PoolConfig } from 'pg'
import * as tables from '../tables.ts'
import type { Log } from './log.ts'
import { keepContexts, NotedClient } from './noted-database.ts'
import { noticeDeath } from './notice-death.ts'

export type Db = ReturnType<typeof openDatabase>['db']
export type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0]
/** What a query needs: the pool, or the transaction that it is part of. */
export type Executor = Db | Transaction

/** Prepares nothing: a pooler may give the next statement to a connection that does not know its name. */
class UnnamedClient extends NotedClient {}
const { query } = NotedClient.prototype
UnnamedClient.prototype.query = function (this: Client, first: unknown, ...rest: unknown[]) {
  const isNamed = typeof first === 'object' && first !== null && 'name' in first
  return Reflect.apply(query, this, [isNamed ? { ...first, name: undefined } : first, ...rest])
} as typeof query

/** The driver tells of every error that PostgreSQL answers, but not in its types. */
type Connected = PoolClient & {
  connection: { on(event: 'errorMessage', listener: (message: { code?: string }) => void): void }
}

/**
 * Opens the pool. A lost connection is logged and replaced; it never ends the process.
 * Without `prepared`, names of statements are left out. `isDirect`: no pooler is between.
 */
export function openDatabase(
  url: string,
  log: Log,
  {
    prepared = true,
    isDirect = false,
    onError,
    ...options
  }: PoolConfig & {
    prepared?: boolean
    isDirect?: boolean
    onError?: (sqlState: string) => void
  } = {},
) {
  const pool = new Pool({
    connectionString: url,
    Client: prepared ? NotedClient : UnnamedClient,
    max: 20,
    // A new connection is a new process of PostgreSQL: on a busy machine that takes seconds, and a page that
    // asks for ten things at once would wait for ten of them.
    connectionTimeoutMillis: 30_000,
    idleTimeoutMillis: 300_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(isDirect && { onConnect: noticeDeath }),
    ...options,
  })
  keepContexts(pool)
  const lost = (error: Error) =>
    log.warn({ error: error.message }, 'a database connection was lost')
  pool.on('error', lost)
  pool.on('connect', (client) => {
    client.on('error', lost)
    if (!onError) return
    const { connection } = client as Connected
    connection.on('errorMessage', ({ code }) => onError(code ?? 'unknown'))
  })
  return { pool, db: drizzle(pool, { schema: tables }) }
}

/**
 * Milliseconds that a migration waits for a table with which others work: whoever comes after it waits behind it,
 * so it gives up and comes again, until it has tried for five minutes.
 */
const patience = { lock: 1000, pause: 1000, tries: 150 }

/** True where somebody else held the lock that was waited for. */
const isLockedOut = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as { code?: unknown }).code === '55P03' || isLockedOut(error.cause))

/** The first that has all that migrations use. */
const oldestPostgres = 180_000

/** What is wrong with the version of the server, in words; null when it is new enough. */
export const tooOldPostgres = (number: number, version: string) =>
  number < oldestPostgres ? `PostgreSQL ${version} is too old.` : null

async function refuseOldPostgres(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number,
            current_setting('server_version') as version`,
  )
  const { number, version } = rows[0]!
  const problem = tooOldPostgres(number, version)
  if (problem) throw new Error(`${problem} Upgrade it to 18.`)
}

/**
 * Applies the committed SQL that the database has not seen; several nodes may call it at once. It needs a direct
 * connection. What a later version has migrated stays as it is: an older one finds nothing to do.
 *
 * @throws {Error} with a sentence for people, when the server is too old
 */
export async function migrateDatabase(pool: Pool, folder: string) {
  const client = await pool.connect()
  try {
    await refuseOldPostgres(client)
    await client.query('select pg_advisory_lock(727274)')
    await client.query(`set lock_timeout = ${patience.lock}`)
    for (let tries = 1; ; tries += 1) {
      const result = await migrate(drizzle(client), { migrationsFolder: folder }).then(
        () => null,
        (error: unknown) => ({ error }),
      )
      if (result === null) break
      if (!isLockedOut(result.error) || tries === patience.tries) throw result.error
      await pause(patience.pause)
    }
  } finally {
    await client.query('reset lock_timeout')
    await client.query('select pg_advisory_unlock(727274)')
    client.release()
  }
}
