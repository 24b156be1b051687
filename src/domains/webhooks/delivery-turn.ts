import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { deliveryJob } from './keep-event.ts'

/**
 * Each event has queued a delivery, of which a turn does what all of them are for: the rest would come before the events of
 * others that happened later. What they were queued for was committed with them, so it is seen by whoever looks after this.
 */
const withoutOtherJobs = (endpointId: string): SQL => sql`
  delete from graphile_worker._private_jobs where id in (
    select j.id from graphile_worker._private_jobs j
     where j.is_available and j.priority = 0 and j.run_at <= now()
       and j.job_queue_id = (select q.id from graphile_worker._private_job_queues q
                              where q.queue_name = 'webhooks ' || ${endpointId}::uuid)
       for update skip locked)`

export async function beginTurn(executor: Executor, endpointId: string): Promise<void> {
  await executor.execute(withoutOtherJobs(endpointId))
}

/** The next one comes after those of everybody who waits by now. */
export async function queueNextTurn(executor: Executor, endpointId: string): Promise<void> {
  await executor.execute(sql`
    with others as (${withoutOtherJobs(endpointId)})
    select ${deliveryJob(sql`${endpointId}::uuid`)}`)
}
