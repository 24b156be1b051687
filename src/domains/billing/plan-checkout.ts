import type { Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import type { Viewer } from '../../server/viewer.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { isFresh, newCheckout, openCheckoutOf } from '../payments/new-checkout.ts'
import type { OpenSession } from '../payments/open-session.ts'
import { type CheckoutDecision, startCheckout } from '../payments/start-checkout.ts'
import { planOf } from './plan.ts'
import { latestSubscription } from './queries.ts'
import { type PlanProduct, titleOfPlan } from './rules.ts'
import { planStanding } from './standing.ts'

interface PlanOrder {
  viewer: Viewer
  product: PlanProduct
  successUrl: string
  cancelUrl: string
}

type Refusal = { refused: 'ALREADY_PRO' | 'PAYMENT_MISSING' | 'PAYMENT_UNDER_WAY' }

/** Where this person pays for Pro. Asked again it is the same payment page, until another plan is chosen. */
export const startPlanCheckout = (
  services: Services,
  order: PlanOrder,
): Promise<Refusal | OpenSession> =>
  startCheckout<Refusal>(services, order.viewer, (transaction) => decide(transaction, order))

async function decide(
  transaction: Transaction,
  order: PlanOrder,
): Promise<CheckoutDecision<Refusal>> {
  const { viewer, product, successUrl, cancelUrl } = order
  const userId = viewer.id
  await holdPeople(transaction, [userId])
  if ((await planOf(transaction, userId)) === 'pro') return { refused: 'ALREADY_PRO' }
  const latest = await latestSubscription(transaction, userId)
  if (latest && planStanding(latest.status) === 'past due') return { refused: 'PAYMENT_MISSING' }
  const { plan, amount, currency } = product
  const name = titleOfPlan(plan)
  const open = await openCheckoutOf(transaction, { userId, kind: 'plan' })
  if (open) {
    const isSame = open.plan === plan && open.amount === amount && open.currency === currency
    return isSame && isFresh(open, new Date()) ? { checkoutId: open.id, name } : { outdated: open }
  }
  const draft = { userId, kind: 'plan', plan, amount, currency, successUrl, cancelUrl } as const
  const checkoutId = await newCheckout(transaction, draft)
  return checkoutId ? { checkoutId, name } : null
}
