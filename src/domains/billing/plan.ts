import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { planGrants } from './tables.ts'

export type Plan = 'free' | 'pro'

/**
 * The plan a person has now: read here and nowhere else. Nobody can buy Pro before there is a checkout;
 * an administrator can give it (`npm run admin`).
 */
export async function planOf(executor: Executor, userId: string): Promise<Plan> {
  const [grant] = await executor
    .select({ userId: planGrants.userId })
    .from(planGrants)
    .where(
      and(
        eq(planGrants.userId, userId),
        or(isNull(planGrants.until), gt(planGrants.until, sql`now()`)),
      ),
    )
  return grant ? 'pro' : 'free'
}

/** Percent of a sale (spec 1, section 9). */
export function transactionFeePercent(plan: Plan): number {
  return plan === 'pro' ? 0 : 5
}
