import { sql } from 'drizzle-orm'
import type { Db } from '../../server/db.ts'
import { executePrepared } from '../../server/execute-prepared.ts'
import { sayingToCourses } from '../../server/publish.ts'

interface Like {
  userId: string
  postId: string
  courseId: string
  liked: boolean
}

/**
 * Likes a post, or no longer, and answers how many do; null when it is gone, or its reader is no member any
 * more. One statement, in which the post's row puts people in line: the count changes by what was really
 * stored or removed, and whoever follows the course hears of it.
 */
export async function likePost(
  db: Db,
  { userId, postId, courseId, liked }: Like,
): Promise<number | null> {
  const change = liked
    ? sql`insert into post_likes (post_id, user_id) select id, ${userId}::uuid from post
              on conflict (post_id, user_id) do nothing returning post_id`
    : sql`delete from post_likes
           where post_id = (select id from post) and user_id = ${userId} returning post_id`
  const statement = sql`
    with person as materialized (
      -- Held first, as by whoever deletes the account and with it the likes.
      select id from users where id = ${userId} for key share),
    post as materialized (
      select p.id, p.likes_count
        from posts p join courses c on c.id = p.course_id
       where p.id = ${postId} and p.course_id = ${courseId} and p.status = 'published'
         and (select id from person) is not null
         and (c.instructor_id = ${userId}
              or exists (select 1 from enrollments e
                          where e.course_id = c.id and e.user_id = ${userId}))
         for no key update of p),
    changed as (${change}),
    counted as (
      update posts p set likes_count = p.likes_count + ${liked ? 1 : -1}
        from changed where p.id = changed.post_id
      returning p.id, p.likes_count),
    ${sayingToCourses(sql`
      select ${courseId}::text as course_id,
             jsonb_build_object('type', 'likes', 'courseId', ${courseId}::text, 'postId', id,
                                'commentId', null, 'likesCount', likes_count) as event
        from counted`)}
    select coalesce((select likes_count from counted), post.likes_count) as "likesCount"
      from post where (select count(*) from said) is not null`
  const { rows } = await executePrepared<{ likesCount: number }>(db, statement)
  return rows[0]?.likesCount ?? null
}
