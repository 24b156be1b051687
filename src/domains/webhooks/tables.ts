import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import type { WebhookBody, ChosenEventType, WebhookEventType } from './events.ts'

/** Where a creator wants to be told of events, as signed JSON. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null: of all own courses. */
    courseId: uuid('course_id').references(() => courses.id, { onDelete: 'cascade' }),
    url: text('url').notNull(),
    description: text('description').notNull().default(''),
    events: text('events').array().$type<ChosenEventType[]>().notNull(),
    /** `paused` by its owner, `disabled` by us. */
    status: text('status', { enum: ['active', 'paused', 'disabled'] })
      .notNull()
      .default('active'),
    /** Encrypted with the server's secret: a copy of the database signs nothing. */
    sealedSecret: text('sealed_secret').notNull(),
    /** The newest first, with blanks between: where several secrets were made within a day. */
    sealedFormerSecret: text('sealed_former_secret'),
    /** Until then the former ones sign, too. */
    formerUntil: moment('former_until'),
    /** The first failure since the last success. */
    failingSince: moment('failing_since'),
    /** It hangs: nothing is sent before. */
    restsUntil: moment('rests_until'),
    createdAt: createdAt(),
  },
  (table) => [
    index('webhook_endpoints_user').on(table.userId, table.id),
    index('webhook_endpoints_course')
      .on(table.courseId)
      .where(sql`course_id is not null`),
  ],
)

/** An event for one endpoint. Its id is the webhook-id. */
export const webhookMessages = pgTable(
  'webhook_messages',
  {
    id: id(),
    endpointId: uuid('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    type: text('type').$type<WebhookEventType>().notNull(),
    /**
     * Whom it is about: it goes with the account. No foreign key, which would lock that person in
     * transactions that hold the course already.
     */
    aboutId: uuid('about_id'),
    data: jsonb('data').$type<WebhookBody['data']>().notNull(),
    status: text('status', { enum: ['pending', 'delivered', 'failed'] })
      .notNull()
      .default('pending'),
    /** Since it was made, or asked for again. */
    failures: integer('failures').notNull().default(0),
    nextAttemptAt: moment('next_attempt_at').notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (table) => [
    index('webhook_messages_endpoint').on(table.endpointId, table.id),
    index('webhook_messages_due')
      .on(table.endpointId, table.nextAttemptAt)
      .where(sql`status = 'pending'`),
    index('webhook_messages_about')
      .on(table.aboutId)
      .where(sql`about_id is not null`),
    index('webhook_messages_created').on(table.createdAt),
  ],
)

/** One try to deliver a message, and what became of it. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: id(),
    messageId: uuid('message_id')
      .notNull()
      .references(() => webhookMessages.id, { onDelete: 'cascade' }),
    /** Null when no answer came. */
    status: integer('status'),
    milliseconds: integer('milliseconds').notNull(),
    /** How the answer begins. */
    answer: text('answer').notNull(),
    /** Why no answer came, in words. */
    problem: text('problem'),
    createdAt: createdAt(),
  },
  (table) => [index('webhook_attempts_message').on(table.messageId, table.id)],
)
