// All that is read about the members of a course. Who joined last comes first.
import type { Pool } from 'pg'
import { shownEmail } from '../accounts/shown-email.ts'
import { shownUsername } from '../accounts/shown-username.ts'
import type { CourseAccess } from '../courses/access.ts'
import { progressPercent } from '../courses/rules.ts'
import { memberLimits } from './rules.ts'
import type { CourseMember, MemberPageRow } from './schema.ts'

/** The index is "nulls last", so the order must say it too, or it would not be used. */
const newestFirst = 'order by e.enrolled_at desc nulls last, e.id desc nulls last'

/** Microseconds since 1970: a JavaScript date would lose the last three digits of a place. */
const place = 'extract(epoch from e.enrolled_at) * 1000000'
const after = (at: string, id: string) => `(e.enrolled_at, e.id)
  < (timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond', ${id}::uuid)`

interface Cursor {
  at: string
  id: string
}

const cursorOf = ({ at, id }: Cursor) => `${at}_${id}`

function readCursor(cursor: string): Cursor {
  const [at = '', id = ''] = cursor.split('_')
  return { at, id }
}

/** Part of a name, whatever signs it has. */
const pattern = (search: string) => `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`

type MemberRow = Omit<CourseMember, 'joinedAt' | 'progress'> & { place: Cursor; joinedAt: Date }

/** Who is looked for: by name, and by whoever may see it by email address. */
function matches(canEdit: boolean, parameter: string): string {
  const has = (column: string) => `lower(${column}) like lower(${parameter})`
  return canEdit ? `(${has('u.name')} or ${has(shownEmail('u'))})` : has('u.name')
}

/** So many members who joined last are looked at one by one: there most searches end. */
const lookedThrough = 500

/** So many people of the whole site are asked for in the course one by one. */
const mostNamed = 10_000

/** Among whom a search looks: those who joined last, all, or these people, who are known to match. */
type Among = 'newest' | 'all' | string[]

interface Asked {
  search: string
  cursor?: string
}

/** Members from a place in the list on, and one more than asked for. */
async function membersFrom(
  pool: Pool,
  { courseId, canEdit }: CourseAccess,
  { search, cursor }: Asked,
  among: Among,
): Promise<MemberRow[]> {
  const values: unknown[] = [courseId]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const inList = ['e.course_id = $1']
  if (cursor !== undefined) {
    const { at, id } = readCursor(cursor)
    inList.push(after(parameter(at), parameter(id)))
  }
  if (typeof among !== 'string') inList.push(`e.user_id = any(${parameter(among)}::uuid[])`)
  const isFiltered = search !== '' && typeof among === 'string'
  const isInList = inList.join(' and ')
  const newest = `select * from enrollments e where ${isInList} ${newestFirst} limit ${lookedThrough}`
  const conditions = among === 'newest' ? [] : inList
  if (isFiltered) conditions.push(matches(canEdit, parameter(pattern(search))))
  const { rows } = await pool.query<MemberRow>({
    name: `members ${canEdit} ${cursor !== undefined} ${isFiltered ? among : typeof among}`,
    text: `select u.id, u.name, ${shownUsername('u')} as "username", u.avatar_url as "avatarUrl", u.verified,
                  e.enrolled_at as "joinedAt", c.instructor_id = u.id as "isInstructor",
                  ${canEdit ? `nullif(${shownEmail('u')}, '')` : 'null'} as "email",
                  json_build_object('at', (${place})::bigint::text, 'id', e.id) as "place"
             from ${among === 'newest' ? `(${newest})` : 'enrollments'} e
             join users u on u.id = e.user_id join courses c on c.id = e.course_id
            where ${conditions.join(' and ')}
            ${newestFirst} limit ${memberLimits.perPage + 1}`,
    values,
  })
  return rows
}

/**
 * Everybody on the site who matches, by the index of the pieces of names and addresses; null when these are
 * too many to be looked up, or when what is looked for is too short for the index.
 */
async function peopleNamed(pool: Pool, search: string, canEdit: boolean): Promise<string[] | null> {
  if ([...search].length < 2) return null
  const { rows } = await pool.query<{ id: string }>({
    name: `people-named ${canEdit}`,
    text: `select u.id from users u
            where text_pieces(u.name || ' ' || u.email) @> array(
                    select piece from unnest(text_pieces($1)) piece
                     where length(piece) = least(3, length($1)))
              and ${matches(canEdit, '$2')}
            limit ${mostNamed + 1}`,
    values: [search, pattern(search)],
  })
  return rows.length > mostNamed ? null : rows.map(({ id }) => id)
}

interface ProgressRow {
  userId: string
  completedCount: number
  lastActiveAt: Date | null
}

/** How far these people are, one index each. */
async function progressOf(pool: Pool, courseId: string, people: string[]) {
  const { rows } = await pool.query<ProgressRow>({
    name: 'members-progress',
    text: `select p.id as "userId", d.total as "completedCount",
                  greatest(d.last, w.last) as "lastActiveAt"
             from unnest($2::uuid[]) p(id)
             cross join lateral (select count(*)::int as total, max(completed_at) as last
                                   from lesson_completions
                                  where user_id = p.id and course_id = $1) d
             cross join lateral (select max(updated_at) as last from lesson_positions
                                  where user_id = p.id and course_id = $1) w`,
    values: [courseId, people],
  })
  return new Map(rows.map(({ userId, ...progress }) => [userId, progress]))
}

interface CourseCounts {
  studentsCount: number
  /** With the instructor, who may have left. */
  total: number
  lessonsCount: number
}

/** How many are in the course, and how many lessons it has. */
async function courseCounts(pool: Pool, courseId: string) {
  const { rows } = await pool.query<CourseCounts>({
    name: 'members-counts',
    text: `select c.students_count as "studentsCount",
                  c.students_count + (select count(*)::int from enrollments e
                                       where e.course_id = c.id and e.user_id = c.instructor_id)
                    as "total", c.lessons_count as "lessonsCount"
             from courses c where c.id = $1`,
    values: [courseId],
  })
  return rows[0] ?? { studentsCount: 0, total: 0, lessonsCount: 0 }
}

/** A page of the members, with what the viewer may know about them. */
export async function membersOf(
  pool: Pool,
  course: CourseAccess,
  asked: Asked,
): Promise<MemberPageRow> {
  const { search } = asked
  const [newest, { studentsCount, total, lessonsCount }] = await Promise.all([
    membersFrom(pool, course, asked, search === '' ? 'all' : 'newest'),
    courseCounts(pool, course.courseId),
  ])
  const isFound = search === '' || newest.length > memberLimits.perPage || total <= lookedThrough
  const found = isFound
    ? newest
    : await membersFrom(
        pool,
        course,
        asked,
        (await peopleNamed(pool, search, course.canEdit)) ?? 'all',
      )
  const rows = found.slice(0, memberLimits.perPage)
  const progress = course.canEdit
    ? await progressOf(
        pool,
        course.courseId,
        rows.map(({ id }) => id),
      )
    : new Map<string, never>()
  const members = rows.map(({ place: _place, ...member }) => {
    const known = member.isInstructor ? undefined : progress.get(member.id)
    return {
      ...member,
      progress: known
        ? { ...known, lessonsCount, percent: progressPercent(known.completedCount, lessonsCount) }
        : null,
    }
  })
  const last = found.length > rows.length ? rows.at(-1) : undefined
  return { members, studentsCount, total, nextCursor: last ? cursorOf(last.place) : null }
}
