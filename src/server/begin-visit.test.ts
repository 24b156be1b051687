// When a visit asks who it is of, and what it does about it. That the right ones are found is in visit.test.ts.
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { toldDatabase } from '../../test/told-database.ts'
import { welcomeNewcomer } from '../domains/accounts/welcome-newcomer.ts'
import type { Services } from './services.ts'
import { underWay } from './under-way.ts'
import { beginVisit } from './visit.ts'

vi.mock(import('../domains/accounts/welcome-newcomer.ts'), () => ({ welcomeNewcomer: vi.fn() }))

const secret = 'a secret of the tests'
const now = new Date('2026-01-01T12:00:00Z')
const courseId = '0198c7a0-0000-7000-8000-000000000001'
const reference = { courseId }
const another = { courseId: '0198c7a0-0000-7000-8000-000000000002' }

const person = {
  n: '1',
  id: 'ann',
  role: 'user',
  welcomed_at: new Date(1),
  suspended_at: null,
  session_id: 'session',
  updated_at: now,
  proven_at: now,
  aal: 'aal1',
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

const signature = createHmac('sha256', secret).update('abc').digest('base64')
const signed = encodeURIComponent(`abc.${signature}`)
const cookie = { cookie: `thunder.session_token=${signed}` }
const accessTokens = { verify: async () => ({ sessionId: 'session', userId: 'ann' }) }

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.mocked(welcomeNewcomer).mockReset()
})

function visited({
  headers = cookie as Record<string, string>,
  found = [person] as object[],
  appUrl = 'http://localhost:3000',
} = {}) {
  const { asked, pool, db } = toldDatabase(({ text }) => {
    if (text.includes('join users')) {
      return text.includes('courses') ? found.map((one) => ({ ...course, ...one })) : found
    }
    return text.includes('join courses') ? [course] : []
  })
  const getSession = vi.fn(async (_options: { headers: Headers; returnHeaders: boolean }) => ({
    headers: new Headers([
      ['set-cookie', 'one=1'],
      ['set-cookie', 'two=2'],
    ]),
  }))
  const services = {
    config: { appUrl },
    pool,
    db,
    secret,
    accessTokens,
    auth: { api: { getSession } },
  } as unknown as Services
  const request = new Request(appUrl, { headers })
  const visit = beginVisit(services, request, '203.0.113.7')
  return { visit, services, asked, getSession }
}

describe('who sends a request', () => {
  test('is asked once, whoever wants to know', async () => {
    const { visit, asked } = visited()
    const [first, second] = await Promise.all([visit.visitor(), visit.visitor()])
    expect(first?.id).toBe('ann')
    expect(second).toBe(first)
    expect(await visit.visitor()).toBe(first)
    expect(asked).toHaveLength(1)
    expect(asked[0]?.values).toEqual([['abc']])
    expect(asked[0]?.text).not.toContain('courses')
  })

  test('is asked once also where it is nobody, who has no course', async () => {
    const { visit, asked } = visited({ found: [] })
    expect(await visit.visitor()).toBeNull()
    expect(await visit.visitorAt(reference)).toEqual({ visitor: null, course: null })
    expect(asked).toHaveLength(1)
  })

  test('is asked together with the course, where nobody has asked', async () => {
    const { visit, asked } = visited()
    const { visitor, course: access } = await visit.visitorAt(reference)
    expect([visitor?.id, access?.standing]).toEqual(['ann', 'instructor'])
    expect(await visit.visitor()).toBe(visitor)
    expect(asked.map(({ values }) => values)).toEqual([[['abc'], [courseId]]])
  })

  test('is nobody at any course', async () => {
    const { visit } = visited({ found: [] })
    expect(await visit.visitorAt(reference)).toEqual({ visitor: null, course: null })
  })

  test('is known by a cookie of another name over https', async () => {
    const headers = { cookie: `__Secure-${cookie.cookie}` }
    const secure = visited({ headers, appUrl: 'https://thunder.example' })
    expect((await secure.visit.visitor())?.id).toBe('ann')
    expect(await visited({ headers }).visit.visitor()).toBeNull()
    const plain = visited({ appUrl: 'https://thunder.example' })
    expect(await plain.visit.visitor()).toBeNull()
    expect((await visited({ appUrl: 'http://https:3000' }).visit.visitor())?.id).toBe('ann')
  })
})

describe('what a known visitor may do with a course', () => {
  test('is asked once by those who ask at once, and afterwards anew', async () => {
    const { visit, asked } = visited()
    const known = await visit.visitor()
    const answers = await Promise.all([visit.visitorAt(reference), visit.visitorAt(reference)])
    for (const { visitor, course: access } of answers) {
      expect(visitor).toBe(known)
      expect(access?.standing).toBe('instructor')
    }
    expect(asked.slice(1).map(({ values }) => values)).toEqual([[['ann'], [courseId]]])
    await visit.visitorAt(reference)
    expect(asked).toHaveLength(3)
  })

  test('is asked for each course', async () => {
    const { visit, asked } = visited()
    await visit.visitor()
    await Promise.all([visit.visitorAt(reference), visit.visitorAt(another)])
    expect(asked.slice(1).map(({ values }) => values[1])).toEqual([[courseId], [another.courseId]])
  })

  test('is nothing where none is asked about', async () => {
    const { visit, asked } = visited()
    const known = await visit.visitor()
    expect(await visit.visitorAt(null)).toEqual({ visitor: known, course: null })
    expect(asked).toHaveLength(1)
  })
})

describe('a session', () => {
  const hourAgo = new Date('2026-01-01T11:00:00Z')
  const longer = new Date(hourAgo.getTime() - 1)

  test('is extended when it was not for more than an hour', async () => {
    const { visit, getSession } = visited({ found: [{ ...person, updated_at: longer }] })
    expect((await visit.visitor())?.id).toBe('ann')
    expect(getSession).toHaveBeenCalledTimes(1)
    expect(getSession).toHaveBeenCalledWith({ headers: visit.authHeaders(), returnHeaders: true })
    expect(visit.cookies).toEqual(['one=1', 'two=2'])
  })

  test('is not within an hour', async () => {
    const { visit, getSession } = visited({ found: [{ ...person, updated_at: hourAgo }] })
    await visit.visitor()
    expect(getSession).not.toHaveBeenCalled()
    expect([visit.cookies, visit.headers]).toEqual([[], {}])
  })

  test('is not by a program', async () => {
    const { visit, getSession } = visited({
      headers: { authorization: 'Bearer good' },
      found: [{ ...person, updated_at: longer }],
    })
    expect((await visit.visitor())?.byToken).toBe(true)
    expect(getSession).not.toHaveBeenCalled()
  })
})

test('who is new is welcomed, and looked at again', async () => {
  const rows = [{ ...person, welcomed_at: null as Date | null, username: null as string | null }]
  const { visit, asked, services } = visited({ found: rows })
  vi.mocked(welcomeNewcomer).mockImplementation(async () => {
    expect(asked).toHaveLength(1)
    rows[0] = { ...person, username: 'ann' }
  })
  const { visitor, course: access } = await visit.visitorAt(reference)
  expect(visitor).toMatchObject({ username: 'ann', welcomed: true })
  expect(access?.standing).toBe('instructor')
  expect(welcomeNewcomer).toHaveBeenCalledExactlyOnceWith(services.db, 'ann')
  expect(asked).toHaveLength(2)
  expect(asked[1]).toEqual(asked[0])
})

test('who is not new is not welcomed', async () => {
  const { visit, asked } = visited()
  await visit.visitor()
  expect(welcomeNewcomer).not.toHaveBeenCalled()
  expect(asked).toHaveLength(1)
})

describe('a visit', () => {
  test('has the id of its request, or one of its own', () => {
    const work = { requestId: 'of the request', facts: { statements: 0 } }
    const ids = [
      underWay.run(work, () => visited().visit.requestId),
      underWay.run({ facts: { statements: 0 } }, () => visited().visit.requestId),
      visited().visit.requestId,
    ]
    const own = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(ids).toEqual(['of the request', own, own])
    expect(ids[1]).not.toBe(ids[2])
  })

  test('says the address of its visitor, whatever the visitor says', () => {
    const sent = { 'x-thunder-address': '6.6.6.6', 'x-other': 'kept' }
    const { visit } = visited({ headers: sent })
    expect(visit.address).toBe('203.0.113.7')
    expect(Object.fromEntries(visit.authHeaders())).toEqual({
      'x-thunder-address': '203.0.113.7',
      'x-other': 'kept',
    })
    expect(visit.authHeaders()).toBe(visit.authHeaders())
  })
})
