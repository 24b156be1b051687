// Applications as the instructor of the course reads them.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { pageCursor, readPageCursor } from '../../server/page-place.ts'
import { shownEmail } from '../accounts/shown-email.ts'
import { shownUsername } from '../accounts/shown-username.ts'
import { users } from '../accounts/tables.ts'
import { applicationLimits, type applicationsShown } from './rules.ts'
import {
  courseApplicationDecisions as decisions,
  courseApplications as applications,
} from './tables.ts'

type Shown = (typeof applicationsShown)[number]

interface Listing {
  courseId: string
  status: Shown
  search: string
  cursor?: string
}

interface AnswerRow {
  id: string
  question: string
  required: boolean
  answer: string
}

/** Whole microseconds, as PostgreSQL keeps them: a Date would lose three digits. */
const microseconds = (time: SQL) =>
  sql<string>`(extract(epoch from ${time}) * 1000000)::bigint::text`

/** What the pages go by: who waits longest comes first, and of the others what was decided last. */
const orderedBy = {
  pending: { time: sql`${applications.submittedAt}`, oldestFirst: true },
  approved: { time: sql`${applications.reviewedAt}`, oldestFirst: false },
  rejected: { time: sql`${applications.reviewedAt}`, oldestFirst: false },
  all: { time: sql`${applications.submittedAt}`, oldestFirst: false },
} as const

const email = sql<string>`(${sql.raw(shownEmail('users'))})`
const username = sql<string | null>`(${sql.raw(shownUsername('users'))})`

const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

function found(search: string): SQL | undefined {
  if (search === '') return undefined
  const pattern = containing(search)
  return sql`(${users.name} ilike ${pattern} or ${email} ilike ${pattern}
              or exists (select 1 from course_application_answers a
                          where a.application_id = ${applications.id} and a.answer ilike ${pattern}))`
}

/** The rows with everything beside them, in one statement whatever their number. */
function rowsOf(executor: Executor, status: Shown, which: SQL | undefined, limit: number) {
  const { time, oldestFirst } = orderedBy[status]
  // The index has its nulls last, though there are none; backwards they are first.
  const direction = oldestFirst ? sql`asc nulls first` : sql`desc nulls last`
  return executor
    .select({
      id: applications.id,
      status: applications.status,
      submittedAt: applications.submittedAt,
      reviewedAt: applications.reviewedAt,
      reviewerNotes: applications.reviewerNotes,
      notesShared: applications.notesShared,
      dueDecision: {
        id: decisions.id,
        decision: decisions.decision,
        applyAt: decisions.applyAt,
        millisecondsLeft: sql<number>`greatest(0,
          ceil(1000 * extract(epoch from ${decisions.applyAt} - clock_timestamp())))::int`,
      },
      user: {
        id: users.id,
        name: users.name,
        username,
        email,
        avatarUrl: users.avatarUrl,
      },
      answers: sql<AnswerRow[]>`array(
        select json_build_object('id', a.id, 'question', a.question, 'required', a.required,
                                 'answer', a.answer)
          from course_application_answers a where a.application_id = ${applications.id}
         order by a.order_index)`,
      place: microseconds(time),
    })
    .from(applications)
    .innerJoin(users, eq(users.id, applications.userId))
    .leftJoin(decisions, eq(decisions.id, applications.decisionId))
    .where(which)
    .orderBy(sql`${time} ${direction}`, sql`${applications.id} ${direction}`)
    .limit(limit)
}

/** One page, a cursor for the next, and the numbers beside the filters; null for a cursor of no page. */
export async function listApplications(
  executor: Executor,
  { courseId, status, search, cursor }: Listing,
) {
  const place = cursor === undefined ? null : readPageCursor(cursor)
  if (cursor !== undefined && !place) return null
  const { time, oldestFirst } = orderedBy[status]
  const after =
    place &&
    sql`(${time}, ${applications.id}) ${oldestFirst ? sql`>` : sql`<`}
        (timestamptz 'epoch' + ${place.time}::bigint * interval '1 microsecond', ${place.id}::uuid)`
  const { perPage } = applicationLimits
  const rows = await rowsOf(
    executor,
    status,
    and(
      eq(applications.courseId, courseId),
      status === 'all' ? undefined : eq(applications.status, status),
      found(search),
      after ?? undefined,
    ),
    perPage + 1,
  )
  const page = rows.slice(0, perPage)
  const last = page.at(-1)
  return {
    applications: page.map(({ place: _place, ...row }) => row),
    nextCursor:
      last && rows.length > perPage ? pageCursor({ time: last.place, id: last.id }) : null,
    counts: await countsOf(executor, courseId),
  }
}

async function countsOf(executor: Executor, courseId: string) {
  const having = (status: 'pending' | 'approved' | 'rejected') =>
    sql<number>`(count(*) filter (where ${applications.status} = ${status}))::int`
  const [row] = await executor
    .select({
      pending: having('pending'),
      approved: having('approved'),
      rejected: having('rejected'),
      all: sql<number>`count(*)::int`,
    })
    .from(applications)
    .where(eq(applications.courseId, courseId))
  return row!
}

/** One of them. */
export async function applicationById(
  executor: Executor,
  { courseId, applicationId }: { courseId: string; applicationId: string },
) {
  const which = and(eq(applications.courseId, courseId), eq(applications.id, applicationId))
  const [one] = await rowsOf(executor, 'all', which, 1)
  if (!one) return null
  const { place: _place, ...row } = one
  return row
}
