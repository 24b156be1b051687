// What the API tells of payments, and what it lets one do with them afterwards.
import type Stripe from 'stripe'
import { closeDispute } from './disputes.ts'
import { withNewLinks } from './lasting-links.ts'
import { mergedMetadata, pageFields, readParams } from './params.ts'
import { refundCharge } from './refund-charge.ts'
import { missing, wrong } from './refusal.ts'
import { pageOf, type Call, type Route } from './route.ts'
import type { Unit } from './store.ts'

async function requireKind<T extends { id: string; object: string }>(
  { unit, id, params }: Pick<Call, 'unit' | 'id' | 'params'>,
  object: T['object'],
): Promise<T> {
  readParams(params, {})
  const found = await unit.require<T>(id)
  if (found.object !== object) throw missing(object, id)
  return found
}

/** Which charge a refund is of: it may be named by its payment. */
async function chargeOf(
  unit: Unit,
  { charge, payment_intent }: { charge?: string; payment_intent?: string },
): Promise<Stripe.Charge> {
  if (charge) {
    const found = await unit.get<Stripe.Charge>(charge)
    if (found?.object !== 'charge') throw missing('charge', charge, 'charge')
    return found
  }
  if (!payment_intent) {
    throw wrong('One of the following params should be provided: payment_intent or charge.')
  }
  const intent = await unit.get<Stripe.PaymentIntent>(payment_intent)
  if (intent?.object !== 'payment_intent') {
    throw missing('payment_intent', payment_intent, 'payment_intent')
  }
  const latest = intent.latest_charge
  if (!latest || intent.status !== 'succeeded') {
    const message = `This PaymentIntent (${payment_intent}) does not have a successful charge to refund.`
    throw wrong(message, 'payment_intent')
  }
  return unit.require<Stripe.Charge>(String(latest), 'payment_intent')
}

const reasons = new Set(['duplicate', 'fraudulent', 'requested_by_customer'])

export const paymentRoutes: Route[] = [
  [
    'GET',
    '/v1/payment_intents',
    async (call) => {
      const { customer } = readParams(call.params, { ...pageFields, customer: 'text' })
      return pageOf(call, '/v1/payment_intents', 'payment_intent', { customer })
    },
  ],
  [
    'GET',
    '/v1/payment_intents/:id',
    (call) => requireKind<Stripe.PaymentIntent>(call, 'payment_intent'),
  ],
  [
    'GET',
    '/v1/charges',
    async (call) => {
      const { customer, payment_intent } = readParams(call.params, {
        ...pageFields,
        customer: 'text',
        payment_intent: 'text',
      })
      return pageOf(call, '/v1/charges', 'charge', { customer, payment_intent })
    },
  ],
  [
    'GET',
    '/v1/charges/:id',
    async (call) => withNewLinks(call.unit, await requireKind<Stripe.Charge>(call, 'charge')),
  ],
  [
    'POST',
    '/v1/refunds',
    async ({ unit, params }) => {
      const { charge, payment_intent, amount, reason, metadata } = readParams(params, {
        charge: 'text',
        payment_intent: 'text',
        amount: 'integer',
        reason: 'text',
        metadata: 'metadata',
      })
      if (reason && !reasons.has(reason)) {
        throw wrong(`Invalid reason: must be one of ${[...reasons].join(', ')}`, 'reason')
      }
      const found = await chargeOf(unit, { charge, payment_intent })
      return refundCharge(unit, found, { amount, reason, metadata })
    },
  ],
  [
    'GET',
    '/v1/refunds',
    async (call) => {
      const { charge, payment_intent } = readParams(call.params, {
        ...pageFields,
        charge: 'text',
        payment_intent: 'text',
      })
      return pageOf(call, '/v1/refunds', 'refund', { charge, payment_intent })
    },
  ],
  ['GET', '/v1/refunds/:id', (call) => requireKind<Stripe.Refund>(call, 'refund')],
  [
    'POST',
    '/v1/refunds/:id',
    async ({ unit, id, params }) => {
      const { metadata } = readParams(params, { metadata: 'metadata' })
      const refund = await requireKind<Stripe.Refund>({ unit, id, params: {} }, 'refund')
      refund.metadata = mergedMetadata(refund.metadata ?? {}, metadata)
      unit.put(refund)
      unit.emit('refund.updated', refund)
      return refund
    },
  ],
  [
    'GET',
    '/v1/disputes',
    async (call) => {
      const { charge, payment_intent } = readParams(call.params, {
        ...pageFields,
        charge: 'text',
        payment_intent: 'text',
      })
      return pageOf(call, '/v1/disputes', 'dispute', { charge, payment_intent })
    },
  ],
  ['GET', '/v1/disputes/:id', (call) => requireKind<Stripe.Dispute>(call, 'dispute')],
  [
    'POST',
    '/v1/disputes/:id/close',
    async (call) => closeDispute(call.unit, await requireKind(call, 'dispute'), false),
  ],
  [
    'GET',
    '/v1/balance_transactions',
    async (call) => {
      const { source, type, payout } = readParams(call.params, {
        ...pageFields,
        source: 'text',
        type: 'text',
        payout: 'text',
      })
      return pageOf(call, '/v1/balance_transactions', 'balance_transaction', {
        source: source ?? payout,
        type,
      })
    },
  ],
  [
    'GET',
    '/v1/balance_transactions/:id',
    (call) => requireKind<Stripe.BalanceTransaction>(call, 'balance_transaction'),
  ],
]
