import type Stripe from 'stripe'
import { requireCustomer } from './customers.ts'
import { mergedMetadata, pageFields, readParams } from './params.ts'
import { requireMethod } from './payment-methods.ts'
import { priceOf } from './prices.ts'
import { missing, Refusal, wrong } from './refusal.ts'
import { pageOf, type Route } from './route.ts'
import type { Unit } from './store.ts'
import { cancelSubscription, createSubscription } from './subscriptions.ts'

const running = ['active', 'incomplete', 'past_due', 'paused', 'trialing', 'unpaid']

async function requireSubscription(unit: Unit, id: string): Promise<Stripe.Subscription> {
  const subscription = await unit.get<Stripe.Subscription>(id)
  if (subscription?.object !== 'subscription') throw missing('subscription', id)
  return subscription
}

/** Of the card it is charged to; '' takes it away. */
async function ownCard(unit: Unit, customer: string, id: string): Promise<string | null> {
  if (id === '') return null
  const method = await requireMethod(unit, id)
  // Handier than at Stripe: a test card needs not be attached before.
  if (id.startsWith('pm_card_')) {
    method.customer = customer
    unit.put(method)
  }
  if (method.customer !== customer) throw missing('PaymentMethod', id, 'default_payment_method')
  return method.id
}

export const subscriptionRoutes: Route[] = [
  [
    'POST',
    '/v1/subscriptions',
    async ({ unit, params }) => {
      const given = readParams(params, {
        customer: 'text!',
        default_payment_method: 'text',
        description: 'text',
        items: 'groups!',
        metadata: 'metadata',
        off_session: 'yesNo',
        payment_behavior: 'text',
        trial_end: 'integer',
        trial_period_days: 'integer',
      })
      const customer = await requireCustomer(unit, given.customer)
      const items = []
      for (const [place, group] of given.items.entries()) {
        const path = `items[${place}]`
        const item = readParams(
          group,
          { price: 'text', price_data: 'group', quantity: 'integer' },
          path,
        )
        items.push({ price: await priceOf(unit, item, path), quantity: item.quantity ?? 1 })
      }
      if (items.length === 0) throw wrong('You must pass at least one item.', 'items')
      const days = given.trial_period_days
      const { subscription, result } = await createSubscription(unit, {
        customer: customer.id,
        items,
        paymentMethod:
          given.default_payment_method === undefined
            ? null
            : await ownCard(unit, customer.id, given.default_payment_method),
        metadata: given.metadata ?? {},
        description: given.description ?? null,
        trialEnd: days ? (await unit.now(customer.id)) + days * 86_400 : given.trial_end,
        offSession: given.off_session ?? false,
      })
      if (result.outcome === 'declined' && given.payment_behavior === 'error_if_incomplete') {
        throw new Refusal(402, result.message, {
          type: 'card_error',
          code: result.code,
          decline_code: result.declineCode ?? undefined,
        })
      }
      return subscription
    },
  ],
  [
    'GET',
    '/v1/subscriptions',
    async (call) => {
      const { customer, status } = readParams(call.params, {
        ...pageFields,
        customer: 'text',
        status: 'text',
      })
      return pageOf(call, '/v1/subscriptions', 'subscription', {
        customer,
        status: status === 'all' ? undefined : status === undefined ? running : status,
      })
    },
  ],
  [
    'GET',
    '/v1/subscriptions/:id',
    async ({ unit, id, params }) => {
      readParams(params, {})
      return requireSubscription(unit, id)
    },
  ],
  [
    'POST',
    '/v1/subscriptions/:id',
    async ({ unit, id, params }) => {
      const subscription = await requireSubscription(unit, id)
      const given = readParams(params, {
        cancel_at: 'text',
        cancel_at_period_end: 'yesNo',
        cancellation_details: 'group',
        default_payment_method: 'text',
        description: 'text',
        metadata: 'metadata',
      })
      const isEnded = subscription.ended_at !== null
      if (isEnded && Object.keys(params).some((field) => field !== 'metadata')) {
        throw wrong(
          'A canceled subscription can only update its cancellation_details and metadata.',
        )
      }
      if (given.default_payment_method !== undefined) {
        subscription.default_payment_method = await ownCard(
          unit,
          String(subscription.customer),
          given.default_payment_method,
        )
      }
      const { cancel_at: moment, cancel_at_period_end: atPeriodEnd } = given
      if (moment !== undefined && atPeriodEnd !== undefined) {
        throw wrong(
          'Received both cancel_at_period_end and cancel_at parameters. Please pass in only one.',
        )
      }
      if (moment) throw wrong('A moment to cancel at cannot be chosen here.', 'cancel_at')
      if (moment === '') await setCancelAtPeriodEnd(unit, subscription, false)
      // Of a moment that was named by itself, as the portal does, the flag says nothing.
      if (atPeriodEnd || (atPeriodEnd === false && subscription.cancel_at_period_end)) {
        await setCancelAtPeriodEnd(unit, subscription, atPeriodEnd)
      }
      if (given.description !== undefined) subscription.description = given.description || null
      noteDetails(subscription, given.cancellation_details)
      subscription.metadata = mergedMetadata(subscription.metadata, given.metadata)
      unit.put(subscription)
      unit.emit('customer.subscription.updated', subscription)
      return subscription
    },
  ],
  [
    'DELETE',
    '/v1/subscriptions/:id',
    async ({ unit, id, params }) => {
      const given = readParams(params, {
        cancellation_details: 'group',
        invoice_now: 'yesNo',
        prorate: 'yesNo',
      })
      const subscription = await requireSubscription(unit, id)
      if (subscription.ended_at !== null) throw missing('subscription', id)
      noteDetails(subscription, given.cancellation_details)
      await cancelSubscription(unit, subscription, 'cancellation_requested')
      return subscription
    },
  ],
]

/** Also what the portal's buttons do; the caller keeps it and tells of it. */
export async function setCancelAtPeriodEnd(
  unit: Unit,
  subscription: Stripe.Subscription,
  isToEnd: boolean,
) {
  const ends = subscription.items.data.map((item) => item.current_period_end)
  subscription.cancel_at_period_end = isToEnd
  subscription.cancel_at = isToEnd ? Math.max(...ends) : null
  subscription.canceled_at = isToEnd ? await unit.now(String(subscription.customer)) : null
  if (subscription.cancellation_details) {
    subscription.cancellation_details.reason = isToEnd ? 'cancellation_requested' : null
  }
}

function noteDetails(subscription: Stripe.Subscription, given: Stripe.Metadata | object = {}) {
  const { comment, feedback } = given as { comment?: string; feedback?: string }
  const details = subscription.cancellation_details
  if (!details) return
  if (comment !== undefined) details.comment = comment
  if (feedback !== undefined) details.feedback = feedback
}
