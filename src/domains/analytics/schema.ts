import * as z from 'zod'
import { minorUnits, timestamp, uuid } from '../../fields.ts'

const ranges = ['7', '30', '90', '365'] as const

/** The last so many days; from the beginning when left out. */
export const activityRange = z.object({
  days: z.enum(ranges, 'Choose the last 7, 30, 90 or 365 days').optional(),
})

const activity = z.object({
  id: z.uuid(),
  activityType: z.string(),
  createdAt: timestamp,
  course: z.object({ id: z.uuid(), slug: z.string(), title: z.string() }),
  /** Who did it. */
  user: z.object({ id: z.uuid(), name: z.string() }),
  /** For lesson_completed, as long as the lesson is there, to its creator and to whoever is in the course. */
  lessonTitle: z.string().nullable(),
})
export type Activity = z.output<typeof activity>

/** Newest first. */
export const activityList = z.object({ activities: z.array(activity) })

const count = z.number().int()

/** Of the range; all of it when none is given. The last N days are today (UTC) and the N - 1 days before. */
export const creatorAnalytics = z.object({
  currency: z.string(),
  /** Who joined in the range and is there still, in all own courses. */
  students: count,
  /** Paid in the range less what was taken back in it, before fees. */
  revenue: minorUnits,
  /** Published courses. */
  activeCourses: count,
  /** The mean over the courses that have reviews; null without any. */
  averageRating: z.number().nullable(),
  /** Best-earning first, at most 200. Rating, price and status are those of today. */
  courses: z.array(
    z.object({
      id: z.uuid(),
      slug: z.string(),
      title: z.string(),
      thumbnailUrl: z.string().nullable(),
      category: z.string(),
      status: z.enum(['draft', 'published']),
      pricingType: z.enum(['free', 'one_time', 'monthly']),
      priceAmount: minorUnits,
      students: count,
      rating: z.number(),
      reviewsCount: count,
      revenue: minorUnits,
    }),
  ),
  /** Own courses that are not listed: there are too many. */
  moreCourses: count,
  /** Of courses that were deleted since. */
  otherRevenue: minorUnits,
  isPro: z.boolean(),
})
export type CreatorAnalytics = z.output<typeof creatorAnalytics>

export const advancedQuery = activityRange.extend({
  /** All own courses when left out. */
  courseId: uuid('The course').optional(),
})

export const advancedAnalytics = z.object({
  currency: z.string(),
  /** How long a point is; days, weeks from Monday and months are UTC. */
  interval: z.enum(['day', 'week', 'month']),
  /** Oldest first, without gaps, from the beginning of the range, or from the first day with anything, until today. */
  points: z.array(
    z.object({
      /** '2026-11-22': its first day; the first point begins with the range. */
      from: z.string(),
      revenue: minorUnits,
      sales: count,
      students: count,
      /** Learners of each of its days and of each course, added up. */
      active: count,
      completions: count,
      posts: count,
      comments: count,
    }),
  ),
  /** Where people stop; of one course only, and of all time. */
  funnel: z
    .object({
      students: count,
      lessons: z.array(
        z.object({
          id: z.uuid(),
          title: z.string(),
          chapterTitle: z.string(),
          /** Began its video; null without one. */
          started: count.nullable(),
          completed: count,
        }),
      ),
    })
    .nullable(),
})
export type AdvancedAnalytics = z.output<typeof advancedAnalytics>

/** A file, made while it is sent. */
export const analyticsFile = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.custom<ReadableStream<Uint8Array>>((value) => value instanceof ReadableStream),
})

export const studentsQuery = z.object({ courseId: uuid('The course').optional() })
