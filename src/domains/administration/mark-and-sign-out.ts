import type { Transaction } from '../../server/db.ts'
import { departedUserId } from '../accounts/departed-user.ts'
import { endAllSessions } from '../accounts/end-all-sessions.ts'
import { markAccount } from '../accounts/mark-account.ts'
import { withoutLightning } from '../courses/rules.ts'
import { markCourseVerified } from '../courses/stop-course.ts'
import { flagshipCourseId } from '../site/flagship.ts'
import { holdForAct } from './hold-for-act.ts'
import { recordAct } from './record-act.ts'
import { holdCourseForAct } from './suspend-course.ts'

/** What stood in the way; null when it is done. */
type Marked = 'not admin' | 'gone' | null

/** Gives the mark or takes it; as it is already changes nothing, and is no act. */
export async function verifyAccount(
  transaction: Transaction,
  { actorId, userId, verified }: { actorId: string; userId: string; verified: boolean },
): Promise<Marked> {
  const people = await holdForAct(transaction, actorId, [userId])
  if (!people) return 'not admin'
  const person = people.get(userId)
  if (!person || userId === departedUserId) return 'gone'
  if (person.verified === verified) return null
  await markAccount(transaction, userId, { verified })
  await recordAct(transaction, {
    actorId,
    action: verified ? 'verify_account' : 'unverify_account',
    subject: { kind: 'account', id: userId, name: person.name },
  })
  return null
}

/** The starter course has its mark by being that, so it is not taken. */
export async function verifyCourse(
  transaction: Transaction,
  { actorId, courseId, verified }: { actorId: string; courseId: string; verified: boolean },
): Promise<Marked | 'starter course'> {
  const held = await holdCourseForAct(transaction, { actorId, courseId })
  if (typeof held === 'string') return held
  if (held.course.verified === verified) return null
  if (!verified && (await flagshipCourseId(transaction)) === courseId) return 'starter course'
  await markCourseVerified(transaction, courseId, verified)
  await recordAct(transaction, {
    actorId,
    action: verified ? 'verify_course' : 'unverify_course',
    subject: { kind: 'course', id: courseId, name: withoutLightning(held.course.title) },
  })
  return null
}

/** Signs somebody out everywhere, as when a stranger has come into the account. */
export async function endSessionsOf(
  transaction: Transaction,
  { actorId, userId }: { actorId: string; userId: string },
): Promise<'not admin' | 'gone' | { ended: number }> {
  const people = await holdForAct(transaction, actorId, [userId])
  if (!people) return 'not admin'
  const person = people.get(userId)
  if (!person) return 'gone'
  const ended = await endAllSessions(transaction, userId)
  await recordAct(transaction, {
    actorId,
    action: 'end_sessions',
    subject: { kind: 'account', id: userId, name: person.name },
    details: { ended },
  })
  return { ended }
}
