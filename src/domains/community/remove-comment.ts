import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToCourse, sayingToCourses } from '../../server/publish.ts'
import { countComment } from './count-comment.ts'
import { holdPostOf } from './hold-post.ts'
import { commentLikes, commentMentions, comments } from './tables.ts'

interface Removal {
  commentId: string
  courseId: string
}

/**
 * Deletes a comment. Where it was answered its place is kept, without its text; where not it goes, and with
 * it the places that were kept for it alone. False when it was deleted before.
 */
export async function removeComment(
  transaction: Transaction,
  { commentId, courseId }: Removal,
): Promise<boolean> {
  const post = await holdPostOf(transaction, { commentId, courseId })
  if (!post) return false
  const { postId } = post
  const which = and(eq(comments.id, commentId), eq(comments.courseId, courseId))
  // Held against likes: they know of the comment alone.
  const [comment] = await transaction
    .select({
      status: comments.status,
      threadId: comments.threadId,
      isAnswered: sql<boolean>`exists (
        select 1 from comments answer where answer.parent_id = comments.id)`,
    })
    .from(comments)
    .where(and(which, ne(comments.status, 'deleted')))
    .for('update')
  if (!comment) return false
  const { status, threadId, isAnswered } = comment
  const difference = status === 'published' ? -1 : 0
  await countComment(transaction, { postId, threadId }, difference)
  if (isAnswered) {
    await transaction
      .update(comments)
      .set({ status: 'deleted', content: '', likesCount: 0 })
      .where(which)
    await transaction.delete(commentLikes).where(eq(commentLikes.commentId, commentId))
    await transaction.delete(commentMentions).where(eq(commentMentions.commentId, commentId))
  } else {
    await removeWithPlaces(transaction, commentId)
  }
  await publishToCourse(transaction, courseId, {
    type: 'comment',
    courseId,
    postId,
    commentId,
    change: isAnswered ? 'changed' : 'removed',
    commentsCount: post.commentsCount + difference,
  })
  return true
}

/** The row, and those above it that were deleted and have nothing else below them. */
async function removeWithPlaces(transaction: Transaction, commentId: string): Promise<void> {
  await transaction.execute(sql`
    with recursive gone as (
      select id, parent_id from comments where id = ${commentId}
      union all
      select above.id, above.parent_id
        from gone join comments above on above.id = gone.parent_id
       where above.status = 'deleted'
         and not exists (select 1 from comments other
                          where other.parent_id = above.id and other.id <> gone.id))
    delete from comments where id in (select id from gone)`)
}

/**
 * Everything that somebody commented, and every comment that somebody likes, in whatever course: for an
 * account that goes, with the posts held. The same rules, for all of them at once.
 */
export async function removeCommentsOf(transaction: Transaction, userId: string): Promise<void> {
  // In the order of everybody else: by id.
  await transaction.execute(sql`
    select id from comments
     where user_id = ${userId}
        or id in (select comment_id from comment_likes where user_id = ${userId})
     order by id for update`)
  await forgetLikes(transaction, userId)
  const own = await transaction
    .update(comments)
    .set({ status: 'deleted', content: '', likesCount: 0 })
    .where(and(eq(comments.userId, userId), ne(comments.status, 'deleted')))
    .returning({
      id: comments.id,
      postId: comments.postId,
      threadId: comments.threadId,
      wasPublished: sql<boolean>`old.status = 'published'`,
    })
  if (own.length === 0) return
  const shown = own.filter(({ wasPublished }) => wasPublished)
  await transaction.execute(sql`
    update posts p set comments_count = p.comments_count - gone.total
      from (${totals(shown.map(({ postId }) => postId))}) gone where p.id = gone.id`)
  await transaction.execute(sql`
    update comments c set replies_count = c.replies_count - gone.total
      from (${totals(shown.flatMap(({ threadId }) => threadId ?? []))}) gone where c.id = gone.id`)
  const ids = own.map(({ id }) => id)
  await transaction.execute(sql`
    with mine as (select unnest(${sql.param(ids)}::uuid[]) as id),
    forgotten as (delete from comment_likes where comment_id in (select id from mine)),
    unnamed as (delete from comment_mentions where comment_id in (select id from mine)),
    ${sayingToCourses(sql`
      select c.course_id::text as course_id,
             jsonb_build_object('type', 'comment', 'courseId', c.course_id, 'postId', c.post_id,
                                'commentId', c.id, 'change', 'changed',
                                'commentsCount', p.comments_count) as event
        from mine join comments c using (id) join posts p on p.id = c.post_id`)}
    select count(*) from said`)
  await removeUnanswered(
    transaction,
    own.map(({ postId }) => postId),
  )
}

/** How often each id is there. */
const totals = (ids: string[]) => sql`
  select id, count(*)::int as total from unnest(${sql.param(ids)}::uuid[]) id group by id`

async function forgetLikes(transaction: Transaction, userId: string): Promise<void> {
  await transaction.execute(sql`
    with gone as (
      delete from comment_likes where user_id = ${userId} returning comment_id),
    counted as (
      update comments c set likes_count = c.likes_count - 1
        from gone where c.id = gone.comment_id
      returning c.id, c.post_id, c.course_id, c.likes_count),
    ${sayingToCourses(sql`
      select course_id::text as course_id,
             jsonb_build_object('type', 'likes', 'courseId', course_id, 'postId', post_id,
                                'commentId', id, 'likesCount', likes_count) as event
        from counted`)}
    select count(*) from said`)
}

/** From the leaves upwards: each round takes the deleted ones of these posts that nothing stands below. */
async function removeUnanswered(transaction: Transaction, postIds: string[]): Promise<void> {
  for (;;) {
    const gone = await transaction
      .delete(comments)
      .where(
        and(
          inArray(comments.postId, [...new Set(postIds)]),
          eq(comments.status, 'deleted'),
          sql`not exists (select 1 from comments answer where answer.parent_id = ${comments.id})`,
        ),
      )
      .returning({ id: comments.id })
    if (gone.length === 0) return
  }
}
