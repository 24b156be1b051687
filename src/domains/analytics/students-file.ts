import type { Pool } from 'pg'
import { type Cell, csvFile } from '../../server/csv.ts'
import { shownEmail } from '../accounts/shown-email.ts'
import { progressPercent } from '../courses/rules.ts'

interface Row {
  at: string
  id: string
  name: string
  email: string
  course: string
  joinedAt: Date
  completedCount: number
  lessonsCount: number
  lastDay: string | null
  /** Minor units. */
  paid: number
  pricingType: 'one_time' | 'monthly' | null
  coupon: string | null
}

/** Rows that are read at once: a course may have many students, and they must not fill the memory. */
const batch = 1000

const titles = [
  'Name',
  'Email',
  'Course',
  'Joined',
  'Completed lessons',
  'Lessons',
  'Progress (percent)',
  'Last active day (UTC)',
  'Paid (USD)',
  'How',
  'Coupon',
]

const coursesText = `
  select id from courses where instructor_id = $1 and ($2::uuid is null or id = $2)
   order by created_at, id`

/** `$1` the creator, `$2` the course, `$3` and `$4` after whom. */
const studentsText = `
  select e.id, u.name, ${shownEmail('u')} as email, c.title as "course", e.enrolled_at as "joinedAt",
         (extract(epoch from e.enrolled_at) * 1000000)::bigint::text as "at",
         (select count(*)::int from lesson_completions d
           where d.user_id = u.id and d.course_id = c.id) as "completedCount",
         c.lessons_count as "lessonsCount",
         (select d.day::text from learner_days d where d.user_id = u.id and d.course_id = c.id
           order by d.day desc nulls last limit 1) as "lastDay",
         (select coalesce(sum(p.gross - p.refunded), 0)::float8
               - (select coalesce(sum(b.amount), 0)::float8
                    from payments q join payment_disputes b on b.payment_id = q.id and b.status <> 'won'
                   where q.payer_id = u.id and q.course_id = c.id and q.kind = 'course' and q.dispute is not null)
            from payments p
           where p.payer_id = u.id and p.course_id = c.id and p.kind = 'course') as "paid",
         b.pricing_type as "pricingType",
         (select k.code from coupon_redemptions r join coupons k on k.id = r.coupon_id
           where r.purchase_id = b.id limit 1) as "coupon"
    from enrollments e join users u on u.id = e.user_id join courses c on c.id = e.course_id
    left join purchases b on b.user_id = u.id and b.course_id = c.id and b.status <> 'ended'
   where e.course_id = $2 and c.instructor_id = $1 and e.user_id <> c.instructor_id
     and (e.enrolled_at, e.id)
         > (timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4::uuid)
   order by e.enrolled_at nulls first, e.id nulls first limit ${batch}`

interface Wanted {
  userId: string
  /** Null is all own courses. */
  courseId: string | null
  /** What was paid, how, and by which coupon; else these columns are empty. */
  seesMoney: boolean
}

/** Who is in this person's courses now, course by course, who joined first comes first: CSV, made as it is read. */
export const studentsFile = (pool: Pool, wanted: Wanted): ReadableStream<Uint8Array> =>
  csvFile(titles, batchesOf(pool, wanted))

async function* batchesOf(
  pool: Pool,
  { userId, courseId, seesMoney }: Wanted,
): AsyncGenerator<Cell[][], undefined> {
  const { rows: own } = await pool.query<{ id: string }>(coursesText, [userId, courseId])
  for (const { id } of own) {
    let last: Row | undefined
    do {
      const after = [last?.at ?? '0', last?.id ?? '00000000-0000-0000-0000-000000000000']
      const query = { name: 'students-file', text: studentsText, values: [userId, id, ...after] }
      const { rows } = await pool.query<Row>(query)
      if (rows.length > 0) yield rows.map((row) => line(row, seesMoney))
      last = rows.length === batch ? rows.at(-1) : undefined
    } while (last)
  }
  return undefined
}

/** Who bought a course that is free by now has bought it all the same. */
const howOf = (pricingType: Row['pricingType']) =>
  pricingType === null ? 'Free' : pricingType === 'monthly' ? 'Monthly' : 'Bought'

const line = (row: Row, seesMoney: boolean): Cell[] => [
  row.name,
  row.email,
  row.course,
  row.joinedAt.toISOString(),
  row.completedCount,
  row.lessonsCount,
  progressPercent(row.completedCount, row.lessonsCount),
  row.lastDay ?? '',
  ...(seesMoney
    ? [(row.paid / 100).toFixed(2), howOf(row.pricingType), row.coupon ?? '']
    : ['', '', '']),
]
