import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Pool } from 'pg'
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
  /** When the session was last extended; better-auth extends it at most hourly. */
  sessionExtendedAt: Date
  /** When the person last proved in this session who they are. */
  provenAt: Date
  /** aal2 when a second factor or a passkey opened the session. */
  aal: 'aal1' | 'aal2'
  /** True for a program with an access token, which has no cookies to extend. */
  byToken: boolean
  welcomed: boolean
  /** Since when administrators have stopped this account; null for everybody else. */
  suspendedAt: Date | null
}

/** What a suspended person is told wherever they may not go on. */
export const suspendedRefusal = {
  code: 'ACCOUNT_SUSPENDED',
  message: 'Your account is suspended.',
} as const

const viewerWhere = (condition: string) =>
  `select u.id, u.name, u.email, u.username, u.avatar_url, u.role, u.welcomed_at, u.suspended_at,
          s.id as session_id, s.updated_at, s.proven_at, s.aal
     from sessions s join users u on u.id = s.user_id
    where ${condition} and s.expires_at > now()`

const ofCookie = { name: 'viewer-of-cookie', text: viewerWhere('s.token = $1') }
const ofAccessToken = {
  name: 'viewer-of-access-token',
  text: viewerWhere('s.id = $1 and s.user_id = $2'),
}

export function sessionCookieName(secure: boolean): string {
  return `${secure ? '__Secure-' : ''}thunder.session_token`
}

/** The raw session cookie of a request, or null; says nothing about whether it is valid. */
export function sessionCookie(headers: Headers, secure: boolean): string | null {
  const prefix = `${sessionCookieName(secure)}=`
  for (const part of (headers.get('cookie') ?? '').split(';')) {
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
  if (dot < 1) return null
  const token = value.slice(0, dot)
  const given = Buffer.from(value.slice(dot + 1))
  const expected = Buffer.from(createHmac('sha256', secret).update(token).digest('base64'))
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

/**
 * Who sends this request, by session cookie or access token: one SQL statement when there is either, none
 * otherwise. A token is as good as its session: it ends when that ends.
 */
export async function findViewer(
  pool: Pool,
  headers: Headers,
  options: { secret: string; secure: boolean; accessTokens: AccessTokens },
): Promise<Viewer | null> {
  const cookie = sessionCookie(headers, options.secure)
  const token = cookie && verifiedToken(cookie, options.secret)
  const bearer = token ? null : /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  const claims = bearer ? await options.accessTokens.verify(bearer) : null
  if (!token && !claims) return null
  const { rows } = await pool.query(
    claims
      ? { ...ofAccessToken, values: [claims.sessionId, claims.userId] }
      : { ...ofCookie, values: [token] },
  )
  const row = rows[0]
  if (!row) return null
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    username: row.username,
    avatarUrl: row.avatar_url,
    role: row.role,
    sessionId: row.session_id,
    sessionExtendedAt: row.updated_at,
    provenAt: row.proven_at,
    aal: row.aal,
    byToken: claims !== null,
    welcomed: row.welcomed_at !== null,
    suspendedAt: row.suspended_at,
  }
}
