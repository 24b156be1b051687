import { and, eq, sql } from 'drizzle-orm'
import { quoted } from '../../isolated.ts'
import type { Transaction } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import { quotedTitle } from '../courses/rules.ts'
import { admitStudent } from '../enrollment/admit-student.ts'
import { isEnrolled } from '../enrollment/queries.ts'
import { countKeptUse } from '../invitations/use-invitation.ts'
import { notify } from '../notifications/notify.ts'
import { hasSeat } from '../purchases/has-seat.ts'
import { keepingEvent } from '../webhooks/keep-event.ts'
import { type HeldCourse, holdApplication } from './hold-application.ts'
import type { Decision } from './schema.ts'
import { courseApplications as applications } from './tables.ts'

export interface Review {
  courseId: string
  instructorId: string
  applicationId: string
  decision: Decision
  notes: string
  shareNotes: boolean
  /** Only when the application still waits for this decision about many. */
  decisionId?: string
}

/** After 'full' the caller must roll the transaction back: the person is let in with the decision, or not at all. */
export type Reviewed = 'reviewed' | 'gone' | 'not pending' | 'full' | 'suspended'

/**
 * Decides one pending application. Who is approved for a free course is a member at once; for a paid one
 * the approval opens the checkout. The applicant is told either way.
 */
export async function reviewApplication(
  transaction: Transaction,
  { decision, notes, shareNotes, ...which }: Review,
): Promise<Reviewed> {
  const { courseId, instructorId, applicationId, decisionId } = which
  const [application] = await transaction
    .select({ userId: applications.userId, invitationId: applications.invitationId })
    .from(applications)
    .where(and(eq(applications.id, applicationId), eq(applications.courseId, courseId)))
  if (!application) return 'gone'
  const { userId, invitationId } = application
  const course = await holdApplication(transaction, { userId, courseId, instructorId })
  if (!course) return 'gone'
  // Nobody new comes into a course that administrators stopped.
  if (decision === 'approved' && course.suspendedAt) return 'suspended'
  const isAdmitted = decision === 'approved' && course.pricingType === 'free'
  const decided = await transaction
    .update(applications)
    .set({
      status: decision,
      reviewedAt: sql`now()`,
      reviewerNotes: notes,
      notesShared: shareNotes && notes !== '',
      decisionId: null,
      // Counted here, and not again when the person leaves and comes back.
      ...(isAdmitted && { invitationId: null }),
    })
    .where(
      and(
        eq(applications.id, applicationId),
        eq(applications.courseId, courseId),
        eq(applications.status, 'pending'),
        decisionId === undefined ? undefined : eq(applications.decisionId, decisionId),
      ),
    )
    .returning({ id: applications.id })
  if (decided.length === 0) return 'not pending'
  // Who did not want to wait any more when the course stopped asking.
  const isMember = await isEnrolled(transaction, { userId, courseId })
  if (isAdmitted) {
    const used =
      invitationId && !isMember ? await countKeptUse(transaction, { invitationId, courseId }) : null
    const admitted = await admitStudent(transaction, {
      userId,
      courseId,
      instructorId,
      slug: course.slug,
      courseTitle: course.title,
      invitationId: used ?? undefined,
      isApproved: true,
    })
    if (admitted === 'full' || admitted === 'gone') return admitted
  }
  await tellApplicant(transaction, userId, course, {
    decision,
    sharedNotes: shareNotes ? notes : '',
    isMember,
  })
  await publishToPerson(
    transaction,
    instructorId,
    { type: 'applications', courseId },
    keepingEvent({
      type: 'application.decided',
      courseId,
      personId: userId,
      more: { application: { id: applicationId, decision } },
    }),
  )
  return 'reviewed'
}

async function tellApplicant(
  transaction: Transaction,
  userId: string,
  course: HeldCourse,
  {
    decision,
    sharedNotes,
    isMember,
  }: { decision: Decision; sharedNotes: string; isMember: boolean },
): Promise<void> {
  const { courseId, slug, pricingType, status, applicationRequired } = course
  const title = quotedTitle(course.title)
  // A draft has no page for who is not in it.
  const page = status === 'published' ? `/course/${slug}` : undefined
  const inside = `/course/${slug}/dashboard`
  const notes = sharedNotes && ` The instructor writes: ${quoted(sharedNotes)}`
  await publishToPerson(transaction, userId, { type: 'application', courseId })
  if (decision === 'rejected') {
    const again = applicationRequired
      ? ' You may apply again with updated information.'
      : ' It takes no applications any more: you can join it without one.'
    const next = isMember ? ' You joined it without one, and stay a member.' : page ? again : ''
    await notify(transaction, {
      userId,
      kind: 'application_rejected',
      title: 'Application Not Approved',
      message: `Your application to join ${title} was not approved.${next}${notes}`,
      href: isMember ? inside : page,
    })
    return
  }
  const isFree = pricingType === 'free'
  const next = isMember
    ? 'You are a member already.'
    : isFree
      ? 'You are a member now, and all its lessons are open to you.'
      : `You can buy the course ${await whenBought(transaction, userId, course)}.`
  await notify(transaction, {
    userId,
    kind: 'application_approved',
    title: 'Application Approved',
    message: `Your application to join ${title} was approved. ${next}${notes}`,
    href: isFree || isMember ? inside : page,
  })
}

async function whenBought(
  transaction: Transaction,
  userId: string,
  course: HeldCourse,
): Promise<string> {
  if (course.status !== 'published') return 'as soon as it is published again'
  return (await hasSeat(transaction, { ...course, userId }))
    ? 'now'
    : 'as soon as there is room: it is full at the moment'
}
