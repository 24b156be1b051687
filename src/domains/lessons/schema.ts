import * as z from 'zod'
import { slug, timestamp, uuid } from '../../fields.ts'
import type { RichText } from './rich-text.ts'

export const byLessonId = z.object({ lessonId: uuid('The lesson') })
export const bySlugs = z.object({ slug, lessonSlug: slug })

const neighbour = z.object({ slug: z.string(), title: z.string() }).nullable()

export const lessonPage = z.object({
  id: z.uuid(),
  slug: z.string(),
  title: z.string(),
  /** 1-based, counted through the whole course. */
  number: z.number().int(),
  lessonsCount: z.number().int(),
  chapterTitle: z.string(),
  content: z.custom<RichText>(),
  /** How long it takes; null where nobody knows. */
  minutes: z.number().int().nullable(),
  video: z.object({ url: z.string(), contentType: z.string() }).nullable(),
  resources: z.array(
    z.object({ id: z.uuid(), title: z.string(), url: z.string(), description: z.string() }),
  ),
  completedAt: timestamp.nullable(),
  /** Seconds into the video where this person left it; 0 at first. */
  position: z.number(),
  previous: neighbour,
  next: neighbour,
  course: z.object({ id: z.uuid(), slug: z.string(), title: z.string() }),
})
export type LessonPage = z.output<typeof lessonPage>

export const completion = z.object({
  completedAt: timestamp.nullable(),
  completedCount: z.number().int(),
  lessonsCount: z.number().int(),
  progressPercent: z.number().int(),
})

export const positionSave = byLessonId.extend({
  /** Seconds into the video; a day is longer than any video here. */
  seconds: z.number('The position must be a number of seconds').min(0).max(86_400),
})
