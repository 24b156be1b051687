import * as z from 'zod'

export const liveEvent = z.discriminatedUnion('type', [
  /** The person completed or un-completed a lesson, perhaps on another device. */
  z.object({ type: z.literal('progress'), courseId: z.uuid() }),
  /** Somebody joined a course of this person. */
  z.object({ type: z.literal('joined'), courseId: z.uuid() }),
])
export type LiveEvent = z.output<typeof liveEvent>
