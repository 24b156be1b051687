import type { Pool } from 'pg'
import { type Cell, csvFile } from '../../server/csv.ts'
import type { Wanted } from './advanced-analytics.ts'
import { countedDays, firstOfLast } from './counted-days.ts'

interface Row {
  day: string
  /** Null when the course was deleted. */
  course: string | null
  students: number
  active: number
  completions: number
  posts: number
  comments: number
  sales: number
  /** Minor units. */
  revenue: number
}

/** Days that are read at once. */
const window = 31

const titles = [
  'Day (UTC)',
  'Course',
  'New students',
  'Active learners',
  'Completed lessons',
  'Posts',
  'Comments',
  'Sales',
  'Revenue (USD)',
]

const firstDayText = `
  select coalesce(utc_day(now()) - $3::int + 1, min(k.day), utc_day(now()))::text as "first",
         utc_day(now())::text as "last"
    from (${countedDays({
      creator: '$1',
      course: '$2::uuid',
      from: firstOfLast('$3'),
      until: 'utc_day(now())',
    })}) k`

const windowText = `
  select k.day::text as "day", c.title as "course", sum(k.students)::int as "students",
         sum(k.active)::int as "active", sum(k.completions)::int as "completions",
         sum(k.posts)::int as "posts", sum(k.comments)::int as "comments", sum(k.sales)::int as "sales",
         sum(k.revenue)::float8 as "revenue"
    from (${countedDays({
      creator: '$1',
      course: '$2::uuid',
      from: '$3::date',
      until: `least($3::date + ${window - 1}, $4::date)`,
    })}) k
    left join courses c on c.id = k.course_id and c.instructor_id = $1
   group by k.day, c.id
  having (sum(k.students), sum(k.active), sum(k.completions), sum(k.posts), sum(k.comments), sum(k.sales),
          sum(k.revenue)) <> (0, 0, 0, 0, 0, 0, 0)
   order by k.day, c.title nulls last, c.id`

/** A row for each day and course on which anything happened, oldest first: CSV, made as it is read. */
export const analyticsFile = (pool: Pool, wanted: Wanted): ReadableStream<Uint8Array> =>
  csvFile(titles, batchesOf(pool, wanted))

async function* batchesOf(
  pool: Pool,
  { userId, courseId, days }: Wanted,
): AsyncGenerator<Cell[][], undefined> {
  const { rows: range } = await pool.query<{ first: string; last: string }>({
    name: 'analytics-file-range',
    text: firstDayText,
    values: [userId, courseId, days],
  })
  const { first, last } = range[0]!
  for (let day = first; day <= last; day = laterBy(window, day)) {
    const { rows } = await pool.query<Row>({
      name: 'analytics-file',
      text: windowText,
      values: [userId, courseId, day, last],
    })
    if (rows.length > 0) yield rows.map(line)
  }
  return undefined
}

function laterBy(days: number, day: string): string {
  const date = new Date(day)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

const line = (row: Row): Cell[] => [
  row.day,
  row.course ?? '(deleted course)',
  row.students,
  row.active,
  row.completions,
  row.posts,
  row.comments,
  row.sales,
  (row.revenue / 100).toFixed(2),
]
