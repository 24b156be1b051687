import { and, eq, gt, sql } from 'drizzle-orm'
import { addToDay } from '../../server/day-count.ts'
import type { Transaction } from '../../server/db.ts'
import { isFirstTime } from '../../server/first-time.ts'
import { enqueue } from '../../server/jobs.ts'
import type { Services } from '../../server/services.ts'
import { quotedTitle } from '../courses/rules.ts'
import { courses } from '../courses/tables.ts'
import { notifyMembers } from '../notifications/notify-members.ts'
import { beginningOf, postPath } from './rules.ts'
import { posts } from './tables.ts'
import { inLineForAnnouncement, toldWithin } from './take-back-announcement.ts'

/** Under which announcements of a course are counted. */
export const announcementsKey = 'announcements'

/** All members will be told of this post, after the commit: with 100,000 of them it takes half a minute. */
export async function announcePost(
  transaction: Transaction,
  { postId, courseId }: { postId: string; courseId: string },
): Promise<void> {
  await addToDay(transaction, announcementsKey, courseId, 1)
  await queueAnnouncement(transaction, postId)
}

/** After the commit members are told of this post, unless they were before. */
export const queueAnnouncement = (transaction: Transaction, postId: string) =>
  enqueue(transaction, 'announceToMembers', { postId }, `announcement:${postId}`)

/**
 * A job: tells the members, by their preferences, unless the post is gone or a week old. Once: there is a second
 * run after a process that died, and when the post was hidden and is shown again.
 */
export async function announceToMembers(
  { postId }: { postId: string },
  { db }: Pick<Services, 'db'>,
): Promise<void> {
  await db.transaction(async (transaction) => {
    await inLineForAnnouncement(transaction, postId)
    const isRecent = gt(posts.createdAt, sql`now() - make_interval(days => ${toldWithin}::int)`)
    const [post] = await transaction
      .select({
        courseId: courses.id,
        instructorId: courses.instructorId,
        slug: courses.slug,
        title: courses.title,
        content: posts.content,
      })
      .from(posts)
      .innerJoin(courses, eq(courses.id, posts.courseId))
      .where(and(eq(posts.id, postId), eq(posts.status, 'published'), isRecent))
    if (!post || !(await isFirstTime(transaction, 'announced', postId))) return
    const { courseId, instructorId, slug, title, content } = post
    await notifyMembers(transaction, {
      courseId,
      instructorId,
      kind: 'course_announcement',
      title: `Announcement in ${quotedTitle(title)}`,
      message: beginningOf(content),
      href: postPath(slug, postId),
    })
  })
}
