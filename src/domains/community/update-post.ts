import { and, eq, ne, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToCourse } from '../../server/publish.ts'
import { courses } from '../courses/tables.ts'
import { refusalOfText } from '../moderation/refusal-of-text.ts'
import { holdMembership } from './hold-membership.ts'
import { keepAttachments } from './keep-attachments.ts'
import { keepMentions } from './keep-mentions.ts'
import { type ExtrasFault, refusalOfChannel, refusalOfNewTime } from './post-extras.ts'
import { schedulePost } from './schedule-post.ts'
import type { AttachmentInput, PostEdit } from './schema.ts'
import { postAttachments, posts } from './tables.ts'

type EditRefusal =
  | ExtrasFault
  | { code: 'MEMBERS_ONLY' | 'NOT_YOURS' }
  | { code: 'NOT_FOUND' | 'NOT_ALLOWED'; message: string }

/**
 * Changes an own post. One that moderators have hidden is not there for its author either. Null when all
 * is well; after a refusal the caller must roll the transaction back.
 */
export async function updatePost(
  transaction: Transaction,
  edit: PostEdit & { userId: string; courseId: string; instructorId: string },
): Promise<EditRefusal | null> {
  const { postId, userId, courseId, instructorId, content, attachments, channelId } = edit
  const inLine = edit.scheduledFor !== undefined
  if (!(await holdMembership(transaction, { userId, courseId, instructorId, inLine }))) {
    return { code: 'MEMBERS_ONLY' }
  }
  const shown = and(eq(posts.id, postId), eq(posts.courseId, courseId), ne(posts.status, 'hidden'))
  const [post] = await transaction.select().from(posts).where(shown).for('no key update')
  if (!post || (post.status === 'scheduled' && post.userId !== userId)) {
    return { code: 'NOT_FOUND', message: 'Post not found' }
  }
  if (post.userId !== userId) return { code: 'NOT_YOURS' }

  const saysElse = post.content !== content
  const before = await attachmentsOf(transaction, postId)
  const showsElse = JSON.stringify(before) !== JSON.stringify(attachments.map(nameOf))
  if ((saysElse || showsElse) && wasEditedSince(post, edit.known)) {
    return { code: 'CONFLICT', message: editedSince }
  }
  if (saysElse) {
    const writing = { courseId, instructorId, userId, text: content, writtenAt: post.createdAt }
    const words = await refusalOfText(transaction, writing)
    if (words !== null) return { code: 'NOT_ALLOWED', message: words }
  }
  const moves = post.channelId !== channelId
  const channel = moves ? await refusalOfChannel(transaction, { channelId, courseId }) : null
  if (channel) return channel
  if (showsElse) {
    const fault = await keepAttachments(transaction, { postId, courseId, userId, attachments })
    if (fault !== null) return { code: 'BAD_REQUEST', message: fault }
  }
  const late = await postpone(transaction, { ...edit, ...post, scheduledFor: edit.scheduledFor })
  if (late) return late
  if (!saysElse && !showsElse && !moves) return null

  const edited = saysElse || showsElse ? { updatedAt: sql`clock_timestamp()` } : {}
  await transaction
    .update(posts)
    .set({ content, channelId, ...edited })
    .where(and(shown, eq(posts.userId, userId)))
  if (post.status !== 'published') return null
  if (saysElse) {
    const course = await courseOf(transaction, courseId)
    await keepMentions(transaction, {
      postId,
      course: { courseId, instructorId, ...course },
      authorId: userId,
      text: content,
      told: [],
    })
  }
  await publishToCourse(transaction, courseId, {
    type: 'post',
    courseId,
    postId,
    change: 'changed',
  })
  return null
}

const editedSince =
  'This post was changed since you opened it. Copy what you wrote, load the page again, and put both together.'

/** In milliseconds, as it is read. That its time came is no edit: both its times are of that moment then. */
const wasEditedSince = (
  { createdAt, updatedAt }: Pick<typeof posts.$inferSelect, 'createdAt' | 'updatedAt'>,
  known: Date | undefined,
) => known !== undefined && updatedAt > createdAt && updatedAt.getTime() !== known.getTime()

async function courseOf(transaction: Transaction, courseId: string) {
  const [course] = await transaction
    .select({ slug: courses.slug, title: courses.title })
    .from(courses)
    .where(eq(courses.id, courseId))
  return course!
}

/** What an attachment is known by, as it was sent and as it is stored. */
const nameOf = (one: AttachmentInput) => ('mediaId' in one ? one.mediaId : one.url)

async function attachmentsOf(transaction: Transaction, postId: string): Promise<string[]> {
  const rows = await transaction
    .select({ mediaId: postAttachments.mediaId, url: postAttachments.url })
    .from(postAttachments)
    .where(eq(postAttachments.postId, postId))
    .orderBy(postAttachments.orderIndex)
  return rows.map(({ mediaId, url }) => mediaId ?? url ?? '')
}

interface Waiting {
  postId: string
  courseId: string
  status: 'published' | 'scheduled' | 'hidden'
  scheduledFor: Date | undefined
}

/** Another time for a post that still waits; what stands in its way. */
async function postpone(
  transaction: Transaction,
  { postId, courseId, status, scheduledFor }: Waiting,
): Promise<ExtrasFault | null> {
  if (status !== 'scheduled' || !scheduledFor) return null
  const refusal = await refusalOfNewTime(transaction, { postId, courseId, scheduledFor })
  if (refusal) return refusal
  await transaction
    .update(posts)
    .set({ scheduledFor })
    .where(and(eq(posts.id, postId), eq(posts.courseId, courseId)))
  await schedulePost(transaction, { postId, scheduledFor })
  return null
}
