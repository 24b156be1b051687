import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'

/** What somebody asked the people who run this installation. */
export const supportRequests = pgTable(
  'support_requests',
  {
    id: id(),
    /** Null for somebody without an account: answers go by mail only. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    email: text('email').notNull(),
    topic: text('topic', {
      enum: ['account', 'learning', 'teaching', 'payments', 'abuse', 'other'],
    }).notNull(),
    subject: text('subject').notNull(),
    /** Asked with Pro: answered before others. */
    priority: boolean('priority').notNull().default(false),
    /** `waiting` for us, `answered` by us, `closed` by either. */
    status: text('status', { enum: ['waiting', 'answered', 'closed'] })
      .notNull()
      .default('waiting'),
    createdAt: createdAt(),
    /** When it began to wait, was answered or closed: who writes more while it waits keeps the place. */
    lastMessageAt: moment('last_message_at').notNull().defaultNow(),
  },
  (table) => [
    index('support_requests_user').on(table.userId, table.lastMessageAt.desc(), table.id.desc()),
    index('support_requests_queue').on(
      table.status,
      table.priority.desc(),
      table.lastMessageAt,
      table.id,
    ),
  ],
)

export const supportMessages = pgTable(
  'support_messages',
  {
    id: id(),
    requestId: uuid('request_id')
      .notNull()
      .references(() => supportRequests.id, { onDelete: 'cascade' }),
    /** Null for somebody without an account, and when the account of who answered was deleted. */
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    fromTeam: boolean('from_team').notNull().default(false),
    body: text('body').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('support_messages_request').on(table.requestId, table.id),
    index('support_messages_author').on(table.authorId),
  ],
)
