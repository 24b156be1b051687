import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, moment, updatedAt } from '../../server/columns.ts'

/** One row per person: what better-auth keeps and what the spec calls the user profile. */
export const users = pgTable(
  'users',
  {
    id: id(),
    email: text('email').notNull().unique(),
    emailVerified: boolean('email_verified').notNull().default(false),
    /** In E.164 form: +, country, number. */
    phoneNumber: text('phone_number').unique(),
    phoneNumberVerified: boolean('phone_number_verified').notNull().default(false),
    twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
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
    /** Set while a suspension of the account is open. */
    suspendedAt: moment('suspended_at'),
    /** Raised by a trigger on every change; kept pages are checked against it. */
    version: bigint('version', { mode: 'number' }).notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  // Public profiles are also found by name (spec 2, section 7).
  (table) => [
    index('users_name_lower').on(sql`lower(${table.name})`),
    // For parts of names, wherever they are.
    index('users_name_pieces').using(
      'gin',
      sql`text_pieces(${table.name} || ' ' || ${table.email})`,
    ),
    index('users_admins')
      .on(table.id)
      .where(sql`role = 'admin'`),
    index('users_suspended')
      .on(table.id)
      .where(sql`suspended_at is not null`),
    index('users_verified')
      .on(table.id)
      .where(sql`verified`),
  ],
)

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
    /** Assurance level: aal2 when a second factor or a passkey opened the session. */
    aal: text('aal', { enum: ['aal1', 'aal2'] })
      .notNull()
      .default('aal1'),
    /** When the person last proved in this session who they are. */
    provenAt: moment('proven_at').notNull().defaultNow(),
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
    // Reservations come with an id that is a hash, not a uuid.
    id: text('id')
      .primaryKey()
      .default(sql`uuidv7()::text`),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: moment('expires_at').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('verifications_identifier').on(table.identifier),
    index('verifications_expires_at').on(table.expiresAt),
  ],
)

/** Two-step verification: one row per person who set it up; secret and backup codes are encrypted. */
export const twoFactors = pgTable(
  'two_factors',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    secret: text('secret').notNull(),
    backupCodes: text('backup_codes').notNull(),
    verified: boolean('verified').notNull().default(true),
    failedVerificationCount: integer('failed_verification_count').notNull().default(0),
    lockedUntil: moment('locked_until'),
  },
  (table) => [uniqueIndex('two_factors_user_id').on(table.userId)],
)

/** Codes that were accepted: each counts once (RFC 6238, section 5.2). */
export const usedCodes = pgTable(
  'used_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull(),
    usedAt: moment('used_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.codeHash] }),
    index('used_codes_used_at').on(table.usedAt),
  ],
)

export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name'),
    publicKey: text('public_key').notNull(),
    credentialID: text('credential_id').notNull().unique(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    deviceType: text('device_type').notNull(),
    backedUp: boolean('backed_up').notNull(),
    transports: text('transports'),
    aaguid: text('aaguid'),
    createdAt: createdAt(),
  },
  (table) => [index('passkeys_user_id').on(table.userId)],
)

export const walletAddresses = pgTable(
  'wallet_addresses',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    address: text('address').notNull(),
    chainId: bigint('chain_id', { mode: 'number' }).notNull(),
    isPrimary: boolean('is_primary').notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('wallet_addresses_address').on(table.address, table.chainId),
    index('wallet_addresses_user_id').on(table.userId),
  ],
)

/** Identity providers of organisations (OIDC or SAML), registered by an administrator. */
export const ssoProviders = pgTable(
  'sso_providers',
  {
    id: id(),
    providerId: text('provider_id').notNull().unique(),
    issuer: text('issuer').notNull(),
    domain: text('domain').notNull(),
    oidcConfig: text('oidc_config'),
    samlConfig: text('saml_config'),
    organizationId: text('organization_id'),
    /** The administrator who registered it. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [
    index('sso_providers_domain').on(table.domain),
    index('sso_providers_user').on(table.userId),
  ],
)

/** Keys that sign access tokens; the private halves are encrypted. */
export const signingKeys = pgTable('signing_keys', {
  id: id(),
  publicKey: text('public_key').notNull(),
  privateKey: text('private_key').notNull(),
  alg: text('alg'),
  crv: text('crv'),
  createdAt: createdAt(),
  expiresAt: moment('expires_at'),
})

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
