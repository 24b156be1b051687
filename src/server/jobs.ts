import { sql } from 'drizzle-orm'
import { Logger, run, runMigrations } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Executor } from './db.ts'
import type { Log } from './log.ts'

/** Thrown by a job that another try cannot mend: it ends, and the log says why. */
export class GivenUp extends Error {}

/** A job does its work or throws; what it throws is tried again with a growing pause. */
export type Jobs<Services> = Record<string, (payload: never, services: Services) => Promise<void>>

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
) {
  await executor.execute(
    sql`select graphile_worker.add_job(${name}::text, payload := ${JSON.stringify(payload)}::json,
                                       max_attempts := 12, job_key := ${key ?? null}::text,
                                       run_at := ${runAt?.toISOString() ?? null}::timestamptz)`,
  )
}

/** The same for many jobs of one kind, in one statement. */
export async function enqueueEach(executor: Executor, name: string, payloads: object[]) {
  await executor.execute(
    sql`select graphile_worker.add_job(${name}::text, payload := p, max_attempts := 12)
          from json_array_elements(${JSON.stringify(payloads)}::json) p`,
  )
}

const quietLogger = (log: Log) =>
  new Logger(() => (level, message) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning') log.warn(message)
    else log.debug(message)
  })

/** Creates or updates the queue's own tables. */
export async function migrateJobs(pool: Pool, log: Log) {
  await runMigrations({ pgPool: pool, logger: quietLogger(log) })
}

/** Works the queue in this process; `stop` lets the jobs under way finish. */
export async function startJobs<Services>(
  jobs: Jobs<Services>,
  services: Services & { log: Log },
  options: { databaseUrl: string; schedule: string },
): Promise<{ stop(): Promise<void> }> {
  const untilGivenUp = async (name: string, work: Promise<void>) => {
    try {
      await work
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error
      services.log.warn({ job: name }, error.message)
    }
  }
  const runner = await run({
    connectionString: options.databaseUrl,
    crontab: options.schedule,
    maxPoolSize: 4,
    concurrency: 2,
    noHandleSignals: true,
    pollInterval: 2000,
    logger: quietLogger(services.log),
    taskList: Object.fromEntries(
      Object.entries(jobs).map(([name, job]) => [
        name,
        (payload: unknown) => untilGivenUp(name, job(payload as never, services)),
      ]),
    ),
  })
  return { stop: () => runner.stop() }
}
