import { sql } from 'drizzle-orm'
import { check, index, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'

/** What a member thinks of a course: one per person and course, which stays when they leave it. */
export const courseReviews = pgTable(
  'course_reviews',
  {
    id: id(),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** 1 to 5 stars. */
    rating: smallint('rating').notNull(),
    /** Plain text; empty when only stars were given. */
    reviewText: text('review_text').notNull().default(''),
    createdAt: createdAt(),
    /** Null as long as it says what it said at first. */
    editedAt: moment('edited_at'),
    /** The instructor's one answer. */
    answer: text('answer'),
    answeredAt: moment('answered_at'),
  },
  (table) => [
    uniqueIndex('course_reviews_user_course').on(table.userId, table.courseId),
    index('course_reviews_course_newest').on(
      table.courseId,
      table.createdAt.desc(),
      table.id.desc(),
    ),
    index('course_reviews_user_newest').on(table.userId, table.createdAt.desc(), table.id.desc()),
    check('course_reviews_rating', sql`${table.rating} between 1 and 5`),
  ],
)
