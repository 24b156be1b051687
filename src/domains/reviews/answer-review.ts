import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { recountReviews } from '../courses/recount-reviews.ts'
import { quotedTitle } from '../courses/rules.ts'
import { notify } from '../notifications/notify.ts'
import { holdCourse } from './hold-course.ts'
import { pageForWriter } from './page-for-writer.ts'
import { courseReviews } from './tables.ts'

interface Answered {
  reviewId: string
  courseId: string
  instructorId: string
}

const which = ({ reviewId, courseId }: Answered) =>
  and(eq(courseReviews.id, reviewId), eq(courseReviews.courseId, courseId))

async function findReview(transaction: Transaction, answered: Answered) {
  const [review] = await transaction
    .select({
      userId: courseReviews.userId,
      answer: courseReviews.answer,
      answeredAt: courseReviews.answeredAt,
    })
    .from(courseReviews)
    .where(which(answered))
  return review
}

/** Leaves the instructor's answer below a review, and tells who wrote the review, the first time. */
export async function answerReview(
  transaction: Transaction,
  answered: Answered & { answer: string },
): Promise<{ id: string } | 'gone' | 'answered before'> {
  const { courseId, instructorId, answer } = answered
  const found = await findReview(transaction, answered)
  if (!found) return 'gone'
  const course = await holdCourse(transaction, courseId, [instructorId, found.userId])
  if (course?.instructorId !== instructorId) return 'gone'
  const review = await findReview(transaction, answered)
  if (!review) return 'gone'
  const updated = await transaction
    .update(courseReviews)
    .set({ answer, answeredAt: sql`now()` })
    .where(and(which(answered), isNull(courseReviews.answer)))
    .returning({ id: courseReviews.id })
  if (updated.length === 0) {
    // The same once more, as after a call whose answer was lost, is done.
    return review.answer === answer ? { id: answered.reviewId } : 'answered before'
  }
  // Nothing to count: the course's pages have to notice.
  await recountReviews(transaction, [courseId])
  // A second try, after the first answer was taken back, has its date already.
  if (review.answeredAt === null) {
    const page = await pageForWriter(transaction, review.userId, { ...course, courseId })
    await notify(transaction, {
      userId: review.userId,
      kind: 'review_answered',
      title: 'Your Review Was Answered',
      message: `The instructor of ${quotedTitle(course.title)} answered your review.`,
      href: page && `${page}#your-review`,
    })
  }
  return { id: answered.reviewId }
}

/** Takes the answer back; another one can follow. */
export async function removeAnswer(transaction: Transaction, answered: Answered): Promise<void> {
  const { courseId, instructorId } = answered
  const course = await holdCourse(transaction, courseId, [instructorId])
  if (course?.instructorId !== instructorId) return
  const updated = await transaction
    .update(courseReviews)
    .set({ answer: null })
    .where(and(which(answered), isNotNull(courseReviews.answer)))
    .returning({ id: courseReviews.id })
  if (updated.length > 0) await recountReviews(transaction, [courseId])
}
