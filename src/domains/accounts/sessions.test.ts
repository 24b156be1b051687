// How long somebody stays signed in, by the calls that the log-in page makes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { type MadePerson, makePerson } from '../../../test/factories.ts'

let app: TestApp
let person: MadePerson
beforeAll(async () => {
  app = await startTestApp()
  person = await makePerson(app.services, { email: 'ann@example.com' })
})
afterAll(() => app?.stop())

const logIn = (fields: Record<string, unknown>) =>
  app.request('/auth/v1/sign-in/email', {
    body: { email: person.email, password: person.password, ...fields },
  })

const me = (cookie: string) => app.request('/rest/v1/me', { cookie })

/** What a browser sends back. */
const cookieOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

const sessionLine = (headers: Headers) =>
  headers.getSetCookie().find((line) => line.startsWith('thunder.session_token='))

/** Lets this much time pass for every session of the person. */
const pass = (interval: string) =>
  app.services.pool.query(
    `update sessions set created_at = created_at - $2::interval, updated_at = updated_at - $2::interval,
                         expires_at = expires_at - $2::interval
      where user_id = $1`,
    [person.id, interval],
  )

const expiry = async () => {
  const { rows } = await app.services.pool.query<{ at: string }>(
    'select max(expires_at)::text as at from sessions where user_id = $1',
    [person.id],
  )
  return rows[0]!.at
}

describe('remember me', () => {
  test.each([{ rememberMe: true }, {}])(
    'is a cookie of 30 days that scripts cannot read: %o',
    async (fields) => {
      const { headers, status } = await logIn(fields)
      expect(status).toBe(200)
      expect(sessionLine(headers)).toMatch(
        /^thunder\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
      )
    },
  )

  test('not chosen, it is a cookie that goes with the browser', async () => {
    const { headers, status } = await logIn({ rememberMe: false })
    expect(status).toBe(200)
    expect(sessionLine(headers)).toMatch(
      /^thunder\.session_token=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    for (const line of headers.getSetCookie()) expect(line).not.toMatch(/Max-Age=[1-9]|Expires/i)
    expect((await me(cookieOf(headers))).body).toMatchObject({ email: 'ann@example.com' })
  })

  test('not chosen, no later request makes it last longer than the browser', async () => {
    const cookie = cookieOf((await logIn({ rememberMe: false })).headers)
    await pass('2 hours')
    const later = await me(cookie)
    expect(later.body).toMatchObject({ email: 'ann@example.com' })
    for (const line of later.headers.getSetCookie()) expect(line).not.toMatch(/Max-Age=[1-9]/)
  })
})

describe('a session is extended', () => {
  test('not before an hour has passed', async () => {
    const cookie = cookieOf((await logIn({})).headers)
    await pass('59 minutes')
    const before = await expiry()
    const { body, headers } = await me(cookie)
    expect(body).toMatchObject({ email: 'ann@example.com' })
    expect(headers.getSetCookie()).toEqual([])
    expect(await expiry()).toBe(before)
  })

  test('once, by the first request after it', async () => {
    const cookie = cookieOf((await logIn({})).headers)
    await pass('61 minutes')
    const before = await expiry()
    expect(sessionLine((await me(cookie)).headers)).toContain('Max-Age=2592000')
    const after = await expiry()
    expect(after > before).toBe(true)
    expect((await me(cookie)).headers.getSetCookie()).toEqual([])
    expect(await expiry()).toBe(after)
  })
})

describe('the fields', () => {
  test('are trimmed, and the address may be in any case', async () => {
    const { status } = await logIn({
      email: '  ANN@example.com\t',
      password: `\n ${person.password} `,
    })
    expect(status).toBe(200)
  })

  test.each([
    { email: '' },
    { email: '   ' },
    { email: undefined },
    { password: '' },
    { password: '   ' },
    { password: undefined },
  ])('are required: %o', async (fields) => {
    const { status, headers, body } = await logIn(fields)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(body.message).toMatch(/\w+ \w+/)
    expect(headers.getSetCookie()).toEqual([])
  })
})
