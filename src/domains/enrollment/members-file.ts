import type { Pool } from 'pg'
import { type Cell, csvFile } from '../../server/csv.ts'
import { shownEmail } from '../accounts/shown-email.ts'
import { progressPercent } from '../courses/rules.ts'

interface Row {
  at: string
  id: string
  name: string
  email: string
  joinedAt: Date
  completedCount: number
  lessonsCount: number
}

/** Rows that are read at once: a course may have many members, and they must not fill the memory. */
const batch = 1000

const titles = ['Name', 'Email', 'Joined', 'Completed lessons', 'Lessons', 'Progress (percent)']

/** The members of a course but its instructor, who joined first comes first: a CSV file, made as it is read. */
export const membersFile = (pool: Pool, courseId: string): ReadableStream<Uint8Array> =>
  csvFile(titles, batchesOf(pool, courseId))

async function* batchesOf(pool: Pool, courseId: string): AsyncGenerator<Cell[][], undefined> {
  let last: Row | undefined
  for (;;) {
    const { rows } = await pool.query<Row>({
      name: 'members-file',
      text: `select e.id, u.name, ${shownEmail('u')} as email, e.enrolled_at as "joinedAt",
                    (extract(epoch from e.enrolled_at) * 1000000)::bigint::text as "at",
                    (select count(*)::int from lesson_completions d
                      where d.user_id = u.id and d.course_id = c.id) as "completedCount",
                    c.lessons_count as "lessonsCount"
               from enrollments e join users u on u.id = e.user_id join courses c on c.id = e.course_id
              where e.course_id = $1 and e.user_id <> c.instructor_id
                and (e.enrolled_at, e.id)
                    > (timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3::uuid)
              order by e.enrolled_at nulls first, e.id nulls first limit ${batch}`,
      values: [courseId, last?.at ?? '0', last?.id ?? '00000000-0000-0000-0000-000000000000'],
    })
    if (rows.length > 0) yield rows.map(line)
    last = rows.at(-1)
    if (rows.length < batch) return undefined
  }
}

const line = ({ name, email, joinedAt, completedCount, lessonsCount }: Row): Cell[] => [
  name,
  email,
  joinedAt.toISOString(),
  completedCount,
  lessonsCount,
  progressPercent(completedCount, lessonsCount),
]
