import { randomUUID } from 'node:crypto'
import { ORPCError } from '@orpc/server'
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { courseAccess, type CourseReference } from '../domains/courses/access.ts'
import { personalTokens } from '../domains/tokens/tables.ts'
import { isWellFormed } from '../domains/tokens/token-text.ts'
import type { Services } from './services.ts'
import { limitHeaders, type TokenLimits } from './token-limits.ts'
import { findViewerOfToken, type Found, type Viewer } from './viewer.ts'
import type { Visit } from './visit.ts'

/** Milliseconds for which a use is not noted again. */
const noteUseEvery = 60_000

const invalidToken = 'Bearer error="invalid_token"'

/** What is told about a token that is unknown, revoked or expired: the same, whatever it is. */
const invalid = () =>
  new ORPCError('UNAUTHORIZED', {
    message: 'This access token is not valid: it is unknown, expired or revoked.',
  })

const tooMany = (seconds: number) =>
  new ORPCError('TOO_MANY_REQUESTS', {
    message: `This access token made too many requests. Please go on in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`,
  })

/**
 * A call with a personal access token. It is never a stranger's: without a good token there is no answer. Cookies that come
 * with it are not looked at, so no page of another site can make use of them.
 */
export function beginTokenVisit(
  services: Services,
  limits: TokenLimits,
  { token, address }: { token: string; address: string },
): Visit {
  let finding: Promise<Found> | undefined
  const headers: Record<string, string> = {}

  async function find(at: CourseReference | null): Promise<Found> {
    const found = isWellFormed(token) ? await findViewerOfToken(services.pool, token, at) : null
    if (!found) {
      headers['www-authenticate'] = invalidToken
      throw invalid()
    }
    const { viewer, lastUsedAt } = found
    const count = limits.count(viewer.sessionId)
    Object.assign(headers, limitHeaders(count))
    if (!count.allowed) throw tooMany(count.seconds)
    if (!lastUsedAt || Date.now() - lastUsedAt.getTime() > noteUseEvery) {
      await noteUse(services, viewer.sessionId)
    }
    return found
  }

  return {
    requestId: randomUUID(),
    address,
    async visitor() {
      finding ??= find(null)
      return (await finding).viewer
    },
    async visitorAt(reference) {
      if (!finding) return described(await (finding = find(reference)))
      const { viewer } = await finding
      const course = reference && (await courseAccess(services.db, viewer, reference))
      return { visitor: viewer, course }
    },
    authHeaders: () => new Headers(),
    cookies: [],
    headers,
  }
}

/** A short token of /auth/v1/token, good or not, whoever signed it: it begins with `{"` in base64url. */
export const showsShortToken = (headers: Headers): boolean =>
  /^bearer +eyJ[\w-]*\.[\w-]+\.[\w-]*$/i.test(headers.get('authorization') ?? '')

/**
 * A call with a short token is never a stranger's either: whose token has expired, or whose session has ended, has to
 * hear it and get another one, where a stranger's answer would only look like one's own.
 */
export function insistOnVisitor(visit: Visit): Visit {
  function insist<Known extends { visitor: Viewer | null }>(known: Known): Known {
    if (known.visitor) return known
    visit.headers['www-authenticate'] = invalidToken
    throw invalid()
  }
  return {
    ...visit,
    visitor: async () => insist({ visitor: await visit.visitor() }).visitor,
    visitorAt: async (reference) => insist(await visit.visitorAt(reference)),
  }
}

const described = ({ viewer, course }: Found) => ({ visitor: viewer, course })

/** Many requests at once write once. */
async function noteUse({ db }: Services, tokenId: string): Promise<void> {
  await db
    .update(personalTokens)
    .set({ lastUsedAt: sql`now()` })
    .where(
      and(
        eq(personalTokens.id, tokenId),
        or(
          isNull(personalTokens.lastUsedAt),
          lt(personalTokens.lastUsedAt, sql`now() - interval '1 minute'`),
        ),
      ),
    )
}
