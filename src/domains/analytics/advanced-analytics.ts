import type { Pool } from 'pg'
import { countedDays, firstOfLast } from './counted-days.ts'
import type { AdvancedAnalytics } from './schema.ts'

type Point = AdvancedAnalytics['points'][number]
type Interval = AdvancedAnalytics['interval']
type Funnel = NonNullable<AdvancedAnalytics['funnel']>

/** What to look at: own courses or one of them, of the last days or of all. */
export interface Wanted {
  userId: string
  courseId: string | null
  days: number | null
}

/** `$1` the creator, `$2` a course or null, `$3` the last days or null. */
const pointsText = `
  with by_day as (
    select k.day, sum(k.students) as students, sum(k.active) as active, sum(k.completions) as completions,
           sum(k.posts) as posts, sum(k.comments) as comments, sum(k.sales) as sales, sum(k.revenue) as revenue
      from (${countedDays({
        creator: '$1',
        course: '$2::uuid',
        from: firstOfLast('$3'),
        until: 'utc_day(now())',
      })}) k
     group by k.day
  ), range as (
    select coalesce(utc_day(now()) - $3::int + 1,
                    (select min(day) from by_day
                      where (students, active, completions, posts, comments, sales, revenue)
                            <> (0, 0, 0, 0, 0, 0, 0)),
                    utc_day(now())) as first,
           utc_day(now()) as last
  ), chosen as (
    select first, last, case when last - first < 62 then 'day' when last - first < 400 then 'week'
                             else 'month' end as step
      from range
  ), by_step as (
    select date_trunc(step, day::timestamp) as at, sum(students) as students, sum(active) as active,
           sum(completions) as completions, sum(posts) as posts, sum(comments) as comments,
           sum(sales) as sales, sum(revenue) as revenue
      from by_day, chosen where day >= first group by 1
  )
  select chosen.step as "interval", greatest(at::date, chosen.first)::text as "from",
         coalesce(revenue, 0)::float8 as "revenue", coalesce(sales, 0)::int as "sales",
         coalesce(students, 0)::int as "students", coalesce(active, 0)::int as "active",
         coalesce(completions, 0)::int as "completions", coalesce(posts, 0)::int as "posts",
         coalesce(comments, 0)::int as "comments"
    from chosen
   cross join generate_series(date_trunc(chosen.step, chosen.first::timestamp), chosen.last::timestamp,
                              ('1 ' || chosen.step)::interval) at
    left join by_step using (at)
   order by at`

/** Days and what they make up, oldest first; the first point begins with the range. */
export async function pointsOf(
  pool: Pool,
  { userId, courseId, days }: Wanted,
): Promise<{ interval: Interval; points: Point[] }> {
  const values = [userId, courseId, days]
  const query = { name: 'analytics-points', text: pointsText, values }
  const { rows } = await pool.query<Point & { interval: Interval }>(query)
  return { interval: rows[0]!.interval, points: rows }
}

/** `$1` the creator, `$2` the course. A lesson without a video has no beginning that we know of. */
const funnelText = `
  select c.students_count as "students", coalesce(l.lessons, '[]') as "lessons"
    from courses c
   cross join lateral (
     select json_agg(json_build_object(
              'id', l.id, 'title', l.title, 'chapterTitle', h.title,
              'started', case when l.video_id is not null or n.started > 0 then n.started end,
              'completed', n.completed) order by h.order_index, l.order_index) as lessons
       from lessons l
       join chapters h on h.id = l.chapter_id
       left join lesson_counts k on k.lesson_id = l.id
       left join (select x.lesson_id, sum(x.amount) filter (where x.metric = 'started') as started,
                         sum(x.amount) filter (where x.metric = 'completions') as completed
                    from course_day_changes x where x.course_id = $2 and x.lesson_id is not null
                   group by x.lesson_id) x on x.lesson_id = l.id
      cross join lateral (select coalesce(k.started, 0) + coalesce(x.started, 0) as started,
                                 coalesce(k.completed, 0) + coalesce(x.completed, 0) as completed) n
      where l.course_id = c.id) l
   where c.id = $2 and c.instructor_id = $1`

/** How far people come in a course of this person; null when the person has no such course. */
export async function funnelOf(
  pool: Pool,
  { userId, courseId }: { userId: string; courseId: string },
): Promise<Funnel | null> {
  const query = { name: 'analytics-funnel', text: funnelText, values: [userId, courseId] }
  return (await pool.query<Funnel>(query)).rows[0] ?? null
}
