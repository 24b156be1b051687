import { and, eq, or, sql } from 'drizzle-orm'
import { type PersonalData, type Person, personalTable } from '../../server/personal-data.ts'
import { courseInvitations } from './tables.ts'

const ofOwnCourse = (userId: string) =>
  sql`course_invitations.course_id in (select c.id from courses c where c.instructor_id = ${userId})`

/**
 * Of those to an address only where it was proved to be this person's: nobody reads codes that were mailed to a
 * stranger, or takes them away, by signing up with the address.
 */
const invitationsOf = ({ id, email }: Person) =>
  or(
    ofOwnCourse(id),
    and(
      eq(courseInvitations.email, email),
      sql`exists (select 1 from users u where u.id = ${id} and u.email_verified)`,
    ),
  )!

export const invitationsData: PersonalData = {
  tables: {
    invitations: personalTable(courseInvitations, {
      about: 'The invitations to courses of yours, and those that were mailed to your address.',
      rowsOf: invitationsOf,
      columns: {
        id: 'exported',
        courseId: 'exported',
        code: {
          withheld: 'a mailed one is for who has the mail; that of a link is given as linkCode',
        },
        email: 'exported',
        maxUses: 'exported',
        usesCount: 'exported',
        expiresAt: 'exported',
        revokedAt: 'exported',
        createdAt: 'exported',
      },
      also: {
        linkCode: sql`case when course_invitations.email is null then course_invitations.code end`,
        courseTitle: sql`(select c.title from courses c where c.id = course_invitations.course_id)`,
      },
      onDeletion: 'deleted',
    }),
  },

  // Also those to a course that is kept for its members: nobody joins it any more.
  async leave(transaction, { person }) {
    await transaction.delete(courseInvitations).where(invitationsOf(person))
  },
}
