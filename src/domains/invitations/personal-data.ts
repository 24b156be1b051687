import { eq, or, sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { courseInvitations } from './tables.ts'

const ofOwnCourse = (userId: string) =>
  sql`course_invitations.course_id in (select c.id from courses c where c.instructor_id = ${userId})`

export const invitationsData: PersonalData = {
  tables: {
    invitations: personalTable(courseInvitations, {
      about: 'The invitations to courses of yours, and those that were mailed to your address.',
      rowsOf: ({ id, email }) => or(ofOwnCourse(id), eq(courseInvitations.email, email))!,
      columns: {
        id: 'exported',
        courseId: 'exported',
        code: 'exported',
        email: 'exported',
        maxUses: 'exported',
        usesCount: 'exported',
        expiresAt: 'exported',
        revokedAt: 'exported',
        createdAt: 'exported',
      },
      also: {
        courseTitle: sql`(select c.title from courses c where c.id = course_invitations.course_id)`,
      },
      onDeletion: 'deleted',
    }),
  },

  // Also those to a course that is kept for its members: nobody joins it any more.
  async leave(transaction, { person }) {
    await transaction
      .delete(courseInvitations)
      .where(or(ofOwnCourse(person.id), eq(courseInvitations.email, person.email)))
  },
}
