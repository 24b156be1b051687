// What administrators read of the job queue, through the view that graphile-worker offers: it has no payloads.
import type { Pool } from 'pg'
import { laterThanOthers } from '../../server/jobs.ts'
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
  /** The same of those that let all others pass, and so may wait for long. */
  laterWaitingSince: Date | null
}

/** What the clock missed while we were away is due since before it was queued. */
const dueSince = (which: string) =>
  `min(greatest(j.run_at, j.created_at)) filter (
     where j.state in ('waiting', 'failing') and j.run_at <= now() and ${which})`

const oldest = (times: (Date | null)[]) =>
  times.filter((time) => time !== null).toSorted((one, other) => Number(one) - Number(other))[0] ??
  null

/** Counts by kind. It reads the queue once, which has no index for this and is short while all is well. */
export async function jobQueueOf(pool: Pool) {
  const { rows } = await pool.query<KindRow>(
    `select j.task_identifier as name, ${countOf('waiting')}, ${countOf('later')},
            ${countOf('underWay')}, ${countOf('failing')}, ${countOf('givenUp')},
            min(j.locked_at) as "underWaySince",
            ${dueSince(`j.priority < ${laterThanOthers}`)} as "waitingSince",
            ${dueSince(`j.priority >= ${laterThanOthers}`)} as "laterWaitingSince"
       from (select j.*, ${jobState} as state from graphile_worker.jobs j) j
      group by j.task_identifier
      order by count(*) filter (where j.state in ('failing', 'givenUp')) desc, j.task_identifier`,
  )
  const usual = rows.map(({ waitingSince }) => waitingSince)
  const later = rows.map(({ laterWaitingSince }) => laterWaitingSince)
  return {
    waitingSince: oldest([...usual, ...later]),
    /** Of those that pass the others, and of those that let them pass. */
    usualWaitingSince: oldest(usual),
    laterWaitingSince: oldest(later),
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
