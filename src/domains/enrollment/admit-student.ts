import type { Transaction } from '../../server/db.ts'
import { isFirstOfDay } from '../../server/first-of-day.ts'
import { publishToCourse, publishToPerson } from '../../server/publish.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { recordActivity } from '../analytics/record-activity.ts'
import { quotedTitle } from '../courses/rules.ts'
import { notify } from '../notifications/notify.ts'
import { keepingEvent } from '../webhooks/keep-event.ts'
import { enrollStudent, type EnrollmentResult } from './enroll-student.ts'

export interface Admission {
  userId: string
  courseId: string
  instructorId: string
  courseTitle: string
  slug: string
  /** The link that the person came by. */
  invitationId?: string
  /** By the approval of an application: that tells the person, and the instructor gave it. */
  isApproved?: boolean
  /** By a purchase, which no limit of the course stands against. */
  isPaid?: boolean
}

/**
 * Lets a person into a course and tells everybody whom it concerns. Whether the person may join is the
 * caller's business; after 'full' the caller must roll the transaction back. A caller that locks the
 * course before has called `holdPeople` with the person and the instructor before that.
 */
export async function admitStudent(
  transaction: Transaction,
  admission: Admission,
): Promise<EnrollmentResult> {
  const { userId, courseId, instructorId, courseTitle, slug } = admission
  const present = await holdPeople(transaction, [userId, instructorId])
  const result = await enrollStudent(transaction, admission)
  if (result !== 'enrolled') return result
  const name = quotedTitle(courseTitle)
  const href = `/course/${slug}/dashboard`
  await recordActivity(transaction, { userId, courseId, activityType: 'first_enrollment' })
  await publishToCourse(
    transaction,
    courseId,
    { type: 'members', courseId },
    keepingEvent({ type: 'enrollment.created', courseId, personId: userId }),
  )
  if (present.has(instructorId)) {
    await publishToPerson(transaction, instructorId, { type: 'joined', courseId })
  }
  if (admission.isApproved) return result
  await notify(transaction, {
    userId,
    kind: 'joined',
    title: 'Welcome to the Course',
    message: `You joined ${name}. All its lessons are open to you now.`,
    href,
  })
  // Not again for who leaves and comes back.
  if (
    present.has(instructorId) &&
    (await isFirstOfDay(transaction, 'member-notice', `${userId} ${courseId}`))
  ) {
    await notify(transaction, {
      userId: instructorId,
      kind: 'new_member',
      title: 'New Member',
      // Nobody's name: notices stay when the person who joined deletes the account.
      message: `Somebody joined your course ${name}.`,
      href: `${href}?tab=members`,
    })
  }
  return result
}
