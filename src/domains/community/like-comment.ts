import { sql } from 'drizzle-orm'
import type { Db } from '../../server/db.ts'
import { executePrepared } from '../../server/execute-prepared.ts'
import { sayingToCourses } from '../../server/publish.ts'

interface Like {
  userId: string
  commentId: string
  courseId: string
  liked: boolean
}

/**
 * Likes a comment, or no longer, in the way of `likePost`: one statement, null when the comment is gone or
 * its reader is no member any more.
 */
export async function likeComment(
  db: Db,
  { userId, commentId, courseId, liked }: Like,
): Promise<number | null> {
  const change = liked
    ? sql`insert into comment_likes (comment_id, user_id) select id, ${userId}::uuid from comment
              on conflict (comment_id, user_id) do nothing returning comment_id`
    : sql`delete from comment_likes
           where comment_id = (select id from comment) and user_id = ${userId} returning comment_id`
  const statement = sql`
    with person as materialized (
      -- Held first, as by whoever deletes the account and with it the likes.
      select id from users where id = ${userId} for key share),
    comment as materialized (
      select m.id, m.post_id, m.likes_count
        from comments m join posts p on p.id = m.post_id join courses c on c.id = m.course_id
       where m.id = ${commentId} and m.course_id = ${courseId} and m.status = 'published'
         and p.status = 'published' and (select id from person) is not null
         and (c.instructor_id = ${userId}
              or exists (select 1 from enrollments e
                          where e.course_id = c.id and e.user_id = ${userId}))
         for no key update of m),
    changed as (${change}),
    counted as (
      update comments m set likes_count = m.likes_count + ${liked ? 1 : -1}
        from changed where m.id = changed.comment_id
      returning m.id, m.post_id, m.likes_count),
    ${sayingToCourses(sql`
      select ${courseId}::text as course_id,
             jsonb_build_object('type', 'likes', 'courseId', ${courseId}::text, 'postId', post_id,
                                'commentId', id, 'likesCount', likes_count) as event
        from counted`)}
    select coalesce((select likes_count from counted), comment.likes_count) as "likesCount"
      from comment where (select count(*) from said) is not null`
  const { rows } = await executePrepared<{ likesCount: number }>(db, statement)
  return rows[0]?.likesCount ?? null
}
