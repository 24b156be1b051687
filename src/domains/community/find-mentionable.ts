import type { Pool } from 'pg'
import type { CourseAccess } from '../courses/access.ts'
import type { Mentionable } from './schema.ts'

const most = 8
/** Of the newest posts: who wrote them are the people one answers. */
const recentPosts = 50

const person = `u.id, u.name, u.username, u.avatar_url as "avatarUrl", u.id = $2 as "isInstructor"`
const canBeNamed = 'u.username is not null and u.suspended_at is null and u.id <> $3'
const isMember = 'e.course_id = $1 and e.user_id = u.id'

/**
 * Whose name or username begins so. Each of the two has its index, and only a few of either are read; not
 * prepared, so that the plan fits how rare the beginning is and how many members there are.
 */
const named = `
  with found as (
    (select u.id from users u join enrollments e on ${isMember}
      where lower(u.name) like $4 and ${canBeNamed} order by lower(u.name), u.id limit ${most})
    union
    (select u.id from users u join enrollments e on ${isMember}
      where u.username like $4 and ${canBeNamed} order by u.username limit ${most})
    union
    select u.id from users u
     where u.id = $2 and ${canBeNamed} and (lower(u.name) like $4 or u.username like $4))
  select ${person} from found join users u on u.id = found.id
   order by lower(u.name), u.id limit ${most}`

/** Who wrote a post last, or joined last. */
const recent = `
  with latest as (
    (select user_id, created_at as at from posts where course_id = $1 and status = 'published'
      order by created_at desc nulls last, id desc nulls last limit ${recentPosts})
    union all
    (select user_id, enrolled_at from enrollments where course_id = $1
      order by enrolled_at desc nulls last, id desc nulls last limit ${most + 1})),
  people as (select user_id, max(at) as at from latest group by user_id)
  select ${person} from people join users u on u.id = people.user_id
   where ${canBeNamed}
     and (u.id = $2 or exists (select 1 from enrollments e where ${isMember}))
   order by people.at desc, u.id limit ${most}`

/** People of a course whom this person can mention there. */
export async function peopleToMention(
  pool: Pool,
  { courseId, instructorId }: CourseAccess,
  { viewerId, search }: { viewerId: string; search: string },
): Promise<Mentionable[]> {
  const about = [courseId, instructorId, viewerId]
  const beginning = `${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  const { rows } = await (search === ''
    ? pool.query<Mentionable>({ name: 'mentionable', text: recent, values: about })
    : pool.query<Mentionable>(named, [...about, beginning]))
  return rows
}
