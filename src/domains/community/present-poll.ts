import type { Poll } from './schema.ts'

/** A poll as the statement reads it, with the viewer's own vote. */
export interface PollRow {
  /** In their order. */
  options: { id: string; text: string; votesCount: number }[]
  votedFor: string | null
  /** As JSON has it: ISO 8601. */
  closesAt: Date | string | null
}

/**
 * What a viewer sees of a poll: how many chose what is shown to who has voted, to the instructor, and to
 * everybody once it is closed, so that nobody votes with the crowd.
 */
export function presentPoll(
  { options, votedFor, closesAt }: PollRow,
  { now, isInstructor }: { now: Date; isInstructor: boolean },
): Omit<Poll, 'closesAt'> & { closesAt: Date | null } {
  const closes = closesAt === null ? null : new Date(closesAt)
  const isClosed = closes !== null && closes <= now
  const isOpenTo = isClosed || isInstructor || votedFor !== null
  return {
    options: options.map(({ id, text, votesCount }) => ({
      id,
      text,
      votesCount: isOpenTo ? votesCount : null,
    })),
    votesCount: options.reduce((sum, option) => sum + option.votesCount, 0),
    votedFor,
    closesAt: closes,
    isClosed,
  }
}
