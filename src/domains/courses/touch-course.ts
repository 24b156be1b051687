import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { courses } from './tables.ts'

/**
 * Locks a course before something that belongs to it changes, and notes that it did, so that kept pages
 * notice. False when the course is not this instructor's.
 */
export async function touchCourse(
  transaction: Transaction,
  course: { courseId: string; instructorId: string },
): Promise<boolean> {
  const touched = await transaction
    .update(courses)
    .set({ updatedAt: sql`now()` })
    .where(and(eq(courses.id, course.courseId), eq(courses.instructorId, course.instructorId)))
    .returning({ id: courses.id })
  return touched.length === 1
}
