import { sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { courseBrandings } from './tables.ts'

export const brandingData: PersonalData = {
  tables: {
    courseBranding: personalTable(courseBrandings, {
      about: 'How your courses look, and what you wrote for their certificates.',
      rowsOf: ({ id }) => sql`course_brandings.course_id in
                              (select c.id from courses c where c.instructor_id = ${id})`,
      columns: {
        courseId: 'exported',
        colour: 'exported',
        logoId: 'exported',
        coverId: 'exported',
        certificateHeading: 'exported',
        certificateWords: 'exported',
        certificateSignatory: 'exported',
        updatedAt: 'exported',
      },
      // Colour and pictures stay with a course that is kept for its members.
      onDeletion: 'anonymised',
    }),
  },

  /** What a course that is kept says on its certificates was written by who leaves. The courses are locked already. */
  async leave(transaction, { person: { id } }) {
    await transaction.execute(sql`
      update course_brandings
         set certificate_heading = '', certificate_words = '', certificate_signatory = ''
       where course_id in (select c.id from courses c where c.instructor_id = ${id})`)
  },
}
