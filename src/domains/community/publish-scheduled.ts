import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import { countOfDay } from '../../server/day-count.ts'
import type { Transaction } from '../../server/db.ts'
import { publishToCourse } from '../../server/publish.ts'
import type { Services } from '../../server/services.ts'
import { lockPeople } from '../accounts/lock-people.ts'
import { users } from '../accounts/tables.ts'
import { recordActivity } from '../analytics/record-activity.ts'
import { courses } from '../courses/tables.ts'
import { announcementsKey, announcePost } from './announce-post.ts'
import { holdMembership } from './hold-membership.ts'
import { keepMentions } from './keep-mentions.ts'
import { announcementProblem, lengthProblem } from './post-extras.ts'
import { postCreated } from './post-created.ts'
import { communityLimits } from './rules.ts'
import { polls, posts } from './tables.ts'

/**
 * A job: publishes a scheduled post. One that was published, deleted or put off meanwhile is left alone:
 * the other time has a job of its own. What who is suspended wrote waits for the end of that:
 * nobody could take it back meanwhile. The announcements that waited then go out a few a day.
 */
export async function publishScheduledPost(
  { postId }: { postId: string },
  { db }: Pick<Services, 'db'>,
): Promise<void> {
  const [post] = await db
    .select({
      courseId: posts.courseId,
      instructorId: courses.instructorId,
      isAnnouncement: posts.isAnnouncement,
    })
    .from(posts)
    .innerJoin(courses, eq(courses.id, posts.courseId))
    .where(and(eq(posts.id, postId), eq(posts.status, 'scheduled')))
  if (!post) return
  const { courseId, instructorId, isAnnouncement } = post
  await db.transaction(async (transaction) => {
    // A suspension that is under way is waited for; one that comes later waits for this.
    const creator = (await lockPeople(transaction, [instructorId])).get(instructorId)
    if (!creator || creator.suspendedAt) return
    const member = { userId: instructorId, courseId, instructorId, inLine: isAnnouncement }
    if (!(await holdMembership(transaction, member))) return
    if (isAnnouncement && (await isDayFull(transaction, courseId))) return
    await publishWaiting(transaction, { courseId, instructorId, postId, onlyWhenDue: true })
  })
}

const isDayFull = async (transaction: Transaction, courseId: string): Promise<boolean> =>
  (await countOfDay(transaction, announcementsKey, courseId)) >= communityLimits.announcementsPerDay

/** A job, every minute: what is due although its own job died with its process, or gave up, or waited. */
export async function publishOverduePosts(services: Pick<Services, 'db'>): Promise<void> {
  const overdue = await services.db
    .select({ postId: posts.id })
    .from(posts)
    .innerJoin(courses, eq(courses.id, posts.courseId))
    .innerJoin(users, eq(users.id, courses.instructorId))
    .where(
      and(
        isNull(users.suspendedAt),
        eq(posts.status, 'scheduled'),
        lte(posts.scheduledFor, sql`now() - interval '30 seconds'`),
      ),
    )
    // Announcements may wait for another day, and hold nothing else up.
    .orderBy(posts.isAnnouncement, posts.scheduledFor)
    .limit(1000)
  for (const post of overdue) await publishScheduledPost(post, services)
}

/** Publishes a scheduled post before its time. */
export async function publishNow(
  transaction: Transaction,
  waiting: { postId: string; courseId: string; instructorId: string },
): Promise<'published' | 'gone' | { problem: string }> {
  const { postId, courseId, instructorId } = waiting
  const member = { userId: instructorId, courseId, instructorId, inLine: true }
  if (!(await holdMembership(transaction, member))) return 'gone'
  const [post] = await transaction
    .select({ isAnnouncement: posts.isAnnouncement, closesAt: polls.closesAt })
    .from(posts)
    .leftJoin(polls, eq(polls.postId, posts.id))
    .where(and(eq(posts.id, postId), eq(posts.courseId, courseId), eq(posts.status, 'scheduled')))
  const long = post?.closesAt && lengthProblem(post.closesAt, new Date())
  if (long) return { problem: long }
  const asked = { courseId, at: null, except: postId }
  const problem = post?.isAnnouncement && (await announcementProblem(transaction, asked))
  if (problem) return { problem }
  const isPublished = await publishWaiting(transaction, { ...waiting, onlyWhenDue: false })
  return isPublished ? 'published' : 'gone'
}

interface Waiting {
  postId: string
  courseId: string
  instructorId: string
  onlyWhenDue: boolean
}

/**
 * Makes a scheduled post one of this moment, and tells whom it concerns; once, whoever comes second finds
 * nothing that waits. False then. The caller holds the instructor's membership.
 */
async function publishWaiting(
  transaction: Transaction,
  { postId, courseId, instructorId, onlyWhenDue }: Waiting,
): Promise<boolean> {
  const [post] = await transaction
    .update(posts)
    // One clock for both: a difference would say that it was edited.
    .set({ status: 'published', createdAt: sql`now()`, updatedAt: sql`now()` })
    .where(
      and(
        eq(posts.id, postId),
        eq(posts.courseId, courseId),
        eq(posts.userId, instructorId),
        eq(posts.status, 'scheduled'),
        // The clock of now: the transaction may have waited, and the time was changed meanwhile.
        onlyWhenDue ? lte(posts.scheduledFor, sql`clock_timestamp()`) : undefined,
      ),
    )
    .returning({ content: posts.content, isAnnouncement: posts.isAnnouncement })
  if (!post) return false
  await reopenPoll(transaction, postId)
  const [course] = await transaction
    .select({ slug: courses.slug, title: courses.title })
    .from(courses)
    .where(eq(courses.id, courseId))
  await recordActivity(transaction, {
    userId: instructorId,
    courseId,
    activityType: 'post_created',
  })
  await keepMentions(transaction, {
    postId,
    course: { courseId, instructorId, ...course! },
    authorId: instructorId,
    text: post.content,
    told: [],
  })
  if (post.isAnnouncement) await announcePost(transaction, { postId, courseId })
  await publishToCourse(
    transaction,
    courseId,
    { type: 'post', courseId, postId, change: 'created' },
    postCreated({ postId, courseId, userId: instructorId }),
  )
  return true
}

/** A poll whose end came while its post waited, as for who is suspended, is open for as long as it was meant to be. */
async function reopenPoll(transaction: Transaction, postId: string): Promise<void> {
  await transaction
    .update(polls)
    .set({ closesAt: sql`now() + (${polls.closesAt} - ${posts.scheduledFor})` })
    .from(posts)
    .where(and(eq(polls.postId, postId), eq(posts.id, postId), lte(polls.closesAt, sql`now()`)))
}
