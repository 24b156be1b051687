// What a post can have besides its words: a channel, a poll, a time of publication, an announcement.
import { and, count, eq, ne, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { countOfDay } from '../../server/day-count.ts'
import { planOf } from '../billing/plan.ts'
import { courses } from '../courses/tables.ts'
import { announcementsKey } from './announce-post.ts'
import { communityLimits } from './rules.ts'
import type { PostDraft } from './schema.ts'
import { communityChannels, polls, posts } from './tables.ts'

interface Writing {
  userId: string
  courseId: string
  instructorId: string
}

export type ExtrasFault = { code: 'BAD_REQUEST' | 'CONFLICT'; message: string }
export type ExtrasRefusal = { code: 'INSTRUCTOR_ONLY' | 'PRO_ONLY' } | ExtrasFault

const badRequest = (message: string): ExtrasFault => ({ code: 'BAD_REQUEST', message })

/** What stands in the way of a new post; for the instructor's own means it holds the course. */
export async function refusalOfExtras(
  transaction: Transaction,
  {
    channelId,
    poll,
    scheduledFor,
    isAnnouncement,
    userId,
    courseId,
    instructorId,
  }: Writing & Pick<PostDraft, 'channelId' | 'poll' | 'scheduledFor' | 'isAnnouncement'>,
): Promise<ExtrasRefusal | null> {
  const isAdvanced = poll !== null || scheduledFor !== null || isAnnouncement
  if (isAdvanced) {
    if (userId !== instructorId) return { code: 'INSTRUCTOR_ONLY' }
    if ((await planOf(transaction, instructorId)) !== 'pro') return { code: 'PRO_ONLY' }
    await holdCourse(transaction, courseId)
  }
  const late = scheduledFor && timeProblem(scheduledFor)
  if (late) return badRequest(late)
  const pollFault = poll && pollProblem(poll, scheduledFor ?? new Date())
  if (pollFault) return badRequest(pollFault)
  const tooMany =
    scheduledFor && (await waitingPosts(transaction, courseId)) >= communityLimits.scheduled
  if (tooMany) {
    return {
      code: 'CONFLICT',
      message: `Up to ${communityLimits.scheduled} posts can wait to be published. Please publish or delete one first.`,
    }
  }
  const unannounced =
    isAnnouncement && (await announcementProblem(transaction, { courseId, at: scheduledFor }))
  if (unannounced) return { code: 'CONFLICT', message: unannounced }
  return refusalOfChannel(transaction, { channelId, courseId })
}

/** A post belongs to a channel of its own course; everybody may write in any. */
export async function refusalOfChannel(
  executor: Executor,
  { channelId, courseId }: { channelId: string | null; courseId: string },
): Promise<ExtrasFault | null> {
  if (channelId === null) return null
  const [channel] = await executor
    .select({ id: communityChannels.id })
    .from(communityChannels)
    .where(and(eq(communityChannels.id, channelId), eq(communityChannels.courseId, courseId)))
    .for('key share')
  return channel ? null : badRequest('This channel does not exist any more. Please choose again.')
}

/** What is wrong with this time for a post that waits; null when it can have it. The caller holds the course. */
export async function refusalOfNewTime(
  transaction: Transaction,
  { postId, courseId, scheduledFor }: { postId: string; courseId: string; scheduledFor: Date },
): Promise<ExtrasFault | null> {
  const [post] = await transaction
    .select({
      scheduledFor: posts.scheduledFor,
      isAnnouncement: posts.isAnnouncement,
      closesAt: polls.closesAt,
    })
    .from(posts)
    .leftJoin(polls, eq(polls.postId, posts.id))
    .where(and(eq(posts.id, postId), eq(posts.courseId, courseId)))
  if (post?.scheduledFor?.getTime() === scheduledFor.getTime()) return null
  const late = timeProblem(scheduledFor)
  if (late) return badRequest(late)
  const pollFault = post?.closesAt && endProblem(post.closesAt, scheduledFor)
  if (pollFault) return badRequest(pollFault)
  const unannounced =
    post?.isAnnouncement &&
    (await announcementProblem(transaction, { courseId, at: scheduledFor, except: postId }))
  return unannounced ? { code: 'CONFLICT', message: unannounced } : null
}

/**
 * Posts that are scheduled or announced at the same moment wait in line, so that their limits are exact.
 * Before a lock of a post.
 */
async function holdCourse(transaction: Transaction, courseId: string): Promise<void> {
  await transaction
    .select({ id: courses.id })
    .from(courses)
    .where(eq(courses.id, courseId))
    .for('no key update')
}

const day = 24 * 60 * 60 * 1000

function timeProblem(scheduledFor: Date): string | null {
  const ahead = scheduledFor.getTime() - Date.now()
  if (ahead <= 0) return 'Please choose a time in the future'
  return ahead > communityLimits.scheduleDays * day
    ? `A post can be scheduled for at most ${communityLimits.scheduleDays} days ahead`
    : null
}

function pollProblem(
  { options, closesAt }: NonNullable<PostDraft['poll']>,
  publishedAt: Date,
): string | null {
  const different = new Set(options.map((option) => option.normalize('NFKC').toLowerCase()))
  if (different.size < options.length) return 'Two answers of a poll cannot be the same'
  if (closesAt === null) return null
  if (closesAt.getTime() <= Date.now()) return 'Please choose a time in the future for its end'
  return endProblem(closesAt, publishedAt)
}

const endProblem = (closesAt: Date, publishedAt: Date): string | null =>
  closesAt <= publishedAt
    ? 'The poll would be closed before the post is published.'
    : lengthProblem(closesAt, publishedAt)

/** What is wrong with how long a poll would be open. */
export const lengthProblem = (closesAt: Date, publishedAt: Date): string | null =>
  closesAt.getTime() > publishedAt.getTime() + communityLimits.scheduleDays * day
    ? `A poll can be open for at most ${communityLimits.scheduleDays} days`
    : null

async function waitingPosts(transaction: Transaction, courseId: string): Promise<number> {
  const [waiting] = await transaction
    .select({ number: count() })
    .from(posts)
    .where(and(eq(posts.courseId, courseId), eq(posts.status, 'scheduled')))
  return waiting!.number
}

/**
 * Members get a few announcements in 24 hours, whenever they were written: counted are those that went out,
 * also of posts that are gone, and those that wait for a time within a day of this one.
 */
export async function announcementProblem(
  transaction: Transaction,
  { courseId, at, except }: { courseId: string; at: Date | null; except?: string },
): Promise<string | null> {
  const time = at ?? new Date()
  const sent =
    time.getTime() < Date.now() + day
      ? await countOfDay(transaction, announcementsKey, courseId)
      : 0
  const [waiting] = await transaction
    .select({ number: count() })
    .from(posts)
    .where(
      and(
        eq(posts.courseId, courseId),
        eq(posts.status, 'scheduled'),
        eq(posts.isAnnouncement, true),
        except === undefined ? undefined : ne(posts.id, except),
        sql`abs(extract(epoch from ${posts.scheduledFor} - ${time.toISOString()}::timestamptz)) < 86400`,
      ),
    )
  return sent + waiting!.number < communityLimits.announcementsPerDay
    ? null
    : `You can announce up to ${communityLimits.announcementsPerDay} posts in 24 hours. ${except === undefined ? 'Please post it without an announcement, or another day.' : 'Please choose another day.'}`
}
