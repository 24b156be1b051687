import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { isFirstOfDay } from '../../server/first-of-day.ts'
import { recountReviews } from '../courses/recount-reviews.ts'
import { quotedTitle } from '../courses/rules.ts'
import { enrollments } from '../enrollment/tables.ts'
import { notify } from '../notifications/notify.ts'
import { keepEvent } from '../webhooks/keep-event.ts'
import { holdCourse } from './hold-course.ts'
import type { ReviewForm } from './schema.ts'
import { courseReviews } from './tables.ts'

/**
 * Writes this person's one review of the course, or changes it; the instructor is told of a new one.
 * 'not a member' also when the person is leaving at this moment.
 */
export async function saveReview(
  transaction: Transaction,
  review: ReviewForm & { userId: string; courseId: string; instructorId: string },
): Promise<{ id: string } | 'gone' | 'own course' | 'not a member'> {
  const { userId, courseId, instructorId, rating, reviewText } = review
  const course = await holdCourse(transaction, courseId, [userId, instructorId])
  if (!course) return 'gone'
  if (course.instructorId === userId) return 'own course'
  const [membership] = await transaction
    .select({ id: enrollments.id })
    .from(enrollments)
    .where(and(eq(enrollments.userId, userId), eq(enrollments.courseId, courseId)))
  if (!membership) return 'not a member'
  const [saved] = await transaction
    .insert(courseReviews)
    .values({ userId, courseId, rating, reviewText })
    .onConflictDoUpdate({
      target: [courseReviews.userId, courseReviews.courseId],
      set: {
        rating,
        reviewText,
        // Saved once more as it was, it is not an edit.
        editedAt: sql`case when (${courseReviews.rating}, ${courseReviews.reviewText})
                            = (excluded.rating, excluded.review_text)
                           then ${courseReviews.editedAt} else now() end`,
      },
    })
    .returning({
      id: courseReviews.id,
      isNew: sql<boolean>`old.id is null`,
      isOther: sql<boolean>`(old.rating, old.review_text) is distinct from (new.rating, new.review_text)`,
    })
  await recountReviews(transaction, [courseId])
  const { instructorId: reader } = course
  // Not again for who removes a review and writes another one.
  if (
    saved!.isNew &&
    course.present.has(reader) &&
    (await isFirstOfDay(transaction, 'review-notice', `${userId} ${courseId}`))
  ) {
    await notify(transaction, {
      userId: reader,
      kind: 'review_written',
      title: 'New Review',
      // Nobody's name: notices stay when the person who wrote the review goes.
      message: `Your course ${quotedTitle(course.title)} has a new review: ${rating === 1 ? '1 star' : `${rating} stars`}.`,
      href: `/course/${course.slug}/reviews?review=${saved!.id}#review-${saved!.id}`,
    })
  }
  if (saved!.isOther) {
    await keepEvent(transaction, {
      type: saved!.isNew ? 'review.created' : 'review.updated',
      courseId,
      personId: userId,
      more: { review: { id: saved!.id, rating, text: reviewText } },
    })
  }
  return { id: saved!.id }
}
