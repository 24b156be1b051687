import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import type { Scope } from './rules.ts'

/** Personal access tokens: what a program shows to call the API in the name of its owner. */
export const personalTokens = pgTable(
  'personal_tokens',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** SHA-256 in hex; a token is random enough that nothing slower is needed. */
    tokenHash: text('token_hash').notNull().unique(),
    /** The end of the token, by which its owner knows it again. */
    ending: text('ending').notNull(),
    scopes: text('scopes').array().$type<Scope[]>().notNull(),
    /** Null: for ever. */
    expiresAt: moment('expires_at'),
    /** Exact to the minute. */
    lastUsedAt: moment('last_used_at'),
    createdAt: createdAt(),
  },
  (table) => [index('personal_tokens_user').on(table.userId)],
)

/** Requests that are done once however often they are sent: under way, done, and what was answered. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    /** SHA-256 of the call and its input. */
    requestHash: text('request_hash').notNull(),
    /** Raised when another request takes over from one whose process died; the earlier one changes nothing more. */
    attempt: integer('attempt').notNull().default(1),
    startedAt: moment('started_at').notNull().defaultNow(),
    /** Set in the transaction that does what was asked. */
    doneAt: moment('done_at'),
    /** JSON; empty where it was too long, null while under way and where it was lost. */
    answer: text('answer'),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.key] }),
    index('idempotency_keys_created').on(table.createdAt),
  ],
)
