import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Pool } from 'pg'
import {
  accessIn,
  accessQuery,
  type AccessQuery,
  type AccessRow,
  type CourseAccess,
  type CourseReference,
} from '../domains/courses/access.ts'
import type { Scope } from '../domains/tokens/rules.ts'
import { hashOf } from '../domains/tokens/token-text.ts'
import { askTogether, question, type Question, questionNamed } from './ask-together.ts'
import type { AccessTokens } from './auth/access-tokens.ts'

/** The signed-in person of a request. */
export interface Viewer {
  id: string
  name: string
  email: string
  username: string | null
  avatarUrl: string | null
  role: 'user' | 'admin'
  sessionId: string
  /** When the session was last extended; at most hourly. */
  sessionExtendedAt: Date
  /** When the person last proved in this session who they are. */
  provenAt: Date
  /** aal2 when a second factor or a passkey opened the session. */
  aal: 'aal1' | 'aal2'
  /** True for a program with an access token, which has no cookies to extend. */
  byToken: boolean
  /** What a personal access token may do; null for sessions, which may do all that the person may. */
  scopes: readonly Scope[] | null
  welcomed: boolean
  /** Since when administrators have stopped this account; null for everybody else. */
  suspendedAt: Date | null
}

/** Minutes for which a proof of who one is counts. */
const provenMinutes = 15

/** Whether this person proved lately who they are. */
export const isProven = ({ provenAt }: Viewer): boolean =>
  Date.now() - provenAt.getTime() <= provenMinutes * 60_000

/** What a suspended person is told wherever they may not go on. */
export const suspendedRefusal = {
  code: 'ACCOUNT_SUSPENDED',
  message: 'Your account is suspended.',
} as const

/** What a viewer is opened by: the rows, and how they say what a session says. */
const openedBy = {
  cookie: { given: { token: 'text' }, from: 'sessions s', condition: 's.token = asked.token' },
  'access-token': {
    given: { session: 'uuid', person: 'uuid' },
    from: 'sessions s',
    condition: 's.id = asked.session and s.user_id = asked.person',
  },
  // It proves nothing about who is there, and has nothing to extend.
  'personal-token': {
    given: { hash: 'text' },
    from: `(select id, user_id, token_hash, scopes, last_used_at, created_at as updated_at, to_timestamp(0) as proven_at,
                   'aal1' as aal, coalesce(expires_at, 'infinity') as expires_at from personal_tokens) s`,
    condition: 's.token_hash = asked.hash',
  },
}

/** How a viewer is found by `opener`, and a course in the same go where one is asked for. */
function viewerQuestion(opener: keyof typeof openedBy, course: AccessQuery | null): Question {
  const of = `viewer-of-${opener}${course ? ` course-access ${course.name}` : ''}`
  return questionNamed(of, (name) => {
    const { given, from, condition } = openedBy[opener]
    const ofToken = opener === 'personal-token' ? ', s.scopes, s.last_used_at' : ''
    return question(
      name,
      { ...given, ...(course && { course: course.type }) },
      (asked) => `
        select asked.n, u.id, u.name, u.email, u.username, u.avatar_url, u.role, u.welcomed_at, u.suspended_at,
               s.id as session_id, s.updated_at, s.proven_at, s.aal${ofToken}${course ? `, ${course.columns}` : ''}
          from ${asked} join ${from} on ${condition} join users u on u.id = s.user_id
               ${course ? `left join courses c on c.id = ${course.course}` : ''}
         where s.expires_at > now()`,
    )
  })
}

/** The row of who is found by what was shown, and of the course that is asked about. */
async function rowOf(
  pool: Pool,
  opener: keyof typeof openedBy,
  shown: Record<string, string>,
  at: CourseReference | null,
) {
  const course = at && accessQuery(at, { parameter: 'asked.course', person: 'u.id' })
  const asked = viewerQuestion(opener, course)
  const values = { ...shown, course: course?.key }
  const [row] = await askTogether<ViewerRow & Partial<AccessRow>>(pool, asked, values)
  return row
}

export function sessionCookieName(secure: boolean): string {
  return `${secure ? '__Secure-' : ''}thunder.session_token`
}

/** The raw session cookie of a request, or null; says nothing about whether it is valid. */
export function sessionCookie(headers: Headers, secure: boolean): string | null {
  const cookies = headers.get('cookie')
  if (cookies === null) return null
  const prefix = `${sessionCookieName(secure)}=`
  for (const part of cookies.split(';')) {
    const pair = part.trim()
    if (pair.startsWith(prefix)) return pair.slice(prefix.length)
  }
  return null
}

/** The token inside a cookie that better-auth signed (token.base64(HMAC-SHA256)), or null. */
function verifiedToken(cookie: string, secret: string): string | null {
  let value: string
  try {
    value = decodeURIComponent(cookie)
  } catch {
    return null
  }
  const dot = value.lastIndexOf('.')
  // Stryker disable next-line ConditionalExpression: who could sign without a dot has the secret; no session has an empty token
  if (dot < 1) return null
  const token = value.slice(0, dot)
  const given = Buffer.from(value.slice(dot + 1))
  const expected = Buffer.from(createHmac('sha256', secret).update(token).digest('base64'))
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

/** Somebody who is signed in, and what they may do with the course that was asked about. */
export interface Found {
  viewer: Viewer
  /** Null where there is no such course, or none was asked about. */
  course: CourseAccess | null
}

/**
 * Who sends this request, by session cookie or access token, and what they may do with a course: one SQL
 * statement when there is either, none otherwise. A token is as good as its session: it ends when that ends.
 */
export async function findViewer(
  pool: Pool,
  headers: Headers,
  options: { secret: string; secure: boolean; accessTokens: AccessTokens },
  at: CourseReference | null,
): Promise<Found | null> {
  const cookie = sessionCookie(headers, options.secure)
  const token = cookie && verifiedToken(cookie, options.secret)
  const shown = headers.get('authorization')
  const bearer = !token && shown ? /^Bearer (\S+)$/i.exec(shown)?.[1] : null
  const claims = bearer ? await options.accessTokens.verify(bearer) : null
  if (!token && !claims) return null
  const row = claims
    ? await rowOf(pool, 'access-token', { session: claims.sessionId, person: claims.userId }, at)
    : await rowOf(pool, 'cookie', { token: token! }, at)
  return row ? foundIn(row, { byToken: claims !== null }) : null
}

/** A row of a `viewerQuestion`. */
interface ViewerRow {
  id: string
  name: string
  email: string
  username: string | null
  avatar_url: string | null
  role: Viewer['role']
  welcomed_at: Date | null
  suspended_at: Date | null
  session_id: string
  updated_at: Date
  proven_at: Date
  aal: Viewer['aal']
  scopes?: Scope[]
  last_used_at?: Date | null
}

function foundIn(row: ViewerRow & Partial<AccessRow>, { byToken }: { byToken: boolean }): Found {
  const viewer: Viewer = {
    id: row.id,
    name: row.name,
    email: row.email,
    username: row.username,
    avatarUrl: row.avatar_url,
    // No token has the powers of an administrator.
    role: row.scopes ? 'user' : row.role,
    sessionId: row.session_id,
    sessionExtendedAt: row.updated_at,
    provenAt: row.proven_at,
    aal: row.aal,
    byToken,
    scopes: row.scopes ?? null,
    welcomed: row.welcomed_at !== null,
    suspendedAt: row.suspended_at,
  }
  return { viewer, course: row.courseId ? accessIn(row as AccessRow, viewer) : null }
}

/** Who a personal access token is of: one SQL statement. */
export async function findViewerOfToken(
  pool: Pool,
  token: string,
  at: CourseReference | null,
): Promise<(Found & { lastUsedAt: Date | null }) | null> {
  const row = await rowOf(pool, 'personal-token', { hash: hashOf(token) }, at)
  return row ? { ...foundIn(row, { byToken: true }), lastUsedAt: row.last_used_at ?? null } : null
}
