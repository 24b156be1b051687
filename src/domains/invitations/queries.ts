import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  not,
  or,
  sql,
} from 'drizzle-orm'
import type { Pool } from 'pg'
import type { Executor } from '../../server/db.ts'
import { pageCursor, readPageCursor } from '../../server/page-place.ts'
import { users } from '../accounts/tables.ts'
import { cardColumns, cardOf, type CardRow } from '../courses/queries.ts'
import { enrollments } from '../enrollment/tables.ts'
import { invitationState } from './rules.ts'
import type { InvitationsQuery } from './schema.ts'
import { courseInvitations } from './tables.ts'

type InvitationRow = typeof courseInvitations.$inferSelect

export const invitationAddress = (appUrl: string, code: string) => `${appUrl}/invite/${code}`

/** As the instructor reads it. The address of a mailed one is its receiver's. */
export const presentInvitation = (row: InvitationRow, appUrl: string) => ({
  ...row,
  url: row.email === null ? invitationAddress(appUrl, row.code) : null,
  state: invitationState(row, new Date()),
})

const perPage = 20

/** A page of a course's invitations, newest first; null for a cursor of no page. */
export async function invitationsOf(executor: Executor, query: InvitationsQuery, appUrl: string) {
  const { courseId, kind, cursor } = query
  const from = cursor === undefined ? null : readPageCursor(cursor)
  if (cursor !== undefined && !from) return null
  const found = await executor
    .select({
      row: courseInvitations,
      time: sql<string>`(extract(epoch from ${courseInvitations.createdAt}) * 1000000)::bigint::text`,
    })
    .from(courseInvitations)
    .where(
      and(
        eq(courseInvitations.courseId, courseId),
        kind === 'links' ? isNull(courseInvitations.email) : isNotNull(courseInvitations.email),
        // Not by the row that the page before ended with: it goes with the account of whoever was invited.
        from
          ? sql`(${courseInvitations.createdAt}, ${courseInvitations.id}) <
                (timestamptz 'epoch' + ${from.time}::bigint * interval '1 microsecond', ${from.id}::uuid)`
          : undefined,
      ),
    )
    .orderBy(desc(courseInvitations.createdAt), desc(courseInvitations.id))
    .limit(perPage + 1)
  const page = found.slice(0, perPage)
  const last = found.length > perPage ? page.at(-1) : undefined
  return {
    invitations: page.map(({ row }) => presentInvitation(row, appUrl)),
    nextCursor: last ? pageCursor({ time: last.time, id: last.row.id }) : null,
  }
}

/** How many links of a course somebody could come by now. */
export async function openLinks(executor: Executor, courseId: string): Promise<number> {
  const [row] = await executor
    .select({ total: count() })
    .from(courseInvitations)
    .where(
      and(
        eq(courseInvitations.courseId, courseId),
        isNull(courseInvitations.email),
        isNull(courseInvitations.revokedAt),
        or(isNull(courseInvitations.expiresAt), gt(courseInvitations.expiresAt, sql`now()`)),
        or(
          isNull(courseInvitations.maxUses),
          lt(courseInvitations.usesCount, courseInvitations.maxUses),
        ),
      ),
    )
  return row?.total ?? 0
}

const lately = gt(courseInvitations.createdAt, sql`now() - interval '24 hours'`)

const mailedLately = (courseId: string) =>
  and(eq(courseInvitations.courseId, courseId), isNotNull(courseInvitations.email), lately)

/** Invitations to a course that were mailed in the last 24 hours, revoked ones too. */
export async function mailsOfLastDay(executor: Executor, courseId: string): Promise<number> {
  const [row] = await executor
    .select({ total: count() })
    .from(courseInvitations)
    .where(mailedLately(courseId))
  return row?.total ?? 0
}

/** Seconds until so many of them are older than that. */
export async function secondsUntilFewer(
  executor: Executor,
  courseId: string,
  fewer: number,
): Promise<number> {
  const [row] = await executor
    .select({
      seconds: sql<number>`ceil(extract(epoch from ${courseInvitations.createdAt} + interval '24 hours' - now()))::int`,
    })
    .from(courseInvitations)
    .where(mailedLately(courseId))
    .orderBy(asc(courseInvitations.createdAt))
    .offset(fewer - 1)
    .limit(1)
  return row?.seconds ?? 0
}

/** Which of these addresses members of the course have. */
export async function addressesOfMembers(
  executor: Executor,
  courseId: string,
  addresses: string[],
): Promise<ReadonlySet<string>> {
  const rows = await executor
    .select({ email: users.email })
    .from(users)
    .innerJoin(enrollments, eq(enrollments.userId, users.id))
    .where(and(inArray(users.email, addresses), eq(enrollments.courseId, courseId)))
  return new Set(rows.map(({ email }) => email))
}

/** Somebody has joined by a mailed invitation. */
export const isUsedUp = sql`coalesce(${courseInvitations.usesCount} >= ${courseInvitations.maxUses}, false)`

/** Which of these addresses have an invitation that is good, or had a mail in the last 24 hours. */
export async function addressesInvited(
  executor: Executor,
  courseId: string,
  addresses: string[],
): Promise<ReadonlySet<string>> {
  const rows = await executor
    .select({ email: courseInvitations.email })
    .from(courseInvitations)
    .where(
      and(
        eq(courseInvitations.courseId, courseId),
        inArray(courseInvitations.email, addresses),
        or(and(isNull(courseInvitations.revokedAt), not(isUsedUp)), lately),
      ),
    )
  return new Set(rows.flatMap(({ email }) => email ?? []))
}

interface FollowedRow extends CardRow {
  instructorAvatarUrl: string | null
  status: 'draft' | 'published'
}

/** What somebody who is invited sees of the course. */
export async function courseToJoin(pool: Pool, courseId: string) {
  const { rows } = await pool.query<FollowedRow>({
    name: 'course-to-join',
    text: `select ${cardColumns}, u.avatar_url as "instructorAvatarUrl", c.status
             from courses c join users u on u.id = c.instructor_id where c.id = $1`,
    values: [courseId],
  })
  const row = rows[0]
  if (!row) return null
  return {
    ...cardOf(row),
    instructor: {
      name: row.instructorName,
      username: row.instructorUsername,
      avatarUrl: row.instructorAvatarUrl,
    },
  }
}

export async function invitationByCode(
  executor: Executor,
  code: string,
): Promise<InvitationRow | null> {
  const [row] = await executor
    .select()
    .from(courseInvitations)
    .where(eq(courseInvitations.code, code))
  return row ?? null
}
