// What administrators read of the job queue, through the view that graphile-worker offers: it has no payloads.
import type { Pool } from 'pg'
import { cleanedError } from './cleaned-error.ts'
import type { FailingJob, JobState, KindInQueue } from './job-schema.ts'
import { perPage } from './rules.ts'

/** In which state a job `j` is: the one place that decides. */
export const jobState = `
  case when j.locked_at is not null then 'underWay'
       when j.attempts >= j.max_attempts then 'givenUp'
       when j.attempts > 0 and j.last_error is not null then 'failing'
       when j.run_at > now() then 'later'
       else 'waiting' end`

const countOf = (state: JobState) =>
  `(count(*) filter (where j.state = '${state}'))::int as "${state}"`

interface KindRow extends Omit<KindInQueue, 'underWaySince'> {
  underWaySince: Date | null
  waitingSince: Date | null
}

/** Counts by kind. It reads the queue once, which has no index for this and is short while all is well. */
export async function jobQueueOf(pool: Pool) {
  const { rows } = await pool.query<KindRow>(
    `select j.task_identifier as name, ${countOf('waiting')}, ${countOf('later')},
            ${countOf('underWay')}, ${countOf('failing')}, ${countOf('givenUp')},
            min(j.locked_at) as "underWaySince",
            -- What the clock missed while we were away is due since before it was queued.
            min(greatest(j.run_at, j.created_at)) filter (
              where j.state in ('waiting', 'failing') and j.run_at <= now()) as "waitingSince"
       from (select j.*, ${jobState} as state from graphile_worker.jobs j) j
      group by j.task_identifier
      order by count(*) filter (where j.state in ('failing', 'givenUp')) desc, j.task_identifier`,
  )
  const waiting = rows.flatMap(({ waitingSince }) => waitingSince ?? [])
  return {
    waitingSince: waiting.toSorted((one, other) => Number(one) - Number(other))[0] ?? null,
    kinds: rows,
  }
}

interface FailingRow extends Omit<FailingJob, 'nextTryAt' | 'createdAt'> {
  nextTryAt: Date
  createdAt: Date
}

/** What failed and was not done since, newest first. */
export async function failingJobsOf(pool: Pool, { cursor }: { cursor?: string }) {
  const { rows } = await pool.query<FailingRow>(
    `select j.id::text, j.task_identifier as name, j.state, j.attempts,
            j.max_attempts as "maxAttempts", j.run_at as "nextTryAt", j.created_at as "createdAt",
            coalesce(left(j.last_error, 4000), '') as error
       from (select j.*, ${jobState} as state from graphile_worker.jobs j) j
      where (j.state in ('failing', 'givenUp') or (j.state = 'underWay' and j.last_error is not null))
            ${cursor ? 'and j.id < $1::bigint' : ''}
      order by j.id desc limit ${perPage + 1}`,
    cursor ? [cursor] : [],
  )
  const jobs = rows.slice(0, perPage).map((row) => ({ ...row, error: cleanedError(row.error) }))
  return { jobs, nextCursor: rows.length > perPage ? jobs.at(-1)!.id : null }
}
