import { lt, sql } from 'drizzle-orm'
import type { Services } from '../../server/services.ts'
import { counterChecks } from './tables.ts'

/**
 * Notes how many rows a nightly recount had to mend, by counter. A difference is a fault of ours: the number
 * of them is a metric that stays 0, and some of the rows are named in the log.
 */
export async function noteCounterChecks(
  { db, log }: Services,
  differences: Record<string, string[]>,
  said = 'a counter was wrong and has been mended',
): Promise<void> {
  const checks = Object.entries(differences)
  await db
    .insert(counterChecks)
    .values(checks.map(([counter, ids]) => ({ counter, differences: ids.length })))
  await db.delete(counterChecks).where(lt(counterChecks.createdAt, sql`now() - interval '90 days'`))
  for (const [counter, ids] of checks) {
    if (ids.length === 0) continue
    const some = { counter, differences: ids.length, ids: ids.slice(0, 20) }
    log.warn(some, said)
  }
}
