import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, moment, updatedAt } from '../../server/columns.ts'

/** One row per person: what better-auth keeps and what the spec calls the user profile. */
export const users = pgTable('users', {
  id: id(),
  email: text('email').notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  name: text('name').notNull(),
  avatarUrl: text('avatar_url'),
  /** Null until the newcomer has been welcomed, which also chooses it. */
  username: text('username').unique(),
  bio: text('bio').notNull().default(''),
  website: text('website').notNull().default(''),
  socialLinks: jsonb('social_links').$type<Record<string, string>>().notNull().default({}),
  verified: boolean('verified').notNull().default(false),
  role: text('role', { enum: ['user', 'admin'] })
    .notNull()
    .default('user'),
  welcomedAt: moment('welcomed_at'),
  /** Raised by a trigger on every change; kept pages are checked against it. */
  version: bigint('version', { mode: 'number' }).notNull().default(1),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

export const sessions = pgTable(
  'sessions',
  {
    id: id(),
    token: text('token').notNull().unique(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: moment('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('sessions_user_id').on(table.userId),
    index('sessions_expires_at').on(table.expiresAt),
  ],
)

/** Ways to sign in: one row per password or outside identity (better-auth's "account"). */
export const identities = pgTable(
  'identities',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    providerId: text('provider_id').notNull(),
    accountId: text('account_id').notNull(),
    password: text('password'),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: moment('access_token_expires_at'),
    refreshTokenExpiresAt: moment('refresh_token_expires_at'),
    scope: text('scope'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('identities_user_id').on(table.userId),
    uniqueIndex('identities_provider_account').on(table.providerId, table.accountId),
  ],
)

/** Hashed one-time values: confirmations, resets, codes. */
export const verifications = pgTable(
  'verifications',
  {
    id: id(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: moment('expires_at').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('verifications_identifier').on(table.identifier)],
)

/** Attempts counted per address and per account; the layout is rate-limiter-flexible's. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    points: integer('points').notNull().default(0),
    /** Unix milliseconds. */
    expire: bigint('expire', { mode: 'number' }),
  },
  (table) => [index('rate_limits_expire').on(table.expire)],
)
