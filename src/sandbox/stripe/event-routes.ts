import type Stripe from 'stripe'
import { pageFields, readParams } from './params.ts'
import { missing } from './refusal.ts'
import { pageOf, type Route } from './route.ts'
import { wallSeconds } from './store.ts'

export const eventRoutes: Route[] = [
  [
    'GET',
    '/v1/events',
    async (call) => {
      const { type, types } = readParams(call.params, {
        ...pageFields,
        type: 'text',
        types: 'texts',
      })
      return pageOf(call, '/v1/events', 'event', { type: types ?? type })
    },
  ],
  [
    'GET',
    '/v1/events/:id',
    async ({ unit, id }) => {
      const event = await unit.require<Stripe.Event>(id)
      if (event.object !== 'event') throw missing('event', id)
      return event
    },
  ],
  [
    'POST',
    '/v1/webhook_endpoints',
    async ({ unit, params }) => {
      const given = readParams(params, {
        api_version: 'text',
        connect: 'yesNo',
        description: 'text',
        enabled_events: 'texts!',
        metadata: 'metadata',
        url: 'text!',
      })
      const secret = unit.newId('whsec_')
      const endpoint: Stripe.WebhookEndpoint = {
        id: unit.newId('we_'),
        object: 'webhook_endpoint',
        api_version: given.api_version ?? null,
        application: null,
        created: wallSeconds(),
        description: given.description ?? null,
        enabled_events: given.enabled_events,
        livemode: false,
        metadata: given.metadata ?? {},
        status: 'enabled',
        url: given.url,
      }
      unit.put({ ...endpoint, _secret: secret } as Stripe.WebhookEndpoint)
      // Shown this once.
      return { ...endpoint, secret }
    },
  ],
  [
    'GET',
    '/v1/webhook_endpoints',
    async (call) => {
      readParams(call.params, pageFields)
      return pageOf(call, '/v1/webhook_endpoints', 'webhook_endpoint', {})
    },
  ],
  [
    'GET',
    '/v1/webhook_endpoints/:id',
    async ({ unit, id }) => unit.require<Stripe.WebhookEndpoint>(id),
  ],
  [
    'DELETE',
    '/v1/webhook_endpoints/:id',
    async ({ unit, id }) => {
      const { object } = await unit.require<Stripe.WebhookEndpoint>(id)
      await unit.remove(id)
      return { id, object, deleted: true }
    },
  ],
]
