import { and, eq } from 'drizzle-orm'
import { quoted } from '../../isolated.ts'
import type { Transaction } from '../../server/db.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { revokeApplication } from '../applications/revoke-application.ts'
import { quotedTitle } from '../courses/rules.ts'
import { courses } from '../courses/tables.ts'
import { notify } from '../notifications/notify.ts'
import { endPurchase } from '../purchases/end-purchase.ts'
import { livePurchase } from '../purchases/live-purchase.ts'
import { dischargeStudent } from './discharge-student.ts'
import { enrollments } from './tables.ts'

interface Removal {
  userId: string
  courseId: string
  instructorId: string
  /** In the words of whoever removes; may be empty. */
  reason: string
  /** Who says so, for the person who is removed. */
  by?: 'The instructor' | 'The moderators'
}

/**
 * Takes somebody out of a course, who is told so. An approved application is over with it: to come back,
 * the person applies again. What the person bought ends with it; nothing is paid back by itself. False when
 * there was nobody to remove.
 */
export async function removeMember(
  transaction: Transaction,
  { userId, courseId, instructorId, reason, by = 'The instructor' }: Removal,
): Promise<boolean> {
  const membership = and(eq(enrollments.userId, userId), eq(enrollments.courseId, courseId))
  // Asked for twice, the second waits for nobody.
  if ((await transaction.$count(enrollments, membership)) === 0) return false
  await holdPeople(transaction, [userId, instructorId])
  const [course] = await transaction
    .select({ title: courses.title, slug: courses.slug, status: courses.status })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.instructorId, instructorId)))
    .for('no key update')
  if (!course) return false
  if (!(await dischargeStudent(transaction, { userId, courseId, instructorId }))) return false
  await revokeApplication(transaction, { userId, courseId })
  const purchase = await livePurchase(transaction, { userId, courseId })
  if (purchase) {
    await endPurchase(transaction, { purchaseId: purchase.id, reason: 'removed' })
  }
  const payments = purchase?.subscriptionId ? ' Nothing more is charged for it.' : ''
  const removed = `You have been removed from the course ${quotedTitle(course.title)}.${payments}`
  await notify(transaction, {
    userId,
    kind: 'member_removed',
    title: 'Removed from Course',
    message: reason === '' ? removed : `${removed} ${by} wrote: ${quoted(reason)}`,
    // A draft has no page for who is not in it.
    href: course.status === 'published' ? `/course/${course.slug}` : undefined,
  })
  return true
}
