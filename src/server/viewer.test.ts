// What a request shows, and what is made of the row that is found by it. That the right row is found is in visit.test.ts,
// in domains/tokens/tokens.test.ts and in auth/tokens.test.ts.
import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { CourseReference } from '../domains/courses/access.ts'
import { hashOf } from '../domains/tokens/token-text.ts'
import {
  findViewer,
  findViewerOfToken,
  isProven,
  sessionCookie,
  sessionCookieName,
  suspendedRefusal,
  type Viewer,
} from './viewer.ts'

const secret = 'a secret of the tests'
const courseId = '0198c7a0-0000-7000-8000-000000000001'

const signed = (token: string, by = secret) =>
  encodeURIComponent(`${token}.${createHmac('sha256', by).update(token).digest('base64')}`)

const row = {
  n: '1',
  id: 'ann',
  name: 'Ann',
  email: 'ann@example.com',
  username: 'ann',
  avatar_url: '/avatar',
  role: 'admin',
  welcomed_at: new Date(1),
  suspended_at: null,
  session_id: 'session',
  updated_at: new Date(2),
  proven_at: new Date(3),
  aal: 'aal2',
}
const ofCourse = {
  courseId,
  courseSlug: 'knots',
  instructorId: 'ann',
  courseStatus: 'draft',
  isEnrolled: false,
  isPreview: false,
}

/** What it asks with: a list of one for each. */
interface Statement {
  name: string
  text: string
  values: [string][]
}

/** Answers every statement with these rows, and remembers it. */
function answering(rows: object[] = [row]) {
  const asked: Statement[] = []
  const query = async (statement: Statement) => {
    asked.push(statement)
    return { rows }
  }
  return { pool: { query } as unknown as Pool, asked }
}

const accessTokens = {
  verify: async (token: string) =>
    token === 'good' ? { sessionId: 'session', userId: 'ann' } : null,
}

async function shown(
  headers: Record<string, string>,
  { secure = false, at = null as CourseReference | null } = {},
) {
  const { pool, asked } = answering()
  const options = { secret, secure, accessTokens } as unknown as Parameters<typeof findViewer>[2]
  const found = await findViewer(pool, new Headers(headers), options, at)
  expect(asked).toHaveLength(found ? 1 : 0)
  return { found, values: asked[0]?.values.flat() ?? null, statement: asked[0] }
}
const valuesOf = async (headers: Record<string, string>, secure = false) =>
  (await shown(headers, { secure })).values

describe('the session of a request', () => {
  const cookie = (value: string) => ({ cookie: `thunder.session_token=${value}` })

  test('is named by a signed cookie, wherever it stands among others', async () => {
    expect(await valuesOf(cookie(signed('abc')))).toEqual(['abc'])
    const among = `theme=dark;  thunder.session_token=${signed('abc')} ; other=1`
    expect(await valuesOf({ cookie: among })).toEqual(['abc'])
    expect(await valuesOf(cookie(signed('a.b')))).toEqual(['a.b'])
    expect(await valuesOf(cookie(signed('a')))).toEqual(['a'])
  })

  test('has a name of its own over https, that no other site of the domain can set', async () => {
    expect([sessionCookieName(true), sessionCookieName(false)]).toEqual([
      '__Secure-thunder.session_token',
      'thunder.session_token',
    ])
    expect(
      await valuesOf({ cookie: `__Secure-thunder.session_token=${signed('abc')}` }, true),
    ).toEqual(['abc'])
    expect(await valuesOf(cookie(signed('abc')), true)).toBeNull()
    expect(await valuesOf({ cookie: `x-thunder.session_token=${signed('abc')}` })).toBeNull()
  })

  test.each([
    ['signed by somebody else', signed('abc', 'another secret')],
    ['not signed', 'abc'],
    ['with no signature after its dot', 'abc.'],
    ['with a part of its signature', signed('abc').slice(0, -6)],
    ['with more than its signature', `${signed('abc')}A`],
    ['of another session', signed('abc').replace('abc', 'abd')],
    ['of nothing', signed('')],
    ['that is empty', ''],
    ['that cannot be read', '%E0%A4%A'],
  ])('is not one %s', async (_what, value) => {
    expect(await valuesOf(cookie(value))).toBeNull()
  })

  test('is raw in the cookie, valid or not', () => {
    const read = (value?: string) =>
      sessionCookie(new Headers(value === undefined ? {} : { cookie: value }), false)
    expect(read('thunder.session_token=x%20y')).toBe('x%20y')
    expect(read('thunder.session_token')).toBeNull()
    expect(read('other=x')).toBeNull()
    expect(read()).toBeNull()
  })

  test('is named by a short token, where there is no cookie', async () => {
    for (const authorization of ['Bearer good', 'bearer good']) {
      expect(await valuesOf({ authorization })).toEqual(['session', 'ann'])
    }
    const both = { authorization: 'Bearer good', ...cookie(signed('abc')) }
    expect(await valuesOf(both)).toEqual(['abc'])
    const forged = { authorization: 'Bearer good', ...cookie('abc') }
    expect(await valuesOf(forged)).toEqual(['session', 'ann'])
  })

  test.each([
    'Bearer bad',
    'Bearer',
    'good',
    'Basic good',
    'x Bearer good',
    'Bearer good good',
    '',
  ])('is not named by “%s”', async (authorization) => {
    expect(await valuesOf({ authorization })).toBeNull()
  })

  test('is nobody’s where no row is found', async () => {
    const { pool } = answering([])
    const options = { secret, secure: false, accessTokens } as never
    expect(await findViewer(pool, new Headers(cookie(signed('abc'))), options, null)).toBeNull()
    expect(await findViewerOfToken(pool, 'pat_x', null)).toBeNull()
  })

  test('without anything shown costs no statement', async () => {
    expect(await valuesOf({})).toBeNull()
  })

  test('is found together with a course', async () => {
    const { statement, values } = await shown(cookie(signed('abc')), { at: { courseId } })
    expect(values).toEqual(['abc', courseId])
    expect(statement?.text).toContain('(select $1::text[]), (select $2::uuid[])')
    expect(statement?.text).toContain('asked (token, course, n)')
    expect(statement?.text).toContain('left join courses c on c.id = asked.course::uuid')
    expect(statement?.text).toContain('e.user_id = u.id')
    const bySlug = await shown(cookie(signed('abc')), { at: { slug: 'knots' } })
    expect(bySlug.statement?.text).toContain('(select $1::text[]), (select $2::text[])')
    const bearer = await shown({ authorization: 'Bearer good' }, { at: { courseId } })
    expect(bearer.values).toEqual(['session', 'ann', courseId])
    const alone = await shown(cookie(signed('abc')))
    expect(alone.statement?.text).not.toContain('courses')
    const wrong = await shown(cookie(signed('abc')), { at: { courseId: 'x' } })
    expect(wrong.values).toEqual(['abc'])
  })

  test('has another statement for each way, under a name of its own', async () => {
    const { pool, asked } = answering()
    const options = { secret, secure: false, accessTokens } as never
    for (const at of [null, { courseId }]) {
      await findViewer(pool, new Headers(cookie(signed('abc'))), options, at)
      await findViewer(pool, new Headers({ authorization: 'Bearer good' }), options, at)
      await findViewerOfToken(pool, 'pat_x', at)
    }
    expect(asked.map(({ name }) => name)).toEqual([
      'viewer-of-cookie',
      'viewer-of-access-token',
      'viewer-of-personal-token',
      'viewer-of-cookie course-access course',
      'viewer-of-access-token course-access course',
      'viewer-of-personal-token course-access course',
    ])
    const facts =
      'select asked.n, u.id, u.name, u.email, u.username, u.avatar_url, u.role, u.welcomed_at, u.suspended_at, s.id as session_id, s.updated_at, s.proven_at, s.aal'
    const [byCookie, byAccessToken, byToken, ...atCourse] = asked.map(({ text }) =>
      text.replaceAll(/\s+/g, ' ').trim(),
    )
    const ending = 'join users u on u.id = s.user_id where s.expires_at > now()'
    expect(byCookie).toBe(
      `${facts} from unnest((select $1::text[])) with ordinality as asked (token, n) join sessions s on s.token = asked.token ${ending}`,
    )
    expect(byAccessToken).toBe(
      `${facts} from unnest((select $1::uuid[]), (select $2::uuid[])) with ordinality as asked (session, person, n) join sessions s on s.id = asked.session and s.user_id = asked.person ${ending}`,
    )
    expect(byToken).toMatch(
      /, s\.scopes, s\.last_used_at from unnest\(\(select \$1::text\[\]\)\) with ordinality as asked \(hash, n\) join \(select .+ from personal_tokens\) s on s\.token_hash = asked\.hash /,
    )
    expect(byToken?.endsWith(ending)).toBe(true)
    for (const text of atCourse) expect(text).toContain(' left join courses c on c.id = ')
  })
})

describe('the person of a session', () => {
  const viewer = {
    id: 'ann',
    name: 'Ann',
    email: 'ann@example.com',
    username: 'ann',
    avatarUrl: '/avatar',
    role: 'admin',
    sessionId: 'session',
    sessionExtendedAt: new Date(2),
    provenAt: new Date(3),
    aal: 'aal2',
    byToken: false,
    scopes: null,
    welcomed: true,
    suspendedAt: null,
  }
  const headers = new Headers({ cookie: `thunder.session_token=${signed('abc')}` })
  const of = async (changes: object, asked = headers) => {
    const options = { secret, secure: false, accessTokens } as never
    return findViewer(answering([{ ...row, ...changes }]).pool, asked, options, null)
  }

  test('is what the row says', async () => {
    expect(await of({})).toEqual({ viewer, course: null })
    expect((await of({ welcomed_at: null }))?.viewer.welcomed).toBe(false)
    expect((await of({ suspended_at: new Date(4) }))?.viewer.suspendedAt).toEqual(new Date(4))
  })

  test('comes with what it may do with the course', async () => {
    const found = await of(ofCourse)
    expect(found?.course).toMatchObject({ courseId, standing: 'instructor', canEdit: true })
    expect((await of({ ...ofCourse, courseId: null }))?.course).toBeNull()
  })

  test('may be a program', async () => {
    const found = await of({}, new Headers({ authorization: 'Bearer good' }))
    expect(found?.viewer).toMatchObject({ byToken: true, scopes: null, role: 'admin' })
  })

  test('whose own token it is, is found by the token’s hash, and is no administrator by it', async () => {
    const lastUsedAt = new Date(5)
    const { pool, asked } = answering([
      { ...row, scopes: ['courses:read'], last_used_at: lastUsedAt },
    ])
    const found = await findViewerOfToken(pool, 'pat_x', null)
    expect(asked[0]?.values).toEqual([[hashOf('pat_x')]])
    expect(found).toEqual({
      viewer: { ...viewer, role: 'user', byToken: true, scopes: ['courses:read'] },
      course: null,
      lastUsedAt,
    })
  })
})

describe('a proof of who one is', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('counts for a quarter of an hour', () => {
    vi.useFakeTimers({ now: new Date('2026-01-01T12:15:00Z') })
    const at = (time: string) => isProven({ provenAt: new Date(`2026-01-01T${time}Z`) } as Viewer)
    expect([at('12:15:00'), at('12:00:00'), at('11:59:59.999')]).toEqual([true, true, false])
  })

  test('of a suspended person is no use', () => {
    expect(suspendedRefusal).toEqual({
      code: 'ACCOUNT_SUSPENDED',
      message: 'Your account is suspended.',
    })
  })
})
