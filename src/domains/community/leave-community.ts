import { sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { sayingToCourses } from '../../server/publish.ts'
import { removeCommentsOf } from './remove-comment.ts'
import { takeBackAnnouncements } from './take-back-announcement.ts'

/**
 * Takes everything of a person out of all communities: posts with what stands below them, comments by their
 * own rules, likes and votes with their counts. The bytes of pictures and videos go with the person's files.
 */
export async function leaveCommunity(transaction: Transaction, userId: string): Promise<void> {
  // In the order of everybody else: all posts first, by id.
  await transaction.execute(sql`
    select id from posts
     where id in (select id from posts where user_id = ${userId}
                   union select post_id from post_likes where user_id = ${userId}
                   union select post_id from poll_votes where user_id = ${userId}
                   union select post_id from comments where user_id = ${userId}
                   union select c.post_id from comment_likes l join comments c on c.id = l.comment_id
                          where l.user_id = ${userId})
     order by id for no key update`)
  await removePostsOf(transaction, userId)
  await forgetLikes(transaction, userId)
  await removeCommentsOf(transaction, userId)
  await forgetVotes(transaction, userId)
}

async function removePostsOf(transaction: Transaction, userId: string): Promise<void> {
  await takeBackAnnouncements(transaction, sql`p.user_id = ${userId}`)
  await transaction.execute(sql`
    with gone as (delete from posts where user_id = ${userId} returning id, course_id),
    ${sayingToCourses(sql`
      select course_id::text as course_id,
             jsonb_build_object('type', 'post', 'courseId', course_id, 'postId', id,
                                'change', 'removed') as event
        from gone`)}
    select count(*) from said`)
}

async function forgetLikes(transaction: Transaction, userId: string): Promise<void> {
  await transaction.execute(sql`
    with gone as (delete from post_likes where user_id = ${userId} returning post_id),
    counted as (
      update posts p set likes_count = p.likes_count - 1 from gone where p.id = gone.post_id
      returning p.id, p.course_id, p.likes_count),
    ${sayingToCourses(sql`
      select course_id::text as course_id,
             jsonb_build_object('type', 'likes', 'courseId', course_id, 'postId', id,
                                'commentId', null, 'likesCount', likes_count) as event
        from counted`)}
    select count(*) from said`)
}

async function forgetVotes(transaction: Transaction, userId: string): Promise<void> {
  // The poll puts voters in line.
  await transaction.execute(sql`
    select post_id from polls
     where post_id in (select post_id from poll_votes where user_id = ${userId})
     order by post_id for no key update`)
  await transaction.execute(sql`
    with gone as (delete from poll_votes where user_id = ${userId} returning option_id),
    counted as (
      update poll_options o set votes_count = o.votes_count - 1
        from gone where o.id = gone.option_id
      returning o.post_id),
    ${sayingToCourses(sql`
      select p.course_id::text as course_id,
             jsonb_build_object('type', 'votes', 'courseId', p.course_id, 'postId', p.id) as event
        from counted c join posts p on p.id = c.post_id`)}
    select count(*) from said`)
}
