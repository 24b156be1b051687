import { and, count, eq, gt, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import { waitLabel } from '../../server/rate-limits.ts'
import { quotedTitle } from '../courses/rules.ts'
import { isEnrolled } from '../enrollment/queries.ts'
import { holdInvitation } from '../invitations/use-invitation.ts'
import { notify } from '../notifications/notify.ts'
import { keepingEvent } from '../webhooks/keep-event.ts'
import { answersTo, applyingObstacle, type GivenAnswer } from './answer-rules.ts'
import { holdApplication } from './hold-application.ts'
import { ownApplication, questionsOf } from './queries.ts'
import { applicationLimits } from './rules.ts'
import type { OwnApplicationRow } from './queries.ts'
import {
  courseApplicationAnswers as answers,
  courseApplications as applications,
} from './tables.ts'

interface Submission {
  userId: string
  courseId: string
  instructorId: string
  given: GivenAnswer[]
  /** Of the invitation by which the person comes. */
  code?: string
}

type Submitted =
  | { application: OwnApplicationRow }
  | { obstacle: string }
  | { problem: string }
  | 'gone'

/**
 * Applies to a course, and tells its instructor. While an application of the person is pending, that one
 * is the answer: the course's row puts those who apply in line.
 */
export async function submitApplication(
  transaction: Transaction,
  { userId, courseId, instructorId, given, code }: Submission,
): Promise<Submitted> {
  const course = await holdApplication(transaction, { userId, courseId, instructorId })
  // An administrator sees drafts, but nobody applies to them.
  if (course?.status !== 'published') return 'gone'
  const own = { userId, courseId }
  const latest = await ownApplication(transaction, own)
  if (latest?.status === 'pending') return { application: latest }
  const standing =
    userId === instructorId
      ? 'instructor'
      : (await isEnrolled(transaction, own))
        ? 'member'
        : 'signedIn'
  const { applicationRequired } = course
  const obstacle = applyingObstacle({
    standing,
    applicationRequired,
    latest: latest?.status ?? null,
  })
  if (obstacle) return { obstacle }
  const lastDay = await submittedWithinDay(transaction, own)
  if (lastDay.all >= applicationLimits.perDay) {
    const often = `You applied to this course ${applicationLimits.perDay} times in the last 24 hours.`
    return { obstacle: `${often} You can apply again in ${waitLabel(lastDay.wait)}.` }
  }
  const accepted = answersTo(await questionsOf(transaction, courseId), given)
  if ('problem' in accepted) return accepted
  // A closed one is no reason to refuse: it opens no door, and whoever applies comes without it.
  const invitation = await holdInvitation(transaction, { courseId, code })
  const [row] = await transaction
    .insert(applications)
    .values({ ...own, invitationId: invitation?.id })
    .returning({ id: applications.id })
  const applicationId = row!.id
  if (accepted.answers.length > 0) {
    await transaction
      .insert(answers)
      .values(accepted.answers.map((answer) => ({ applicationId, ...answer })))
  }
  await publishToPerson(
    transaction,
    instructorId,
    { type: 'applications', courseId },
    keepingEvent({
      type: 'application.submitted',
      courseId,
      personId: userId,
      more: { application: { id: applicationId } },
    }),
  )
  // Who withdraws and applies again and again is not to fill the instructor's mailbox.
  if (lastDay.withdrawn === 0) {
    await notify(transaction, {
      userId: instructorId,
      kind: 'application_received',
      title: 'New Application',
      // Nobody's name: notices stay when the person who applied deletes the account.
      message: `Somebody applied to join your course ${quotedTitle(course.title)}.`,
      href: `/course/${course.slug}/dashboard?tab=applications`,
    })
  }
  const application = await ownApplication(transaction, own)
  return application ? { application } : 'gone'
}

async function submittedWithinDay(
  transaction: Transaction,
  { userId, courseId }: { userId: string; courseId: string },
) {
  const [row] = await transaction
    .select({
      all: count(),
      wait: sql<number>`coalesce(ceil(extract(epoch from
        min(${applications.submittedAt}) + interval '1 day' - now())), 0)::int`,
      withdrawn: sql<number>`(count(*) filter (where ${applications.status} = 'withdrawn'))::int`,
    })
    .from(applications)
    .where(
      and(
        eq(applications.userId, userId),
        eq(applications.courseId, courseId),
        gt(applications.submittedAt, sql`now() - interval '1 day'`),
      ),
    )
  return row!
}
