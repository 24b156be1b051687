import * as z from 'zod'
import { row } from '../../contract-row.ts'
import { tooOftenByHand, webhookLimits } from './rules.ts'
import {
  byEndpoint,
  byMessage,
  changedEndpoint,
  deliveriesQuery,
  deliveryPage,
  endpoint,
  endpointList,
  endpointSecret,
  newEndpoint,
  wholeDelivery,
} from './schema.ts'

const tooOften = {
  TOO_MANY: {
    status: 429,
    message: `${tooOftenByHand} Please try again later.`,
  },
}
const off = {
  NOT_ACTIVE: { status: 409, message: 'This webhook is turned off. Turn it on first.' },
}

// What is posted and how it is signed: content/help/creators/webhooks.md.
export const webhooks = {
  getWebhooks: row('signedIn', 'GET', '/rest/v1/webhooks', 'My webhooks')
    .input(z.object({}))
    .output(endpointList),

  createWebhook: row('signedIn', 'POST', '/rest/v1/webhooks', 'Be told of events at an address', {
    once: true,
  })
    .errors({
      NO_COURSE: { status: 403, message: 'Webhooks are for creators. Make a course first.' },
      TOO_MANY_WEBHOOKS: {
        status: 409,
        message: `You can have at most ${webhookLimits.endpoints} webhooks. Delete one that is no longer needed.`,
      },
    })
    .input(newEndpoint)
    .output(endpoint),

  getWebhook: row('signedIn', 'GET', '/rest/v1/webhooks/{endpointId}', 'One of my webhooks')
    .input(byEndpoint)
    .output(endpoint),

  updateWebhook: row(
    'signedIn',
    'PATCH',
    '/rest/v1/webhooks/{endpointId}',
    'Change a webhook, or turn it on or off',
  )
    .input(changedEndpoint)
    .output(endpoint),

  /** Twice is harmless. */
  deleteWebhook: row(
    'signedIn',
    'DELETE',
    '/rest/v1/webhooks/{endpointId}',
    'Delete a webhook with its log',
  )
    .input(byEndpoint)
    .output(z.object({ deleted: z.literal(true) })),

  getWebhookSecret: row(
    'signedIn',
    'GET',
    '/rest/v1/webhooks/{endpointId}/secret',
    'The secret that signs',
  )
    .input(byEndpoint)
    .output(endpointSecret),

  /** The former one signs as well for 24 hours. */
  rotateWebhookSecret: row(
    'signedIn',
    'POST',
    '/rest/v1/webhooks/{endpointId}/secret',
    'Make a new secret',
  )
    .input(byEndpoint)
    .output(endpointSecret),

  sendTestWebhook: row(
    'signedIn',
    'POST',
    '/rest/v1/webhooks/{endpointId}/test',
    'Send an event that tells of nothing',
  )
    .errors({ ...tooOften, ...off })
    .input(byEndpoint)
    .output(z.object({ messageId: z.uuid() })),

  getWebhookDeliveries: row(
    'signedIn',
    'GET',
    '/rest/v1/webhooks/{endpointId}/deliveries',
    'What was sent in the last 30 days, or still is to be',
  )
    .input(deliveriesQuery)
    .output(deliveryPage),

  getWebhookDelivery: row(
    'signedIn',
    'GET',
    '/rest/v1/webhooks/{endpointId}/deliveries/{messageId}',
    'An event with each attempt to deliver it',
  )
    .input(byMessage)
    .output(wholeDelivery),

  replayWebhookDelivery: row(
    'signedIn',
    'POST',
    '/rest/v1/webhooks/{endpointId}/deliveries/{messageId}/replay',
    'Send an event again',
  )
    .errors({ ...tooOften, ...off })
    .input(byMessage)
    .output(z.object({ replayed: z.literal(true) })),
}
