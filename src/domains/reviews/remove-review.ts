import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { recountReviews } from '../courses/recount-reviews.ts'
import { holdCourse } from './hold-course.ts'
import { courseReviews } from './tables.ts'

/** Removes this person's review of the course, with the answer to it. */
export async function removeReview(
  transaction: Transaction,
  { userId, courseId }: { userId: string; courseId: string },
): Promise<void> {
  if (!(await holdCourse(transaction, courseId, [userId]))) return
  const gone = await transaction
    .delete(courseReviews)
    .where(and(eq(courseReviews.userId, userId), eq(courseReviews.courseId, courseId)))
    .returning({ id: courseReviews.id })
  if (gone.length > 0) await recountReviews(transaction, [courseId])
}
