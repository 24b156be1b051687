import type Stripe from 'stripe'
import type { Services } from '../../server/services.ts'
import { cancelNow } from '../payments/cancel-now.ts'
import { isMissing } from '../payments/is-missing.ts'
import { isUnpaid } from '../payments/is-unpaid.ts'
import { requireOwnMode } from '../payments/payment-mode.ts'
import { refusalOf } from '../payments/refusal-of.ts'
import { setRenewing } from '../payments/set-renewing.ts'
import { syncSubscription } from '../payments/sync-subscription.ts'
import { endUnknownPlan } from './keep-plan-subscription.ts'
import { latestSubscription } from './queries.ts'
import { planStanding } from './standing.ts'

/**
 * Ends this person's subscription to Pro at the end of the paid period, or lets it go on. One whose present period
 * is not paid ends at once: there is nothing that could be used up. False when there is none that runs.
 */
export async function changeSubscription(
  services: Services,
  { userId, renews }: { userId: string; renews: boolean },
): Promise<boolean> {
  const { stripe } = services.payments
  const latest = await latestSubscription(services.db, userId)
  if (!latest) return false
  const standing = planStanding(latest.status)
  if (standing === 'none' || standing === 'over') return false
  const { id } = latest
  await requireOwnMode(services)
  const refusal = await refusalOf(renews ? setRenewing(stripe, id, true) : stop(stripe, id))
  if (isMissing(refusal)) {
    await services.db.transaction((transaction) => endUnknownPlan(transaction, id))
    return !renews
  }
  await syncSubscription(services, id)
  return refusal === null
}

/** What counts is what the provider knows: no webhook may have told us of the present period yet. */
async function stop(stripe: Stripe, id: string): Promise<void> {
  const subscription = await setRenewing(stripe, id, false)
  if (isUnpaid(subscription)) await cancelNow(stripe, subscription)
}
