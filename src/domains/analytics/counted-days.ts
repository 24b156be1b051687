// What happened in a creator's courses, by day and course.

/** An amount of this metric that is not folded into course_days yet. */
const unfolded = (metric: string) => `case x.metric when '${metric}' then x.amount else 0 end`

/**
 * SQL for rows of a day (UTC) and a course of the creator, of which some concern the same: the reader adds them up.
 * The parts are SQL, too: the creator, the one course or null, and the first and the last day. Revenue includes
 * courses that were deleted since; minor units.
 */
export const countedDays = (of: {
  creator: string
  course: string
  from: string
  until: string
}) => `
  select d.course_id, d.day, d.students_count as students, d.active, d.completions, d.posts, d.comments,
         0 as sales, 0::bigint as revenue
    from courses c join course_days d on d.course_id = c.id and d.day between ${of.from} and ${of.until}
   where c.instructor_id = ${of.creator} and (${of.course} is null or c.id = ${of.course})
   union all
  select x.course_id, x.day, ${unfolded('students')}, ${unfolded('active')}, ${unfolded('completions')},
         ${unfolded('posts')}, ${unfolded('comments')}, 0, 0
    from courses c join course_day_changes x on x.course_id = c.id and x.day between ${of.from} and ${of.until}
   where c.instructor_id = ${of.creator} and (${of.course} is null or c.id = ${of.course})
     and x.metric <> 'started'
   union all
  select e.course_id, e.day, 0, 0, 0, 0, 0, e.sales, e.gross - e.refunded - e.disputed
    from ledger_accounts a
    join earning_days e on e.account_id = a.id and e.currency = 'usd'
     and e.day between ${of.from} and ${of.until}
   where a.user_id = ${of.creator} and (${of.course} is null or e.course_id = ${of.course})`

/** The first of the last so many days (UTC), today being the last; null means from the beginning. */
export const firstOfLast = (days: string) =>
  `coalesce(utc_day(now()) - ${days}::int + 1, '-infinity'::date)`
