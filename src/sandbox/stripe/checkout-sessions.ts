import type Stripe from 'stripe'
import { requireCustomer } from './customers.ts'
import { pageFields, readParams, type Group } from './params.ts'
import { priceOf } from './prices.ts'
import { wrong } from './refusal.ts'
import { pageOf, type Call, type Route } from './route.ts'
import { wallSeconds, type Unit } from './store.ts'

type Terms = { description: string | null; metadata: Stripe.Metadata }

/** With what its payment page needs and the API does not show. */
export interface CheckoutSession extends Stripe.Checkout.Session {
  _line_items: Stripe.ApiList<Stripe.LineItem>
  /** Of the payment or subscription that will be made. */
  _terms: Terms
  /** What was tried: a payment, and with 3-D Secure a subscription that waits for its first one. */
  _intent: string | null
  _subscription: string | null
}

const leastTime = 30 * 60
const mostTime = 24 * 60 * 60

/** Less than this costs more than it brings: Stripe refuses it. */
const leastPayable = 50

function readAddress(value: string, param: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return value
  const message = 'Not a valid URL'
  throw wrong(message, param, 'url_invalid')
}

async function readLines(unit: Unit, lines: Group[], mode: string): Promise<Stripe.LineItem[]> {
  const items: Stripe.LineItem[] = []
  for (const [place, line] of lines.entries()) {
    const path = `line_items[${place}]`
    const read = readParams(line, { price: 'text', price_data: 'group', quantity: 'integer' }, path)
    const price = await priceOf(unit, read, path)
    if (price.recurring && mode === 'payment') {
      throw wrong(
        'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
        'line_items',
      )
    }
    if (!price.recurring && mode === 'subscription') {
      throw wrong(
        'You must provide at least one recurring price in `subscription` mode when using prices.',
        'line_items',
      )
    }
    const quantity = read.quantity ?? 1
    if (quantity < 1) throw wrong('Invalid positive integer', `${path}[quantity]`)
    const amount = (price.unit_amount ?? 0) * quantity
    const product = await unit.get<Stripe.Product>(String(price.product))
    items.push({
      id: unit.newId('li_'),
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: 0,
      amount_total: amount,
      currency: price.currency,
      description: product?.name ?? null,
      metadata: {},
      price,
      quantity,
    })
  }
  if (items.length === 0) throw wrong('You must pass line items.', 'line_items')
  if (items.some((item) => item.currency !== items[0]?.currency)) {
    throw wrong('All line items must have the same currency.', 'line_items')
  }
  return items
}

async function create({ unit, params }: Call): Promise<CheckoutSession> {
  const given = readParams(params, {
    mode: 'text!',
    customer: 'text',
    line_items: 'groups!',
    success_url: 'text!',
    cancel_url: 'text',
    client_reference_id: 'text',
    expires_at: 'integer',
    metadata: 'metadata',
    payment_intent_data: 'group',
    subscription_data: 'group',
    locale: 'text',
    ui_mode: 'text',
    submit_type: 'text',
    payment_method_types: 'texts',
    allowed_payment_method_types: 'texts',
    payment_method_collection: 'text',
    billing_address_collection: 'text',
    allow_promotion_codes: 'yesNo',
    adaptive_pricing: 'group',
  })
  const { mode } = given
  if (mode !== 'payment' && mode !== 'subscription') {
    throw wrong(`Invalid mode: must be one of payment or subscription`, 'mode')
  }
  if (given.ui_mode && given.ui_mode !== 'hosted_page') {
    throw wrong('The sandbox has hosted pages only.', 'ui_mode')
  }
  if (mode === 'payment' ? given.subscription_data : given.payment_intent_data) {
    const param = mode === 'payment' ? 'subscription_data' : 'payment_intent_data'
    throw wrong(`You can not pass \`${param}\` in \`${mode}\` mode.`, param)
  }
  const data = mode === 'payment' ? 'payment_intent_data' : 'subscription_data'
  const terms = readParams(given[data] ?? {}, { description: 'text', metadata: 'metadata' }, data)
  const customer = given.customer ? await requireCustomer(unit, given.customer) : null
  const success = readAddress(given.success_url, 'success_url')
  const cancel = given.cancel_url ? readAddress(given.cancel_url, 'cancel_url') : null
  // Payment pages live by the wall's clock: they were opened by somebody who sits before one.
  const created = wallSeconds()
  const expires = given.expires_at ?? created + mostTime
  if (expires < created + leastTime || expires > created + mostTime) {
    throw wrong(
      'The `expires_at` timestamp must be at least 30 minutes and less than 24 hours from Checkout Session creation.',
      'expires_at',
    )
  }
  const items = await readLines(unit, given.line_items, mode)
  const total = items.reduce((sum, item) => sum + item.amount_total, 0)
  const currency = items[0]?.currency ?? 'usd'
  if (total < leastPayable) {
    throw wrong(
      'The Checkout Session’s total amount must be at least 50 cents.',
      undefined,
      'amount_too_small',
    )
  }
  const id = unit.newId('cs_test_')
  const session: CheckoutSession = {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: given.allow_promotion_codes ?? null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: cancel,
    client_reference_id: given.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created,
    currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: customer?.id ?? null,
    customer_account: null,
    customer_creation: customer ? null : 'if_required',
    customer_details: customer
      ? {
          address: null,
          business_name: null,
          email: customer.email,
          individual_name: null,
          name: null,
          phone: null,
          tax_exempt: 'none',
          tax_ids: null,
        }
      : null,
    customer_email: null,
    discounts: [],
    expires_at: expires,
    integration_identifier: null,
    invoice: null,
    invoice_creation:
      mode === 'payment'
        ? {
            enabled: false,
            invoice_data: {
              account_tax_ids: null,
              custom_fields: null,
              description: null,
              footer: null,
              issuer: null,
              metadata: {},
              rendering_options: null,
            },
          }
        : null,
    livemode: false,
    locale: given.locale ?? null,
    managed_payments: { enabled: false },
    metadata: given.metadata ?? {},
    mode,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: mode === 'payment' ? 'if_required' : 'always',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: success,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: unit.address(`/c/pay/${id}`),
    wallet_options: null,
    _line_items: {
      object: 'list',
      data: items,
      has_more: false,
      url: `/v1/checkout/sessions/${id}/line_items`,
    },
    _terms: { description: terms.description ?? null, metadata: terms.metadata ?? {} },
    _intent: null,
    _subscription: null,
  }
  unit.put(session)
  return session
}

/** Nobody can pay there any more. */
export async function expireSession(
  unit: Unit,
  session: CheckoutSession,
): Promise<CheckoutSession> {
  if (session.status !== 'open') {
    throw wrong(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    )
  }
  session.status = 'expired'
  session.url = null
  unit.put(session)
  const intent = session._intent && (await unit.get<Stripe.PaymentIntent>(session._intent))
  if (intent && intent.status !== 'succeeded') {
    intent.status = 'canceled'
    intent.canceled_at = await unit.now(session.customer as string | null)
    intent.cancellation_reason = 'automatic'
    intent.next_action = null
    unit.put(intent)
    unit.emit('payment_intent.canceled', intent)
  }
  unit.emit('checkout.session.expired', session)
  return session
}

async function list(call: Call) {
  const { customer, payment_intent, subscription, status } = readParams(call.params, {
    ...pageFields,
    customer: 'text',
    payment_intent: 'text',
    subscription: 'text',
    status: 'text',
  })
  const filter = { customer, payment_intent, subscription, status }
  return pageOf(call, '/v1/checkout/sessions', 'checkout.session', filter)
}

const session = (unit: Unit, id: string) => unit.require<CheckoutSession>(id, 'session')

export const checkoutSessionRoutes: Route[] = [
  ['POST', '/v1/checkout/sessions', create],
  ['GET', '/v1/checkout/sessions', list],
  ['GET', '/v1/checkout/sessions/:id', ({ unit, id }) => session(unit, id)],
  [
    'POST',
    '/v1/checkout/sessions/:id/expire',
    async ({ unit, id }) => expireSession(unit, await session(unit, id)),
  ],
  [
    'GET',
    '/v1/checkout/sessions/:id/line_items',
    async ({ unit, id, params }) => {
      readParams(params, { limit: 'integer', starting_after: 'text', ending_before: 'text' })
      return (await session(unit, id))._line_items
    },
  ],
]
