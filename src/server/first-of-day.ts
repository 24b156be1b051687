import type { Executor } from './db.ts'
import { addToDay } from './day-count.ts'

/**
 * Whether nothing was noted under this key in the last 24 hours; notes it, as part of the transaction. A
 * key that names people begins with the id of one, then a space: so it goes with their account.
 */
export const isFirstOfDay = async (executor: Executor, kind: string, key: string) =>
  (await addToDay(executor, kind, key, 1)) === 0
