// Which workers of the job queue live. A process that was killed leaves its jobs 'under way', and the queue alone
// gives them back after four hours only.
import { Client } from 'pg'
import type { JobOutcomes } from './job-outcomes.ts'
import type { Log } from './log.ts'
import { noticeDeath } from './notice-death.ts'

const key = (worker: string) => `hashtextextended(${worker}, 727275)`
/** Seconds that a worker has to say that it lives before its jobs are given to others. */
const settling = 15
/** Milliseconds between tries to connect again. */
const retryAfter = 1000

/** Says that this worker lives, for as long as the connection does: PostgreSQL drops the lock with it. */
export async function sayAlive(client: Client, worker: string): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${key('$1::text')})`, [worker])
}

/**
 * Gives the jobs of workers that are gone back to the queue; answers of how many workers. To `own`, which the
 * session itself holds the locks of, it does nothing.
 */
export async function freeJobsOfTheDead(
  executor: Pick<Client, 'query'>,
  own: string[] = [],
): Promise<number> {
  const { rows } = await executor.query<{ workers: number }>(
    `with takers as materialized (
       select distinct locked_by as worker from graphile_worker._private_jobs
        -- Also what a clock that was ahead has taken in the future: who lives has the lock.
        where locked_at not between now() - $1 * interval '1 second' and now() + $1 * interval '1 second'
          and locked_by <> all($2::text[])),
     dead as materialized (
       select worker from takers where pg_try_advisory_xact_lock(${key('worker')})),
     freed as materialized (
       select graphile_worker.force_unlock_workers(array_agg(worker)) from dead having count(*) > 0)
     select (select count(*)::int from dead) as workers from freed`,
    [settling, own],
  )
  return rows[0]?.workers ?? 0
}

interface Lives {
  /** From now on this worker is said to live. */
  add(worker: string): void
  /** Gives the jobs of this process back, for when it ends without finishing them. */
  freeOwn(): Promise<void>
  stop(): Promise<void>
}

/**
 * Says on a connection of its own, which must be direct, that workers of this process live, connects again when
 * it breaks, frees the jobs of other processes that do not, and settles what became of the own ones. It looks every
 * `lookEvery` milliseconds.
 */
export function startWorkerLives(
  databaseUrl: string,
  log: Log,
  outcomes: JobOutcomes,
  lookEvery: number,
): Lives {
  const workers = new Set<string>()
  let client: Client | null = null
  let stopped = false
  let retry: NodeJS.Timeout | undefined
  /** One after the other on the connection. What fails has broken it, or is done again at the next look. */
  let doing = Promise.resolve()
  const afterwards = (work: () => Promise<unknown>) => {
    doing = doing.then(work).then(
      () => {},
      (error: unknown) => log.warn({ err: error }, 'killed workers were not looked for'),
    )
  }

  async function connect(): Promise<void> {
    const fresh = new Client({
      connectionString: databaseUrl,
      application_name: 'thunder workers',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    })
    fresh.on('error', () => {})
    fresh.on('end', again)
    await fresh.connect().catch((error: unknown) => {
      again()
      throw error
    })
    await noticeDeath(fresh)
    for (const worker of workers) await sayAlive(fresh, worker)
    client = fresh
  }
  function again(): void {
    client = null
    if (stopped) return
    clearTimeout(retry)
    retry = setTimeout(() => afterwards(connect), retryAfter)
  }
  async function look(): Promise<void> {
    if (!client) return
    const dead = await freeJobsOfTheDead(client, [...workers])
    if (dead > 0) log.warn({ workers: dead }, 'jobs of killed workers are free again')
    const settled = await outcomes.settle(client, [...workers])
    if (settled > 0) log.warn({ jobs: settled }, 'jobs of whose end the database had not heard')
  }

  afterwards(connect)
  afterwards(look)
  const looking = setInterval(() => afterwards(look), lookEvery)
  return {
    add(worker) {
      workers.add(worker)
      afterwards(async () => {
        if (client) await sayAlive(client, worker)
      })
    },
    async freeOwn() {
      afterwards(async () => {
        const own = [...workers]
        await client?.query('select graphile_worker.force_unlock_workers($1::text[])', [own])
      })
      await doing
    },
    async stop() {
      stopped = true
      clearTimeout(retry)
      clearInterval(looking)
      await doing
      await client?.end()
    },
  }
}
