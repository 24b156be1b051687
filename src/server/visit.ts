import { randomUUID } from 'node:crypto'
import { welcomeNewcomer } from '../domains/accounts/welcome-newcomer.ts'
import { addressHeader } from './auth/create-auth.ts'
import type { Services } from './services.ts'
import { findViewer, type Viewer } from './viewer.ts'

/** Milliseconds after which a session is extended by its next request. */
const extendAfter = 60 * 60 * 1000

/** One request: who sends it, found at most once, and the cookies that the answer has to carry. */
export interface Visit {
  requestId: string
  /** Where the request comes from, as far as is known. */
  address: string
  visitor(): Promise<Viewer | null>
  /** The request's headers with the visitor's address, for better-auth; made when first asked for. */
  readonly authHeaders: Headers
  cookies: string[]
}

export function beginVisit(services: Services, request: Request, address: string): Visit {
  let found: Promise<Viewer | null> | undefined
  let authHeaders: Headers | undefined
  const visit: Visit = {
    requestId: randomUUID(),
    address,
    visitor: () => (found ??= identify(services, request.headers, visit)),
    get authHeaders() {
      authHeaders ??= withAddress(request.headers, address)
      return authHeaders
    },
    cookies: [],
  }
  return visit
}

function withAddress(headers: Headers, address: string): Headers {
  const copy = new Headers(headers)
  copy.set(addressHeader, address)
  return copy
}

async function identify(
  services: Services,
  headers: Headers,
  visit: Visit,
): Promise<Viewer | null> {
  const secure = services.config.appUrl.startsWith('https:')
  const find = () =>
    findViewer(services.pool, headers, {
      secret: services.secret,
      secure,
      accessTokens: services.accessTokens,
    })
  const viewer = await find()
  if (!viewer) return null
  if (!viewer.byToken && Date.now() - viewer.sessionExtendedAt.getTime() > extendAfter) {
    const extended = await services.auth.api.getSession({
      headers: visit.authHeaders,
      returnHeaders: true,
    })
    visit.cookies.push(...extended.headers.getSetCookie())
  }
  if (viewer.welcomed) return viewer
  await welcomeNewcomer(services.db, viewer.id)
  // The welcome has chosen a username.
  return find()
}
