import { eq } from 'drizzle-orm'
import { courseApplicationDecisions } from '../src/domains/applications/tables.ts'
import type { Services } from '../src/server/services.ts'

/** The ten seconds of a decision are not over, and the queue has nothing to do with it, before a test says so. */
export async function holdDecision(
  { db, pool }: Pick<Services, 'db' | 'pool'>,
  decisionId: string,
): Promise<Date> {
  const applyAt = new Date(Date.now() + 3_600_000)
  await db
    .update(courseApplicationDecisions)
    .set({ applyAt })
    .where(eq(courseApplicationDecisions.id, decisionId))
  await pool.query('select graphile_worker.remove_job($1)', [`application-decision:${decisionId}`])
  return applyAt
}
