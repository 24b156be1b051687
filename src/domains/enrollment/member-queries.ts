// All that is read about the members of a course. Who joined last comes first.
import type { Pool } from 'pg'
import type { CourseAccess } from '../courses/access.ts'
import { progressPercent } from '../courses/rules.ts'
import { memberLimits } from './rules.ts'
import type { CourseMember, MemberPageRow } from './schema.ts'

/** The index is "nulls last", so the order must say it too, or it would not be used. */
const newestFirst = 'order by e.enrolled_at desc nulls last, e.id desc nulls last'

/** Microseconds since 1970: a JavaScript date would lose the last three digits of a place. */
const place = 'extract(epoch from e.enrolled_at) * 1000000'
const after = `(e.enrolled_at, e.id)
  < (timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3::uuid)`

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

/** Members from a place in the list on, and one more than asked for. */
async function membersFrom(
  pool: Pool,
  { courseId, canEdit }: CourseAccess,
  { search, cursor }: { search: string; cursor?: string },
): Promise<MemberRow[]> {
  const from = cursor === undefined ? null : readCursor(cursor)
  const values: unknown[] = [courseId]
  const conditions = ['e.course_id = $1']
  if (from) {
    values.push(from.at, from.id)
    conditions.push(after)
  }
  if (search !== '') {
    values.push(pattern(search))
    const matches = (column: string) => `lower(${column}) like lower($${values.length})`
    conditions.push(canEdit ? `(${matches('u.name')} or ${matches('u.email')})` : matches('u.name'))
  }
  const { rows } = await pool.query<MemberRow>({
    name: `members ${canEdit}${from !== null}${search !== ''}`,
    text: `select u.id, u.name, u.username, u.avatar_url as "avatarUrl", u.verified,
                  e.enrolled_at as "joinedAt", c.instructor_id = u.id as "isInstructor",
                  ${canEdit ? 'u.email' : 'null'} as "email",
                  json_build_object('at', (${place})::bigint::text, 'id', e.id) as "place"
             from enrollments e join users u on u.id = e.user_id join courses c on c.id = e.course_id
            where ${conditions.join(' and ')}
            ${newestFirst} limit ${memberLimits.perPage + 1}`,
    values,
  })
  return rows
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

/** How many are in the course, with its instructor, and how many lessons it has. */
async function courseCounts(pool: Pool, courseId: string) {
  const { rows } = await pool.query<{ total: number; lessonsCount: number }>({
    name: 'members-counts',
    text: `select c.students_count + (select count(*)::int from enrollments e
                                       where e.course_id = c.id and e.user_id = c.instructor_id)
                    as "total", c.lessons_count as "lessonsCount"
             from courses c where c.id = $1`,
    values: [courseId],
  })
  return rows[0] ?? { total: 0, lessonsCount: 0 }
}

/** A page of the members, with what the viewer may know about them. */
export async function membersOf(
  pool: Pool,
  course: CourseAccess,
  asked: { search: string; cursor?: string },
): Promise<MemberPageRow> {
  const [found, { total, lessonsCount }] = await Promise.all([
    membersFrom(pool, course, asked),
    courseCounts(pool, course.courseId),
  ])
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
  return { members, total, nextCursor: last ? cursorOf(last.place) : null }
}
