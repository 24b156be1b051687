import type { Pool } from 'pg'
import { firstOfLast } from './counted-days.ts'
import type { ActivityType } from './rules.ts'

interface ActivityRow {
  id: string
  activityType: ActivityType
  createdAt: Date
  course: { id: string; slug: string; title: string }
  user: { id: string; name: string }
  lessonTitle: string | null
}

/** The newest of `picked`, with what a reader wants to know beside. */
const readable = (picked: string, limit: number, lessonTitle = 'l.title') => `
  select a.id, a.activity_type as "activityType", a.created_at as "createdAt",
         json_build_object('id', c.id, 'slug', c.slug, 'title', c.title) as "course",
         json_build_object('id', u.id, 'name', u.name) as "user", ${lessonTitle} as "lessonTitle"
    from (${picked}) a
    join courses c on c.id = a.course_id
    join users u on u.id = a.user_id
    left join lessons l on l.id = a.lesson_id
   order by a.created_at desc, a.id desc limit ${limit}`

const isInRange = `created_at >= ${firstOfLast('$2')}::timestamp at time zone 'UTC'`

/** Of a course `c`: the person teaches or takes it. */
const isTheirs = `(c.instructor_id = $1 or exists (
  select 1 from enrollments e where e.user_id = $1 and e.course_id = c.id))`

/**
 * `$2` null means from the beginning, `$3` what others did, too. Who is not in a course any more reads of it what
 * everybody may see: nothing of a draft, and no lesson. Each of the two parts reads one index.
 */
const ofPerson = readable(
  `(select mine.* from user_activities mine
     where user_id = $1 and ${isInRange}
       and exists (select 1 from courses c
                    where c.id = mine.course_id and (c.status = 'published' or ${isTheirs}))
     order by created_at desc limit 50)
   union
   (select own.* from courses k
     cross join lateral (
       select * from user_activities
        where course_id = k.id and ${isInRange}
        order by created_at desc limit 50) own
     where $3 and k.instructor_id = $1)`,
  50,
  `case when ${isTheirs} then l.title end`,
)

const ofCourse = readable(
  'select * from user_activities where course_id = $1 order by created_at desc, id desc limit 10',
  10,
)

interface Wanted {
  userId: string
  /** Null is from the beginning. */
  days: number | null
  seesOthers: boolean
}

/** What this person did, and what others did in this person's courses. */
export async function activitiesOfPerson(pool: Pool, { userId, days, seesOthers }: Wanted) {
  const values = [userId, days, seesOthers]
  const query = { name: 'activities-of-person', text: ofPerson, values }
  return (await pool.query<ActivityRow>(query)).rows
}

export async function activitiesOfCourse(pool: Pool, courseId: string) {
  const query = { name: 'activities-of-course', text: ofCourse, values: [courseId] }
  return (await pool.query<ActivityRow>(query)).rows
}
