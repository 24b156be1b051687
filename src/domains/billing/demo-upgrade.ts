import type { Services } from '../../server/services.ts'
import type { Viewer } from '../../server/viewer.ts'
import { customerOf } from '../payments/customer-of.ts'
import { requireOwnMode } from '../payments/payment-mode.ts'
import { syncSubscription } from '../payments/sync-subscription.ts'
import { latestSubscription } from './queries.ts'
import { catalogue, type PlanName, titleOfPlan } from './rules.ts'

/** The sandbox's card that always pays. */
const testCard = 'pm_card_visa'

/** A real subscription at the sandbox, paid with its test card. */
export async function startDemo(
  services: Services,
  { viewer, plan }: { viewer: Viewer; plan: PlanName },
): Promise<void> {
  await requireOwnMode(services)
  const { stripe } = services.payments
  const { amount, currency, interval } = catalogue[plan]
  const customer = await customerOf(services, viewer)
  const latest = await latestSubscription(services.db, viewer.id)
  // The same for two clicks, another one after the last demo has ended.
  const key = `demo ${viewer.id} ${plan} after ${latest?.id ?? 'nothing'}`
  const product = await stripe.products.create(
    { name: titleOfPlan(plan) },
    { idempotencyKey: `${key} product` },
  )
  const card = await stripe.paymentMethods.attach(
    testCard,
    { customer },
    { idempotencyKey: `${key} card` },
  )
  const price = { currency, product: product.id, unit_amount: amount, recurring: { interval } }
  const subscription = await stripe.subscriptions.create(
    {
      customer,
      items: [{ price_data: price }],
      default_payment_method: card.id,
      metadata: { kind: 'plan', plan },
    },
    { idempotencyKey: key },
  )
  await syncSubscription(services, subscription.id)
}
