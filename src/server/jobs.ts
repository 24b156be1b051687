import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { DrizzleQueryError, type SQL, sql } from 'drizzle-orm'
import { type JobHelpers, Logger, run, runMigrations, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import { type Executor, openDatabase } from './db.ts'
import { createJobOutcomes } from './job-outcomes.ts'
import type { Log } from './log.ts'
import type { Measures } from './measures.ts'
import { forgetFuture, whenSetBack } from './set-back-clock.ts'
import type { Tracer } from './tracing.ts'
import { underWay, type Work } from './under-way.ts'
import { startWorkerLives } from './worker-lives.ts'

/** Thrown by a job that another try cannot mend: it ends, and the log says why. */
export class GivenUp extends Error {}

/** The name of the job that what runs now is part of. */
export const jobUnderWay = new AsyncLocalStorage<string>()

/** A job does its work or throws; what it throws is tried again with a growing pause. */
export type Jobs<Services> = Record<string, (payload: never, services: Services) => Promise<void>>

/** A priority: what somebody waits for, such as a link to log in, passes what goes to many people. */
export const laterThanOthers = 10

/**
 * Puts a job in the queue as part of the transaction: it runs after the commit, never after a roll-back.
 * A `key` keeps a second, equal job from being queued while the first waits. It runs at once, or at `runAt`.
 */
export async function enqueue(
  executor: Executor,
  name: string,
  payload: object,
  key?: string,
  runAt?: Date,
  priority = 0,
) {
  await executor.execute(
    sql`select graphile_worker.add_job(${name}::text, payload := ${JSON.stringify(payload)}::json,
                                       max_attempts := 12, job_key := ${key ?? null}::text,
                                       priority := ${priority}::int,
                                       run_at := ${runAt?.toISOString() ?? null}::timestamptz)`,
  )
}

/** The same for many jobs of one kind, in one statement. */
export async function enqueueEach<Payload extends object>(
  executor: Executor,
  name: string,
  payloads: Payload[],
  priority = 0,
  keyOf?: (payload: Payload) => string,
) {
  const jobs = payloads.map((payload) => ({ payload, key: keyOf?.(payload) }))
  await executor.execute(
    sql`select graphile_worker.add_job(${name}::text, payload := job -> 'payload', max_attempts := 12,
                                       job_key := job ->> 'key', priority := ${priority}::int)
          from json_array_elements(${JSON.stringify(jobs)}::json) job`,
  )
}

/** Whether a job with this key is under way, or will be tried (again). */
export const isQueued = (key: SQL): SQL => sql`
  exists (select from graphile_worker.jobs j
           where j.key = ${key} and (j.locked_at is not null or j.attempts < j.max_attempts))`

const quietLogger = (log: Log) =>
  new Logger(() => (level, message, meta) => {
    // What a job threw comes behind, in its own words: those may tell of a person.
    const said = message.split(' with error ')[0]!.split('\n')[0]!
    if (level === 'error') log.error(meta?.error ? { err: meta.error } : {}, said)
    else if (level === 'warning') log.warn(said)
    else log.debug(said)
  })

/** Creates or updates the queue's own tables. */
export async function migrateJobs(pool: Pool, log: Log) {
  await runMigrations({ pgPool: pool, logger: quietLogger(log) })
}

/**
 * How many jobs this process works at once. Those named in a lane have places of their own, so that they
 * never wait for the rest, of which one may take minutes.
 */
export interface Lane {
  jobs: string[]
  atOnce: number
}

/** Of a query that failed: why, before what it was, and without its values, which are somebody's. */
function tellingWhy(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError) || !error.cause) return error
  const { message, stack } = error.cause
  return Object.assign(new Error(`${message}\n${error.query}`), { stack })
}

/**
 * Whether the same was queued again while this job was under way: the queue has taken its key and its further tries, and
 * what failed here is the successor's. Else it would count as given up for ever.
 */
async function hasSuccessor(
  { id, key }: JobHelpers['job'],
  withPgClient: JobHelpers['withPgClient'],
): Promise<boolean> {
  if (key === null) return false
  const text = 'select from graphile_worker.jobs where id = $1 and key is null'
  return withPgClient(async (client) => (await client.query(text, [id])).rowCount === 1).catch(
    () => false,
  )
}

/** Milliseconds that jobs under way get to finish when the node stops. */
const jobPatience = 15_000

/** Milliseconds between looks whether the queue heard what became of its jobs, which it has to note meanwhile. */
const jobSettling = 15_000

/**
 * A worker says that it has stopped before it has noted what became of its last jobs. Were its connections closed
 * then, all that was under way would be done a second time.
 */
async function untilIdle(pool: Pool) {
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) await pause(10)
}

/** Works the queue in this process, and frees the jobs of processes that were killed; `stop` lets the jobs under way finish. */
export async function startJobs<Services>(
  jobs: Jobs<Services>,
  services: Services & { log: Log; measures?: Measures; tracer?: Tracer | null },
  options: {
    databaseUrl: string
    schedule: string
    lanes: Lane[]
    patience?: number
    settling?: number
  },
): Promise<{ stop(): Promise<void> }> {
  const { patience = jobPatience, settling = jobSettling } = options
  const outcomes = createJobOutcomes(settling)
  const work = async (name: string, payload: unknown, { job, withPgClient }: JobHelpers) => {
    const { id } = job
    outcomes.note(id, 'under way')
    const span = services.tracer?.begin(`job ${name}`, 'consumer', { 'thunder.job': name })
    const unit: Work = { job: name, facts: { statements: 0 }, ...(span && { span }) }
    const note = (outcome: 'done' | 'failed' | 'given_up') =>
      services.measures?.jobs.add({ job: name, outcome })
    let isDone = true
    try {
      await underWay.run(unit, () =>
        jobUnderWay.run(name, () => jobs[name]!(payload as never, services)),
      )
      note('done')
      span?.end()
    } catch (error) {
      span?.end(error)
      note(error instanceof GivenUp ? 'given_up' : 'failed')
      isDone = error instanceof GivenUp || (await hasSuccessor(job, withPgClient))
      if (!isDone) throw tellingWhy(error)
      services.log.warn({ job: name }, error instanceof Error ? error.message : String(error))
    } finally {
      outcomes.note(id, isDone ? 'done' : 'failed')
    }
  }
  const lives = startWorkerLives(options.databaseUrl, services.log, outcomes, settling)
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => lives.add(workerPool.id))
  const start = async (names: string[], atOnce: number, crontab = '') => {
    const { pool } = openDatabase(options.databaseUrl, services.log, {
      max: atOnce + 2,
      isDirect: true,
    })
    const runner = await run({
      pgPool: pool,
      crontab,
      concurrency: atOnce,
      noHandleSignals: true,
      pollInterval: 2000,
      logger: quietLogger(services.log),
      events,
      taskList: Object.fromEntries(
        names.map((name) => [name, (payload, helpers) => work(name, payload, helpers)]),
      ),
    })
    return async () => {
      await runner.stop()
      await untilIdle(pool)
      await pool.end()
    }
  }
  const inLanes = new Set(options.lanes.flatMap((lane) => lane.jobs))
  const others = Object.keys(jobs).filter((name) => !inLanes.has(name))
  const startScheduled = async () => {
    await forgetFuture(options.databaseUrl)
    return start(others, 2, options.schedule)
  }
  let stopScheduled = await startScheduled()
  const stops = await Promise.all(options.lanes.map((lane) => start(lane.jobs, lane.atOnce)))
  const clock = whenSetBack(async () => {
    await stopScheduled().catch((error: unknown) => {
      // It was stopped by a try of this that failed later.
      services.log.debug({ err: error }, 'the schedule had ended')
    })
    stopScheduled = await startScheduled()
  }, services.log)
  /** What is still under way then begins again at another node. */
  async function giveBack(): Promise<void> {
    services.log.warn('jobs under way take too long: others begin them again')
    await lives.freeOwn()
  }
  async function end(): Promise<void> {
    await clock.stop()
    const stopped = Promise.all([stopScheduled, ...stops].map((stop) => stop())).then(
      () => 'stopped',
    )
    const tooLate = pause(patience, 'too late', { ref: false })
    if ((await Promise.race([stopped, tooLate])) === 'too late') await giveBack()
    await lives.stop()
  }
  let ending: Promise<void> | undefined
  return { stop: () => (ending ??= end()) }
}
