import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import { lessons } from '../lessons/tables.ts'

/** What people did, written in the transaction in which they did it (spec 2, sections 3 and 4). */
export const userActivities = pgTable(
  'user_activities',
  {
    id: id(),
    /** Who did it. */
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    activityType: text('activity_type', {
      enum: ['course_created', 'first_enrollment', 'lesson_completed', 'post_created'],
    }).notNull(),
    /** For lesson_completed: each lesson counts once for a person. */
    lessonId: uuid('lesson_id').references(() => lessons.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (table) => [
    index('user_activities_user_newest').on(table.userId, table.createdAt.desc()),
    index('user_activities_course_newest').on(table.courseId, table.createdAt.desc()),
    uniqueIndex('user_activities_lesson_once').on(table.lessonId, table.userId),
  ],
)
