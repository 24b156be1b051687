import { sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { courseApplicationQuestions } from './tables.ts'

export const applicationsData: PersonalData = {
  tables: {
    applicationQuestions: personalTable(courseApplicationQuestions, {
      about: 'What you ask those who apply to a course of yours.',
      rowsOf: ({ id }) => sql`course_application_questions.course_id in
                              (select c.id from courses c where c.instructor_id = ${id})`,
      columns: {
        id: 'exported',
        courseId: 'exported',
        question: 'exported',
        required: 'exported',
        orderIndex: 'exported',
      },
      // They stay with a course that is kept for its members, and go with one that is not.
      onDeletion: 'anonymised',
    }),
  },
}
