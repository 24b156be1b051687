/** What a subscription to Pro means, from the provider's word for it. */
export type PlanStanding = 'none' | 'live' | 'past due' | 'over'

/** Pro is active or trialing (spec 1, section 4). One that nobody has paid yet is none. */
export function planStanding(status: string): PlanStanding {
  if (status === 'active' || status === 'trialing') return 'live'
  if (status === 'past_due') return 'past due'
  return status === 'incomplete' || status === 'incomplete_expired' ? 'none' : 'over'
}
