import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { updatedAt } from '../../server/columns.ts'
import { courses } from '../courses/tables.ts'
import { mediaFiles } from '../media/tables.ts'

/** How a course looks, chosen with Pro; no row means as everything else here. */
export const courseBrandings = pgTable(
  'course_brandings',
  {
    courseId: uuid('course_id')
      .primaryKey()
      .references(() => courses.id, { onDelete: 'cascade' }),
    /** '#rrggbb'. */
    colour: text('colour'),
    logoId: uuid('logo_id').references(() => mediaFiles.id, { onDelete: 'set null' }),
    coverId: uuid('cover_id').references(() => mediaFiles.id, { onDelete: 'set null' }),
    /** In place of 'Certificate of completion'; empty for that. */
    certificateHeading: text('certificate_heading').notNull().default(''),
    certificateWords: text('certificate_words').notNull().default(''),
    /** In place of the creator's name; empty for that. */
    certificateSignatory: text('certificate_signatory').notNull().default(''),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('course_brandings_logo').on(table.logoId),
    index('course_brandings_cover').on(table.coverId),
  ],
)
