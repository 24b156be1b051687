import { sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { quotedTitle } from '../courses/rules.ts'
import { tellPeople } from '../notifications/tell-people.ts'
import { communityLimits, postPath } from './rules.ts'
import { handlesIn } from './split-text.ts'

interface Mentioning {
  postId: string
  /** The text is that of a comment. */
  commentId?: string
  course: { courseId: string; instructorId: string; slug: string; title: string }
  authorId: string
  text: string
  /** Who was told of this text for another reason, or must not be told. */
  told: string[]
}

/** More words with an @ than this are not looked up: most of them name nobody. */
const mostHandles = 100

/**
 * Whom the text names of the instructor and the members, from now on; answers who was told of it now. Who
 * changed the username since then stays named by the old one.
 */
export async function keepMentions(
  transaction: Transaction,
  { postId, commentId, course, authorId, text, told }: Mentioning,
): Promise<string[]> {
  const handles = handlesIn(text, mostHandles)
  const table = sql.identifier(commentId ? 'comment_mentions' : 'post_mentions')
  const subject = sql.identifier(commentId ? 'comment_id' : 'post_id')
  const subjectId = commentId ?? postId
  // Skipped, not waited for: whoever deletes the account at this moment may wait for this post.
  const { rows } = await transaction.execute<{ userId: string }>(sql`
    with written as (
      select handle, place, lower(handle) as username
        from unnest(${sql.param(handles)}::text[]) with ordinality as w (handle, place)),
    meant as (
      select distinct on (user_id) user_id, handle, place
        from (select w.handle, w.place,
                     coalesce((select m.user_id from ${table} m
                                where m.${subject} = ${subjectId} and lower(m.handle) = w.username
                                limit 1),
                              (select u.id from users u where u.username = w.username)) as user_id
                from written w) found
       where user_id is not null
       order by user_id, place),
    named as (
      select u.id as user_id, meant.handle
        from meant join users u on u.id = meant.user_id
       where u.id = ${course.instructorId}
          or exists (select 1 from enrollments e
                      where e.course_id = ${course.courseId} and e.user_id = u.id)
       order by meant.place limit ${communityLimits.mentions}
         for key share of u skip locked),
    forgotten as (
      delete from ${table} where ${subject} = ${subjectId}
         and user_id not in (select user_id from named)),
    before as (select user_id from ${table} where ${subject} = ${subjectId}),
    kept as (
      insert into ${table} (${subject}, user_id, handle)
      select ${subjectId}, user_id, handle from named
          on conflict (${subject}, user_id) do update set handle = excluded.handle)
    select user_id as "userId" from named where user_id not in (select user_id from before)`)
  const spared = new Set([authorId, ...told])
  const people = rows.map(({ userId }) => userId).filter((userId) => !spared.has(userId))
  if (people.length === 0) return []
  await tellPeople(transaction, sql`select unnest(${sql.param(people)}::uuid[]) as user_id`, {
    kind: 'mentioned',
    title: 'You were mentioned',
    message: `Somebody mentioned you in the discussion of ${quotedTitle(course.title)}.`,
    href: postPath(course.slug, postId, commentId),
  })
  return people
}
