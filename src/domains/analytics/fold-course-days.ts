import { sql } from 'drizzle-orm'
import type { Db } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'

/** Changes that are folded in one go. */
const batch = 5000

/** A job: adds what changed to the days of courses and the counts of lessons. On several nodes at once, too. */
export async function foldCourseDays({ db }: Services): Promise<void> {
  while ((await foldSome(db)) === batch);
}

/**
 * One statement: who reads meanwhile sees each change either by itself or folded. What another node folds just now
 * is left to it. So are, for the next time, changes of a course or a lesson that somebody else holds to delete it:
 * a row that refers to it would fail. What concerns something that is gone is dropped.
 */
async function foldSome(db: Db): Promise<number> {
  const { rows } = await db.execute<{ folded: number }>(sql`
    with picked as (
      select * from course_day_changes order by id limit ${batch} for update skip locked
    ), held_courses as (
      select id from courses where id in (select course_id from picked) order by id
         for key share skip locked
    ), held_lessons as (
      select id from lessons where id in (select lesson_id from picked) order by id
         for key share skip locked
    ), foldable as (
      select p.*, hc.id is not null as has_course, hl.id is not null as has_lesson
        from picked p
        left join held_courses hc on hc.id = p.course_id
        left join held_lessons hl on hl.id = p.lesson_id
       where (hc.id is not null or not exists (select from courses c where c.id = p.course_id))
         and (p.lesson_id is null or hl.id is not null
              or not exists (select from lessons l where l.id = p.lesson_id))
    ), days as (
      insert into course_days as d (course_id, day, students_count, active, completions, posts, comments)
      select course_id, day, ${summed('students')}, ${summed('active')}, ${summed('completions')},
             ${summed('posts')}, ${summed('comments')}
        from foldable where has_course and metric <> 'started'
       group by course_id, day order by course_id, day
      on conflict (course_id, day) do update
         set students_count = d.students_count + excluded.students_count,
             active = d.active + excluded.active,
             completions = d.completions + excluded.completions,
             posts = d.posts + excluded.posts,
             comments = d.comments + excluded.comments
    ), counts as (
      insert into lesson_counts as n (lesson_id, course_id, started, completed)
      select lesson_id, course_id, ${summed('started')}, ${summed('completions')}
        from foldable where has_course and has_lesson
       group by lesson_id, course_id order by lesson_id
      on conflict (lesson_id) do update
         set started = n.started + excluded.started,
             completed = n.completed + excluded.completed
    ), gone as (
      -- An array, so that it is found by its ids also while the statistics say that the table is empty.
      delete from course_day_changes where id = any (array(select id from foldable)) returning 1
    )
    select count(*)::int as folded from gone`)
  return rows[0]!.folded
}

const summed = (metric: string) => sql`coalesce(sum(amount) filter (where metric = ${metric}), 0)`
