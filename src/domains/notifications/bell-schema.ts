import * as z from 'zod'
import { line, timestamp, uuid } from '../../fields.ts'
import { noticeTypes } from './kinds.ts'

/** How many notices the bell holds (spec 1, section 9). */
export const bellHolds = 50

/** Counting stops here: the bell says 9+ above 9. */
export const unreadCountedTo = 10

const unread = z.number().int().min(0).max(unreadCountedTo)

const notice = z.object({
  id: z.uuid(),
  title: z.string(),
  message: z.string(),
  type: z.enum(noticeTypes),
  /** A path of this site where it can be looked at. */
  href: z.string().nullable(),
  read: z.boolean(),
  createdAt: timestamp,
})
export type BellNotice = z.output<typeof notice>

export const bell = z.object({
  /** The latest 50, newest first. */
  notifications: z.array(notice),
  /** Of all; 10 stands for 10 and more. */
  unread,
  /** The server's clock, for how long ago something was. */
  now: timestamp,
})
export type BellList = z.output<typeof bell>

/**
 * Which notices are meant by all of them: those of the list that was looked at and, when that is full, everything older
 * than the last of these. What arrived meanwhile is not, even when it was written earlier and committed later.
 */
export const shownNotices = z.object({
  ids: z
    .array(uuid('Notification'), 'Please name the notifications that were shown.')
    .min(1, 'Please name the notifications that were shown.')
    .max(bellHolds, `A list has at most ${bellHolds} notifications.`),
})

/** Those that were shown, or those about the place that is looked at, wherever the way there began. */
export const readNotices = z
  .object({
    ids: shownNotices.shape.ids.optional(),
    /** Where they lead, or to one thing in it, as `…&post=1` has `…&post=1&comment=2`: a path of this site. */
    about: line('The place', 2000).optional(),
  })
  .refine(({ ids, about }) => (ids === undefined) !== (about === undefined), {
    error: 'Please name the notifications that were shown, or the place that they are about.',
  })

export const oneNotice = z.object({ notificationId: uuid('Notification') })

export const stillUnread = z.object({ unread })
