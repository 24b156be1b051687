import * as z from 'zod'

export const watchedEvents = z.object({
  /** To be told what happens in this course, too. */
  courseId: z.uuid().optional(),
  /**
   * Milliseconds since the page was read: what happened meanwhile is told as well. With the header
   * Last-Event-ID that counts instead.
   */
  age: z.number().int().min(0).max(60_000).optional(),
})

/** Says that something changed and where; the page reads the rest again. */
export const liveEvent = z.discriminatedUnion('type', [
  /** The person's notices changed: a new one, or read, or deleted, perhaps in another tab. */
  z.object({ type: z.literal('notification') }),
  /** Applications to a course of this person changed: a new one, a withdrawal, a decision. */
  z.object({ type: z.literal('applications'), courseId: z.uuid() }),
  /** This person's own application to the course was decided. */
  z.object({ type: z.literal('application'), courseId: z.uuid() }),
  /** To who follows the course: its members changed. */
  z.object({ type: z.literal('members'), courseId: z.uuid() }),
  /** This person is no member of the course any more. */
  z.object({ type: z.literal('accessEnded'), courseId: z.uuid() }),
  /** What happened meanwhile is not known in detail: everything is to be read again. */
  z.object({ type: z.literal('reset') }),
  /** The person completed or un-completed a lesson, perhaps on another device. */
  z.object({ type: z.literal('progress'), courseId: z.uuid() }),
  /** Somebody joined a course of this person. */
  z.object({ type: z.literal('joined'), courseId: z.uuid() }),
  /** Somebody left a course of this person. */
  z.object({ type: z.literal('left'), courseId: z.uuid() }),
  /** To who follows the course: a post appeared, says something else or is (un)pinned, or is gone. */
  z.object({
    type: z.literal('post'),
    courseId: z.uuid(),
    postId: z.uuid(),
    change: z.enum(['created', 'changed', 'removed']),
  }),
  /** To who follows the course: a comment or reply of this post appeared, changed, or is gone. */
  z.object({
    type: z.literal('comment'),
    courseId: z.uuid(),
    postId: z.uuid(),
    commentId: z.uuid(),
    change: z.enum(['created', 'changed', 'removed']),
    /** Of the post, from now on. */
    commentsCount: z.number().int(),
  }),
  /** To who follows the course: so many like the post, or the comment, from now on. */
  z.object({
    type: z.literal('likes'),
    courseId: z.uuid(),
    postId: z.uuid(),
    commentId: z.uuid().nullable(),
    likesCount: z.number().int(),
  }),
  /** To who follows the course: somebody voted in the poll of this post. */
  z.object({ type: z.literal('votes'), courseId: z.uuid(), postId: z.uuid() }),
  /** To who follows the course: its channels changed. */
  z.object({ type: z.literal('channels'), courseId: z.uuid() }),
  /** To who moderates there: what was reported changed. */
  z.object({ type: z.literal('moderation'), courseId: z.uuid() }),
  /** This person's right to the course changed: bought, renewed, payment missing, over. */
  z.object({ type: z.literal('purchase'), courseId: z.uuid() }),
  /** A payment page of this person for the course was paid, or cannot be paid any more. */
  z.object({ type: z.literal('checkout'), courseId: z.uuid() }),
  /** What this person earned, a sale, a payout, or how the person is paid changed. */
  z.object({ type: z.literal('earnings') }),
  /** This person's plan or subscription changed. */
  z.object({ type: z.literal('plan') }),
  /** The processing of a video of this person went on or ended. */
  z.object({ type: z.literal('video'), mediaId: z.uuid(), courseId: z.uuid().nullable() }),
  /** An import of this person went on, ended, or (with `courseId`) became a course. */
  z.object({
    type: z.literal('courseImport'),
    importId: z.uuid(),
    courseId: z.uuid().nullable(),
  }),
  /** Another device of this person plays from now on in place of this stream. */
  z.object({ type: z.literal('streamEnded'), streamId: z.uuid(), endedBy: z.uuid() }),
  /** Something was sent to a webhook of this person, or could not be. */
  z.object({ type: z.literal('webhook'), endpointId: z.uuid() }),
  /** To administrators: more people were told what one of them announced. */
  z.object({ type: z.literal('announcement') }),
])
export type LiveEvent = z.output<typeof liveEvent>
