import { sql } from 'drizzle-orm'
import type { Executor } from './db.ts'

const day = 24 * 60 * 60 * 1000

/**
 * Whether nothing was noted under this key in the last 24 hours; notes it, as part of the transaction. A
 * key that names people begins with the id of one, then a space: so it goes with their account.
 */
export async function isFirstOfDay(executor: Executor, kind: string, key: string) {
  const { rows } = await executor.execute(sql`
    insert into rate_limits as r (key, points, expire)
    values (${`${kind}:${key}`}, 1, ${Date.now() + day})
    on conflict (key) do update set points = 1, expire = excluded.expire
     where r.expire < ${Date.now()}
    returning key`)
  return rows.length > 0
}
