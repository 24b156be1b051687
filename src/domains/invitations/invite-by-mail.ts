import { and, eq } from 'drizzle-orm'
import type { Db } from '../../server/db.ts'
import { mailPage } from '../../server/mail-page.ts'
import type { Services } from '../../server/services.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import { invitationAddress } from './queries.ts'
import { invitationMail, invitationState } from './rules.ts'
import { courseInvitations } from './tables.ts'

/** A job: nothing is sent for an invitation that was revoked meanwhile; one to a course that nobody can join any more is taken back. */
export async function inviteByMail(
  { invitationId }: { invitationId: string },
  { db, mail, config }: Services,
): Promise<void> {
  const [row] = await db
    .select({
      invitation: courseInvitations,
      courseTitle: courses.title,
      summary: courses.shortDescription,
      status: courses.status,
      instructorName: users.name,
    })
    .from(courseInvitations)
    .innerJoin(courses, eq(courses.id, courseInvitations.courseId))
    .innerJoin(users, eq(users.id, courses.instructorId))
    .where(eq(courseInvitations.id, invitationId))
  if (!row?.invitation.email) return
  if (invitationState(row.invitation, new Date()) !== 'open') return
  if (row.status !== 'published' && (await takeBackUnsent(db, row.invitation))) return
  const { appUrl } = config
  const url = invitationAddress(appUrl, row.invitation.code)
  const { subject, ...page } = invitationMail({ ...row, url, appUrl })
  const id = `<invitation-${invitationId}@${new URL(appUrl).hostname}>`
  await mail.send({ id, to: row.invitation.email, subject, ...mailPage(page) })
}

/** So that it does not count as mailed, and the address can be invited once the course is published again; false where it is by now. */
async function takeBackUnsent(
  db: Db,
  { id, courseId }: { id: string; courseId: string },
): Promise<boolean> {
  return db.transaction(async (transaction) => {
    // Published, it would find the address invited before: that waits.
    const [course] = await transaction
      .select({ status: courses.status })
      .from(courses)
      .where(eq(courses.id, courseId))
      .for('share')
    if (course?.status === 'published') return false
    const isUnused = and(eq(courseInvitations.id, id), eq(courseInvitations.usesCount, 0))
    await transaction.delete(courseInvitations).where(isUnused)
    return true
  })
}
