import { and, count, eq, ne, sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { forgetStudent } from '../courses/forget-student.ts'
import { courses } from '../courses/tables.ts'
import { enrollments } from './tables.ts'

export const enrollmentData: PersonalData = {
  tables: {
    enrollments: personalTable(enrollments, {
      about: 'The courses that you joined, and when.',
      rowsOf: ({ id }) => eq(enrollments.userId, id),
      columns: {
        id: 'exported',
        userId: { withheld: 'always you' },
        courseId: 'exported',
        enrolledAt: 'exported',
        invitationId: 'exported',
      },
      also: {
        courseTitle: sql`(select c.title from courses c where c.id = enrollments.course_id)`,
      },
      onDeletion: 'deleted',
    }),
  },

  async consequences(executor, { id }) {
    const [joined] = await executor
      .select({ total: count() })
      .from(enrollments)
      .innerJoin(courses, eq(courses.id, enrollments.courseId))
      .where(and(eq(enrollments.userId, id), ne(courses.instructorId, id)))
    const total = joined?.total ?? 0
    if (total === 0) return []
    const what = total === 1 ? 'the course that you joined' : `the ${total} courses that you joined`
    return [{ text: `You leave ${what}.`, stays: false }]
  },

  async leave(transaction, { person }) {
    await forgetStudent(transaction, person.id)
    await transaction.delete(enrollments).where(eq(enrollments.userId, person.id))
  },
}
