import type { Pool } from 'pg'

const underWay = new WeakMap<Pool, Promise<unknown>>()

/** One at a time: two that delete the same rows in another order would wait for each other. */
export function forgetLimits(pool: Pool): Promise<unknown> {
  const forgetting =
    underWay.get(pool) ?? pool.query('delete from rate_limits').finally(() => underWay.delete(pool))
  underWay.set(pool, forgetting)
  return forgetting
}
