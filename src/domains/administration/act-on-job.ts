import { sql, type SQL } from 'drizzle-orm'
import type { JobName } from '../../jobs.ts'
import type { Transaction } from '../../server/db.ts'
import { giveUpEventOf } from '../payments/keep-event.ts'
import { holdForAct } from './hold-for-act.ts'
import { jobKindLabel } from './job-kinds.ts'
import type { JobState } from './job-schema.ts'
import { jobState } from './queued-jobs.ts'
import type { Action } from './rules.ts'
import { recordAct } from './record-act.ts'

/** What stood in the way; null when it is done. */
type ActedOn = 'not admin' | 'gone' | 'under way' | 'not failing' | 'given up' | null

const state = sql.raw(jobState)

/** Runs at once what failed before; what was given up begins to count its tries anew. */
export const retryJob = (
  transaction: Transaction,
  { actorId, jobId }: { actorId: string; jobId: string },
) =>
  actOnJob(transaction, {
    actorId,
    jobId,
    action: 'retry_job',
    of: ['failing', 'givenUp'],
    change: sql`graphile_worker.reschedule_jobs(
      array[j.id], run_at := now(),
      attempts := case when j.attempts >= j.max_attempts then 0 end)`,
  })

/** It is not tried again by itself, and keeps the error that it had. */
export async function giveUpJob(
  transaction: Transaction,
  { actorId, jobId, reason }: { actorId: string; jobId: string; reason: string },
) {
  const refusal = await actOnJob(transaction, {
    actorId,
    jobId,
    reason,
    action: 'give_up_job',
    of: ['failing'],
    change: sql`graphile_worker.permanently_fail_jobs(array[j.id], j.last_error)`,
  })
  if (refusal === null) await giveUpEventOf(transaction, jobId)
  return refusal
}

interface JobAct {
  actorId: string
  jobId: string
  action: Action
  reason?: string
  /** The states in which it can be done. */
  of: JobState[]
  /** One of graphile-worker's functions about the job `j`; it leaves out a job that a worker has taken. */
  change: SQL
}

async function actOnJob(
  transaction: Transaction,
  { actorId, jobId, action, reason, of, change }: JobAct,
): Promise<ActedOn> {
  if (!(await holdForAct(transaction, actorId))) return 'not admin'
  const { rows } = await transaction.execute<{ name: string; attempts: number }>(sql`
    select j.task_identifier as name, j.attempts
      from graphile_worker.jobs j cross join lateral ${change} changed
     where j.id = ${jobId}::bigint and ${state} in ${of}`)
  const [job] = rows
  if (!job) return whyNot(transaction, jobId)
  await recordAct(transaction, {
    actorId,
    action,
    subject: { kind: 'job', id: jobId, name: jobKindLabel(job.name) },
    reason,
    details: { job: job.name, attempts: job.attempts },
  })
  return null
}

async function whyNot(transaction: Transaction, jobId: string): Promise<ActedOn> {
  const { rows } = await transaction.execute<{ state: JobState }>(
    sql`select ${state} as state from graphile_worker.jobs j where j.id = ${jobId}::bigint`,
  )
  const [job] = rows
  if (!job) return 'gone'
  if (job.state === 'underWay') return 'under way'
  return job.state === 'givenUp' ? 'given up' : 'not failing'
}

/** All of one kind that wait for another try; not those that were given up. */
export async function retryJobsOf(
  transaction: Transaction,
  { actorId, name }: { actorId: string; name: JobName },
): Promise<'not admin' | { tried: number }> {
  if (!(await holdForAct(transaction, actorId))) return 'not admin'
  const { rows } = await transaction.execute<{ tried: number }>(sql`
    select count(*)::int as tried
      from graphile_worker.reschedule_jobs(
             array(select j.id from graphile_worker.jobs j
                    where j.task_identifier = ${name} and ${state} = 'failing' order by j.id),
             run_at := now())`)
  const { tried } = rows[0]!
  if (tried > 0) {
    await recordAct(transaction, {
      actorId,
      action: 'retry_job',
      subject: { kind: 'job', id: null, name: `${jobKindLabel(name)} (all that failed: ${tried})` },
      details: { job: name, tried },
    })
  }
  return { tried }
}
