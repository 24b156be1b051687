import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Pool } from 'pg'

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
  welcomed: boolean
}

const lookup = {
  name: 'viewer-of-session',
  text: `select u.id, u.name, u.email, u.username, u.avatar_url, u.role, u.welcomed_at,
                s.id as session_id, s.updated_at
           from sessions s join users u on u.id = s.user_id
          where s.token = $1 and s.expires_at > now()`,
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

/** Who sends this request: one SQL statement when there is a session cookie, none otherwise. */
export async function findViewer(
  pool: Pool,
  headers: Headers,
  options: { secret: string; secure: boolean },
): Promise<Viewer | null> {
  const cookie = sessionCookie(headers, options.secure)
  const token = cookie && verifiedToken(cookie, options.secret)
  if (!token) return null
  const { rows } = await pool.query({ ...lookup, values: [token] })
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
    welcomed: row.welcomed_at !== null,
  }
}
