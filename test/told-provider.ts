// A payment provider that has the objects that it is told, and refuses as the real one does. What the sandbox cannot be
// brought to is told here.
import Stripe from 'stripe'
import type { Services } from '../src/server/services.ts'

export interface ToldObject {
  id: string
  object: string
  [field: string]: unknown
}

const resources: Record<string, string> = {
  charges: 'charge',
  customers: 'customer',
  disputes: 'dispute',
  invoicePayments: 'invoice_payment',
  invoices: 'invoice',
  paymentIntents: 'payment_intent',
  refunds: 'refund',
  sessions: 'checkout.session',
  subscriptions: 'subscription',
}

export const missingAtProvider = (id: string) =>
  new Stripe.errors.StripeInvalidRequestError({
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such object: '${id}'`,
  })

export const providerFailed = () =>
  new Stripe.errors.StripeAPIError({ type: 'api_error', message: 'An unknown error occurred.' })

/** Whether an object of a list is one that was asked for. */
function fits(object: ToldObject, filter: Record<string, unknown>): boolean {
  return Object.entries(filter).every(([field, wanted]) => {
    if (field === 'limit' || wanted === 'all') return true
    if (field === 'payment') {
      const { payment_intent } = wanted as { payment_intent: string }
      return (object.payment as { payment_intent?: string }).payment_intent === payment_intent
    }
    return object[field] === wanted
  })
}

/** `asked` is each call, as 'subscriptions.retrieve sub_1'. */
export function toldProvider(services: Services, objects: ToldObject[]) {
  const asked: string[] = []
  const find = (id: unknown, kind?: string) =>
    objects.find((object) => object.id === id && (!kind || object.object === kind))
  const shownWith = (found: ToldObject, expand: string[]) => {
    const shown = structuredClone(found)
    for (const path of expand) {
      const fields = path.split('.')
      const last = fields.pop()!
      const holder = fields.reduce<ToldObject | undefined>(
        (at, field) => at?.[field] as ToldObject | undefined,
        shown,
      )
      if (holder) holder[last] = find(holder[last]) ?? holder[last]
    }
    return shown
  }
  const resource = (name: string) => ({
    async retrieve(id: string, { expand = [] }: { expand?: string[] } = {}) {
      asked.push(`${name}.retrieve ${id}`)
      const found = find(id, resources[name])
      if (!found) throw missingAtProvider(id)
      return shownWith(found, expand)
    },
    list({ expand = [], ...filter }: Record<string, unknown> & { expand?: string[] }) {
      asked.push(`${name}.list`)
      const kind = resources[name]
      const data = objects
        .filter((one) => one.object === kind && fits(one, filter))
        .map((one) =>
          shownWith(
            one,
            expand.map((path) => path.replace(/^data\./, '')),
          ),
        )
      // As a promise of the first page, or one by one.
      return Object.assign(Promise.resolve({ data }), {
        async *[Symbol.asyncIterator]() {
          yield* data
        },
      })
    },
    async update(id: string, change: object) {
      asked.push(`${name}.update ${id}`)
      Object.assign(find(id, resources[name])!, change)
    },
  })
  const all = Object.fromEntries(Object.keys(resources).map((name) => [name, resource(name)]))
  const stripe = { ...all, checkout: { sessions: all.sessions } } as unknown as Stripe
  return {
    asked,
    stripe,
    services: { ...services, payments: { ...services.payments, stripe } } as Services,
  }
}
