import type { Pool } from 'pg'
import { pageCursor, readPageCursor } from '../../server/page-place.ts'
import { shownUsername } from '../accounts/shown-username.ts'
import type { CourseAccess } from '../courses/access.ts'
import { excerptOf } from './excerpt.ts'
import { foundPerPage } from './rules.ts'
import type { Author, Found } from './schema.ts'

interface FoundRow {
  postId: string
  commentId: string | null
  author: Author | null
  content: string
  createdAt: Date
  /** Microseconds since 1970: a date of JavaScript would lose the last three digits. */
  at: string
}

type FoundHere = Omit<Found, 'createdAt'> & { createdAt: Date }

/** No word of anybody; what else is none, `community_text` takes from the words, here as in what was written. */
const curlyPunctuation = /(?!\p{ASCII})\p{P}/gu

/**
 * PostgreSQL takes the words of the text apart, as it did with those of the posts. The id of the course
 * stands among the words of each post: the beginning of a word never means it.
 */
const compiling = `
  with words as (
    select plainto_tsquery('simple', community_text($2)) && coalesce(
             (select string_agg('''' || replace(replace(word, '\\', '\\\\'), '''', '''''') || '''' ||
                                case when starts_with($1, word) then '' else ':*' end,
                                ' & ')::tsquery
                from unnest(tsvector_to_array(to_tsvector('simple', community_text($3)))) word), '') as query)
  select query::text as words, (query && ('''' || $1 || '''')::tsquery)::text as "wordsInCourse"
    from words where numnode(query) > 0`

interface Compiled {
  words: string
  wordsInCourse: string
}

/** All words, of the last one the beginning; null when the text has no words. */
async function compile(pool: Pool, courseId: string, search: string): Promise<Compiled | null> {
  const text = search.replaceAll(curlyPunctuation, ' ').trim()
  const last = text.split(' ').at(-1) ?? ''
  const others = text.slice(0, text.length - last.length)
  const { rows } = await pool.query<Compiled>({
    name: 'community-words',
    text: compiling,
    values: [courseId, others, last],
  })
  return rows[0] ?? null
}

const wanted = foundPerPage + 1
/** So many of the newest are read one by one: a common word is found often enough among them. */
const readFirst = 1_000

const beforePlace = (row: string) => `(${row}.created_at, ${row}.id)
  < (timestamptz 'epoch' + $5::bigint * interval '1 microsecond', $6::uuid)`
const newestFirst = (row: string) =>
  `order by ${row}.created_at desc nulls last, ${row}.id desc nulls last`

/**
 * The newest rows of a table with the words. The index of words finds rare ones; of common ones it would
 * find, and sort, nearly all rows. So it is asked only when the newest rows do not fill a page.
 */
function newestIn(table: 'posts' | 'comments', isNext: boolean): string {
  const published = `t.course_id = $1 and t.status = 'published'${isNext ? ` and ${beforePlace('t')}` : ''}`
  // What stands below a hidden post is hidden with it. Not joined: that would read all posts.
  const shown =
    table === 'posts'
      ? 'true'
      : `(select p.status from posts p where p.id = t.post_id) = 'published'`
  return `
  ${table}_read as (
    select t.* from ${table} t where ${published} ${newestFirst('t')} limit ${readFirst}),
  ${table}_common as materialized (
    select t.id, t.created_at from ${table}_read t where t.search @@ $3::tsquery and ${shown}
     ${newestFirst('t')} limit ${wanted}),
  ${table}_known as materialized (select count(*) as total from ${table}_common),
  ${table}_found as (
    select id, created_at from ${table}_common
     where (select total from ${table}_known) = ${wanted}
    union all
    -- Lateral, so that no parallel worker is started before it is known whether there is anything to do.
    select rare.id, rare.created_at from ${table}_known known cross join lateral (
      select t.id, t.created_at from ${table} t
       where known.total < ${wanted} and ${published} and t.search @@ $2::tsquery and ${shown}
      offset 0) rare)`
}

const finding = (isNext: boolean) => `
  with ${newestIn('posts', isNext)}, ${newestIn('comments', isNext)},
  found as (
    select id, created_at, false as is_comment from posts_found
    union all select id, created_at, true from comments_found
    order by created_at desc, id desc limit ${wanted})
  select p.id as "postId", c.id as "commentId", coalesce(c.content, p.content) as "content",
         f.created_at as "createdAt",
         (extract(epoch from f.created_at) * 1000000)::bigint::text as "at",
         case when u.id is not null then
           json_build_object('id', u.id, 'name', u.name, 'username', ${shownUsername('u')},
                             'avatarUrl', u.avatar_url, 'verified', u.verified,
                             'isInstructor', u.id = $4) end as "author"
    from found f
    left join comments c on f.is_comment and c.id = f.id
    join posts p on p.id = coalesce(c.post_id, f.id)
    left join users u on u.id = case when f.is_comment then c.user_id else p.user_id end
   order by f.created_at desc, f.id desc`

/** A page of what was found; null for a cursor that no page ever gave. */
export async function searchPosts(
  pool: Pool,
  { courseId, instructorId }: CourseAccess,
  { search, cursor }: { search: string; cursor?: string },
): Promise<{ found: FoundHere[]; nextCursor: string | null } | null> {
  const place = cursor === undefined ? null : readPageCursor(cursor)
  if (cursor !== undefined && !place) return null
  const compiled = await compile(pool, courseId, search)
  if (!compiled) return { found: [], nextCursor: null }
  const { words, wordsInCourse } = compiled
  // Not prepared: the plan depends on how common the words are.
  const { rows } = await pool.query<FoundRow>(finding(place !== null), [
    courseId,
    wordsInCourse,
    words,
    instructorId,
    ...(place ? [place.time, place.id] : []),
  ])
  const page = rows.slice(0, foundPerPage)
  const last = rows.length > page.length ? page.at(-1) : undefined
  return {
    found: page.map(({ content, at: _at, ...row }) => ({
      ...row,
      excerpt: excerptOf(content, search),
    })),
    nextCursor: last ? pageCursor({ time: last.at, id: last.commentId ?? last.postId }) : null,
  }
}
