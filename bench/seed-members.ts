// Fills one course with members, of whom few have a name that is looked for.
import type { Client } from 'pg'
import type { Size } from './seed-many.ts'

const idOf = (number: number | string) =>
  `('00000000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`

/** Members have numbers of their own, far from those of the other seeds. */
const firstMember = 20_000_000

export const memberNumbered = (nth: number) => firstMember + nth

/** The first of them joined first; the rarest name is theirs, at the end of the list. */
export const rareName = 'Zora Quandt'
export const commonName = 'Anna'

const firstNames = [
  'Anna',
  'Ben',
  'Chiara',
  'Dmitri',
  'Elif',
  'Farid',
  'Grete',
  'Hugo',
  'Ines',
  'Jon',
]
const lastNames = [
  'Abel',
  'Brandt',
  'Costa',
  'Dias',
  'Eder',
  'Ferrari',
  'Gross',
  'Huber',
  'Ito',
  'Jansen',
]

export const crowdOf = ({ courses, people }: Size, members: number) => ({
  course: courses + 11,
  instructor: people + 11,
  members,
})
export type Crowd = ReturnType<typeof crowdOf>

/** When the nth of them joined: microseconds since 1970, as the list's cursor has it. */
export const joinedAt = (nth: number) => (Date.UTC(2026, 0, 1) / 1000 + nth) * 1_000_000

const list = (names: string[]) => `(array[${names.map((name) => `'${name}'`).join(', ')}])`

export async function seedMembers(client: Client, crowd: Crowd): Promise<void> {
  const { course, instructor, members } = crowd
  const everybody = `generate_series(1, ${members}) n`
  const member = `${firstMember} + n`
  const name = `${list(firstNames)}[1 + n % ${firstNames.length}] || ' ' ||
    ${list(lastNames)}[1 + n / ${firstNames.length} % ${lastNames.length}]`
  const { rows } = await client.query<{ definition: string }>(
    `select pg_get_indexdef('users_name_pieces'::regclass) as definition`,
  )
  const statements = [
    // It costs less when it is made at the end.
    'drop index users_name_pieces',
    `insert into users (id, email, email_verified, name, username, welcomed_at)
     values (${idOf(instructor)}, 'instructor-${instructor}@bench.example', true, 'Instructor', 'instructor-${instructor}', now())`,
    `insert into courses (id, slug, title, description, category, instructor_id, status, published_at, students_count, lessons_count)
     values (${idOf(course)}, 'crowd', 'Crowd', '{}', 'Tech', ${idOf(instructor)}, 'published', now(), ${members}, 20)`,
    `insert into course_slugs (slug, course_id) values ('crowd', ${idOf(course)})`,
    `insert into users (id, email, email_verified, name, username, welcomed_at)
     select ${idOf(member)}, 'member-' || n || '@bench.example', true,
            case when n = 1 then '${rareName}' else ${name} end, 'member-' || n, now()
       from ${everybody}`,
    `insert into sessions (token, user_id, expires_at)
     select 'bench-session-' || (${member}), ${idOf(member)}, now() + interval '30 days'
       from ${everybody} where n <= 1000`,
    `insert into sessions (token, user_id, expires_at)
     values ('bench-session-${instructor}', ${idOf(instructor)}, now() + interval '30 days')`,
    // Days of these courses are not what is measured, and would take minutes.
    'alter table enrollments disable trigger enrollments_course_day',
    `insert into enrollments (user_id, course_id, enrolled_at)
     select ${idOf(member)}, ${idOf(course)}, '2026-01-01 00:00:00Z'::timestamptz + n * interval '1 second'
       from ${everybody}`,
    'alter table enrollments enable trigger enrollments_course_day',
    rows[0]!.definition,
    'vacuum analyze users, sessions, courses, enrollments',
  ]
  for (const statement of statements) await client.query(statement)
}

/** The place in the list after the nth who joined. */
export async function cursorAfter(client: Client, { course }: Crowd, nth: number): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `select id from enrollments where course_id = ${idOf(course)} and user_id = ${idOf(memberNumbered(nth))}`,
  )
  return `${joinedAt(nth)}_${rows[0]!.id}`
}
