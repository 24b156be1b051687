import { type SQL, sql } from 'drizzle-orm'
import type { Db, Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { noteCounterChecks } from './note-counter-checks.ts'

/** Courses that are locked at once. */
const batch = 100

const counters = ['students_count', 'lessons_count', 'reviews_count', 'rating'] as const
type Counter = (typeof counters)[number]

/** The courses of which each counter was wrong. */
type Differences = Record<Counter, string[]>

/**
 * A job: counts anew what is kept beside every course, mends what differs, and notes how much did. A
 * difference is a fault of ours: the number of them is a metric that stays 0.
 */
export async function recountCounters(services: Services): Promise<void> {
  await noteCounterChecks(services, await mendCounters(services.db))
}

async function mendCounters(db: Db): Promise<Differences> {
  const differences: Differences = {
    students_count: [],
    lessons_count: [],
    reviews_count: [],
    rating: [],
  }
  let after: string | null = null
  do {
    const last: string | null = after
    after = await db.transaction(async (transaction) => {
      const ids = await holdNext(transaction, last)
      for (const row of await mendBatch(transaction, ids)) {
        for (const counter of counters) if (row[counter]) differences[counter].push(row.id)
      }
      return ids.at(-1) ?? null
    })
  } while (after !== null)
  return differences
}

/** Who changes what is counted holds the course: from here on nobody does, until the transaction ends. */
async function holdNext(transaction: Transaction, after: string | null): Promise<string[]> {
  const { rows } = await transaction.execute<{ id: string }>(sql`
    select id from courses where ${after === null ? sql`true` : sql`id > ${after}`}
     order by id limit ${batch} for no key update`)
  return rows.map(({ id }) => id)
}

/** What the counters of courses should be. */
const counted = (which: SQL) => sql`
      select c.id,
             (select count(*)::int from enrollments e
               where e.course_id = c.id and e.user_id <> c.instructor_id) as students,
             (select count(*)::int from lessons l where l.course_id = c.id) as lessons,
             r.total as reviews, r.mean
        from courses c
        cross join lateral (select count(*)::int as total, coalesce(trunc(avg(rating), 2), 0) as mean
                              from course_reviews where course_id = c.id) r
       where ${which}`

/** How many courses have a wrong counter, by counter. It only reads: what is counted and its count commit together. */
export async function countWrongOfCourses(db: Db): Promise<Record<Counter, number>> {
  const { rows } = await db.execute<Record<Counter, number>>(sql`
    with counted as (${counted(sql`true`)})
    select (count(*) filter (where c.students_count <> n.students))::int as students_count,
           (count(*) filter (where c.lessons_count <> n.lessons))::int as lessons_count,
           (count(*) filter (where c.reviews_count <> n.reviews))::int as reviews_count,
           (count(*) filter (where c.rating <> n.mean))::int as rating
      from courses c join counted n on n.id = c.id`)
  return rows[0]!
}

/** Mends these courses, which are held; answers for each that was wrong with what was. */
async function mendBatch(transaction: Transaction, ids: string[]) {
  const { rows } = await transaction.execute<{ id: string } & Record<Counter, boolean>>(sql`
    with counted as (${counted(sql`c.id = any (${sql.param(ids)}::uuid[])`)})
    update courses c
       set students_count = n.students, lessons_count = n.lessons, reviews_count = n.reviews,
           rating = n.mean
      from counted n
     where c.id = n.id and (c.students_count, c.lessons_count, c.reviews_count, c.rating)
                        <> (n.students, n.lessons, n.reviews, n.mean)
    returning c.id, old.students_count <> new.students_count as students_count,
              old.lessons_count <> new.lessons_count as lessons_count,
              old.reviews_count <> new.reviews_count as reviews_count,
              old.rating <> new.rating as rating`)
  return rows
}
