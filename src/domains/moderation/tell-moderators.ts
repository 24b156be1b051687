import { type SQL, sql } from 'drizzle-orm'
import { quoted } from '../../isolated.ts'
import type { Transaction } from '../../server/db.ts'
import { sayingTo } from '../../server/publish.ts'
import { departedUserId } from '../accounts/departed-user.ts'
import { notify } from '../notifications/notify.ts'
import { tellPeople } from '../notifications/tell-people.ts'
import { casePath } from './rules.ts'

interface Moderated {
  courseId: string
  instructorId: string
  aboutInstructor: boolean
}

/** What the instructor wrote, and all of a course whose instructor left it to its members or is suspended. */
export const isForAdministrators = ({
  instructorId,
  aboutInstructor,
  instructorIsSuspended,
}: Omit<Moderated, 'courseId'> & { instructorIsSuspended: boolean }) =>
  aboutInstructor || instructorIsSuspended || instructorId === departedUserId

/** Open pages of those who moderate there look at the cases again. */
export async function publishToModerators(
  transaction: Transaction,
  { courseId, instructorId, aboutInstructor }: Moderated,
): Promise<void> {
  const instructor: SQL = aboutInstructor ? sql`` : sql`union select ${instructorId}::uuid`
  const people = sql`select id as user_id from users where role = 'admin' ${instructor}`
  await transaction.execute(sql`
    with ${sayingTo(people, { type: 'moderation', courseId })} select count(*) from said`)
}

interface NewCase extends Moderated {
  caseId: string
  slug: string
  /** Of the course, for people. */
  title: string
  subject: 'post' | 'comment'
  reporterId: string
  instructorIsSuspended: boolean
}

/** Tells the instructor, or the administrators, of a new case. Nobody is told of an own report. */
export async function tellOfCase(transaction: Transaction, opened: NewCase): Promise<void> {
  const { caseId, slug, title, subject, instructorId, reporterId, aboutInstructor } = opened
  const notice = {
    kind: 'content_reported',
    title: `A ${subject} was reported`,
    href: casePath(slug, caseId),
  } as const
  if (!isForAdministrators(opened)) {
    if (instructorId === reporterId) return
    const message = `A ${subject} in your course ${quoted(title)} was reported. Please have a look.`
    await notify(transaction, { ...notice, userId: instructorId, message })
    return
  }
  const by = aboutInstructor ? ' by the creator of the course' : ''
  // Who is leaving at this moment has the own row locked; to wait for each other would never end.
  const administrators = sql`
    select id as user_id from users
     where role = 'admin' and suspended_at is null and id <> ${reporterId}
       for key share skip locked`
  await tellPeople(transaction, administrators, {
    ...notice,
    message: `A ${subject}${by} in ${quoted(title)} was reported. Please have a look.`,
  })
}
