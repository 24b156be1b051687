import type { Executor } from '../../server/db.ts'

export type Plan = 'free' | 'pro'

/**
 * The plan a person has now. Nobody can buy Pro before there is a checkout, so everybody is on Free:
 * the subscription ledger that comes with it is read here and nowhere else.
 */
export async function planOf(_executor: Executor, _userId: string): Promise<Plan> {
  return 'free'
}

/** Percent of a sale (spec 1, section 9). */
export function transactionFeePercent(plan: Plan): number {
  return plan === 'pro' ? 0 : 5
}
