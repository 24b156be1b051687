import { type SQL, sql } from 'drizzle-orm'
import type { Db, Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { departedUserId } from '../accounts/departed-user.ts'
import { noteCounterChecks } from '../courses/note-counter-checks.ts'

/** Courses that are looked at in one go. */
const batch = 20

/**
 * A job: counts anew what is kept of the days of courses and of lessons, and mends what differs by a change more. A
 * row and its change commit together, and one statement reads both: nothing is locked but other recounts.
 */
export async function recountAnalytics(services: Services): Promise<void> {
  const differences = { course_days: new Set<string>(), lesson_counts: new Set<string>() }
  let after: string | null = null
  do {
    const ids = await nextCourses(services.db, after)
    await services.db.transaction(async (transaction) => {
      await transaction.execute(
        sql`select pg_advisory_xact_lock(hashtextextended('recount analytics', 0))`,
      )
      for (const { id, isLesson } of await mend(transaction, ids)) {
        differences[isLesson ? 'lesson_counts' : 'course_days'].add(id)
      }
    })
    after = ids.at(-1) ?? null
  } while (after !== null)
  await noteCounterChecks(services, {
    course_days: [...differences.course_days],
    lesson_counts: [...differences.lesson_counts],
  })
}

/** Not those whose creator has left: nobody reads them, and what the creator did there was counted as nobody's. */
async function nextCourses(db: Db, after: string | null): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from courses
     where instructor_id <> ${departedUserId} and ${after === null ? sql`true` : sql`id > ${after}`}
     order by id limit ${batch}`)
  return rows.map(({ id }) => id)
}

/** Changes that make right what is wrong in these courses; answers with whose they are. */
async function mend(transaction: Transaction, courseIds: string[]) {
  const ids = sql`${sql.param(courseIds)}::uuid[]`
  const ofOthers = (table: SQL) =>
    sql`${table} s join courses c on c.id = s.course_id and c.instructor_id <> s.user_id
        where s.course_id = any (${ids})`
  const { rows } = await transaction.execute<{ id: string; isLesson: boolean }>(sql`
    with raw_days (course_id, day, metric, amount) as (
      select s.course_id, utc_day(s.enrolled_at), 'students', count(*) from ${ofOthers(sql`enrollments`)}
       group by 1, 2 union all
      select s.course_id, utc_day(s.completed_at), 'completions', count(*)
        from ${ofOthers(sql`lesson_completions`)} group by 1, 2 union all
      select s.course_id, s.day, 'active', count(*) from learner_days s where s.course_id = any (${ids})
       group by 1, 2 union all
      select s.course_id, utc_day(s.created_at), 'posts', count(*) from posts s
       where s.course_id = any (${ids}) and s.status = 'published' group by 1, 2 union all
      select s.course_id, utc_day(s.created_at), 'comments', count(*) from comments s
       where s.course_id = any (${ids}) and s.status = 'published' group by 1, 2
    ), kept_days (course_id, day, metric, amount) as (
      select d.course_id, d.day, k.metric, k.amount from course_days d,
             lateral (values ('students', d.students_count), ('active', d.active), ('completions', d.completions),
                             ('posts', d.posts), ('comments', d.comments)) k (metric, amount)
       where d.course_id = any (${ids}) union all
      select course_id, day, metric, amount from course_day_changes
       where course_id = any (${ids}) and metric <> 'started'
    ), wrong_days as (
      select course_id, day, metric, sum(amount) as amount
        from (select * from raw_days
              union all select course_id, day, metric, -amount from kept_days) x
       group by 1, 2, 3 having sum(amount) <> 0
    ), raw_lessons (lesson_id, metric, amount) as (
      select s.lesson_id, 'completions', count(*) from ${ofOthers(sql`lesson_completions`)}
       group by 1 union all
      select s.lesson_id, 'started', count(*) from ${ofOthers(sql`lesson_positions`)} group by 1
    ), kept_lessons (lesson_id, metric, amount) as (
      select n.lesson_id, k.metric, k.amount from lesson_counts n,
             lateral (values ('started', n.started), ('completions', n.completed)) k (metric, amount)
       where n.course_id = any (${ids}) union all
      select lesson_id, metric, amount from course_day_changes
       where course_id = any (${ids}) and lesson_id is not null
    ), wrong_lessons as (
      select l.course_id, x.lesson_id, x.metric, sum(x.amount) as amount
        from (select * from raw_lessons
              union all select lesson_id, metric, -amount from kept_lessons) x
        join lessons l on l.id = x.lesson_id
       group by 1, 2, 3 having sum(x.amount) <> 0
    ), mended as (
      insert into course_day_changes (course_id, day, metric, lesson_id, amount)
      select course_id, day, metric, null, amount from wrong_days union all
      select course_id, utc_day(now()), metric, lesson_id, amount from wrong_lessons union all
      -- A lesson's completions count for a day, too: the days are right already.
      select course_id, utc_day(now()), metric, null, -amount from wrong_lessons
       where metric = 'completions'
    )
    select course_id as id, false as "isLesson" from wrong_days
     union select lesson_id, true from wrong_lessons`)
  return rows
}
