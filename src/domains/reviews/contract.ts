import * as z from 'zod'
import { row } from '../../contract-row.ts'
import {
  byCourseId,
  courseReviews,
  myReviewSave,
  ofReview,
  reviewAnswer,
  reviewRemoval,
  reviewsOfCourse,
  reviewStatsRows,
} from './schema.ts'

const saved = z.object({ id: z.uuid() })
const removed = z.object({ removed: z.literal(true) })

export const reviews = {
  /** Also answers to an earlier slug or to the id; the caller compares `course.slug` to redirect. */
  getCourseReviews: row(
    'public',
    'GET',
    '/rest/v1/courses/{slug}/reviews',
    'What members think of a course, newest first',
    { scope: 'courses:read', fromReplica: true },
  )
    .input(reviewsOfCourse)
    .output(courseReviews),

  saveMyReview: row(
    'member',
    'PUT',
    '/rest/v1/courses/{courseId}/review',
    'Write or change my review of a course',
    {
      scope: 'learning:write',
      stoppedBy: 'reviews',
      description: 'This becomes the whole review: without reviewText it is left with its stars.',
    },
  )
    .errors({
      OWN_COURSE: { status: 403, message: 'You cannot review your own course.' },
    })
    .input(myReviewSave)
    .output(saved),

  /** Also for those who have left the course. Removing twice is harmless. */
  removeMyReview: row(
    'signedIn',
    'DELETE',
    '/rest/v1/courses/{courseId}/review',
    'Remove my review of a course',
    { scope: 'learning:write' },
  )
    .input(byCourseId)
    .output(removed),

  answerReview: row(
    'instructor',
    'POST',
    '/rest/v1/courses/{courseId}/reviews/{reviewId}/answer',
    'Answer a review of my course, once',
    { scope: 'courses:write' },
  )
    .errors({
      ALREADY_ANSWERED: { status: 409, message: 'You have answered this review already.' },
    })
    .input(reviewAnswer)
    .output(saved),

  /** Removing twice is harmless. */
  removeAnswer: row(
    'instructor',
    'DELETE',
    '/rest/v1/courses/{courseId}/reviews/{reviewId}/answer',
    'Take my answer to a review back',
    { scope: 'courses:write' },
  )
    .input(ofReview)
    .output(removed),

  /** Of whatever course; the writer reads why. */
  takeDownReview: row(
    'admin',
    'POST',
    '/rest/v1/admin/reviews/{reviewId}/removal',
    'Remove somebody’s review of a course',
  )
    .input(reviewRemoval)
    .output(removed),

  /** Spec 2, section 7: one row. */
  getReviewStats: row(
    'public',
    'POST',
    '/rest/v1/rpc/get_course_review_stats',
    'How many reviews a course has, and their mean',
    { scope: 'courses:read', fromReplica: true },
  )
    .input(z.object({ course_id_param: byCourseId.shape.courseId }))
    .output(reviewStatsRows),
}
