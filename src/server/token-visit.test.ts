// When a visit with a personal access token asks for it, and what it does about it. The tokens themselves, over HTTP, are in
// domains/tokens/tokens.test.ts.
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { toldDatabase } from '../../test/told-database.ts'
import { hashOf, makeToken } from '../domains/tokens/token-text.ts'
import type { Services } from './services.ts'
import { createTokenLimits, tokenQuota } from './token-limits.ts'
import { beginTokenVisit } from './token-visit.ts'

const now = new Date('2026-01-01T12:00:00Z')
const courseId = '0198c7a0-0000-7000-8000-000000000001'
const reference = { courseId }
const token = makeToken()

const row = {
  n: '1',
  id: 'ann',
  role: 'user',
  welcomed_at: new Date(1),
  session_id: 'the token',
  scopes: ['courses:read'],
  last_used_at: now,
}
const course = {
  n: '1',
  courseId,
  courseSlug: 'knots',
  instructorId: 'ann',
  courseStatus: 'draft',
  isEnrolled: false,
  isPreview: false,
}

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function visited({ shown = token, found = [row] as object[], limits = createTokenLimits() } = {}) {
  const { asked, pool } = toldDatabase(({ text }) => {
    if (text.includes('personal_tokens) s')) {
      return text.includes('courses') ? found.map((one) => ({ ...course, ...one })) : found
    }
    return text.includes('join courses') ? [course] : []
  })
  const db = drizzle({ client: pool })
  const services = { pool, db } as unknown as Services
  const visit = beginTokenVisit(services, limits, { token: shown, address: '203.0.113.7' })
  return { visit, asked }
}

describe('whose token it is', () => {
  test('is asked once, whoever wants to know', async () => {
    const { visit, asked } = visited()
    const [first, second] = await Promise.all([visit.visitor(), visit.visitor()])
    expect(first).toMatchObject({ id: 'ann', byToken: true, scopes: ['courses:read'] })
    expect(second).toBe(first)
    expect(await visit.visitorAt(null)).toEqual({ visitor: first, course: null })
    expect(asked.map(({ values }) => values)).toEqual([[[hashOf(token)]]])
  })

  test('is asked together with the course, where nobody has asked', async () => {
    const { visit, asked } = visited()
    const { visitor, course: access } = await visit.visitorAt(reference)
    expect([visitor?.id, access?.standing]).toEqual(['ann', 'instructor'])
    expect(await visit.visitor()).toBe(visitor)
    expect(asked.map(({ values }) => values)).toEqual([[[hashOf(token)], [courseId]]])
  })

  test('and afterwards only the course', async () => {
    const { visit, asked } = visited()
    const visitor = await visit.visitor()
    const at = await visit.visitorAt(reference)
    expect(at.visitor).toBe(visitor)
    expect(at.course?.standing).toBe('instructor')
    expect(asked.slice(1).map(({ values }) => values)).toEqual([[['ann'], [courseId]]])
  })

  test.each([
    ['is nobody’s', { found: [] }, 1],
    ['is none', { shown: `${token}x` }, 0],
  ])('is not told of one that %s', async (_what, shown, statements) => {
    const { visit, asked } = visited(shown)
    const refusal = {
      code: 'UNAUTHORIZED',
      message: 'This access token is not valid: it is unknown, expired or revoked.',
    }
    await expect(visit.visitor()).rejects.toMatchObject(refusal)
    await expect(visit.visitorAt(reference)).rejects.toMatchObject(refusal)
    expect(visit.headers).toEqual({ 'www-authenticate': 'Bearer error="invalid_token"' })
    expect(asked).toHaveLength(statements)
  })

  test('is not looked for in cookies, and none are set', async () => {
    const { visit } = visited()
    await visit.visitor()
    expect([...visit.authHeaders()]).toEqual([])
    expect(visit.cookies).toEqual([])
    expect(visit.address).toBe('203.0.113.7')
    expect(visit.requestId).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('the requests of a token', () => {
  test('are counted, and what is left is told', async () => {
    const limits = createTokenLimits()
    for (const left of [599, 598]) {
      const { visit } = visited({ limits })
      await visit.visitor()
      await visit.visitorAt(reference)
      expect(visit.headers).toEqual({
        'ratelimit-policy': '"default";q=600;w=60',
        ratelimit: `"default";r=${left};t=60`,
      })
    }
    expect(limits.count('the token').remaining).toBe(597)
    expect(limits.count('another').remaining).toBe(599)
  })

  test.each([
    [0, 'Please go on in 60 seconds.'],
    [58_000, 'Please go on in 2 seconds.'],
    [59_000, 'Please go on in 1 second.'],
  ])('are refused when they are too many, %d ms after the first', async (later, when) => {
    const limits = createTokenLimits(Date.now)
    for (let made = 0; made < tokenQuota; made += 1) limits.count('the token')
    vi.setSystemTime(now.getTime() + later)
    const { visit, asked } = visited({ limits, found: [{ ...row, last_used_at: null }] })
    await expect(visit.visitorAt(reference)).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: `This access token made too many requests. ${when}`,
    })
    expect(visit.headers['retry-after']).toBe(String(60 - later / 1000))
    // No use is noted.
    expect(asked).toHaveLength(1)
  })
})

describe('the use of a token', () => {
  const usedAt = (last_used_at: Date | null) => visited({ found: [{ ...row, last_used_at }] })

  test.each([
    ['for the first time', null],
    ['after more than a minute', new Date(now.getTime() - 60_001)],
  ])('is noted %s, of that token, once by many at once', async (_when, at) => {
    const { visit, asked } = usedAt(at)
    await visit.visitor()
    expect(asked.slice(1)).toEqual([
      {
        text: `update "personal_tokens" set "last_used_at" = now() where ("personal_tokens"."id" = $1 and ("personal_tokens"."last_used_at" is null or "personal_tokens"."last_used_at" < now() - interval '1 minute'))`,
        values: ['the token'],
      },
    ])
  })

  test('is not noted within a minute', async () => {
    const { visit, asked } = usedAt(new Date(now.getTime() - 60_000))
    await visit.visitor()
    expect(asked).toHaveLength(1)
  })
})
