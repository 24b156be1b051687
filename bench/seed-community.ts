// Fills the communities of the courses that the seed made: one of 100,000 posts, one of 1,000, and many others.
import type { Client } from 'pg'
import type { Size } from './seed-many.ts'

export const large = { course: 1, posts: 100_000 }
export const small = { course: 2, posts: 1000 }
/** In all communities together. */
export const allPosts = 1_000_000
/** Members of both, and authors of what is written there. */
export const members = 5000
/** Threads below the newest post of each of both. */
export const threads = 1000

const idOf = (number: string) =>
  `('00000000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`

const text = `'Post ' || n || ': has anybody else tried this with two hands, and what did you do about the last step?'`

/** Posts `first` to `last` of one course; a later number is a newer post. */
const addPosts = (first: number, last: number, course: string) =>
  `insert into posts (id, course_id, user_id, content, likes_count, created_at, updated_at)
   select ${idOf('n')}, ${idOf(course)}, ${idOf(`1 + n % ${members}`)}, ${text}, (n * 7) % 40,
          '2026-01-01'::timestamptz + n * interval '1 second', '2026-01-01'::timestamptz + n * interval '1 second'
     from generate_series(${first}, ${last}) n`

const others = { first: large.posts + small.posts + 1, course: 3 }
/** The number of the newest post. */
export const newestOf = ({ course }: { course: number }) =>
  course === large.course ? large.posts : large.posts + small.posts

export async function seedCommunity(
  client: Client,
  { taught }: Size,
  posts = allPosts,
): Promise<void> {
  const newest = [newestOf(large), newestOf(small)].join(', ')
  const statements = [
    `insert into enrollments (user_id, course_id)
     select ${idOf('p')}, ${idOf('c')} from generate_series(1, ${members}) p, generate_series(1, 2) c
     on conflict do nothing`,
    'drop index posts_search, comments_search',
    addPosts(1, large.posts, String(large.course)),
    addPosts(large.posts + 1, large.posts + small.posts, String(small.course)),
    addPosts(others.first, posts, `${others.course} + n % ${taught - others.course}`),
    // Each of the newest 2,000 posts is liked by some.
    `insert into post_likes (post_id, user_id)
     select p.id, ${idOf('u')} from posts p, generate_series(1, 20) u
      where p.course_id in (${idOf(String(large.course))}, ${idOf(String(small.course))})
        and p.created_at > '2026-01-01'::timestamptz + ${large.posts - 1000} * interval '1 second'`,
    `insert into comments (id, post_id, course_id, user_id, content, replies_count, created_at, updated_at)
     select ${idOf(`post * 10000 + n`)}, p.id, p.course_id, ${idOf(`1 + n % ${members}`)},
            'Comment ' || n || ': it works for me when I begin with the other hand.', 2, now() + n * interval '1 second',
            now() + n * interval '1 second'
       from unnest(array[${newest}]) post join posts p on p.id = ${idOf('post')}, generate_series(1, ${threads}) n`,
    `insert into comments (post_id, course_id, user_id, parent_id, thread_id, content)
     select c.post_id, c.course_id, c.user_id, c.id, c.id, 'The same here.'
       from comments c, generate_series(1, 2) where c.thread_id is null`,
    // Below other posts, so that the table is not that of two posts alone.
    `insert into comments (post_id, course_id, user_id, content)
     select p.id, p.course_id, p.user_id, 'Thank you for this.' from posts p
      where p.course_id <> ${idOf(String(large.course))} limit 200000`,
    `update posts p set comments_count = (select count(*) from comments c where c.post_id = p.id)
      where p.id in (select post_id from comments)`,
    `update posts p set likes_count = (select count(*) from post_likes l where l.post_id = p.id)
      where p.id in (select post_id from post_likes)`,
    'create index posts_search on posts using gin (search)',
    'create index comments_search on comments using gin (search)',
    'vacuum analyze',
  ]
  for (const statement of statements) await client.query(statement)
}

/** The 20 newest posts of a course, the first of them with a picture. Its bytes are not there: what is weighed is the page. */
export async function seedFeed(client: Client, course: number, person: number): Promise<void> {
  await client.query(
    `insert into posts (course_id, user_id, content, created_at, updated_at)
     select ${idOf(String(course))}, ${idOf(String(person))}, ${text}, now() + n * interval '1 ms', now() + n * interval '1 ms'
       from generate_series(1, 20) n`,
  )
  await client.query(
    `with picture as (
       insert into media_files (owner_id, course_id, purpose, status, filename, content_type, size_bytes, width, height)
       values (${idOf(String(person))}, ${idOf(String(course))}, 'post_image', 'ready', 'bread.webp', 'image/webp', 1, 1200, 800)
       returning id)
     insert into post_attachments (post_id, order_index, kind, media_id)
     select (select id from posts where course_id = ${idOf(String(course))} order by created_at desc limit 1), 1, 'image', id
       from picture`,
  )
}
