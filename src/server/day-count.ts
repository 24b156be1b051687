import { sql } from 'drizzle-orm'
import type { Executor } from './db.ts'
import { mostApart } from './rate-limits.ts'
import { askToWait } from './under-way.ts'

const day = 24 * 60 * 60 * 1000

/** Noted by a clock that was ahead, a day would last longer than one. */
const latestEnd = (now: number) => now + day + mostApart

/** How many were noted under this key since the first of its 24 hours. */
export async function countOfDay(executor: Executor, kind: string, key: string): Promise<number> {
  const now = Date.now()
  const { rows } = await executor.execute<{ points: number }>(sql`
    select points from rate_limits
     where key = ${`${kind}:${key}`} and expire between ${now} and ${latestEnd(now)}`)
  return rows[0]?.points ?? 0
}

/**
 * For who refuses what would be too many: the answer says when the 24 hours are over. Returns the seconds,
 * for the sentence.
 */
export async function askToWaitForDay(
  executor: Executor,
  kind: string,
  key: string,
): Promise<number> {
  const now = Date.now()
  const { rows } = await executor.execute<{ expire: string }>(sql`
    select expire from rate_limits where key = ${`${kind}:${key}`} and expire > ${now}`)
  if (!rows[0]) return 0
  const seconds = Math.ceil((Number(rows[0].expire) - now) / 1000)
  askToWait(seconds)
  return seconds
}

/**
 * Notes as many more, as part of the transaction, and answers how many there were before. Who notes under
 * the same key at the same moment waits, so that the number is exact.
 */
export async function addToDay(
  executor: Executor,
  kind: string,
  key: string,
  more: number,
): Promise<number> {
  const now = Date.now()
  const lasts = sql`r.expire between ${now} and ${latestEnd(now)}`
  const { rows } = await executor.execute<{ points: number }>(sql`
    insert into rate_limits as r (key, points, expire)
    values (${`${kind}:${key}`}, ${more}, ${now + day})
    on conflict (key) do update
       set points = case when ${lasts} then r.points + excluded.points else excluded.points end,
           expire = case when ${lasts} then r.expire else excluded.expire end
    returning points`)
  return rows[0]!.points - more
}
