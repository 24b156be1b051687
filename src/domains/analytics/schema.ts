import * as z from 'zod'
import { timestamp } from '../../fields.ts'

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
  /** For lesson_completed, as long as the lesson is there. */
  lessonTitle: z.string().nullable(),
})
export type Activity = z.output<typeof activity>

/** Newest first. */
export const activityList = z.object({ activities: z.array(activity) })
