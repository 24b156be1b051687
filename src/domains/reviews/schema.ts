// What crosses the wire about reviews. Forms and handlers share it.
import * as z from 'zod'
import { clearableText, slug, text, timestamp, uuid } from '../../fields.ts'
import { limits, maxStars } from './rules.ts'

const courseId = uuid('The course')
const reviewId = uuid('The review')
const chooseStars = `Please choose 1 to ${maxStars} stars`

export const byCourseId = z.object({ courseId })
export const ofReview = z.object({ courseId, reviewId })

const reviewsPerPage = 20

export const reviewSearch = z.object({
  page: z.coerce.number().int().min(1).max(100_000).catch(1).default(1),
  perPage: z.coerce
    .number()
    .int()
    .min(1)
    .max(reviewsPerPage)
    .catch(reviewsPerPage)
    .default(reviewsPerPage),
})
export type ReviewSearch = z.output<typeof reviewSearch>

export const reviewsOfCourse = reviewSearch.extend({
  slug,
  /** Of this review the page where it stands, while it is there. */
  review: reviewId.optional().catch(undefined),
})

/** The whole review: what is left out becomes empty. */
const reviewForm = z.object({
  rating: z.int(chooseStars).min(1, chooseStars).max(maxStars, chooseStars),
  reviewText: clearableText('Review', limits.reviewText).default(''),
})
export type ReviewForm = z.output<typeof reviewForm>

export const myReviewSave = reviewForm.extend({ courseId })

const answerForm = z.object({
  answer: text('Answer', limits.answer, 'Please write an answer'),
})
export const reviewAnswer = ofReview.extend(answerForm.shape)

export const reviewRemoval = z.object({
  reviewId,
  reason: text('The reason', limits.reason, 'Please write a reason: the writer reads it'),
})

const savedReview = z.object({
  id: z.uuid(),
  /** 1 to 5. */
  rating: z.number().int(),
  reviewText: z.string(),
  createdAt: timestamp,
  edited: z.boolean(),
  /** Of the instructor. */
  answer: z.object({ text: z.string(), answeredAt: timestamp }).nullable(),
})

const courseReview = savedReview.extend({
  /** Null for somebody who has left the course. */
  author: z
    .object({ name: z.string(), username: z.string().nullable(), avatarUrl: z.string().nullable() })
    .nullable(),
})
export type CourseReview = z.output<typeof courseReview>

const ownReview = savedReview
export type OwnReview = z.output<typeof ownReview>

export const courseReviews = z.object({
  course: z.object({
    id: z.uuid(),
    slug: z.string(),
    title: z.string(),
    instructorName: z.string(),
    status: z.enum(['draft', 'published']),
  }),
  /** What the viewer may do here. */
  standing: z.enum(['visitor', 'signedIn', 'member', 'instructor']),
  stats: z.object({
    total: z.number().int(),
    /** The mean to two decimals; 0 without any. */
    average: z.number(),
    /** How many gave 1, 2, 3, 4 and 5 stars. */
    byStars: z.array(z.number().int()).length(maxStars),
  }),
  /** Newest first. */
  reviews: z.array(courseReview),
  page: z.number().int(),
  pages: z.number().int(),
  /** The viewer's own, wherever it is in the list. */
  mine: ownReview.nullable(),
})
export type CourseReviews = z.output<typeof courseReviews>

/** A review on its writer's profile. */
export const profileReview = savedReview.omit({ answer: true }).extend({
  course: z.object({
    id: z.uuid(),
    slug: z.string(),
    title: z.string(),
    category: z.string(),
    thumbnail: z.object({ small: z.string(), medium: z.string(), large: z.string() }).nullable(),
  }),
})
export type ProfileReview = z.output<typeof profileReview>

/** Spec 2, section 7: the remote procedure's rows. */
export const reviewStatsRows = z.array(
  z.object({ total_reviews: z.number().int(), average_rating: z.number() }),
)
