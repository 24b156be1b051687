import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { quoted } from '../../isolated.ts'
import type { Transaction } from '../../server/db.ts'
import { sayingTo } from '../../server/publish.ts'
import { departedUserId } from '../accounts/departed-user.ts'
import { courses } from '../courses/tables.ts'
import { notify } from '../notifications/notify.ts'
import { tellPeople } from '../notifications/tell-people.ts'
import { allCasesPath, casePath } from './rules.ts'

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

/** Who is leaving at this moment has the own row locked; to wait for each other would never end. */
const administrators = (told: SQL) => sql`
  select id as user_id from users
   where role = 'admin' and suspended_at is null and ${told}
     for key share skip locked`

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
  await tellPeople(transaction, administrators(sql`id <> ${reporterId}`), {
    ...notice,
    message: `A ${subject}${by} in ${quoted(title)} was reported. Please have a look.`,
  })
}

/**
 * Tells administrators of cases that are open in the courses of a creator who is suspended, or in those that one has
 * left to their members: of them only that person was told.
 */
export async function tellOfOpenCases(
  transaction: Transaction,
  of: { suspended: string } | { left: string[] },
): Promise<void> {
  const theirs =
    'left' in of ? inArray(courses.id, of.left) : eq(courses.instructorId, of.suspended)
  const some = sql`exists (
    select 1 from moderation_cases m join courses on courses.id = m.course_id
     where ${theirs} and m.status = 'open' and not m.about_instructor)`
  await tellPeople(transaction, administrators(some), {
    kind: 'content_reported',
    title: 'Reports wait for administrators',
    message:
      'left' in of
        ? 'A creator has left in whose courses something was reported. Please have a look.'
        : 'A creator is suspended in whose courses something was reported. Please have a look meanwhile.',
    href: allCasesPath,
    sameAs: allCasesPath,
  })
}
