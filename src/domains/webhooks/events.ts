// What programs can be told of, and what each of these events says. A closed list: who receives one can rely on its shape.
import * as z from 'zod'
import { minorUnits } from '../../fields.ts'

const course = z.object({ id: z.uuid(), slug: z.string(), title: z.string() })
const person = z.object({ id: z.uuid(), name: z.string(), username: z.string().nullable() })
/** Whoever is a member now: the list of members says the address, too. It is empty for an account without one. */
const member = person.extend({ email: z.string() })
const money = z.object({
  id: z.uuid(),
  amount: minorUnits,
  currency: z.string(),
})
const review = z.object({
  id: z.uuid(),
  rating: z.number().int().min(1).max(5),
  text: z.string(),
})

/** The `data` of each event. */
export const webhookPayloads = {
  'enrollment.created': z.object({ course, person: member }),
  'enrollment.ended': z.object({ course, person }),
  'application.submitted': z.object({
    course,
    person,
    application: z.object({ id: z.uuid() }),
  }),
  'application.decided': z.object({
    course,
    person,
    application: z.object({ id: z.uuid(), decision: z.enum(['approved', 'rejected']) }),
  }),
  'lesson.completed': z.object({
    course,
    person,
    lesson: z.object({ id: z.uuid(), slug: z.string(), title: z.string() }),
  }),
  'course.completed': z.object({ course, person, certificate: z.object({ id: z.uuid() }) }),
  'course.published': z.object({ course }),
  'post.created': z.object({
    course,
    person,
    post: z.object({ id: z.uuid(), content: z.string(), isAnnouncement: z.boolean() }),
  }),
  'comment.created': z.object({
    course,
    person,
    comment: z.object({
      id: z.uuid(),
      postId: z.uuid(),
      /** Of the comment that it answers; null for one below the post itself. */
      parentId: z.uuid().nullable(),
      content: z.string(),
    }),
  }),
  'review.created': z.object({ course, person, review }),
  'review.updated': z.object({ course, person, review }),
  /** `person` is missing when the account was deleted meanwhile. */
  'sale.completed': z.object({ course, person: person.optional(), sale: money }),
  'sale.refunded': z.object({
    course,
    person: person.optional(),
    sale: money,
    refund: z.object({ amount: minorUnits, inFull: z.boolean() }),
  }),
  /** A refund did not reach who had paid: so much of the sale stands again. */
  'sale.refund_failed': z.object({
    course,
    person: person.optional(),
    sale: money,
    refund: z.object({ amount: minorUnits }),
  }),
  /** Opened, and each time that the bank decides. */
  'sale.disputed': z.object({
    course,
    person: person.optional(),
    sale: money,
    dispute: z.object({ status: z.enum(['open', 'won', 'lost']) }),
  }),
  'subscription.ended': z.object({
    course,
    person: person.optional(),
    subscription: z.object({ id: z.uuid(), reason: z.string() }),
  }),
  /** Sent by hand, to try an endpoint. */
  'webhook.test': z.object({ message: z.string() }),
} satisfies Record<string, z.ZodType>

export type WebhookEventType = keyof typeof webhookPayloads
export type ChosenEventType = Exclude<WebhookEventType, 'webhook.test'>

/** What is posted. `data` is what `webhookPayloads` says for its type. */
export interface WebhookBody {
  type: WebhookEventType
  /** When it happened, ISO 8601 in UTC. */
  timestamp: string
  data: Record<string, unknown>
}
