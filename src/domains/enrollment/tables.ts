import { sql } from 'drizzle-orm'
import { index, pgTable, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { id, moment } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import { courseInvitations } from '../invitations/tables.ts'

export const enrollments = pgTable(
  'enrollments',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    enrolledAt: moment('enrolled_at').notNull().defaultNow(),
    /** The link that the person came by. */
    invitationId: uuid('invitation_id').references(() => courseInvitations.id, {
      onDelete: 'set null',
    }),
  },
  (table) => [
    uniqueIndex('enrollments_user_course').on(table.userId, table.courseId),
    index('enrollments_user_newest').on(table.userId, table.enrolledAt.desc()),
    index('enrollments_course_newest').on(table.courseId, table.enrolledAt.desc(), table.id.desc()),
    index('enrollments_invitation')
      .on(table.invitationId)
      .where(sql`invitation_id is not null`),
  ],
)
