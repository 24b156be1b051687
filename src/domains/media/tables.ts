import {
  bigint,
  index,
  integer,
  pgTable,
  real,
  text,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { createdAt, id, updatedAt } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'

/** One row per uploaded file; the bytes are in the storage under keys made from the id. */
export const mediaFiles = pgTable(
  'media_files',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id),
    courseId: uuid('course_id').references((): AnyPgColumn => courses.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['video', 'thumbnail', 'avatar', 'import'] }).notNull(),
    status: text('status', { enum: ['uploading', 'ready', 'failed'] })
      .notNull()
      .default('uploading'),
    /** Why a failed upload failed, in words for people. */
    problem: text('problem'),
    filename: text('filename').notNull(),
    /** What the bytes are, not what the browser said; null until they were looked at. */
    contentType: text('content_type'),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    durationSeconds: real('duration_seconds'),
    width: integer('width'),
    height: integer('height'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('media_files_course').on(table.courseId),
    index('media_files_owner').on(table.ownerId),
  ],
)
