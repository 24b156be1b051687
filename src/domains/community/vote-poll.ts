import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToCourse } from '../../server/publish.ts'
import { holdMembership } from './hold-membership.ts'
import { type PollRow, presentPoll } from './present-poll.ts'
import { pollOptions, polls, pollVotes, posts } from './tables.ts'

interface Vote {
  userId: string
  courseId: string
  instructorId: string
  postId: string
  /** Null takes the vote back. */
  optionId: string | null
}

/**
 * Gives, changes or takes back the one vote of a person. The poll's row puts voters in line, so that the
 * counts are those of the votes, and nobody votes after its end.
 */
export async function votePoll(
  transaction: Transaction,
  vote: Vote,
): Promise<ReturnType<typeof presentPoll> | 'no member' | 'gone' | 'closed' | 'no such answer'> {
  const { userId, courseId, instructorId, postId, optionId } = vote
  if (!(await holdMembership(transaction, { userId, courseId, instructorId }))) return 'no member'
  const [poll] = await transaction
    .select({
      closesAt: polls.closesAt,
      // Not `now()`, which was before the wait for the row.
      isClosed: sql<boolean>`coalesce(${polls.closesAt} <= clock_timestamp(), false)`,
    })
    .from(polls)
    .innerJoin(posts, eq(posts.id, polls.postId))
    .where(
      and(eq(polls.postId, postId), eq(posts.courseId, courseId), eq(posts.status, 'published')),
    )
    .for('no key update', { of: polls })
  if (!poll) return 'gone'
  if (poll.isClosed) return 'closed'
  const options = await transaction
    .select({ id: pollOptions.id })
    .from(pollOptions)
    .where(eq(pollOptions.postId, postId))
  if (optionId !== null && !options.some(({ id }) => id === optionId)) return 'no such answer'
  const before = await votedFor(transaction, { postId, userId })
  if (before !== optionId) {
    const own = and(eq(pollVotes.postId, postId), eq(pollVotes.userId, userId))
    await transaction.delete(pollVotes).where(own)
    if (optionId !== null) await transaction.insert(pollVotes).values({ postId, userId, optionId })
    await transaction
      .update(pollOptions)
      .set({
        votesCount: sql`${pollOptions.votesCount}
          + (${pollOptions.id} is not distinct from ${optionId}::uuid)::int
          - (${pollOptions.id} is not distinct from ${before}::uuid)::int`,
      })
      .where(
        and(
          eq(pollOptions.postId, postId),
          sql`${pollOptions.id} in (${optionId}::uuid, ${before}::uuid)`,
        ),
      )
    await publishToCourse(transaction, courseId, { type: 'votes', courseId, postId })
  }
  return presentPoll(
    { ...(await resultOf(transaction, postId)), votedFor: optionId, closesAt: poll.closesAt },
    { now: new Date(), isInstructor: userId === instructorId },
  )
}

async function votedFor(
  transaction: Transaction,
  { postId, userId }: { postId: string; userId: string },
): Promise<string | null> {
  const [vote] = await transaction
    .select({ optionId: pollVotes.optionId })
    .from(pollVotes)
    .where(and(eq(pollVotes.postId, postId), eq(pollVotes.userId, userId)))
  return vote?.optionId ?? null
}

async function resultOf(
  transaction: Transaction,
  postId: string,
): Promise<Pick<PollRow, 'options'>> {
  const options = await transaction
    .select({ id: pollOptions.id, text: pollOptions.text, votesCount: pollOptions.votesCount })
    .from(pollOptions)
    .where(eq(pollOptions.postId, postId))
    .orderBy(pollOptions.orderIndex)
  return { options }
}
