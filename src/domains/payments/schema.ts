// What crosses the wire about the payment provider, for administrators.
import * as z from 'zod'
import { clearableLine, timestamp } from '../../fields.ts'

export const paymentEventsQuery = z.object({
  status: z.enum(['waiting', 'applied', 'ignored', 'failed']).optional(),
  /** An id: of an event, or of what it is about. */
  search: clearableLine('Search text', 200).default(''),
  /** `nextCursor` of the page before. */
  cursor: z
    .string()
    .regex(/^\d{1,16}_[A-Za-z0-9_]{1,80}$/, 'This is not a place in the list')
    .optional(),
})

export const paymentEvent = z.object({
  id: z.string(),
  type: z.string(),
  objectId: z.string(),
  customerId: z.string().nullable(),
  occurredAt: timestamp,
  receivedAt: timestamp,
  appliedAt: timestamp.nullable(),
  source: z.enum(['webhook', 'reconciler']),
  deliveries: z.number().int(),
  status: z.enum(['waiting', 'applied', 'ignored', 'failed']),
  outcome: z.string(),
  attempts: z.number().int(),
})
export type PaymentEvent = z.output<typeof paymentEvent>

export const paymentEventPage = z.object({
  events: z.array(paymentEvent),
  nextCursor: z.string().nullable(),
  provider: z.object({
    /** `sandbox`, or the provider itself with test or live keys. */
    mode: z.enum(['sandbox', 'test', 'live']),
    isReachable: z.boolean(),
    checkedAt: timestamp,
    comparedUntil: timestamp.nullable(),
    repaired: z.number().int(),
    hasWebhookSecret: z.boolean(),
    /** Of the ledger: what the last nightly check found; null before the first. */
    ledgerDifferences: z.number().int().nullable(),
    /** Where the sandbox's own pages are; null without it. */
    sandboxUrl: z.string().nullable(),
  }),
})
export type PaymentEventPage = z.output<typeof paymentEventPage>

export const paymentEventId = z.object({
  eventId: z.string().regex(/^evt_[A-Za-z0-9_]{1,80}$/, 'This is no event'),
})
