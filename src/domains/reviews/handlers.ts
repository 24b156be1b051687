import { api } from '../../server/api.ts'
import { courseAccess } from '../courses/access.ts'
import { answerReview, removeAnswer } from './answer-review.ts'
import { pageOfReview, reviewBy, reviewsOf, reviewStats } from './queries.ts'
import { removeReview } from './remove-review.ts'
import { saveReview } from './save-review.ts'
import { takeDownReview } from './take-down-review.ts'

const notFound = { message: 'Course not found' }
const notAMember = { message: 'Join this course to review it.' }
const notAdmin = { message: 'Only administrators may do this.' }
const reviewGone = { message: 'This review is not there any more.' }

export const reviews = {
  getCourseReviews: api.reviews.getCourseReviews.handler(async ({ input, context, errors }) => {
    const { services, visitor } = context
    const { pool } = services
    const access = await courseAccess(services.db, visitor, { slug: input.slug })
    const found = access?.canSee && (await reviewStats(pool, access.courseId))
    if (!found) throw errors.NOT_FOUND(notFound)
    const { courseId, standing } = access
    const { review, perPage } = input
    const reviewPage = review ? await pageOfReview(pool, courseId, review, perPage) : null
    const page = reviewPage ?? input.page
    const [list, mine] = await Promise.all([
      reviewsOf(pool, courseId, found.stats.total, { page, perPage }),
      visitor ? reviewBy(pool, courseId, visitor.id) : null,
    ])
    return { ...found, ...list, standing, mine }
  }),

  saveMyReview: api.reviews.saveMyReview.handler(({ input, context, errors }) => {
    const { services, viewer, course } = context
    const { courseId, instructorId } = course
    const { rating, reviewText } = input
    return services.db.transaction(async (transaction) => {
      const saved = await saveReview(transaction, {
        userId: viewer.id,
        courseId,
        instructorId,
        rating,
        reviewText,
      })
      if (saved === 'own course') throw errors.OWN_COURSE()
      // An administrator reads every course without being a member.
      if (saved === 'not a member') throw errors.FORBIDDEN(notAMember)
      if (saved === 'gone') throw errors.NOT_FOUND(notFound)
      return saved
    })
  }),

  removeMyReview: api.reviews.removeMyReview.handler(async ({ input, context }) => {
    const { services, viewer } = context
    await services.db.transaction((transaction) =>
      removeReview(transaction, { userId: viewer.id, courseId: input.courseId }),
    )
    return { removed: true as const }
  }),

  answerReview: api.reviews.answerReview.handler(({ input, context, errors }) => {
    const { services, viewer, course } = context
    const { reviewId, answer } = input
    return services.db.transaction(async (transaction) => {
      const answered = await answerReview(transaction, {
        reviewId,
        courseId: course.courseId,
        instructorId: viewer.id,
        answer,
      })
      if (answered === 'gone') throw errors.NOT_FOUND(reviewGone)
      if (answered === 'answered before') throw errors.ALREADY_ANSWERED()
      return answered
    })
  }),

  removeAnswer: api.reviews.removeAnswer.handler(async ({ input: { reviewId }, context }) => {
    const { services, viewer, course } = context
    const { courseId } = course
    await services.db.transaction((transaction) =>
      removeAnswer(transaction, { reviewId, courseId, instructorId: viewer.id }),
    )
    return { removed: true as const }
  }),

  takeDownReview: api.reviews.takeDownReview.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      const obstacle = await takeDownReview(transaction, { ...input, actorId: viewer.id })
      if (obstacle === 'not admin') throw errors.FORBIDDEN(notAdmin)
      if (obstacle === 'gone') throw errors.NOT_FOUND(reviewGone)
      return { removed: true as const }
    })
  }),

  getReviewStats: api.reviews.getReviewStats.handler(async ({ input, context, errors }) => {
    const { services, visitor } = context
    const courseId = input.course_id_param
    const access = await courseAccess(services.db, visitor, { courseId })
    const found = access?.canSee && (await reviewStats(services.pool, courseId))
    if (!found) throw errors.NOT_FOUND(notFound)
    return [{ total_reviews: found.stats.total, average_rating: found.stats.average }]
  }),
}
