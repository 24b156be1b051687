import type { Transaction } from '../../server/db.ts'
import { departedUserId } from '../accounts/departed-user.ts'
import { endAllSessions } from '../accounts/end-all-sessions.ts'
import { markAccount } from '../accounts/mark-account.ts'
import { lockPublished, stopCourses } from '../courses/stop-course.ts'
import { enqueueEach } from '../../server/jobs.ts'
import { tellOfOpenCases } from '../moderation/tell-moderators.ts'
import { flagshipCourseId } from '../site/flagship.ts'
import { holdForAct } from './hold-for-act.ts'
import { recordAct } from './record-act.ts'
import { suspensions } from './tables.ts'
import { tellOfAccountSuspension } from './tell-of-suspension.ts'

/** What stood in the way; null when it is suspended. */
type Suspended = 'not admin' | 'oneself' | 'gone' | 'suspended already' | null

/**
 * Stops an account: it is signed out everywhere, and its published courses are suspended with it, until it is
 * lifted. The starter course, which everybody joins, stays.
 */
export async function suspendAccount(
  transaction: Transaction,
  { actorId, userId, reason }: { actorId: string; userId: string; reason: string },
): Promise<Suspended> {
  if (actorId === userId) return 'oneself'
  const people = await holdForAct(transaction, actorId, [userId])
  if (!people) return 'not admin'
  const person = people.get(userId)
  if (!person || userId === departedUserId) return 'gone'
  if (person.suspendedAt) return 'suspended already'
  const [suspension] = await transaction
    .insert(suspensions)
    .values({ userId, reason, suspendedBy: actorId })
    .returning({ id: suspensions.id })
  await markAccount(transaction, userId, { suspended: true })
  const flagship = await flagshipCourseId(transaction)
  const published = await lockPublished(transaction, userId)
  const stopped = published.filter(({ courseId }) => courseId !== flagship)
  if (stopped.length > 0) {
    await stopCourses(
      transaction,
      stopped.map(({ courseId }) => courseId),
    )
    await transaction.insert(suspensions).values(
      stopped.map(({ courseId }) => ({
        courseId,
        reason,
        suspendedBy: actorId,
        becauseOf: suspension!.id,
        wasPublished: true,
      })),
    )
    await enqueueEach(
      transaction,
      'closeCheckouts',
      stopped.map(({ courseId }) => ({ courseId })),
    )
  }
  const sessions = await endAllSessions(transaction, userId)
  await recordAct(transaction, {
    actorId,
    action: 'suspend_account',
    subject: { kind: 'account', id: userId, name: person.name },
    reason,
    details: { courses: stopped.length, sessions },
  })
  await tellOfAccountSuspension(transaction, { userId, reason, courses: stopped.length })
  await tellOfOpenCases(transaction, { suspended: userId })
  return null
}
