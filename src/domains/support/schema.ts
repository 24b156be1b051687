// What crosses the wire about support. Forms and handlers share it.
import * as z from 'zod'
import { clearableText, line, text, timestamp, uuid } from '../../fields.ts'
import { emailProblem } from '../accounts/rules.ts'
import { requestStatuses, supportLimits as limits, topics, visibleText } from './rules.ts'

const visible = (missing: string) => z.string(missing).transform(visibleText)

const missingMessage = 'Please write a message'
const message = visible(missingMessage).pipe(text('The message', limits.message, missingMessage))

/** What begins a request; in a conversation 'Yes' says enough. */
const firstMessage = visible(missingMessage)
  .pipe(clearableText('The message', limits.message))
  .pipe(
    z
      .string()
      .min(limits.shortestMessage, 'Please write a sentence or two, so that we can help you'),
  )

const name = visible('Please tell us your name').pipe(
  line('Your name', limits.name, 'Please tell us your name'),
)

/** Shown and used as it was typed, but for what is around it. */
const email = visible('Email address is required')
  .transform((value) => value.trim())
  .superRefine((value, context) => {
    const problem = emailProblem(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

/** Who is signed in is known: `name` and `email` are for everybody else. */
export const newRequest = z.object({
  topic: z.enum(topics, 'Please choose what it is about'),
  subject: visible('Subject is required').pipe(line('Subject', limits.subject)),
  message: firstMessage,
  name: name.optional(),
  email: email.optional(),
  /** Nobody sees this field; programs that fill in every field do. */
  website: z.string('This field stays empty').max(1_000, 'This field stays empty').default(''),
})

export const requestSent = z.object({
  /** Null for who is not signed in: answers come by mail. */
  requestId: z.uuid().nullable(),
  priority: z.boolean(),
})

const status = z.enum(requestStatuses, 'Please choose waiting, answered or closed')

const ownRequest = z.object({
  id: z.uuid(),
  topic: z.enum(topics),
  subject: z.string(),
  priority: z.boolean(),
  status,
  createdAt: timestamp,
  lastMessageAt: timestamp,
})
export type OwnRequest = z.output<typeof ownRequest>
export type OwnRequestRow = z.input<typeof ownRequest>

const cursor = z.string().max(200, 'This is not a place in the list').optional()

export const ownRequestsQuery = z.object({ cursor })
export const ownRequestPage = z.object({
  /** Those in which something happened last come first. */
  requests: z.array(ownRequest),
  nextCursor: z.string().nullable(),
})
export type OwnRequestPageRow = z.input<typeof ownRequestPage>

export const byRequest = z.object({ requestId: uuid('The request') })

const supportMessage = z.object({
  id: z.uuid(),
  fromTeam: z.boolean(),
  body: z.string(),
  createdAt: timestamp,
})
export type SupportMessage = z.output<typeof supportMessage>

export const ownThread = ownRequest.extend({
  /** Oldest first. */
  messages: z.array(supportMessage),
})
export type OwnThreadRow = z.input<typeof ownThread>

export const newMessage = byRequest.extend({ message })

/** How many messages somebody has read: where there are more by now, nothing is done. */
const messagesRead = z
  .int('The number of messages must be a whole number')
  .min(0, 'The number of messages cannot be negative')
  .optional()
export const answer = newMessage.extend({ messagesRead })
export const closing = byRequest.extend({ messagesRead })

const queuedRequest = ownRequest.extend({
  name: z.string(),
  email: z.string(),
  /** False for who wrote without an account, and is answered by mail only. */
  hasAccount: z.boolean(),
})
export type QueuedRequest = z.output<typeof queuedRequest>

export const queueQuery = z.object({ status: status.default('waiting'), cursor })
export const queuePage = z.object({
  /** Waiting: with priority first, then who waits longest. Else those of last first. */
  requests: z.array(queuedRequest),
  /** Waiting, of all. */
  waitingCount: z.number().int(),
  nextCursor: z.string().nullable(),
})
export type QueuePageRow = z.input<typeof queuePage>

export const queuedThread = queuedRequest.extend({
  /** Where who asked can be looked at; null without an account. */
  username: z.string().nullable(),
  messages: z.array(supportMessage.extend({ authorName: z.string().nullable() })),
})
export type QueuedThread = z.output<typeof queuedThread>
export type QueuedThreadRow = z.input<typeof queuedThread>
