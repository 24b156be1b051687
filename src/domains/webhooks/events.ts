// What programs can be told of, and what each of these events says. A closed list: who receives one can rely on its shape.
import * as z from 'zod'

const course = z.object({ id: z.uuid(), slug: z.string(), title: z.string() })
const person = z.object({ id: z.uuid(), name: z.string(), username: z.string().nullable() })
/** Whoever is a member now: the list of members says the address, too. */
const member = person.extend({ email: z.string() })
const money = z.object({
  id: z.uuid(),
  /** In minor units. */
  amount: z.number().int(),
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
    refund: z.object({ amount: z.number().int(), inFull: z.boolean() }),
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

/** Those that an endpoint chooses from, in words. */
export const eventWords: Record<ChosenEventType, string> = {
  'enrollment.created': 'Somebody joined a course',
  'enrollment.ended': 'Somebody left a course or was removed',
  'application.submitted': 'Somebody applied to a course',
  'application.decided': 'An application was approved or rejected',
  'lesson.completed': 'A learner completed a lesson',
  'course.completed': 'A learner completed a course and has its certificate',
  'course.published': 'A course was published',
  'post.created': 'A post was written in a community',
  'comment.created': 'A comment was written in a community',
  'review.created': 'A review was written',
  'review.updated': 'A review was changed',
  'sale.completed': 'A course was paid for (once or monthly)',
  'sale.refunded': 'A payment was refunded',
  'subscription.ended': 'A monthly purchase has ended',
}

export const chosenEventTypes = Object.keys(eventWords) as [ChosenEventType, ...ChosenEventType[]]

/** What is posted. `data` is what `webhookPayloads` says for its type. */
export interface WebhookBody {
  type: WebhookEventType
  /** When it happened, ISO 8601 in UTC. */
  timestamp: string
  data: Record<string, unknown>
}
