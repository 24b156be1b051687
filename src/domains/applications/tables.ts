import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id } from '../../server/columns.ts'
import { courses } from '../courses/tables.ts'

/** What somebody who applies to a course is asked. */
export const courseApplicationQuestions = pgTable(
  'course_application_questions',
  {
    id: id(),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    question: text('question').notNull(),
    required: boolean('required').notNull().default(true),
    /** 1-based. */
    orderIndex: integer('order_index').notNull(),
  },
  (table) => [index('course_application_questions_course').on(table.courseId, table.orderIndex)],
)
