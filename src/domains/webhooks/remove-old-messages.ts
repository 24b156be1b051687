import { lt, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { webhookLimits } from './rules.ts'
import { webhookMessages } from './tables.ts'

/** The log of deliveries is kept for 30 days. */
export async function removeOldMessages(executor: Executor): Promise<void> {
  const oldest = sql`now() - make_interval(days => ${webhookLimits.keptDays}::int)`
  await executor.delete(webhookMessages).where(lt(webhookMessages.createdAt, oldest))
}
