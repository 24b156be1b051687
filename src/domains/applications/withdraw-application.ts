import { and, eq, type SQL } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import { courses } from '../courses/tables.ts'
import type { OwnApplicationRow } from './queries.ts'
import { ownApplicationById } from './queries.ts'
import { courseApplications as applications } from './tables.ts'

/**
 * Takes back an own application that nobody has decided; again is harmless. A review at this moment and
 * this wait for each other at the row: one of them finds it pending.
 */
export async function withdrawApplication(
  transaction: Transaction,
  own: { userId: string; applicationId: string },
): Promise<OwnApplicationRow | 'gone' | 'decided'> {
  await withdraw(transaction, own.userId, eq(applications.id, own.applicationId))
  const application = await ownApplicationById(transaction, own)
  if (!application) return 'gone'
  return application.status === 'withdrawn' ? application : 'decided'
}

/**
 * Who applied, joined without when the course stopped asking, and leaves it, does not wait any more: an
 * approval would bring them back. The caller holds the course.
 */
export const withdrawWhenLeaving = (
  transaction: Transaction,
  { userId, courseId }: { userId: string; courseId: string },
): Promise<void> => withdraw(transaction, userId, eq(applications.courseId, courseId))

async function withdraw(transaction: Transaction, userId: string, which: SQL): Promise<void> {
  const [withdrawn] = await transaction
    .update(applications)
    .set({ status: 'withdrawn', decisionId: null })
    .where(and(which, eq(applications.userId, userId), eq(applications.status, 'pending')))
    .returning({ courseId: applications.courseId })
  if (!withdrawn) return
  const { courseId } = withdrawn
  const [course] = await transaction
    .select({ instructorId: courses.instructorId })
    .from(courses)
    .where(eq(courses.id, courseId))
  if (course) {
    await publishToPerson(transaction, course.instructorId, { type: 'applications', courseId })
  }
}
