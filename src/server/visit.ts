import { randomUUID } from 'node:crypto'
import { welcomeNewcomer } from '../domains/accounts/welcome-newcomer.ts'
import { addressHeader } from './auth.ts'
import type { Services } from './services.ts'
import { findViewer, type Viewer } from './viewer.ts'

/** Milliseconds after which a session is extended by its next request. */
const extendAfter = 60 * 60 * 1000

/** One request: who sends it, found at most once, and the cookies that the answer has to carry. */
export interface Visit {
  requestId: string
  visitor(): Promise<Viewer | null>
  /** The request's headers with the visitor's address, for better-auth. */
  authHeaders: Headers
  cookies: string[]
}

export function beginVisit(services: Services, request: Request, address: string): Visit {
  const authHeaders = new Headers(request.headers)
  authHeaders.set(addressHeader, address)
  let found: Promise<Viewer | null> | undefined
  const visit: Visit = {
    requestId: randomUUID(),
    visitor: () => (found ??= identify(services, visit)),
    authHeaders,
    cookies: [],
  }
  return visit
}

async function identify(services: Services, visit: Visit): Promise<Viewer | null> {
  const secure = services.config.appUrl.startsWith('https:')
  const viewer = await findViewer(services.pool, visit.authHeaders, {
    secret: services.secret,
    secure,
  })
  if (!viewer) return null
  if (Date.now() - viewer.sessionExtendedAt.getTime() > extendAfter) {
    const { headers } = await services.auth.api.getSession({
      headers: visit.authHeaders,
      returnHeaders: true,
    })
    visit.cookies.push(...headers.getSetCookie())
  }
  if (!viewer.welcomed) await welcomeNewcomer(services.db, viewer.id)
  return viewer
}
