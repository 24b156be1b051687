import { sql } from 'drizzle-orm'
import type { Executor } from './db.ts'

/** Days for which is remembered what was noted: longer than anything that asks goes on. */
const remembered = 120

/**
 * Whether nothing was noted under this key before; notes it, as part of the transaction. A key that names
 * people begins with the id of one, then a space: so it goes with their account.
 */
export async function isFirstTime(executor: Executor, kind: string, key: string): Promise<boolean> {
  const until = Date.now() + remembered * 24 * 60 * 60 * 1000
  const { rows } = await executor.execute<{ points: number }>(sql`
    insert into rate_limits as r (key, points, expire) values (${`${kind}:${key}`}, 1, ${until})
    on conflict (key) do update set points = r.points + 1
    returning points`)
  return rows[0]!.points === 1
}
