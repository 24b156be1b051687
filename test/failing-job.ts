import type { Services } from '../src/server/services.ts'

interface FailingJob {
  name?: string
  payload?: object
  attempts?: number
  error?: string | null
  /** When it is tried next; in a day unless told otherwise. */
  runAt?: Date
  createdAt?: Date
  /** A worker has it since then. */
  lockedAt?: Date
  lockedBy?: string
}

/** A job that failed before, as the worker leaves it behind; answers its id. */
export async function makeFailingJob(
  { pool }: Pick<Services, 'pool'>,
  {
    name = 'countWords',
    payload = {},
    attempts = 3,
    error = 'It did not work',
    runAt = new Date(Date.now() + 24 * 3_600_000),
    createdAt = new Date(),
    lockedAt,
    lockedBy = 'somebody',
  }: FailingJob = {},
): Promise<string> {
  await pool.query(
    'insert into graphile_worker._private_tasks (identifier) values ($1) on conflict do nothing',
    [name],
  )
  const { rows } = await pool.query<{ id: string }>(
    `insert into graphile_worker._private_jobs
            (task_id, payload, run_at, attempts, max_attempts, last_error, created_at, locked_at, locked_by)
     select id, $2, $3, $4, 12, $5, $6, $7::timestamptz,
            case when $7::timestamptz is not null then $8::text end
       from graphile_worker._private_tasks where identifier = $1 returning id`,
    [name, JSON.stringify(payload), runAt, attempts, error, createdAt, lockedAt ?? null, lockedBy],
  )
  return rows[0]!.id
}
