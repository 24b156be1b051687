import { eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToCourse } from '../../server/publish.ts'
import { recordActivity } from '../analytics/record-activity.ts'
import { courses } from '../courses/tables.ts'
import { refusalOfText } from '../moderation/refusal-of-text.ts'
import { addPoll } from './add-poll.ts'
import { announcePost } from './announce-post.ts'
import { holdMembership } from './hold-membership.ts'
import { keepAttachments } from './keep-attachments.ts'
import { keepMentions } from './keep-mentions.ts'
import { type ExtrasRefusal, refusalOfExtras } from './post-extras.ts'
import { schedulePost } from './schedule-post.ts'
import type { PostDraft } from './schema.ts'
import { postCreated } from './post-created.ts'
import { posts } from './tables.ts'

export type PostRefusal =
  | ExtrasRefusal
  | { code: 'MEMBERS_ONLY' }
  | { code: 'NOT_ALLOWED'; message: string }

/** Writes a post, for now or for later. After a refusal the caller must roll the transaction back. */
export async function createPost(
  transaction: Transaction,
  draft: PostDraft & { userId: string; instructorId: string },
): Promise<{ postId: string } | { refusal: PostRefusal }> {
  const { userId, courseId, instructorId, content, attachments, channelId, poll } = draft
  const { scheduledFor, isAnnouncement } = draft
  if (!(await holdMembership(transaction, { userId, courseId, instructorId }))) {
    return { refusal: { code: 'MEMBERS_ONLY' } }
  }
  const extras = await refusalOfExtras(transaction, draft)
  if (extras) return { refusal: extras }
  const writing = { courseId, instructorId, userId, text: content }
  const words = await refusalOfText(transaction, writing)
  if (words !== null) return { refusal: { code: 'NOT_ALLOWED', message: words } }

  const status = scheduledFor ? 'scheduled' : 'published'
  const [post] = await transaction
    .insert(posts)
    .values({ courseId, userId, channelId, content, status, isAnnouncement, scheduledFor })
    .returning({ id: posts.id })
  const postId = post!.id
  const files = { postId, courseId, userId, attachments }
  const fault = attachments.length > 0 ? await keepAttachments(transaction, files) : null
  if (fault !== null) return { refusal: { code: 'BAD_REQUEST', message: fault } }
  if (poll) await addPoll(transaction, postId, poll)
  if (scheduledFor) {
    await schedulePost(transaction, { postId, scheduledFor })
    return { postId }
  }
  const [course] = await transaction
    .select({ slug: courses.slug, title: courses.title })
    .from(courses)
    .where(eq(courses.id, courseId))
  await keepMentions(transaction, {
    postId,
    course: { courseId, instructorId, ...course! },
    authorId: userId,
    text: content,
    told: [],
  })
  if (isAnnouncement) await announcePost(transaction, { postId, courseId })
  await recordActivity(transaction, { userId, courseId, activityType: 'post_created' })
  await publishToCourse(
    transaction,
    courseId,
    { type: 'post', courseId, postId, change: 'created' },
    postCreated({ postId, courseId, userId }),
  )
  return { postId }
}
