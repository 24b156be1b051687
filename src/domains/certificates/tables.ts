import { index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import type { CertificateLook } from './schema.ts'

/** One per person and course, made when the last lesson is completed; it stays when either changes. */
export const certificates = pgTable(
  'certificates',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null when the course was deleted. */
    courseId: uuid('course_id').references(() => courses.id, { onDelete: 'set null' }),
    /** As they were called when it was made. */
    learnerName: text('learner_name').notNull(),
    courseTitle: text('course_title').notNull(),
    creatorName: text('creator_name').notNull(),
    /** Null when the account was deleted, and with it what the certificate said of it. */
    creatorId: uuid('creator_id').references(() => users.id, { onDelete: 'set null' }),
    look: jsonb('look').$type<CertificateLook>().notNull(),
    /** The Open Badges credential: a signed JWT. */
    credential: text('credential').notNull(),
    issuedAt: moment('issued_at').notNull().defaultNow(),
    revokedAt: moment('revoked_at'),
    revokedReason: text('revoked_reason'),
    /** Null when the account was deleted. */
    revokedBy: uuid('revoked_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [
    uniqueIndex('certificates_user_course').on(table.userId, table.courseId),
    index('certificates_course').on(table.courseId, table.issuedAt.desc(), table.id.desc()),
    index('certificates_creator').on(table.creatorId),
    index('certificates_revoked_by').on(table.revokedBy),
  ],
)

/** Keys that credentials are signed with; the newest signs, all of them stay published. */
export const credentialKeys = pgTable('credential_keys', {
  id: id(),
  publicJwk: jsonb('public_jwk').$type<Record<string, unknown>>().notNull(),
  /** Encrypted with the installation's secret. */
  sealedPrivateJwk: text('sealed_private_jwk').notNull(),
  createdAt: createdAt(),
})

/**
 * The certificates whose credential is revoked, by their ids. They stay when the account is deleted: a file
 * that somebody kept would otherwise verify again.
 */
export const revokedCredentials = pgTable('revoked_credentials', {
  id: uuid('id').primaryKey(),
  revokedAt: moment('revoked_at').notNull().defaultNow(),
})
