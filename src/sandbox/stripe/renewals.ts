// What happens to subscriptions by themselves, when their time has come.
import type Stripe from 'stripe'
import { asDraft, finalize, newInvoice, payInvoice, recordPaid } from './invoices.ts'
import type { Unit } from './store.ts'
import { abandonSubscription, cancelSubscription, periodEnd } from './subscriptions.ts'
import { readSwitches } from './switches.ts'

const openInvoices = (unit: Unit, subscription: Stripe.Subscription) =>
  unit.find<Stripe.Invoice>('invoice', { subscription: subscription.id, status: 'open' })

async function renew(unit: Unit, subscription: Stripe.Subscription) {
  const [first] = subscription.items.data
  const recurring = first?.price.recurring
  if (!first || !recurring) throw new Error(`${subscription.id} has no recurring price`)
  const end = periodEnd(subscription.billing_cycle_anchor, first.current_period_end, recurring)
  const ended = first.current_period_start
  for (const item of subscription.items.data) {
    item.current_period_start = item.current_period_end
    item.current_period_end = end
  }
  if (subscription.status === 'trialing') subscription.status = 'active'
  const invoice = await newInvoice(unit, subscription, 'subscription_cycle')
  // An invoice's own period is the one that ended; its lines have the new one.
  invoice.period_start = ended
  subscription.latest_invoice = invoice.id
  unit.put(subscription)
  const { draftSeconds } = await readSwitches(unit)
  if (draftSeconds > 0) asDraft(unit, invoice, draftSeconds)
  unit.emit('invoice.created', invoice)
  if (draftSeconds === 0) {
    unit.emit('invoice.finalized', invoice)
    await takeRenewal(unit, subscription, invoice)
  }
  unit.emit('customer.subscription.updated', subscription)
}

async function takeRenewal(
  unit: Unit,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
): Promise<void> {
  if (invoice.total === 0) await recordPaid(unit, invoice, null)
  else {
    const { outcome } = await payInvoice(unit, subscription, invoice, { offSession: true })
    if (outcome !== 'succeeded' && subscription.ended_at === null) subscription.status = 'past_due'
  }
}

/** A draft is charged, or what is open is taken once more. */
export async function invoiceDue(unit: Unit, invoice: Stripe.Invoice): Promise<void> {
  if (invoice.status !== 'draft') {
    await tryAgain(unit, invoice, { offSession: true })
    return
  }
  const id = String(invoice.parent?.subscription_details?.subscription)
  const subscription = await unit.require<Stripe.Subscription>(id)
  await finalize(unit, invoice)
  await takeRenewal(unit, subscription, invoice)
  unit.put(subscription)
  if (subscription.status === 'past_due') {
    unit.emit('customer.subscription.updated', subscription)
  }
}

/** Its period, its trial or the time for its first payment ends. */
export async function subscriptionDue(unit: Unit, subscription: Stripe.Subscription) {
  const now = await unit.now(String(subscription.customer))
  if (subscription.status === 'incomplete') return abandonSubscription(unit, subscription.id)
  if (subscription.cancel_at !== null && subscription.cancel_at <= now) {
    return cancelSubscription(unit, subscription, 'cancellation_requested')
  }
  return renew(unit, subscription)
}

/**
 * Takes an open invoice once more. A subscription recovers when nothing is open any more, and ends with the
 * last attempt that failed.
 */
export async function tryAgain(
  unit: Unit,
  invoice: Stripe.Invoice,
  options: { offSession: boolean; paymentMethod?: string; isExtra?: boolean },
) {
  const id = String(invoice.parent?.subscription_details?.subscription)
  const subscription = await unit.require<Stripe.Subscription>(id)
  const result = await payInvoice(unit, subscription, invoice, options)
  if (result.outcome === 'succeeded') {
    const rest = await openInvoices(unit, subscription)
    const waits = subscription.status === 'past_due' || subscription.status === 'incomplete'
    if (waits && rest.length === 0) {
      subscription.status = 'active'
      unit.put(subscription)
      unit.emit('customer.subscription.updated', subscription)
    }
  } else if (!options.isExtra && invoice.next_payment_attempt === null) {
    await cancelSubscription(unit, subscription, 'payment_failed')
  }
  return result
}
