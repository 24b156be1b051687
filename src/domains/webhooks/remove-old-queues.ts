import { sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'

/**
 * Of each endpoint the job queue keeps the name under which its deliveries wait for each other. That goes when the
 * endpoint is gone, for which no job can be added any more. The library's own clean-up would not do: it also takes a
 * name for which a job is just being added by a transaction that is open, and that job would never be done.
 */
export async function removeOldQueues(executor: Executor): Promise<void> {
  await executor.execute(sql`
    delete from graphile_worker._private_job_queues q
     where q.queue_name like 'webhooks %' and q.locked_at is null
       and not exists (select 1 from webhook_endpoints e where 'webhooks ' || e.id = q.queue_name)
       and not exists (select 1 from graphile_worker._private_jobs j where j.job_queue_id = q.id)`)
}
