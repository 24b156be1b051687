import { sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { feePercents } from './rules.ts'

export type Plan = 'free' | 'pro'

/**
 * The plan a person has now: read here and nowhere else. Pro is a subscription that is active or trialing
 * (spec 1, section 4), or was given by an administrator (`npm run admin`). Who is not there any more has none.
 */
export async function planOf(executor: Executor, userId: string | null): Promise<Plan> {
  const { rows } = await executor.execute<{ isPro: boolean }>(
    sql`select ${sql.raw(isPro('p.id'))} as "isPro" from (select ${userId}::uuid as id) p`,
  )
  return rows[0]!.isPro ? 'pro' : 'free'
}

/** The same as a condition of a statement, about the person that the SQL expression names. */
export const isPro = (person: string) => `(
  exists (select 1 from plan_subscriptions s
           where s.user_id = ${person} and s.status in ('active', 'trialing'))
  or exists (select 1 from plan_grants g
              where g.user_id = ${person} and (g.until is null or g.until > now())))`

/** Percent of a sale (spec 1, section 9). */
export function transactionFeePercent(plan: Plan): number {
  return feePercents[plan]
}
