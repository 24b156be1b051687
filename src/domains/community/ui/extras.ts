// What a post has besides its words, as the composer holds it and as it crosses the wire. Pure.
import { communityLimits as limits } from '../rules.ts'
import type { Post, PostDraftInput } from '../schema.ts'

export interface Extras {
  channelId: string | null
  /** Null without a poll. `closesAt` as an input of type datetime-local has it; empty for never. */
  poll: { options: string[]; closesAt: string } | null
  /** Null: at once. Empty while it is not chosen. */
  scheduledFor: string | null
  isAnnouncement: boolean
}

export const noExtras = (channelId: string | null = null): Extras => ({
  channelId,
  poll: null,
  scheduledFor: null,
  isAnnouncement: false,
})

/** Of a post that is edited: its poll and its announcement stay as they are. */
export const extrasOf = (post: Pick<Post, 'channel' | 'status' | 'scheduledFor'>): Extras => ({
  ...noExtras(post.channel?.id),
  scheduledFor:
    post.status === 'scheduled' && post.scheduledFor ? toLocalInput(post.scheduledFor) : null,
})

/** '2026-11-22T17:30' by this browser's clock. */
export function toLocalInput(at: string | Date): string {
  const date = new Date(at)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

const fromLocalInput = (value: string) => new Date(value).toISOString()

type DraftExtras = Pick<PostDraftInput, 'channelId' | 'poll' | 'scheduledFor' | 'isAnnouncement'>

/** What is sent with a new post; call it when `extrasProblem` finds nothing. */
export const draftExtras = (extras: Extras): DraftExtras => ({
  channelId: extras.channelId,
  isAnnouncement: extras.isAnnouncement,
  scheduledFor: extras.scheduledFor ? fromLocalInput(extras.scheduledFor) : null,
  poll: extras.poll && {
    options: extras.poll.options,
    closesAt: extras.poll.closesAt ? fromLocalInput(extras.poll.closesAt) : null,
  },
})

/** What is sent with an edited post. Its time only where that is another one than at the beginning, which has seconds. */
export const editExtras = ({ channelId, scheduledFor }: Extras, begun: Extras) => ({
  channelId,
  ...(scheduledFor &&
    scheduledFor !== begun.scheduledFor && { scheduledFor: fromLocalInput(scheduledFor) }),
})

/** Whether there is more to lose than the words: something was added since the form was opened. */
export const isMoreThan = (begun: Extras, { poll, scheduledFor, isAnnouncement }: Extras) =>
  (poll !== null && begun.poll === null) ||
  (isAnnouncement && !begun.isAnnouncement) ||
  (scheduledFor ?? '') !== (begun.scheduledFor ?? '')

export type KeptExtras = Pick<Extras, 'poll' | 'scheduledFor' | 'isAnnouncement'>

/** What the draft of a new post keeps of them; null when nothing is chosen. */
export const keptExtras = ({ poll, scheduledFor, isAnnouncement }: Extras): KeptExtras | null =>
  poll || scheduledFor !== null || isAnnouncement ? { poll, scheduledFor, isAnnouncement } : null

const day = 24 * 60 * 60 * 1000

/**
 * Why this cannot be sent yet; null when it can. The time of a post that is edited may have come since its form was
 * opened: it is no choice that somebody makes now.
 */
export function extrasProblem(
  { poll, scheduledFor }: Extras,
  now: Date,
  ownTime: string | null = null,
): string | null {
  const publishedAt = scheduledFor ? new Date(scheduledFor) : now
  // A year of five digits can be typed, and is no time.
  if (scheduledFor === '' || Number.isNaN(publishedAt.getTime())) {
    return 'Please choose when the post is published'
  }
  if (scheduledFor !== null && scheduledFor !== ownTime) {
    if (publishedAt <= now) return 'Please choose a time in the future'
    if (publishedAt.getTime() - now.getTime() > limits.scheduleDays * day) {
      return `A post can be scheduled for at most ${limits.scheduleDays} days ahead`
    }
  }
  if (!poll) return null
  const answers = poll.options.map((option) => option.trim().toLowerCase())
  if (answers.some((answer) => answer === '')) return 'Please write every answer of the poll'
  if (new Set(answers).size < answers.length) return 'Two answers of a poll cannot be the same'
  if (!poll.closesAt) return null
  const closesAt = new Date(poll.closesAt)
  if (Number.isNaN(closesAt.getTime())) return 'Please choose when the poll ends'
  if (closesAt <= now) return 'Please choose a time in the future for its end'
  return closesAt <= publishedAt ? 'The poll would be closed before the post is published.' : null
}
