// Invoices of subscriptions: made, paid, tried again, voided.
import type Stripe from 'stripe'
import { brand } from '../../domains/site/brand.ts'
import { chargeCard, type CardOutcome } from './charge-card.ts'
import { lastingLink } from './lasting-links.ts'
import { decimal } from './prices.ts'
import type { Unit } from './store.ts'

const day = 24 * 60 * 60

/** Days from each failed payment to the next attempt. */
const retryAfter = [3, 5, 7]

function intervalText({ interval, interval_count: count }: Stripe.Price.Recurring) {
  return count === 1 ? interval : `${count} ${interval}s`
}

async function linesOf(unit: Unit, invoiceId: string, subscription: Stripe.Subscription) {
  const lines: Stripe.InvoiceLineItem[] = []
  const isTrial = subscription.trial_end !== null && subscription.status === 'incomplete'
  for (const item of subscription.items.data) {
    const { price, quantity = 1 } = item
    const product = await unit.get<Stripe.Product>(String(price.product))
    const amount = isTrial ? 0 : (price.unit_amount ?? 0) * quantity
    const each = new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: price.currency,
    }).format((price.unit_amount ?? 0) / 100)
    const name = product?.name ?? 'Subscription'
    lines.push({
      id: unit.newId('il_'),
      object: 'line_item',
      amount,
      currency: price.currency,
      description: isTrial
        ? `Trial period for ${name}`
        : `${quantity} × ${name} (at ${each} / ${price.recurring ? intervalText(price.recurring) : 'month'})`,
      discount_amounts: [],
      discountable: true,
      discounts: [],
      invoice: invoiceId,
      livemode: false,
      metadata: subscription.metadata,
      parent: {
        invoice_item_details: null,
        subscription_item_details: {
          invoice_item: null,
          proration: false,
          proration_details: { credited_items: null },
          subscription: subscription.id,
          subscription_item: item.id,
        },
        type: 'subscription_item_details',
      },
      period: { end: item.current_period_end, start: item.current_period_start },
      pretax_credit_amounts: [],
      pricing: {
        price_details: { price: price.id, product: String(price.product) },
        type: 'price_details',
        unit_amount_decimal: decimal(isTrial ? 0 : (price.unit_amount ?? 0)),
      },
      quantity,
      quantity_decimal: decimal(quantity),
      subscription: subscription.id,
      subtotal: amount,
      taxes: [],
    })
  }
  return lines
}

/** Of the subscription's present period, open at once; the caller tells of it. */
export async function newInvoice(
  unit: Unit,
  subscription: Stripe.Subscription,
  reason: 'subscription_create' | 'subscription_cycle',
): Promise<Stripe.Invoice> {
  const customer = await unit.require<Stripe.Customer>(String(subscription.customer), 'customer')
  const now = await unit.now(customer.id)
  const id = unit.newId('in_')
  const place = customer.next_invoice_sequence ?? 1
  customer.next_invoice_sequence = place + 1
  unit.put(customer)
  const lines = await linesOf(unit, id, subscription)
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  const invoice: Stripe.Invoice = {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: brand.name,
    account_tax_ids: null,
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: total,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: false,
      liability: null,
      provider: null,
      status: null,
    },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: now,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: now,
    ending_balance: 0,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: unit.address(`/i/${id}`),
    invoice_pdf: lastingLink(unit, `/i/${id}/pdf`, now),
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: `${customer.invoice_prefix ?? 'SANDBOX'}-${String(place).padStart(4, '0')}`,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: {
        metadata: subscription.metadata,
        subscription: subscription.id,
      },
      type: 'subscription_details',
    },
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: null,
    },
    period_end: now,
    period_start: now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'open',
    status_transitions: {
      finalized_at: now,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: customer.test_clock ?? null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: now,
  }
  unit.put(invoice)
  return invoice
}

/** Not final yet: what a renewal is at first. */
export function asDraft(unit: Unit, invoice: Stripe.Invoice, seconds: number): void {
  const at = invoice.created + seconds
  Object.assign(invoice, {
    status: 'draft',
    automatically_finalizes_at: at,
    next_payment_attempt: at,
    effective_at: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
  } satisfies Partial<Stripe.Invoice>)
  invoice.status_transitions.finalized_at = null
  unit.put(invoice)
}

export async function finalize(unit: Unit, invoice: Stripe.Invoice): Promise<void> {
  const now = await unit.now(String(invoice.customer))
  Object.assign(invoice, {
    status: 'open',
    automatically_finalizes_at: null,
    next_payment_attempt: null,
    effective_at: now,
    hosted_invoice_url: unit.address(`/i/${invoice.id}`),
    invoice_pdf: unit.address(`/i/${invoice.id}/pdf`),
  } satisfies Partial<Stripe.Invoice>)
  invoice.status_transitions.finalized_at = now
  unit.put(invoice)
  unit.emit('invoice.finalized', invoice)
}

async function paymentOf(unit: Unit, invoice: Stripe.Invoice) {
  const [payment] = await unit.find<Stripe.InvoicePayment>('invoice_payment', {
    invoice: invoice.id,
  })
  return payment ?? null
}

/** The card that a subscription is charged to; null: there is none. */
async function cardOf(unit: Unit, subscription: Stripe.Subscription): Promise<string | null> {
  const own = subscription.default_payment_method
  if (typeof own === 'string') {
    const method = await unit.get<Stripe.PaymentMethod>(own)
    if (method?.customer === subscription.customer) return own
  }
  const customer = await unit.get<Stripe.Customer>(String(subscription.customer))
  const shared = customer?.invoice_settings?.default_payment_method
  return typeof shared === 'string' ? shared : null
}

type NoCard = Omit<Extract<CardOutcome, { outcome: 'declined' }>, 'paymentIntent'> & {
  paymentIntent: null
}

const noCard: NoCard = {
  outcome: 'declined',
  code: 'resource_missing',
  declineCode: null,
  paymentIntent: null,
  message: 'This customer has no attached payment source or default payment method.',
}

/**
 * One attempt to take what is due. Silent: the caller tells of it and, when it succeeded, calls recordPaid;
 * else the invoice, its next attempt and the events follow here, and the subscription is the caller's.
 */
export async function payInvoice(
  unit: Unit,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
  options: {
    offSession: boolean
    isSilent?: boolean
    paymentMethod?: string
    /** Between the planned attempts; it costs none of them. */
    isExtra?: boolean
  },
): Promise<CardOutcome | NoCard> {
  const now = await unit.now(String(subscription.customer))
  const before = await paymentOf(unit, invoice)
  const card = options.paymentMethod ?? (await cardOf(unit, subscription))
  const result = card
    ? await chargeCard(unit, {
        customer: String(subscription.customer),
        amount: invoice.amount_remaining,
        currency: invoice.currency,
        paymentMethod: card,
        description:
          invoice.billing_reason === 'subscription_create'
            ? 'Subscription creation'
            : 'Subscription update',
        metadata: {},
        invoice: invoice.id,
        offSession: options.offSession,
        paymentIntent: before ? String(before.payment.payment_intent) : null,
      })
    : noCard
  invoice.attempted = true
  const isPlanned = !options.isExtra || invoice.attempt_count === 0
  if (isPlanned) invoice.attempt_count += 1
  if (result.paymentIntent && !before) {
    const payment: Stripe.InvoicePayment = {
      id: unit.newId('inpay_'),
      object: 'invoice_payment',
      amount_paid: null,
      amount_requested: invoice.amount_remaining,
      created: now,
      currency: invoice.currency,
      invoice: invoice.id,
      is_default: true,
      livemode: false,
      payment: { payment_intent: result.paymentIntent.id, type: 'payment_intent' },
      status: 'open',
      status_transitions: { canceled_at: null, paid_at: null },
    }
    unit.put(payment)
  }
  unit.put(invoice)
  if (options.isSilent) return result
  if (result.outcome === 'succeeded') {
    await recordPaid(unit, invoice, result)
    return result
  }
  if (isPlanned) {
    const days = retryAfter[invoice.attempt_count - 1]
    invoice.next_payment_attempt = days === undefined ? null : now + days * day
  }
  unit.emit('invoice.payment_failed', invoice)
  if (result.outcome === 'requires_action') unit.emit('invoice.payment_action_required', invoice)
  unit.emit('invoice.updated', invoice)
  return result
}

export async function recordPaid(
  unit: Unit,
  invoice: Stripe.Invoice,
  paid: { paymentIntent: Stripe.PaymentIntent; charge: Stripe.Charge } | null,
) {
  if (invoice.status === 'paid') return
  const now = await unit.now(String(invoice.customer))
  invoice.status = 'paid'
  invoice.attempted = true
  invoice.auto_advance = false
  invoice.amount_paid = invoice.amount_due
  invoice.amount_remaining = 0
  invoice.next_payment_attempt = null
  invoice.status_transitions.paid_at = now
  unit.put(invoice)
  const payment = paid && (await paymentOf(unit, invoice))
  if (payment) {
    payment.amount_paid = invoice.amount_paid
    payment.status = 'paid'
    payment.status_transitions.paid_at = now
    unit.put(payment)
    unit.emit('invoice_payment.paid', payment)
  }
  unit.emit('invoice.paid', invoice)
  unit.emit('invoice.payment_succeeded', invoice)
}

export async function voidInvoice(unit: Unit, invoice: Stripe.Invoice) {
  if (invoice.status !== 'open') return
  invoice.status = 'void'
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  invoice.status_transitions.voided_at = await unit.now(String(invoice.customer))
  unit.put(invoice)
  const payment = await paymentOf(unit, invoice)
  if (payment) {
    payment.status = 'canceled'
    payment.status_transitions.canceled_at = invoice.status_transitions.voided_at
    unit.put(payment)
    const intent = await unit.get<Stripe.PaymentIntent>(String(payment.payment.payment_intent))
    if (intent && intent.status !== 'succeeded') {
      intent.status = 'canceled'
      intent.cancellation_reason = 'void_invoice'
      intent.canceled_at = invoice.status_transitions.voided_at
      intent.next_action = null
      unit.put(intent)
      unit.emit('payment_intent.canceled', intent)
    }
  }
  unit.emit('invoice.voided', invoice)
}
