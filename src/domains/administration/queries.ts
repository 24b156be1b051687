// All that administrators read, and what suspended people read of their suspension.
import type { Pool } from 'pg'
import { pageCursor, readPageCursor } from '../../server/page-place.ts'
import { departedUserId } from '../accounts/departed-user.ts'
import { shownEmail } from '../accounts/shown-email.ts'
import { isPro } from '../billing/plan.ts'
import { isUuid } from '../courses/access.ts'
import { slugOf } from '../courses/rules.ts'
import { jobState } from './queued-jobs.ts'
import { perPage, shownAtOnce } from './rules.ts'
import type { ActsQuery, CoursesQuery, PeopleQuery } from './schema.ts'

const microseconds = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint::text`

const momentOf = (parameter: string) =>
  `timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond'`

/** Values of a statement as they are mentioned. */
function parameters() {
  const values: unknown[] = []
  return { values, take: (value: unknown) => `$${values.push(value)}` }
}

const escapedLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

// The log ---------------------------------------------------------------------------------------

const actColumns = `
  a.id, a.action, a.subject_kind as "subjectKind", a.subject_id as "subjectId",
  a.subject_name as "subjectName", a.reason, a.created_at as "createdAt",
  case when u.id is not null
       then json_build_object('id', u.id, 'name', u.name, 'username', u.username) end as actor`

interface ActRow {
  id: string
  action: string
  subjectKind: string
  subjectId: string | null
  subjectName: string
  reason: string
  createdAt: Date
  actor: { id: string; name: string; username: string | null } | null
}

/** One page of the log, newest first; null for a place that is none. */
export async function actsOf(pool: Pool, query: ActsQuery, limit = perPage) {
  const place = query.cursor === undefined ? undefined : readPageCursor(query.cursor)
  if (place === null) return null
  const { values, take } = parameters()
  const conditions = ['true']
  if (query.action) conditions.push(`a.action = ${take(query.action)}`)
  if (query.subjectKind) conditions.push(`a.subject_kind = ${take(query.subjectKind)}`)
  if (query.subjectId) conditions.push(`a.subject_id = ${take(query.subjectId)}`)
  if (query.actorId) conditions.push(`a.actor_id = ${take(query.actorId)}`)
  if (place) {
    conditions.push(`(a.created_at, a.id) < (${momentOf(take(place.time))}, ${take(place.id)})`)
  }
  const { rows } = await pool.query<ActRow & { time: string }>(
    `select ${actColumns}, ${microseconds('a.created_at')} as time
       from administrative_acts a left join users u on u.id = a.actor_id
      where ${conditions.join(' and ')}
      order by a.created_at desc nulls last, a.id desc nulls last limit ${limit + 1}`,
    values,
  )
  const acts = rows.slice(0, limit)
  const last = rows.length > limit ? acts.at(-1) : undefined
  return { acts, nextCursor: last ? pageCursor(last) : null }
}

const newestActs = async (pool: Pool, query: ActsQuery) =>
  (await actsOf(pool, query, shownAtOnce))!.acts

// The overview ----------------------------------------------------------------------------------

interface Counts {
  openReports: number
  appeals: number
  supportRequests: number
  failedPaymentEvents: number
  failingJobs: number
  suspendedAccounts: number
  suspendedCourses: number
}

/**
 * Each number but that of the jobs comes from an index that holds no more rows than it counts; the queue is
 * short while all is well.
 */
export async function overviewOf(pool: Pool) {
  const [{ rows }, acts] = await Promise.all([
    pool.query<Counts>(`
      select (select count(*)::int from moderation_cases where status = 'open') as "openReports",
             (select count(*)::int from suspensions
               where lifted_at is null and appealed_at is not null and appeal_answered_at is null)
               as "appeals",
             (select count(*)::int from support_requests where status = 'waiting')
               as "supportRequests",
             (select count(*)::int from payment_events where status = 'failed')
               as "failedPaymentEvents",
             (select count(*)::int from (select ${jobState} as state from graphile_worker.jobs j) j
               where j.state in ('failing', 'givenUp'))
               as "failingJobs",
             (select count(*)::int from users where suspended_at is not null)
               as "suspendedAccounts",
             (select count(*)::int from courses where suspended_at is not null)
               as "suspendedCourses"`),
    newestActs(pool, {}),
  ])
  return { ...rows[0]!, acts }
}

// Suspensions -----------------------------------------------------------------------------------

const suspensionColumns = `
  s.id, s.reason, s.created_at as "createdAt", s.because_of is not null as "isBecauseOfAccount",
  s.appeal, s.appealed_at as "appealedAt", s.appeal_answer as "appealAnswer",
  s.appeal_answered_at as "appealAnsweredAt", s.lifted_at as "liftedAt"`

interface SuspensionRow {
  id: string
  reason: string
  createdAt: Date
  isBecauseOfAccount: boolean
  appeal: string | null
  appealedAt: Date | null
  appealAnswer: string | null
  appealAnsweredAt: Date | null
  liftedAt: Date | null
}

/** The open one of an account or a course; null without. */
export async function openSuspension(
  pool: Pool,
  of: { userId: string } | { courseId: string },
): Promise<SuspensionRow | null> {
  const [column, id] = 'userId' in of ? ['user_id', of.userId] : ['course_id', of.courseId]
  const { rows } = await pool.query<SuspensionRow>(
    `select ${suspensionColumns} from suspensions s
      where s.${column} = $1 and s.lifted_at is null`,
    [id],
  )
  return rows[0] ?? null
}

async function suspensionsOf(pool: Pool, column: 'user_id' | 'course_id', id: string) {
  const { rows } = await pool.query<
    SuspensionRow & { suspendedBy: string | null; liftedBy: string | null }
  >(
    `select ${suspensionColumns}, b.name as "suspendedBy", l.name as "liftedBy"
       from suspensions s left join users b on b.id = s.suspended_by
       left join users l on l.id = s.lifted_by
      where s.${column} = $1 order by s.created_at desc nulls last limit ${shownAtOnce}`,
    [id],
  )
  return rows
}

/** What waits for an answer, the longest wait first; null for a place that is none. */
export async function waitingAppeals(pool: Pool, cursor: string | undefined) {
  const place = cursor === undefined ? undefined : readPageCursor(cursor)
  if (place === null) return null
  const { values, take } = parameters()
  const after = place
    ? `and (s.appealed_at, s.id) > (${momentOf(take(place.time))}, ${take(place.id)})`
    : ''
  const { rows } = await pool.query<
    SuspensionRow & {
      suspendedBy: string | null
      account: { id: string; name: string; username: string | null } | null
      course: { id: string; title: string; creator: string } | null
      time: string
    }
  >(
    `select ${suspensionColumns}, ${microseconds('s.appealed_at')} as time, b.name as "suspendedBy",
            case when u.id is not null
                 then json_build_object('id', u.id, 'name', u.name, 'username', u.username) end
              as account,
            case when c.id is not null
                 then json_build_object('id', c.id, 'title', c.title, 'creator', i.name) end
              as course
       from suspensions s left join users u on u.id = s.user_id
       left join users b on b.id = s.suspended_by
       left join courses c on c.id = s.course_id left join users i on i.id = c.instructor_id
      where s.lifted_at is null and s.appealed_at is not null and s.appeal_answered_at is null
            ${after}
      order by s.appealed_at, s.id limit ${perPage + 1}`,
    values,
  )
  const appeals = rows.slice(0, perPage)
  const last = rows.length > perPage ? appeals.at(-1) : undefined
  return { appeals, nextCursor: last ? pageCursor(last) : null }
}

// People ----------------------------------------------------------------------------------------

const personFilters: Record<PeopleQuery['filter'], string> = {
  all: 'true',
  suspended: 'u.suspended_at is not null',
  admins: `u.role = 'admin'`,
  pro: `u.id in (select user_id from plan_subscriptions where status in ('active', 'trialing')
                 union select user_id from plan_grants where until is null or until > now())`,
  verified: 'u.verified',
}

const personColumns = `
  u.id, u.name, u.username, ${shownEmail('u')} as email, u.avatar_url as "avatarUrl", u.role, u.verified,
  case when ${isPro('u.id')} then 'pro' else 'free' end as plan, u.created_at as "createdAt",
  u.suspended_at as "suspendedAt"`

interface PersonRow {
  id: string
  name: string
  username: string | null
  email: string
  avatarUrl: string | null
  role: 'user' | 'admin'
  verified: boolean
  plan: 'free' | 'pro'
  createdAt: Date
  suspendedAt: Date | null
}

/** Of each way of finding no more are looked at: who finds more types more. */
const mostFound = 1000

/**
 * Ids of who has this address, or a name or username that begins like this: one index for each. Where the
 * database sorts by a language, `like` finds the same and takes longer.
 */
function foundPeople(search: string, take: (value: unknown) => string): string {
  const typed = search.toLowerCase()
  const exact = take(typed)
  const begins = take(`${escapedLike(typed)}%`)
  return `(select id from users where email = ${exact})
          union (select id from users where lower(name) like ${begins} limit ${mostFound})
          union (select id from users where username like ${begins} limit ${mostFound})
          ${isUuid(typed) ? `union (select id from users where id = ${exact}::uuid)` : ''}`
}

/** Newest first: an id holds the moment at which it was made. Null for a place that is none. */
export async function peopleOf(pool: Pool, { search, filter, cursor }: PeopleQuery) {
  if (cursor !== undefined && !isUuid(cursor)) return null
  const { values, take } = parameters()
  const conditions = [personFilters[filter], `u.id <> '${departedUserId}'`]
  if (search !== '') conditions.push(`u.id in (${foundPeople(search, take)})`)
  if (cursor) conditions.push(`u.id < ${take(cursor)}`)
  const { rows } = await pool.query<PersonRow>(
    `select ${personColumns} from users u where ${conditions.join(' and ')}
      order by u.id desc limit ${perPage + 1}`,
    values,
  )
  const people = rows.slice(0, perPage)
  return { people, nextCursor: rows.length > perPage ? people.at(-1)!.id : null }
}

interface PersonDetailsRow extends PersonRow {
  emailVerified: boolean
  lastSeen: string | null
  sessionsCount: number
  enrollmentsCount: number
  coursesCount: number
  courses: { id: string; title: string; status: 'draft' | 'published'; isSuspended: boolean }[]
}

/** The facts about an account; null when there is none. */
export async function personById(pool: Pool, userId: string) {
  const { rows } = await pool.query<PersonDetailsRow>(
    `select ${personColumns}, u.email_verified as "emailVerified",
            (select to_char(max(s.updated_at) at time zone 'UTC', 'YYYY-MM-DD') from sessions s
              where s.user_id = u.id) as "lastSeen",
            (select count(*)::int from sessions s
              where s.user_id = u.id and s.expires_at > now()) as "sessionsCount",
            (select count(*)::int from enrollments e where e.user_id = u.id) as "enrollmentsCount",
            (select count(*)::int from courses c where c.instructor_id = u.id) as "coursesCount",
            array(select json_build_object('id', c.id, 'title', c.title, 'status', c.status,
                                           'isSuspended', c.suspended_at is not null)
                    from courses c where c.instructor_id = u.id
                   order by c.created_at desc limit ${shownAtOnce}) as courses
       from users u where u.id = $1 and u.id <> '${departedUserId}'`,
    [userId],
  )
  const person = rows[0]
  if (!person) return null
  const [suspensions, acts] = await Promise.all([
    suspensionsOf(pool, 'user_id', userId),
    newestActs(pool, { subjectKind: 'account', subjectId: userId }),
  ])
  return { ...person, suspensions, acts }
}

// Courses ---------------------------------------------------------------------------------------

const courseFilters: Record<CoursesQuery['filter'], string> = {
  all: 'true',
  published: `c.status = 'published'`,
  draft: `c.status = 'draft'`,
  suspended: 'c.suspended_at is not null',
  verified: 'c.verified',
}

const courseColumns = `
  c.id, c.slug, c.title, c.status, c.verified, c.students_count as "studentsCount",
  c.created_at as "createdAt", c.suspended_at as "suspendedAt",
  json_build_object('id', u.id, 'name', u.name, 'username', u.username) as creator`

interface CourseRow {
  id: string
  slug: string
  title: string
  status: 'draft' | 'published'
  verified: boolean
  studentsCount: number
  createdAt: Date
  suspendedAt: Date | null
  creator: { id: string; name: string; username: string | null }
}

/**
 * By words of the title of what is published, by how an address (of now or before) begins, which is how its
 * title did, and by the creator.
 */
function foundCourses(search: string, take: (value: unknown) => string): string {
  const words = take(search)
  const parts = [
    `(select course_id from course_search_documents
       where title_words @@ plainto_tsquery('simple', search_fold(${words})) limit ${mostFound})`,
    `(select id from courses where instructor_id in (${foundPeople(search, take)}) limit ${mostFound})`,
  ]
  const slug = slugOf(search)
  if (slug !== '') {
    const begins = take(`${escapedLike(slug)}%`)
    parts.push(`(select course_id from course_slugs where slug like ${begins} limit ${mostFound})`)
  }
  if (isUuid(search)) parts.push(`(select id from courses where id = ${take(search)}::uuid)`)
  return parts.join(' union ')
}

export async function coursesOf(pool: Pool, { search, filter, cursor }: CoursesQuery) {
  if (cursor !== undefined && !isUuid(cursor)) return null
  const { values, take } = parameters()
  const conditions = [courseFilters[filter]]
  if (search !== '') conditions.push(`c.id in (${foundCourses(search, take)})`)
  if (cursor) conditions.push(`c.id < ${take(cursor)}`)
  const { rows } = await pool.query<CourseRow>(
    `select ${courseColumns} from courses c join users u on u.id = c.instructor_id
      where ${conditions.join(' and ')} order by c.id desc limit ${perPage + 1}`,
    values,
  )
  const courses = rows.slice(0, perPage)
  return { courses, nextCursor: rows.length > perPage ? courses.at(-1)!.id : null }
}

interface CourseDetailsRow extends CourseRow {
  pricingType: 'free' | 'one_time' | 'monthly'
  priceAmount: number
  lessonsCount: number
  publishedAt: Date | null
  updatedAt: Date
  openReports: number
}

/** The facts about a course; null when there is none. */
export async function courseById(pool: Pool, courseId: string) {
  const { rows } = await pool.query<CourseDetailsRow>(
    `select ${courseColumns}, c.pricing_type as "pricingType", c.price_amount as "priceAmount",
            c.lessons_count as "lessonsCount", c.published_at as "publishedAt",
            c.updated_at as "updatedAt",
            (select count(*)::int from moderation_cases m
              where m.course_id = c.id and m.status = 'open') as "openReports"
       from courses c join users u on u.id = c.instructor_id where c.id = $1`,
    [courseId],
  )
  const course = rows[0]
  if (!course) return null
  const [suspensions, acts] = await Promise.all([
    suspensionsOf(pool, 'course_id', courseId),
    newestActs(pool, { subjectKind: 'course', subjectId: courseId }),
  ])
  return { ...course, suspensions, acts }
}
