import type { Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import type { Viewer } from '../../server/viewer.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { askOfCheckout, isFilledIn } from '../payments/ask-of-checkout.ts'
import type { Checkout } from '../payments/checkout-of.ts'
import { giveUpCheckout } from '../payments/give-up-checkout.ts'
import { isFresh, newCheckout, openCheckoutOf } from '../payments/new-checkout.ts'
import { type OpenSession, openSession } from '../payments/open-session.ts'
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

type Decision =
  | Refusal
  /** An open payment page for the other plan, or without time. */
  | { outdated: Checkout }
  /** With the page where the person was sent before, if any. */
  | { checkoutId: string; sessionId: string | null }
  /** Another click made one at this moment. */
  | null

/** How often it is decided anew because the world changed while the provider was asked. */
const tries = 4

/** Where this person pays for Pro. Asked again it is the same payment page, until another plan is chosen. */
export async function startPlanCheckout(
  services: Services,
  order: PlanOrder,
): Promise<Refusal | OpenSession> {
  let givenUp: string | null = null
  for (let round = 0; round < tries; round += 1) {
    const decision = await services.db.transaction((transaction) => decide(transaction, order))
    if (!decision) continue
    if ('refused' in decision) return decision
    if ('outdated' in decision) {
      const { outdated } = decision
      // It could not be given up: what was paid there takes a bank some days.
      if (outdated.id === givenUp) return { refused: 'PAYMENT_UNDER_WAY' }
      givenUp = outdated.id
      await giveUpCheckout(services, outdated)
      continue
    }
    const { checkoutId, sessionId } = decision
    // Who comes back may have paid a moment ago.
    if ((await askOfCheckout(services, checkoutId)) !== 'open') continue
    if (sessionId && (await isFilledIn(services, sessionId))) {
      return { refused: 'PAYMENT_UNDER_WAY' }
    }
    const name = titleOfPlan(order.product.plan)
    const session = await openSession(services, { checkoutId, person: order.viewer, name })
    if (session) return session
  }
  throw new Error(`the checkout of Pro for ${order.viewer.id} found no rest`)
}

async function decide(transaction: Transaction, order: PlanOrder): Promise<Decision> {
  const { viewer, product, successUrl, cancelUrl } = order
  const userId = viewer.id
  await holdPeople(transaction, [userId])
  if ((await planOf(transaction, userId)) === 'pro') return { refused: 'ALREADY_PRO' }
  const latest = await latestSubscription(transaction, userId)
  if (latest && planStanding(latest.status) === 'past due') return { refused: 'PAYMENT_MISSING' }
  const { plan, amount, currency } = product
  const open = await openCheckoutOf(transaction, { userId, kind: 'plan' })
  if (open) {
    const isSame = open.plan === plan && open.amount === amount && open.currency === currency
    return isSame && isFresh(open, new Date())
      ? { checkoutId: open.id, sessionId: open.sessionId }
      : { outdated: open }
  }
  const draft = { userId, kind: 'plan', plan, amount, currency, successUrl, cancelUrl } as const
  const checkoutId = await newCheckout(transaction, draft)
  return checkoutId ? { checkoutId, sessionId: null } : null
}
