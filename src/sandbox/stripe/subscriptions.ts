// Subscriptions: begun by a first payment, changed, ended. Renewals are in renewals.ts.
import type Stripe from 'stripe'
import type { CardOutcome } from './charge-card.ts'
import { newInvoice, payInvoice, recordPaid, voidInvoice } from './invoices.ts'
import { decimal } from './prices.ts'
import { wrong } from './refusal.ts'
import type { Unit } from './store.ts'

interface NewSubscription {
  customer: string
  items: { price: Stripe.Price; quantity: number }[]
  /** 'pm_…'; null: what the customer has by default. */
  paymentMethod: string | null
  metadata: Stripe.Metadata
  description?: string | null
  trialEnd?: number | null
  offSession?: boolean
}

interface FirstPayment {
  subscription: Stripe.Subscription
  invoice: Stripe.Invoice
  result: CardOutcome | { outcome: 'nothing due' }
}

/** The end of the interval that begins at `start`, counted from the anchor: 31 January, 28 February, 31 March. */
export function periodEnd(
  anchor: number,
  start: number,
  { interval, interval_count: count }: { interval: string; interval_count: number },
): number {
  const days = interval === 'week' ? 7 * count : interval === 'day' ? count : null
  if (days) return start + days * 24 * 60 * 60
  const months = interval === 'year' ? 12 * count : count
  const from = new Date(anchor * 1000)
  const after = (steps: number) => {
    const end = new Date(from)
    end.setUTCDate(1)
    end.setUTCMonth(from.getUTCMonth() + steps * months)
    const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
    end.setUTCDate(Math.min(from.getUTCDate(), lastDay))
    return Math.floor(end.getTime() / 1000)
  }
  let steps = 1
  while (after(steps) <= start) steps += 1
  return after(steps)
}

function planOf(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: decimal(price.unit_amount ?? 0),
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

/** @throws Refusal when an item is no recurring price */
export async function createSubscription(
  unit: Unit,
  given: NewSubscription,
): Promise<FirstPayment> {
  const [first] = given.items
  const recurring = first?.price.recurring
  if (!recurring || given.items.some((item) => !item.price.recurring)) {
    throw wrong('The price specified is not a recurring price.', 'items', 'price_not_recurring')
  }
  const customer = await unit.require<Stripe.Customer>(given.customer, 'customer')
  const now = await unit.now(given.customer)
  const id = unit.newId('sub_')
  const trialEnd = given.trialEnd && given.trialEnd > now ? given.trialEnd : null
  const anchor = trialEnd ?? now
  const end = trialEnd ?? periodEnd(anchor, now, recurring)
  const subscription: Stripe.Subscription = {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: anchor,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: 'classic' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: first.price.currency,
    customer: customer.id,
    customer_account: null,
    days_until_due: null,
    default_payment_method: given.paymentMethod,
    default_source: null,
    description: given.description ?? null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: given.items.map(({ price, quantity }) => ({
        id: unit.newId('si_').slice(0, 17),
        object: 'subscription_item',
        billing_thresholds: null,
        created: now,
        current_period_end: end,
        current_period_start: now,
        current_trial: null,
        discounts: [],
        metadata: {},
        plan: planOf(price),
        price,
        quantity,
        subscription: id,
        tax_rates: [],
      })),
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: given.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'incomplete',
    test_clock: customer.test_clock ?? null,
    transfer_data: null,
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
    trial_start: trialEnd ? now : null,
  }
  const invoice = await newInvoice(unit, subscription, 'subscription_create')
  subscription.latest_invoice = invoice.id

  const announce = () => {
    unit.put(subscription)
    unit.put(customer)
    unit.emit('customer.subscription.created', subscription)
    unit.emit('invoice.created', invoice)
    unit.emit('invoice.finalized', invoice)
  }
  if (invoice.total === 0) {
    subscription.status = trialEnd ? 'trialing' : 'active'
    announce()
    await recordPaid(unit, invoice, null)
    return { subscription, invoice, result: { outcome: 'nothing due' } }
  }
  const result = await payInvoice(unit, subscription, invoice, {
    offSession: given.offSession ?? false,
    isSilent: true,
  })
  if (result.paymentIntent === null) {
    throw wrong(result.message, 'default_payment_method', 'resource_missing')
  }
  if (result.outcome === 'succeeded') subscription.status = 'active'
  announce()
  if (result.outcome === 'succeeded') await recordPaid(unit, invoice, result)
  if (result.outcome === 'declined') unit.emit('invoice.payment_failed', invoice)
  if (result.outcome === 'requires_action') unit.emit('invoice.payment_action_required', invoice)
  return { subscription, invoice, result }
}

/** The payment that a subscription waited for, after 3-D Secure. */
export async function finishFirstPayment(
  unit: Unit,
  id: string,
  paid: { paymentIntent: Stripe.PaymentIntent; charge: Stripe.Charge },
): Promise<{ subscription: Stripe.Subscription; invoice: Stripe.Invoice }> {
  const subscription = await unit.require<Stripe.Subscription>(id)
  const invoice = await unit.require<Stripe.Invoice>(String(subscription.latest_invoice))
  if (subscription.status === 'incomplete') subscription.status = 'active'
  unit.put(subscription)
  await recordPaid(unit, invoice, paid)
  unit.emit('customer.subscription.updated', subscription)
  return { subscription, invoice }
}

/** The first payment never came: it never was a subscription. */
export async function abandonSubscription(unit: Unit, id: string) {
  const subscription = await unit.require<Stripe.Subscription>(id)
  if (subscription.status !== 'incomplete') return
  subscription.status = 'incomplete_expired'
  subscription.ended_at = await unit.now(String(subscription.customer))
  unit.put(subscription)
  const invoice = await unit.get<Stripe.Invoice>(String(subscription.latest_invoice))
  if (invoice) await voidInvoice(unit, invoice)
  unit.emit('customer.subscription.updated', subscription)
}

const ended = new Set<string>(['canceled', 'incomplete_expired'])

/** Ends it now; ended ones stay as they are. */
export async function cancelSubscription(
  unit: Unit,
  subscription: Stripe.Subscription,
  reason: 'cancellation_requested' | 'payment_failed' | 'payment_disputed',
) {
  if (ended.has(subscription.status)) return
  if (subscription.status === 'incomplete') {
    await abandonSubscription(unit, subscription.id)
    return
  }
  const now = await unit.now(String(subscription.customer))
  subscription.status = 'canceled'
  subscription.canceled_at ??= now
  subscription.ended_at = now
  if (subscription.cancellation_details) subscription.cancellation_details.reason = reason
  unit.put(subscription)
  for (const invoice of await unit.find<Stripe.Invoice>('invoice', {
    subscription: subscription.id,
    status: 'open',
  })) {
    // What is open stays owed, but nothing is tried any more.
    invoice.next_payment_attempt = null
    invoice.auto_advance = false
    unit.put(invoice)
    unit.emit('invoice.updated', invoice)
  }
  unit.emit('customer.subscription.deleted', subscription)
}
