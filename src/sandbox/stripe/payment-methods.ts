import type Stripe from 'stripe'
import { requireCustomer } from './customers.ts'
import { mergedMetadata, pageFields, readParams } from './params.ts'
import { newCardMethod } from './read-card.ts'
import { missing, Refusal, wrong } from './refusal.ts'
import { pageOf, type Route } from './route.ts'
import type { Unit } from './store.ts'
import { askCard, testCards } from './test-cards.ts'

/** Stripe's names for cards that every test account has. */
const named: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_createDispute: '4000000000000259',
}

/** Null of a name that Stripe gives to none of its test cards. */
async function namedMethod(unit: Unit, name: string): Promise<Stripe.PaymentMethod | null> {
  const number = named[name]
  const card = testCards.find((one) => one.number === number)
  if (!number || !card) return null
  return newCardMethod(
    unit,
    {
      last4: number.slice(-4),
      brand: card.brand,
      funding: card.funding,
      expMonth: 12,
      expYear: new Date().getUTCFullYear() + 3,
      name: 'Test Card',
      email: null,
    },
    { customer: null, created: await unit.now() },
  )
}

/** @throws Refusal resource_missing; a test card of Stripe's is made on the spot */
export async function requireMethod(unit: Unit, id: string): Promise<Stripe.PaymentMethod> {
  const made = await namedMethod(unit, id)
  if (made) return made
  const method = await unit.get<Stripe.PaymentMethod>(id)
  if (method?.object !== 'payment_method') throw missing('PaymentMethod', id, 'payment_method')
  return method
}

/** Takes the card from its customer: nothing can be charged to it any more. */
async function detach(unit: Unit, method: Stripe.PaymentMethod) {
  const owner = method.customer
  if (typeof owner !== 'string') {
    throw wrong('The payment method is not attached to a customer.', 'payment_method')
  }
  method.customer = null
  unit.put(method)
  unit.emit('payment_method.detached', method)
  const customer = await requireCustomer(unit, owner)
  if (customer.invoice_settings.default_payment_method === method.id) {
    customer.invoice_settings.default_payment_method = null
    unit.put(customer)
    unit.emit('customer.updated', customer)
  }
}

export const paymentMethodRoutes: Route[] = [
  [
    'POST',
    '/v1/payment_methods',
    async ({ unit, params }) => {
      const given = readParams(params, { type: 'text!', card: 'group!', metadata: 'metadata' })
      if (given.type !== 'card') throw wrong('The sandbox knows cards only.', 'type')
      // Numbers are typed on the payment page; programs name one of Stripe's tokens.
      const { token } = readParams(given.card, { token: 'text!' }, 'card')
      const method = await namedMethod(unit, token.replace(/^tok_/, 'pm_card_'))
      if (!method) throw missing('token', token, 'card[token]')
      method.metadata = mergedMetadata({}, given.metadata)
      unit.put(method)
      return method
    },
  ],
  [
    'GET',
    '/v1/payment_methods',
    async (call) => {
      const { customer, type } = readParams(call.params, {
        ...pageFields,
        customer: 'text!',
        type: 'text',
      })
      return pageOf(call, '/v1/payment_methods', 'payment_method', { customer, type })
    },
  ],
  ['GET', '/v1/payment_methods/:id', async ({ unit, id }) => requireMethod(unit, id)],
  [
    'POST',
    '/v1/payment_methods/:id/attach',
    async ({ unit, id, params }) => {
      const given = readParams(params, { customer: 'text!' })
      const customer = await requireCustomer(unit, given.customer)
      const method = await requireMethod(unit, id)
      if (method.customer && method.customer !== customer.id) {
        throw wrong('The payment method is already attached to a customer.', 'payment_method')
      }
      const verdict = askCard(method.card?.last4 ?? '', 'setup')
      if (typeof verdict === 'object') {
        return new Refusal(402, verdict.message, {
          type: 'card_error',
          code: verdict.code,
          decline_code: verdict.declineCode ?? undefined,
        })
      }
      method.customer = customer.id
      unit.put(method)
      unit.emit('payment_method.attached', method)
      return method
    },
  ],
  [
    'POST',
    '/v1/payment_methods/:id/detach',
    async ({ unit, id }) => {
      const method = await requireMethod(unit, id)
      await detach(unit, method)
      return method
    },
  ],
]
