import { readMigrationFiles } from 'drizzle-orm/migrator'
import { Client, type Pool } from 'pg'
import { tooOldPostgres } from '../../server/db.ts'
import { found, type Finding, note, well, wrong } from './finding.ts'

/** Seconds by which clocks may differ before links, sessions and addresses of films suffer. */
const mostSkew = 5
/** Seconds after which a transaction is in the way of vacuum, and a lock in the way of people. */
const longTransaction = 15 * 60
const longWait = 10
/** Seconds that a replica may be behind. */
const mostLag = 60

/** Seconds by which `now` lies beyond the span in which it was read; that may be long where the server is slow. */
const skewOf = (now: number, from: number, to: number) =>
  now < from ? now - from : Math.max(0, now - to)

async function server(pool: Pool): Promise<Finding[]> {
  const began = Date.now()
  const { rows } = await pool.query<{
    version: string
    number: number
    now: number
    used: number
    most: number
  }>(
    `select current_setting('server_version') as version,
            current_setting('server_version_num')::int as number,
            extract(epoch from clock_timestamp())::float8 as now,
            (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
            current_setting('max_connections')::int as most`,
  )
  const { version, number, now, used, most } = rows[0]!
  const tooOld = tooOldPostgres(number, version)
  const skew = skewOf(now, began / 1000, Date.now() / 1000)
  const connections = `${used} of ${most} connections are in use.`
  const clock = `The clocks of this machine and of PostgreSQL differ by ${Math.abs(skew).toFixed(1)} s.`
  return [
    tooOld
      ? wrong('database', tooOld, 'Upgrade it to 18.')
      : well('database', `PostgreSQL ${version} answers.`),
    used < most * 0.85
      ? well('connections', connections)
      : wrong(
          'connections',
          connections,
          'Raise max_connections, or use PgBouncer: see operations.md.',
        ),
    Math.abs(skew) <= mostSkew
      ? well('clock', clock)
      : wrong('clock', clock, 'Let both machines follow NTP.'),
  ]
}

/** What the database has, compared with what is here. */
async function migrations(pool: Pool): Promise<Finding> {
  const ours = readMigrationFiles({ migrationsFolder: 'migrations' }).map(({ hash }) => hash)
  const { rows } = await pool.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at',
  )
  const isSame = rows.every(({ hash }, index) => (ours[index] ?? hash) === hash)
  if (!isSame) {
    return wrong(
      'migrations',
      'The database is of another version than the code here.',
      'Start the version that last used it, or a later one.',
    )
  }
  const waiting = ours.length - rows.length
  // The way back after an upgrade: see later-migrations.ts.
  if (waiting < 0) {
    return note(
      'migrations',
      'The database was migrated by a later version.',
      'This one works on it only if it is the one right before.',
    )
  }
  return waiting === 0
    ? well('migrations', `All ${ours.length} are applied.`)
    : note('migrations', `${waiting} are not applied yet.`, 'They are at the next start.')
}

async function trouble(pool: Pool): Promise<Finding[]> {
  const { rows } = await pool.query<{ long: number | null; waiting: number }>(
    `select (select extract(epoch from max(now() - xact_start))::float8 from pg_stat_activity
              where datname = current_database() and backend_type = 'client backend'
                and pid <> pg_backend_pid()) as long,
            (select count(*)::int from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'
                and now() - state_change > $1 * interval '1 second') as waiting`,
    [longWait],
  )
  const { long, waiting } = rows[0]!
  const minutes = Math.round((long ?? 0) / 60)
  return [
    minutes * 60 < longTransaction
      ? well('transactions', 'None is open for long.')
      : wrong(
          'transactions',
          `One is open for ${minutes} minutes.`,
          'Find it in pg_stat_activity and end it with pg_terminate_backend, unless it is a backup.',
        ),
    waiting === 0
      ? well('locks', 'Nobody waits for one for long.')
      : wrong(
          'locks',
          `${waiting} wait for more than ${longWait} seconds.`,
          'pg_blocking_pids(pid) says for whom.',
        ),
  ]
}

async function replica(url: string): Promise<Finding> {
  const check = `replica ${new URL(url).host}`
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ standby: boolean; lag: number }>(
      `select pg_is_in_recovery() as standby,
              case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
                   else coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0)
              end::float8 as lag`,
    )
    const { standby, lag } = rows[0]!
    if (!standby) {
      return wrong(check, 'It is not a replica.', 'Take it out of DATABASE_REPLICA_URL.')
    }
    const behind = `It is ${Math.round(lag)} s behind.`
    if (lag <= mostLag) return well(check, behind)
    return wrong(check, behind, 'Look at its log and its disk; visitors read from the primary.')
  } finally {
    await client.end().catch(() => {})
  }
}

export async function checkDatabase(pool: Pool, replicaUrls: string[]): Promise<Finding[]> {
  const findings = await found(
    'database',
    'Look whether PostgreSQL runs, and at DATABASE_URL.',
    () => server(pool),
  )
  // Everything else asks it, too.
  if (findings[0]?.state === 'wrong') return findings
  const todo = 'The role in DATABASE_URL has to own the database.'
  for (const one of [() => migrations(pool), () => trouble(pool)]) {
    findings.push(...(await found('database', todo, one)))
  }
  for (const url of replicaUrls) {
    const name = `replica ${new URL(url).host}`
    findings.push(
      ...(await found(name, 'Look whether it runs; visitors read from the primary.', () =>
        replica(url),
      )),
    )
  }
  return findings
}
