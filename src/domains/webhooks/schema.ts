// What crosses the wire about webhooks. Forms and handlers share it.
import * as z from 'zod'
import { clearableLine, line, timestamp, uuid } from '../../fields.ts'
import { chosenEventTypes } from './event-words.ts'
import { type WebhookEventType, webhookPayloads } from './events.ts'
import { webhookLimits } from './rules.ts'

const url = line('The address', webhookLimits.url)
const description = clearableLine('The description', webhookLimits.description)
const events = z
  .array(z.enum(chosenEventTypes, 'There is no such event'), 'Choose at least one event')
  .min(1, 'Choose at least one event')
  .max(100, 'An event is chosen once')
  .transform((chosen) => [...new Set(chosen)])
const courseId = uuid('The course').nullable()

export const newEndpoint = z.object({
  url,
  description: description.default(''),
  events,
  /** Null: all own courses, later ones too. */
  courseId: courseId.default(null),
})
export type NewEndpoint = z.output<typeof newEndpoint>

const endpointChange = z.object({
  url: url.optional(),
  description: description.optional(),
  events: events.optional(),
  courseId: courseId.optional(),
  /** Turns it off, and on again. */
  active: z.boolean('It must be on or off').optional(),
})
export type EndpointChange = z.output<typeof endpointChange>

export const byEndpoint = z.object({ endpointId: uuid('The webhook') })
export const changedEndpoint = endpointChange.extend(byEndpoint.shape)
export const byMessage = byEndpoint.extend({ messageId: uuid('The event') })

export const endpoint = z.object({
  id: z.uuid(),
  url: z.string(),
  description: z.string(),
  events: z.array(z.enum(chosenEventTypes)),
  course: z.object({ id: z.uuid(), title: z.string() }).nullable(),
  status: z.enum(['active', 'paused', 'disabled']),
  /** The first failure since the last success. */
  failingSince: timestamp.nullable(),
  createdAt: timestamp,
})
export type Endpoint = z.output<typeof endpoint>

export const endpointList = z.object({
  endpoints: z.array(endpoint),
  /** What an endpoint can be limited to. */
  courses: z.array(z.object({ id: z.uuid(), title: z.string() })),
})
export type EndpointList = z.output<typeof endpointList>

export const endpointSecret = z.object({ secret: z.string() })

export const deliveriesQuery = byEndpoint.extend({
  /** `nextCursor` of the page before. */
  cursor: uuid('The place to go on from').optional(),
})

const eventTypes = Object.keys(webhookPayloads) as [WebhookEventType, ...WebhookEventType[]]

const delivery = z.object({
  id: z.uuid(),
  type: z.enum(eventTypes),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number().int(),
  createdAt: timestamp,
  /** Null when nothing is tried any more. */
  nextAttemptAt: timestamp.nullable(),
})
export type Delivery = z.output<typeof delivery>

export const deliveryPage = z.object({
  /** Newest first. */
  deliveries: z.array(delivery),
  nextCursor: z.uuid().nullable(),
})
export type DeliveryPage = z.output<typeof deliveryPage>

export const wholeDelivery = delivery.extend({
  /** The header webhook-id, the same on each attempt. */
  webhookId: z.string(),
  /** What is posted. */
  body: z.string(),
  log: z.array(
    z.object({
      id: z.uuid(),
      at: timestamp,
      /** Null when no answer came. */
      status: z.number().int().nullable(),
      milliseconds: z.number().int(),
      /** The first 2 KB. */
      answer: z.string(),
      problem: z.string().nullable(),
    }),
  ),
})
export type WholeDelivery = z.output<typeof wholeDelivery>
