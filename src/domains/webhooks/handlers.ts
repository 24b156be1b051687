import { api } from '../../server/api.ts'
import type { Transaction } from '../../server/db.ts'
import { addToDay, askToWaitForDay } from '../../server/day-count.ts'
import { addressProblem } from '../../server/public-address.ts'
import { waitLabel } from '../../server/rate-limits.ts'
import { postWarning } from '../accounts/send-account-mail.ts'
import { keepForEndpoint } from './keep-event.ts'
import {
  createEndpoint,
  deleteEndpoint,
  endRest,
  replayMessage,
  rotateSecret,
  updateEndpoint,
} from './manage-endpoint.ts'
import { deliveriesOf, deliveryOf, endpointOf, endpointsOf, secretOf } from './queries.ts'
import { tooOftenByHand, webhookLimits } from './rules.ts'

const notFound = { message: 'Webhook not found' }
const eventNotFound = { message: 'Event not found' }
const notYours = { message: 'A webhook can only be about a course of yours' }

/** For the mail to its owner: the address may hold a key of the server there. */
const whoIsTold = (url: string) => `It tells ${new URL(url).host} what happens in your courses.`

/** The refusal of one more test or repeated delivery; null when it is allowed, and counted. */
async function tooOften(transaction: Transaction, userId: string) {
  const before = await addToDay(transaction, 'webhooks-by-hand', userId, 1)
  if (before < webhookLimits.byHandPerDay) return null
  const wait = waitLabel(await askToWaitForDay(transaction, 'webhooks-by-hand', userId))
  return { message: `${tooOftenByHand} Please try again in ${wait}.` }
}

export const webhooks = {
  getWebhooks: api.webhooks.getWebhooks.handler(({ context: { services, viewer } }) =>
    endpointsOf(services.db, viewer.id),
  ),

  createWebhook: api.webhooks.createWebhook.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    const problem = addressProblem(input.url, {
      allowPrivate: services.config.webhooksAllowPrivate,
    })
    if (problem !== null) throw errors.BAD_REQUEST({ message: problem })
    return services.db.transaction(async (transaction) => {
      const asked = { ...input, userId: viewer.id }
      const made = await createEndpoint(transaction, services.secret, asked)
      if (made === 'no course') throw errors.NO_COURSE()
      if (made === 'not your course') throw errors.BAD_REQUEST(notYours)
      if (made === 'too many') throw errors.TOO_MANY_WEBHOOKS()
      const detail = whoIsTold(input.url)
      await postWarning(transaction, services.secret, viewer.id, 'webhook-added', detail)
      const endpoint = await endpointOf(transaction, { ...made, userId: viewer.id })
      if (!endpoint) throw errors.NOT_FOUND(notFound)
      return endpoint
    })
  }),

  getWebhook: api.webhooks.getWebhook.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    const endpoint = await endpointOf(services.db, { ...input, userId: viewer.id })
    if (!endpoint) throw errors.NOT_FOUND(notFound)
    return endpoint
  }),

  updateWebhook: api.webhooks.updateWebhook.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    const { endpointId, ...change } = input
    const problem =
      change.url === undefined
        ? null
        : addressProblem(change.url, { allowPrivate: services.config.webhooksAllowPrivate })
    if (problem !== null) throw errors.BAD_REQUEST({ message: problem })
    const which = { endpointId, userId: viewer.id }
    return services.db.transaction(async (transaction) => {
      const updated = await updateEndpoint(transaction, which, change)
      if (updated === 'not your course') throw errors.BAD_REQUEST(notYours)
      const endpoint = updated === 'gone' ? null : await endpointOf(transaction, which)
      if (!endpoint) throw errors.NOT_FOUND(notFound)
      if (updated === 'moved') {
        const detail = whoIsTold(endpoint.url)
        await postWarning(transaction, services.secret, viewer.id, 'webhook-moved', detail)
      }
      return endpoint
    })
  }),

  deleteWebhook: api.webhooks.deleteWebhook.handler(async ({ input, context }) => {
    const { services, viewer } = context
    await deleteEndpoint(services.db, { ...input, userId: viewer.id })
    return { deleted: true as const }
  }),

  getWebhookSecret: api.webhooks.getWebhookSecret.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    const which = { ...input, userId: viewer.id }
    const secret = await secretOf(services.db, services.secret, which)
    if (secret === null) throw errors.NOT_FOUND(notFound)
    if (secret === 'unreadable') {
      const message = 'This secret cannot be read any more. Make a new one.'
      throw errors.CONFLICT({ message })
    }
    return { secret }
  }),

  rotateWebhookSecret: api.webhooks.rotateWebhookSecret.handler(
    async ({ input, context, errors }) => {
      const { services, viewer } = context
      const which = { ...input, userId: viewer.id }
      const secret = await rotateSecret(services.db, services.secret, which)
      if (secret === null) throw errors.NOT_FOUND(notFound)
      return { secret }
    },
  ),

  sendTestWebhook: api.webhooks.sendTestWebhook.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    const which = { ...input, userId: viewer.id }
    return services.db.transaction(async (transaction) => {
      const endpoint = await endpointOf(transaction, which)
      if (!endpoint) throw errors.NOT_FOUND(notFound)
      if (endpoint.status !== 'active') throw errors.NOT_ACTIVE()
      // The endpoint before what is counted of its owner, like whoever sends an event again.
      await endRest(transaction, which)
      const refusal = await tooOften(transaction, viewer.id)
      if (refusal) throw errors.TOO_MANY(refusal)
      const data = { message: 'This event was sent to try your webhook. It tells of nothing.' }
      const messageId = await keepForEndpoint(transaction, which, { type: 'webhook.test', data })
      if (messageId === null) throw errors.NOT_FOUND(notFound)
      return { messageId }
    })
  }),

  getWebhookDeliveries: api.webhooks.getWebhookDeliveries.handler(({ input, context }) => {
    const { services, viewer } = context
    return deliveriesOf(services.db, { ...input, userId: viewer.id })
  }),

  getWebhookDelivery: api.webhooks.getWebhookDelivery.handler(
    async ({ input, context, errors }) => {
      const { services, viewer } = context
      const delivery = await deliveryOf(services.db, { ...input, userId: viewer.id })
      if (!delivery) throw errors.NOT_FOUND(eventNotFound)
      return delivery
    },
  ),

  replayWebhookDelivery: api.webhooks.replayWebhookDelivery.handler(
    ({ input, context, errors }) => {
      const { services, viewer } = context
      const which = { ...input, userId: viewer.id }
      return services.db.transaction(async (transaction) => {
        const replayed = await replayMessage(transaction, which)
        if (replayed === 'gone') throw errors.NOT_FOUND(eventNotFound)
        if (replayed === 'off') throw errors.NOT_ACTIVE()
        const refusal = await tooOften(transaction, viewer.id)
        if (refusal) throw errors.TOO_MANY(refusal)
        return { replayed: true as const }
      })
    },
  ),
}
