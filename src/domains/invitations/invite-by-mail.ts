import { eq } from 'drizzle-orm'
import { mailPage } from '../../server/mail-page.ts'
import type { Services } from '../../server/services.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import { invitationAddress } from './queries.ts'
import { invitationMail, invitationState } from './rules.ts'
import { courseInvitations } from './tables.ts'

/** A job: nothing is sent for an invitation that was revoked meanwhile, or to a course that nobody can join. */
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
  if (!row?.invitation.email || row.status !== 'published') return
  if (invitationState(row.invitation, new Date()) !== 'open') return
  const { appUrl } = config
  const url = invitationAddress(appUrl, row.invitation.code)
  const { subject, ...page } = invitationMail({ ...row, url, appUrl })
  const id = `<invitation-${invitationId}@${new URL(appUrl).hostname}>`
  await mail.send({ id, to: row.invitation.email, subject, ...mailPage(page) })
}
