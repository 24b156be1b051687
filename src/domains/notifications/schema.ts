import * as z from 'zod'

export const liveEvent = z.discriminatedUnion('type', [
  /** The person completed or un-completed a lesson, perhaps on another device. */
  z.object({ type: z.literal('progress'), courseId: z.uuid() }),
  /** Somebody joined a course of this person. */
  z.object({ type: z.literal('joined'), courseId: z.uuid() }),
  /** Somebody left a course of this person. */
  z.object({ type: z.literal('left'), courseId: z.uuid() }),
  /** The processing of a video of this person went on or ended. */
  z.object({ type: z.literal('video'), mediaId: z.uuid(), courseId: z.uuid().nullable() }),
  /** An import of this person went on, ended, or (with `courseId`) became a course. */
  z.object({
    type: z.literal('courseImport'),
    importId: z.uuid(),
    courseId: z.uuid().nullable(),
  }),
])
export type LiveEvent = z.output<typeof liveEvent>
