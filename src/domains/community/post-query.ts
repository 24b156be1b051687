import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { shownUsername } from '../accounts/shown-username.ts'
import { type AttachmentRow, attachmentRows, presentAttachment } from './present-attachment.ts'
import { type PollRow, presentPoll } from './present-poll.ts'
import type { Author, Mention, Post } from './schema.ts'

/** A post as JSON has it. */
export interface PostRow {
  id: string
  courseId: string
  author: Omit<Author, 'isInstructor'>
  content: string
  mentions: Mention[]
  attachments: AttachmentRow[]
  poll: PollRow | null
  channel: Post['channel']
  isPinned: boolean
  isAnnouncement: boolean
  status: Post['status']
  scheduledFor: string | null
  likesCount: number
  commentsCount: number
  liked: boolean
  createdAt: string
  updatedAt: string
}

/**
 * All that is shown of post `p` to the person in `viewer (id)`, as JSON: one object with everything, so
 * that a page of posts is one statement, and every part of it is found by an index.
 */
export const postJson = `
  json_build_object(
    'id', p.id, 'courseId', p.course_id, 'content', p.content, 'isPinned', p.is_pinned,
    'isAnnouncement', p.is_announcement, 'status', p.status, 'scheduledFor', p.scheduled_for,
    'likesCount', p.likes_count, 'commentsCount', p.comments_count, 'createdAt', p.created_at,
    'updatedAt', p.updated_at,
    'author', (
      select json_build_object(
               'id', u.id, 'name', u.name, 'username', ${shownUsername('u')},
               'avatarUrl', u.avatar_url,
               'verified', u.verified)
        from users u where u.id = p.user_id),
    'channel', (
      select json_build_object('id', h.id, 'name', h.name)
        from community_channels h where h.id = p.channel_id),
    'mentions', coalesce((
      select json_agg(json_build_object(
               'handle', m.handle, 'name', u.name, 'username', ${shownUsername('u')}))
        from post_mentions m join users u on u.id = m.user_id where m.post_id = p.id), '[]'),
    'attachments', ${attachmentRows},
    'poll', (
      select json_build_object(
               'closesAt', l.closes_at,
               'votedFor', (select v.option_id from poll_votes v
                             where v.post_id = l.post_id and v.user_id = (select id from viewer)),
               'options', (select json_agg(json_build_object(
                                    'id', o.id, 'text', o.text, 'votesCount', o.votes_count)
                                    order by o.order_index)
                             from poll_options o where o.post_id = l.post_id))
        from polls l where l.post_id = p.id),
    'liked', exists (
      select 1 from post_likes k where k.post_id = p.id and k.user_id = (select id from viewer)))`

export interface PostReader {
  viewerId: string
  instructorId: string
  secret: string
}

export type PostShown = ReturnType<typeof presentPost>

export function presentPost(row: PostRow, { viewerId, instructorId, secret }: PostReader) {
  const viewing = { now: new Date(), isInstructor: viewerId === instructorId }
  return {
    ...row,
    author: { ...row.author, isInstructor: row.author.id === instructorId },
    attachments: row.attachments.map((one) => presentAttachment(one, { viewerId, secret })),
    poll: row.poll && presentPoll(row.poll, viewing),
    isOwn: row.author.id === viewerId,
    scheduledFor: row.scheduledFor === null ? null : new Date(row.scheduledFor),
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
  }
}

/** The posts `p` that a condition is about, in an order, in one statement. */
async function postsWhere(
  executor: Executor,
  reader: PostReader,
  { condition, order = sql`p.id` }: { condition: SQL; order?: SQL },
): Promise<PostShown[]> {
  const { rows } = await executor.execute<{ post: PostRow }>(sql`
    with viewer as (select ${reader.viewerId}::uuid as id)
    select ${sql.raw(postJson)} as post from posts p where ${condition} order by ${order}`)
  return rows.map(({ post }) => presentPost(post, reader))
}

/** One post of this course; null when there is none, or when it is not for this reader. */
export async function postOf(
  executor: Executor,
  reader: PostReader & { canModerate: boolean },
  { postId, courseId }: { postId: string; courseId: string },
): Promise<PostShown | null> {
  // What is scheduled is its author's business alone.
  const shown = sql`(p.status = 'published'
    or (${reader.canModerate} and (p.status = 'hidden' or p.user_id = ${reader.viewerId})))`
  const condition = sql`p.id = ${postId} and p.course_id = ${courseId} and ${shown}`
  const [post] = await postsWhere(executor, reader, { condition })
  return post ?? null
}

/** What the instructor wrote for later; the next one comes first. */
export const scheduledPosts = (
  executor: Executor,
  reader: PostReader,
  { courseId }: { courseId: string },
): Promise<PostShown[]> =>
  postsWhere(executor, reader, {
    condition: sql`p.course_id = ${courseId} and p.status = 'scheduled' and p.user_id = ${reader.viewerId}`,
    order: sql`p.scheduled_for, p.id`,
  })
