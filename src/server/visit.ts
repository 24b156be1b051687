import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { sessions } from '../domains/accounts/tables.ts'
import { welcomeNewcomer } from '../domains/accounts/welcome-newcomer.ts'
import { courseAccess, type CourseAccess, type CourseReference } from '../domains/courses/access.ts'
import { addressHeader } from './auth/address-header.ts'
import type { Db } from './db.ts'
import type { Services } from './services.ts'
import { underWay } from './under-way.ts'
import { findViewer, type Found, type Viewer } from './viewer.ts'

/** Milliseconds after which a session is extended by its next request. */
const extendAfter = 60 * 60 * 1000

/** One request: who sends it, found at most once, and the cookies that the answer has to carry. */
export interface Visit {
  requestId: string
  /** Where the request comes from, as far as is known. */
  address: string
  visitor(): Promise<Viewer | null>
  /** The visitor and what they may do with this course: one statement, where the visitor is not known yet. */
  visitorAt(
    reference: CourseReference | null,
  ): Promise<{ visitor: Viewer | null; course: CourseAccess | null }>
  /** The request's headers with the visitor's address, for better-auth; made when first asked for. */
  authHeaders(): Headers
  cookies: string[]
  /** Other headers that the answer has to carry. */
  headers: Record<string, string>
}

export function beginVisit(services: Services, request: Request, address: string): Visit {
  let found: Promise<Found | null> | undefined
  let authHeaders: Headers | undefined
  const asked = new Map<string, Promise<CourseAccess | null>>()

  /** The parts of a page ask the same at once; afterwards it is asked anew, since a request may change it. */
  function accessOf(viewer: Viewer, reference: CourseReference): Promise<CourseAccess | null> {
    const key = JSON.stringify(reference)
    const awaited = asked.get(key)
    if (awaited) return awaited
    const access = courseAccess(services.db, viewer, reference).finally(() => asked.delete(key))
    asked.set(key, access)
    return access
  }

  const visit: Visit = {
    requestId: underWay.getStore()?.requestId ?? randomUUID(),
    address,
    async visitor() {
      found ??= identify(services, request.headers, visit, null)
      return (await found)?.viewer ?? null
    },
    async visitorAt(reference) {
      if (found) {
        const visitor = await visit.visitor()
        return { visitor, course: visitor && reference && (await accessOf(visitor, reference)) }
      }
      found = identify(services, request.headers, visit, reference)
      const { viewer: visitor, course } = (await found) ?? { viewer: null, course: null }
      return { visitor, course }
    },
    // Not a getter: an object with one of its own has a class of its own in V8, which is kept until the next
    // full collection, and the whole request with it.
    authHeaders() {
      authHeaders ??= withAddress(request.headers, address)
      return authHeaders
    },
    cookies: [],
    headers: {},
  }
  return visit
}

function withAddress(headers: Headers, address: string): Headers {
  const copy = new Headers(headers)
  copy.set(addressHeader, address)
  return copy
}

/**
 * Without 'remember me' the library leaves a session as it is: it would end after 30 days however much it is used, and be
 * looked up by the library at each request. Of requests at the same moment one does it.
 */
const extendWithoutCookie = (db: Db, sessionId: string) =>
  db
    .update(sessions)
    .set({ expiresAt: sql`now() + interval '30 days'`, updatedAt: sql`now()` })
    .where(
      and(eq(sessions.id, sessionId), sql`${sessions.updatedAt} < now() - interval '1 minute'`),
    )

async function identify(
  services: Services,
  headers: Headers,
  visit: Visit,
  at: CourseReference | null,
): Promise<Found | null> {
  const secure = services.config.appUrl.startsWith('https:')
  const find = () =>
    findViewer(
      services.pool,
      headers,
      { secret: services.secret, secure, accessTokens: services.accessTokens },
      at,
    )
  const found = await find()
  if (!found) return null
  const { viewer } = found
  if (!viewer.byToken && Date.now() - viewer.sessionExtendedAt.getTime() > extendAfter) {
    const extended = await services.auth.api.getSession({
      headers: visit.authHeaders(),
      returnHeaders: true,
    })
    const cookies = extended.headers.getSetCookie()
    visit.cookies.push(...cookies)
    if (cookies.length === 0) await extendWithoutCookie(services.db, viewer.sessionId)
  }
  if (viewer.welcomed) return found
  await welcomeNewcomer(services.db, viewer.id)
  // The welcome has chosen a username, and may have opened a course.
  return find()
}
