import type { Transaction } from '../../server/db.ts'
import { endStreamsOfMember, publishToCourse, publishToPerson } from '../../server/publish.ts'
import { keepingEvent } from '../webhooks/keep-event.ts'
import { leaveCourse } from './leave-course.ts'

/**
 * Ends an enrollment with all that it opened: the person's open pages are led away and hear nothing of the
 * course any more. False when there was none to end. The instructor never leaves the own course.
 */
export async function dischargeStudent(
  transaction: Transaction,
  member: { userId: string; courseId: string; instructorId: string },
): Promise<boolean> {
  const { userId, courseId, instructorId } = member
  if (!(await leaveCourse(transaction, { userId, courseId }))) return false
  await publishToPerson(transaction, instructorId, { type: 'left', courseId })
  await publishToCourse(
    transaction,
    courseId,
    { type: 'members', courseId },
    keepingEvent({ type: 'enrollment.ended', courseId, personId: userId }),
  )
  await publishToPerson(transaction, userId, { type: 'accessEnded', courseId })
  await endStreamsOfMember(transaction, { userId, courseId })
  return true
}
