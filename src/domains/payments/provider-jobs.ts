// Jobs: what must happen at the provider as a consequence of what happened here. Each can be done twice.
import { enqueue } from '../../server/jobs.ts'
import type { Services } from '../../server/services.ts'
import { waitingEndOf } from '../purchases/end-purchase.ts'
import { cancelNow } from './cancel-now.ts'
import { withCustomer } from './hold-customer.ts'
import { unlessMissing } from './is-missing.ts'
import { isTooPoor, tooPoor } from './is-too-poor.ts'
import { isUnpaid } from './is-unpaid.ts'
import { idOf } from './outcome.ts'
import { setRenewing } from './set-renewing.ts'
import { syncHeldSubscription } from './sync-subscription.ts'

export async function cancelSubscription(
  { subscriptionId, when }: { subscriptionId: string; when: 'now' | 'period end' },
  services: Services,
): Promise<void> {
  const { stripe } = services.payments
  const found = await unlessMissing(
    stripe.subscriptions.retrieve(subscriptionId, { expand: ['latest_invoice'] }),
  )
  if (!found || found.status === 'canceled' || found.status === 'incomplete_expired') return
  if (when === 'now') await unlessMissing(cancelNow(stripe, found))
  else if (!found.cancel_at_period_end || isUnpaid(found)) {
    const customerId = idOf(found.customer)!
    await withCustomer(services.db, customerId, async (transaction) => {
      // Who keeps it holds the customer, too, and may have done so at this moment.
      if ((await waitingEndOf(transaction, subscriptionId)) === null) return
      const said = await unlessMissing(setRenewing(stripe, subscriptionId, false))
      if (!said || !isUnpaid(said)) return
      // It ends now. A webhook may say so too late: after the payment.
      await syncHeldSubscription(services, transaction, { customerId, subscriptionId })
    })
  }
}

/** Milliseconds until a refund for which we had too little is tried again. */
const poorPause = 60 * 60 * 1000

/**
 * What is left of it. `key` keeps a second try from paying back twice. While we have too little at the provider it is
 * asked again every hour, with another key each time: to one that it knows it answers as before, for a day.
 */
export async function refundCharge(
  { chargeId, key }: { chargeId: string; key: string },
  { db, payments, log }: Pick<Services, 'db' | 'payments' | 'log'>,
): Promise<void> {
  const charge = await unlessMissing(payments.stripe.charges.retrieve(chargeId))
  // What the bank takes back itself cannot be paid back a second time.
  if (!charge || charge.refunded || charge.disputed) return
  try {
    await payments.stripe.refunds.create({ charge: chargeId }, { idempotencyKey: key })
  } catch (error) {
    if (!isTooPoor(error)) throw error
    log.error({ err: error, charge: chargeId }, tooPoor)
    const later = { chargeId, key: `refund ${chargeId} ${Date.now()}` }
    const at = new Date(Date.now() + poorPause)
    await enqueue(db, 'refundCharge', later, `refund ${chargeId}`, at)
  }
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
