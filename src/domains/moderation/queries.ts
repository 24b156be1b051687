// All that moderators read about cases.
import type { Pool } from 'pg'
import type { Executor } from '../../server/db.ts'
import { queryPrepared } from '../../server/execute-prepared.ts'
import { pageCursor, readPageCursor } from '../../server/page-place.ts'
import { shownUsername } from '../accounts/shown-username.ts'
import {
  type AttachmentRow,
  attachmentRows,
  presentAttachment,
} from '../community/present-attachment.ts'
import { casesPerPage } from './rules.ts'
import type { CaseDetailsRow, CasePageRow } from './schema.ts'

/** Whose cases are read: of one course, or of all. */
interface Scope {
  /** Null for all courses. */
  courseId: string | null
  /** Also of what instructors wrote themselves, which only administrators decide. */
  withInstructors: boolean
}

const personOf = (user: string) =>
  `json_build_object('id', ${user}.id, 'name', ${user}.name,
                     'username', ${shownUsername(user)}, 'avatarUrl', ${user}.avatar_url)`

/** The case is `m`. What nobody sees any more below a post that is gone or hidden is so itself. */
const columns = `
  m.id, json_build_object('id', c.id, 'slug', c.slug, 'title', c.title) as course, m.subject,
  s.post_id as "postId", s.comment_id as "commentId", s.status as "subjectStatus", s.own_status as "ownStatus",
  coalesce(m.subject = 'comment' and p.status = 'hidden', false) as "postIsHidden",
  m.content,
  case when s.content <> m.content then s.content end as "currentContent",
  coalesce(m.subject = 'post' and s.content = m.content and p.updated_at > m.created_at, false)
    as "showsElse",
  case when u.id is not null then ${personOf('u')} end as author,
  u.id is not null and (u.id = c.instructor_id or exists (
    select 1 from enrollments e where e.course_id = c.id and e.user_id = u.id)) as "authorIsMember",
  m.about_instructor as "aboutInstructor", m.status, m.outcome, m.reports_count as "reportsCount",
  (select coalesce(json_agg(json_build_object('reason', g.reason, 'count', g.total)
                            order by g.total desc, g.reason), '[]')
     from (select r.reason, count(*) as total from moderation_reports r
            where r.case_id = m.id group by r.reason) g) as reasons,
  m.created_at as "createdAt", m.closed_at as "closedAt"`

const tables = `
  join courses c on c.id = m.course_id
  left join users u on u.id = m.author_id
  left join posts p on p.id = m.post_id
  left join comments k on k.id = m.comment_id
  cross join lateral (
    select case when m.subject = 'post' then p.status
                when p.status = 'hidden' and k.status = 'published' then 'hidden'
                else k.status end as status,
           case when m.subject = 'post' then p.status else k.status end as own_status) as known
  cross join lateral (
    select coalesce(known.status, 'deleted') as status,
           coalesce(known.own_status, 'deleted') as own_status,
           case when coalesce(known.status, 'deleted') <> 'deleted' then p.id end as post_id,
           case when known.status <> 'deleted' then k.id end as comment_id,
           case when known.status <> 'deleted'
                then case when m.subject = 'post' then p.content else k.content end end as content
  ) as s`

/** The index has its nulls last, though there are none, so the order must say so. */
const newestFirst = 'order by m.created_at desc nulls last, m.id desc nulls last'

/** Dates are text in JSON. */
type InJson<Shape> = { [Key in keyof Shape]: Date extends Shape[Key] ? string : Shape[Key] }
type CaseRow = CasePageRow['cases'][number]
type FoundCase = InJson<Omit<CaseRow, 'closedAt'>> & { closedAt: string | null; place: string }

const withDates = ({ place: _place, ...found }: FoundCase): CaseRow => ({
  ...found,
  createdAt: new Date(found.createdAt),
  closedAt: found.closedAt === null ? null : new Date(found.closedAt),
})

/** One page of the cases, newest first, in one statement; null for a cursor of no page. */
export async function casesOf(
  pool: Pool,
  { courseId, withInstructors }: Scope,
  { status, cursor }: { status: 'open' | 'closed'; cursor?: string },
): Promise<CasePageRow | null> {
  const place = cursor === undefined ? null : readPageCursor(cursor)
  if (cursor !== undefined && !place) return null
  const values: unknown[] = [status]
  const within = (alias: string) =>
    `${courseId === null ? '' : `and ${alias}.course_id = $2`}
     ${withInstructors ? '' : `and not ${alias}.about_instructor`}`
  if (courseId !== null) values.push(courseId)
  let after = ''
  if (place) {
    values.push(place.time, place.id)
    // Microseconds, as PostgreSQL keeps them: a Date would lose three digits.
    after = `and (m.created_at, m.id)
      < (timestamptz 'epoch' + $${values.length - 1}::bigint * interval '1 microsecond', $${values.length}::uuid)`
  }
  const { rows } = await pool.query<{ openCount: number; found: FoundCase | null }>({
    name: `cases ${courseId !== null}${withInstructors}${place !== null}`,
    text: `with page as (
             select m.* from moderation_cases m where m.status = $1 ${within('m')} ${after}
             ${newestFirst} limit ${casesPerPage + 1}),
           found as (
             select ${columns},
                    (extract(epoch from m.created_at) * 1000000)::bigint::text as place
               from page m ${tables})
           select (select count(*)::int from moderation_cases o
                    where o.status = 'open' ${within('o')}) as "openCount",
                  row_to_json(found) as found
             from (select 1) as one left join found on true
            order by found."createdAt" desc, found.id desc`,
    values,
  })
  const all = rows.flatMap(({ found }) => found ?? [])
  const page = all.slice(0, casesPerPage)
  const last = all.length > page.length ? page.at(-1) : undefined
  return {
    cases: page.map(withDates),
    openCount: rows[0]!.openCount,
    nextCursor: last ? pageCursor({ time: last.place, id: last.id }) : null,
  }
}

const casesReports = 100

/**
 * One case of a course with its reports and its history, in one statement; null when there is none, or it is
 * not this moderator's to know.
 */
export async function caseById(
  executor: Executor,
  { courseId, withInstructors }: Scope & { courseId: string },
  { caseId, ...reader }: { caseId: string; viewerId: string; secret: string },
): Promise<CaseDetailsRow | null> {
  const { rows } = await queryPrepared<{
    found: FoundCase
    attachments: AttachmentRow[]
    pollAnswers: string[]
    reports: InJson<CaseDetailsRow['reports'][number]>[]
    history: InJson<CaseDetailsRow['history'][number]>[]
  }>(executor, {
    name: `case ${withInstructors}`,
    text: `with found as (
             select ${columns}, '' as place
               from moderation_cases m ${tables}
              where m.id = $1 and m.course_id = $2 ${withInstructors ? '' : 'and not m.about_instructor'})
           select row_to_json(found) as found,
                  coalesce((select ${attachmentRows} from posts p
                             where p.id = found."postId" and found.subject = 'post'), '[]') as attachments,
                  array(select o.text from poll_options o
                         where o.post_id = found."postId" and found.subject = 'post'
                         order by o.order_index) as "pollAnswers",
                  array(select json_build_object(
                          'id', r.id, 'reporter', ${personOf('v')}, 'reason', r.reason,
                          'note', r.note, 'createdAt', r.created_at)
                          from moderation_reports r join users v on v.id = r.reporter_id
                         where r.case_id = found.id
                         order by r.created_at, r.id limit ${casesReports}) as reports,
                  array(select json_build_object(
                          'id', a.id, 'moderator', case when v.id is not null then ${personOf('v')} end,
                          'action', a.action, 'note', a.note, 'createdAt', a.created_at)
                          from moderation_actions a left join users v on v.id = a.moderator_id
                         where a.case_id = found.id order by a.created_at, a.id) as history
             from found`,
    values: [caseId, courseId],
  })
  const row = rows[0]
  if (!row) return null
  return {
    ...withDates(row.found),
    attachments: row.attachments.map((one) => presentAttachment(one, reader)),
    pollAnswers: row.pollAnswers,
    reports: row.reports.map((one) => ({ ...one, createdAt: new Date(one.createdAt) })),
    history: row.history.map((one) => ({ ...one, createdAt: new Date(one.createdAt) })),
  }
}
