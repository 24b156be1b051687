import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from '../../server/columns.ts'
import { courses } from '../courses/tables.ts'

/** A link that brings people to a course. It opens no door: who comes by it joins on the course's own terms. */
export const courseInvitations = pgTable(
  'course_invitations',
  {
    id: id(),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    /** The last part of its address; cannot be guessed. */
    code: text('code').notNull().unique(),
    /** Whom it was mailed to, in lower case; null for a link that anybody may pass on. */
    email: text('email'),
    /** How many may join by it; null means any number. */
    maxUses: integer('max_uses'),
    usesCount: integer('uses_count').notNull().default(0),
    /** Null means never. */
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    createdAt: createdAt(),
  },
  (table) => [
    index('course_invitations_course_newest').on(
      table.courseId,
      table.createdAt.desc(),
      table.id.desc(),
    ),
    // One mail per address and course while it is good.
    uniqueIndex('course_invitations_course_email')
      .on(table.courseId, table.email)
      .where(sql`email is not null and revoked_at is null`),
  ],
)
