import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'

export const notifications = pgTable(
  'notifications',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What happened; see kinds.ts. */
    kind: text('kind').notNull().default('system_announcement'),
    title: text('title').notNull(),
    message: text('message').notNull(),
    type: text('type').notNull(),
    /** A path of this site where it can be looked at; null when there is none. */
    href: text('href'),
    read: boolean('read').notNull().default(false),
    /** Shown under the bell; false for what is only waiting for a mail. */
    inApp: boolean('in_app').notNull().default(true),
    /** Waits for the next daily mail. */
    digestDue: boolean('digest_due').notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [
    index('notifications_user_newest').on(table.userId, table.createdAt.desc()),
    index('notifications_user_unread')
      .on(table.userId)
      .where(sql`not read and in_app`),
    index('notifications_digest_due')
      .on(table.userId, table.createdAt)
      .where(sql`digest_due`),
  ],
)

/** What a person changed in Settings, Notifications; without a row the defaults of rules.ts hold. */
export const notificationPreferences = pgTable(
  'notification_preferences',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** One of the four of the spec: new_signup, system_announcements, comment_alert, sales_alert. */
    switch: text('switch').notNull(),
    inApp: boolean('in_app').notNull(),
    email: text('email', { enum: ['at_once', 'daily', 'off'] }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.switch] })],
)

const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' })

/**
 * What open streams were told in the last hour, so that one that was cut can go on where it was. `id` is
 * not the order in which transactions commit: who resumes after a row reads everything from its `horizon`.
 */
export const liveEvents = pgTable(
  'live_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** `person:{id}` or `course:{id}`. */
    topic: text('topic').notNull(),
    event: jsonb('event').notNull(),
    /** The transaction that said it. */
    xid: xid8('xid')
      .notNull()
      .default(sql`pg_current_xact_id()`),
    /** Every transaction before this one had ended when it was said. */
    horizon: xid8('horizon')
      .notNull()
      .default(sql`pg_snapshot_xmin(pg_current_snapshot())`),
    createdAt: createdAt(),
  },
  (table) => [
    index('live_events_topic_xid').on(table.topic, table.xid),
    index('live_events_created').on(table.createdAt),
  ],
)
