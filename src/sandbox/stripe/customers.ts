import type Stripe from 'stripe'
import { mergedMetadata, pageFields, readParams, type Group } from './params.ts'
import { missing } from './refusal.ts'
import { pageOf, type Route } from './route.ts'
import type { Unit } from './store.ts'
import { cancelSubscription } from './subscriptions.ts'

/** @throws Refusal resource_missing: deleted ones are not there either */
export async function requireCustomer(
  unit: Unit,
  id: string,
  param = 'customer',
): Promise<Stripe.Customer> {
  const customer = await unit.get<Stripe.Customer | Stripe.DeletedCustomer>(id)
  if (customer?.object !== 'customer' || customer.deleted) throw missing('customer', id, param)
  return customer
}

const fields = {
  description: 'text',
  email: 'text',
  invoice_settings: 'group',
  metadata: 'metadata',
  name: 'text',
  payment_method: 'text',
  phone: 'text',
  preferred_locales: 'texts',
  test_clock: 'text',
} as const

async function apply(unit: Unit, customer: Stripe.Customer, params: Group) {
  const given = readParams(params, fields)
  const settings = readParams(
    given.invoice_settings ?? {},
    { default_payment_method: 'text' },
    'invoice_settings',
  )
  for (const field of ['description', 'email', 'name', 'phone'] as const) {
    const value = given[field]
    if (value !== undefined) customer[field] = value || null
  }
  if (given.preferred_locales) customer.preferred_locales = given.preferred_locales
  customer.metadata = mergedMetadata(customer.metadata, given.metadata)
  if (given.payment_method) {
    const method = await unit.require<Stripe.PaymentMethod>(given.payment_method, 'payment_method')
    method.customer = customer.id
    unit.put(method)
  }
  const chosen = settings.default_payment_method
  if (chosen !== undefined) {
    if (chosen) {
      const method = await unit.get<Stripe.PaymentMethod>(chosen)
      if (method?.customer !== customer.id) {
        throw missing('PaymentMethod', chosen, 'invoice_settings[default_payment_method]')
      }
    }
    customer.invoice_settings.default_payment_method = chosen || null
  }
  return given
}

export const customerRoutes: Route[] = [
  [
    'POST',
    '/v1/customers',
    async ({ unit, params }) => {
      const clock = typeof params.test_clock === 'string' ? params.test_clock : null
      const frozen = clock
        ? await unit.require<Stripe.TestHelpers.TestClock>(clock, 'test_clock')
        : null
      const customer: Stripe.Customer = {
        id: unit.newId('cus_'),
        object: 'customer',
        address: null,
        balance: 0,
        created: frozen?.frozen_time ?? (await unit.now()),
        currency: null,
        default_source: null,
        delinquent: false,
        description: null,
        discount: null,
        email: null,
        invoice_prefix: unit.newId('').slice(0, 8).toUpperCase(),
        invoice_settings: {
          custom_fields: null,
          default_payment_method: null,
          footer: null,
          rendering_options: null,
        },
        livemode: false,
        metadata: {},
        name: null,
        next_invoice_sequence: 1,
        phone: null,
        preferred_locales: [],
        shipping: null,
        tax_exempt: 'none',
        test_clock: clock,
      }
      await apply(unit, customer, params)
      unit.put(customer)
      unit.emit('customer.created', customer)
      return customer
    },
  ],
  [
    'GET',
    '/v1/customers',
    async (call) => {
      const given = readParams(call.params, { ...pageFields, email: 'text', test_clock: 'text' })
      const { email, test_clock } = given
      return pageOf(call, '/v1/customers', 'customer', { email, test_clock, deleted: null })
    },
  ],
  [
    'GET',
    '/v1/customers/:id',
    async ({ unit, id, params }) => {
      readParams(params, {})
      const customer = await unit.get(id)
      if (customer?.object !== 'customer') throw missing('customer', id)
      return customer
    },
  ],
  [
    'POST',
    '/v1/customers/:id',
    async ({ unit, id, params }) => {
      const customer = await requireCustomer(unit, id, 'id')
      const { test_clock: _, ...change } = params
      await apply(unit, customer, change)
      unit.put(customer)
      unit.emit('customer.updated', customer)
      return customer
    },
  ],
  [
    'DELETE',
    '/v1/customers/:id',
    async ({ unit, id }) => {
      const customer = await requireCustomer(unit, id, 'id')
      for (const subscription of await unit.find<Stripe.Subscription>('subscription', {
        customer: id,
      })) {
        await cancelSubscription(unit, subscription, 'cancellation_requested')
      }
      for (const method of await unit.find<Stripe.PaymentMethod>('payment_method', {
        customer: id,
      })) {
        method.customer = null
        unit.put(method)
      }
      unit.emit('customer.deleted', customer)
      const gone = { id, object: 'customer' as const, deleted: true as const }
      unit.put(gone)
      return gone
    },
  ],
]
