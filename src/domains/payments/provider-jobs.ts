// Jobs: what must happen at the provider as a consequence of what happened here. Each can be done twice.
import type { Services } from '../../server/services.ts'
import { isMissing } from './is-missing.ts'

/** Not there any more, or never: there is nothing to do. */
async function unlessMissing<Result>(asking: Promise<Result>): Promise<Result | null> {
  return asking.catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
}

export async function cancelSubscription(
  { subscriptionId, when }: { subscriptionId: string; when: 'now' | 'period end' },
  { payments }: Services,
): Promise<void> {
  const { subscriptions } = payments.stripe
  const found = await unlessMissing(subscriptions.retrieve(subscriptionId))
  if (!found || found.status === 'canceled' || found.status === 'incomplete_expired') return
  if (when === 'now') await unlessMissing(subscriptions.cancel(subscriptionId))
  else if (!found.cancel_at_period_end) {
    await unlessMissing(subscriptions.update(subscriptionId, { cancel_at_period_end: true }))
  }
}

/** What is left of it. `key` keeps a second try from paying back twice. */
export async function refundCharge(
  { chargeId, key }: { chargeId: string; key: string },
  { payments }: Services,
): Promise<void> {
  const charge = await unlessMissing(payments.stripe.charges.retrieve(chargeId))
  // What the bank takes back itself cannot be paid back a second time.
  if (!charge || charge.refunded || charge.disputed) return
  await payments.stripe.refunds.create({ charge: chargeId }, { idempotencyKey: key })
}

/** Undoes a purchase. What is canceled has been paid back: nobody takes it for one that has ended. */
export async function payBack(
  { chargeIds, subscriptionId }: { chargeIds: string[]; subscriptionId: string | null },
  services: Services,
): Promise<void> {
  for (const chargeId of chargeIds) {
    await refundCharge({ chargeId, key: `refund ${chargeId}` }, services)
  }
  if (subscriptionId) await cancelSubscription({ subscriptionId, when: 'now' }, services)
}

/** Ends all subscriptions there, too. */
export async function deleteCustomer(
  { customerId }: { customerId: string },
  { payments }: Services,
): Promise<void> {
  await unlessMissing(payments.stripe.customers.del(customerId))
}
