// What became of the jobs of this process. The queue notes it without looking whether the database heard of it: when that goes
// away at the wrong moment, a job that is done, has failed or never began stays 'under way', for four hours.
import type { Client } from 'pg'

type Outcome = 'under way' | 'done' | 'failed'

export type JobOutcomes = ReturnType<typeof createJobOutcomes>

/** `settling`: milliseconds that the queue has to note an outcome itself. */
export function createJobOutcomes(settling: number) {
  const known = new Map<string, { outcome: Outcome; since: number }>()
  let unknownBefore = new Set<string>()

  const note = (id: string, outcome: Outcome) =>
    void known.set(id, { outcome, since: performance.now() })

  return {
    note,

    /**
     * Removes what is done from the queue, and gives back what failed, after a pause as the queue itself makes one, and
     * what these workers took and never began; answers of how many jobs.
     */
    async settle(client: Pick<Client, 'query'>, workers: string[]): Promise<number> {
      const now = performance.now()
      const { rows } = await client.query<{ id: string }>(
        `select id::text from graphile_worker._private_jobs where locked_by = any($1::text[])`,
        [workers],
      )
      const taken = new Set(rows.map(({ id }) => id))
      for (const [id, { outcome, since }] of known) {
        if (outcome !== 'under way' && since < now && !taken.has(id)) known.delete(id)
      }
      const ended = (wanted: Outcome) =>
        [...taken].filter((id) => {
          const one = known.get(id)
          return one?.outcome === wanted && one.since < now - settling
        })
      const unknown = new Set([...taken].filter((id) => !known.has(id)))
      // What was taken a moment ago begins before the next look.
      const neverBegun = [...unknown].filter((id) => unknownBefore.has(id))
      unknownBefore = unknown

      const [done, failed] = [ended('done'), ended('failed')]
      if (done.length + failed.length + neverBegun.length === 0) return 0
      await client.query(
        `with done as (
           delete from graphile_worker._private_jobs where id = any($1::bigint[]) and locked_by = any($4::text[])),
         queues as (
           -- Of a queue with a name one job at a time: it waits for the one that has it.
           update graphile_worker._private_job_queues set locked_by = null, locked_at = null
            where locked_by = any($4::text[])
              and id in (select job_queue_id from graphile_worker._private_jobs
                          where id = any($1::bigint[] || $2::bigint[] || $3::bigint[])))
         update graphile_worker._private_jobs
            set locked_by = null, locked_at = null,
                run_at = case when id = any($2::bigint[])
                              then now() + exp(least(attempts, 10)) * interval '1 second' else run_at end
          where id = any($2::bigint[] || $3::bigint[]) and locked_by = any($4::text[])`,
        [done, failed, neverBegun, workers],
      )
      return done.length + failed.length + neverBegun.length
    },
  }
}
