import { and, eq, ne } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { removeStudent } from '../courses/remove-student.ts'
import { courses } from '../courses/tables.ts'
import { enrollments } from './tables.ts'

/**
 * Ends an enrollment; what the person completed stays, for when they come back. False when there was
 * none to end. The instructor never leaves the own course.
 */
export async function leaveCourse(
  transaction: Transaction,
  { userId, courseId }: { userId: string; courseId: string },
): Promise<boolean> {
  // The course first, like everybody who changes its students.
  const [course] = await transaction
    .select({ id: courses.id })
    .from(courses)
    .where(and(eq(courses.id, courseId), ne(courses.instructorId, userId)))
    .for('no key update')
  if (!course) return false
  const ended = await transaction
    .delete(enrollments)
    .where(and(eq(enrollments.userId, userId), eq(enrollments.courseId, courseId)))
    .returning({ id: enrollments.id })
  if (ended.length === 0) return false
  await removeStudent(transaction, courseId)
  return true
}
