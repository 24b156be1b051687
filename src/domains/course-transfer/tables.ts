import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import { mediaFiles } from '../media/tables.ts'

/** A ZIP that somebody sent in to become a course of theirs. */
export const courseImports = pgTable(
  'course_imports',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The uploaded ZIP; null once it was removed. */
    fileId: uuid('file_id').references(() => mediaFiles.id, { onDelete: 'set null' }),
    status: text('status', { enum: ['waiting', 'running', 'done', 'failed'] })
      .notNull()
      .default('waiting'),
    /** Of what has to be unpacked. */
    progressPercent: integer('progress_percent').notNull().default(0),
    /** Why it failed, in words for people. */
    problem: text('problem'),
    /** What it became. */
    courseId: uuid('course_id').references(() => courses.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    finishedAt: moment('finished_at'),
  },
  (table) => [
    index('course_imports_user_newest').on(table.userId, table.createdAt.desc()),
    index('course_imports_file').on(table.fileId),
    index('course_imports_course').on(table.courseId),
  ],
)
