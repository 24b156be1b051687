// What a row of each table that grows takes on the disk, with its indexes. docs/growth.md computes with it.
import type { Client } from 'pg'
import { type Row, whole } from './row.ts'
import { businessesOf, seedAnalytics } from './seed-analytics.ts'
import { seedCommunity } from './seed-community.ts'
import type { Size } from './seed-many.ts'

/** Of each of them a sale, and ten days of learning. */
const students = 10_000
const posts = 110_000
/** Fewer say more of empty pages than of rows. */
const enough = 1000

/** What the other seeds leave out. */
const rest = [
  `insert into identities (user_id, provider_id, account_id, password)
   select id, 'credential', id::text, '$argon2id$v=19$m=19456,t=2,p=1$' || repeat('a', 65) from users`,
  `insert into lesson_positions (user_id, lesson_id, course_id, seconds, watched, watch_credit)
   select user_id, lesson_id, course_id, 300, '{[0,200),[240,300)}', 30 from lesson_completions limit 100000
   on conflict do nothing`,
  `insert into user_activities (user_id, course_id, activity_type, lesson_id)
   select user_id, course_id, 'lesson_completed', lesson_id from lesson_completions limit 100000
   on conflict do nothing`,
  `insert into notifications (user_id, title, message, type, kind, href)
   select user_id, 'New comment on your post', 'Person 12 wrote: “It works for me when I begin with the other hand.”',
          'info', 'comment_on_own_post', '/course/bench-course-12/discussion/00000000-0000-7000-8000-000000000012'
     from enrollments`,
  `insert into lesson_notes (user_id, lesson_id, course_id, seconds, text)
   select user_id, lesson_id, course_id, 120, repeat('What I want to try tomorrow. ', 5)
     from lesson_completions limit 20000`,
  `insert into media_files (owner_id, course_id, purpose, status, filename, content_type, size_bytes, duration_seconds, width, height)
   select c.instructor_id, l.course_id, 'video', 'ready', 'lesson.mp4', 'video/mp4', 40000000, 480, 1920, 1080
     from lessons l join courses c on c.id = l.course_id`,
  `insert into video_processings (media_id, status, percent, has_poster, has_preview, heights, size_bytes)
   select id, 'done', 100, true, true, '[1080, 720, 480, 360]', 90000000 from media_files where purpose = 'video'`,
]

/** Bytes of a row: of the table itself, of what was moved out of it, and of its indexes. */
interface Measured {
  name: string
  rows: number
  table: number
  toast: number
  indexes: number
}

export async function measureRowSizes(client: Client, size: Size): Promise<Row[]> {
  const { small, large } = businessesOf(size, students)
  await seedAnalytics(client, size, [small, large])
  await seedCommunity(client, size, posts)
  for (const statement of rest) await client.query(statement)
  await client.query('vacuum (analyze)')
  const { rows } = await client.query<Measured>(
    `select c.relname as name, c.reltuples::float8 as rows, pg_relation_size(c.oid) / c.reltuples as table,
            (pg_table_size(c.oid) - pg_relation_size(c.oid)) / c.reltuples as toast,
            pg_indexes_size(c.oid) / c.reltuples as indexes
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.reltuples >= ${enough}
      order by c.relname`,
  )
  return rows.map(({ name, rows: count, table, toast, indexes }) => ({
    what: name,
    measured: `**${whole(table + toast + indexes)}** bytes (${whole(table)} + ${whole(toast)} + ${whole(indexes)}), ${whole(count)} rows`,
    goal: '',
    met: null,
  }))
}
