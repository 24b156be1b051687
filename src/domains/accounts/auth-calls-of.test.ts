// What pages whose forms work without scripts get from the door that other programs come through.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { databaseProblem } from '../../server/database-problem.ts'
import { type AuthCalls, authCallsOf } from './auth-calls-of.ts'

let app: TestApp
let asStranger: AuthCalls
beforeAll(async () => {
  app = await startTestApp()
  asStranger = callsWith({})
})
afterAll(() => app?.stop())

const callsWith = (headers: Record<string, string>): AuthCalls =>
  authCallsOf(app.services, {
    visitor: async () => null,
    authHeaders: () =>
      new Headers({
        'content-type': 'application/json',
        'x-forwarded-for': '203.0.113.7',
        ...headers,
      }),
  })

describe('a form', () => {
  test('that is accepted brings a cookie and what was answered', async () => {
    const email = `${randomUUID()}@example.com`
    const signedUp = await asStranger('/sign-up/email', {
      name: 'Ann',
      email,
      password: 'correct horse',
    })
    expect(signedUp).toMatchObject({ ok: true, status: 200, code: '', message: '' })
    expect(signedUp.body.user).toMatchObject({ name: 'Ann', email })
    expect(signedUp.cookies.join()).toContain('session')
    expect(signedUp.location).toBeNull()
  })

  test('that is refused says why, and brings no cookie', async () => {
    const refused = await asStranger('/sign-in/email', {
      email: `${randomUUID()}@example.com`,
      password: 'wrong',
    })
    expect(refused).toMatchObject({ ok: false, status: 401, location: null })
    expect(refused.code).toMatch(/^[A-Z_]+$/)
    expect(refused.message).toMatch(/\w+ \w+/)
    expect(refused.cookies.join()).not.toContain('session_token')
  })
})

test('a question without fields is asked as who asks', async () => {
  expect(await asStranger('/get-session')).toMatchObject({ ok: true, code: '', body: {} })
  const { id, name } = await makePerson(app.services)
  const calls = callsWith({ cookie: await sessionCookieOf(app.services, id) })
  expect((await calls('/get-session')).body.user).toMatchObject({ id, name })
})

/** Calls that a made-up door answers. */
const answeredBy = (answer: () => Promise<Response>) =>
  authCallsOf(
    { ...app.services, callAuth: answer },
    { visitor: async () => null, authHeaders: () => new Headers() },
  )

test('a database that does not answer is said beside the form', async () => {
  const calls = answeredBy(async () => {
    throw new Error('Connection terminated unexpectedly')
  })
  expect(await calls('/sign-in/email', {})).toEqual({
    ok: false,
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: databaseProblem,
    body: { code: 'SERVICE_UNAVAILABLE', message: databaseProblem },
    cookies: [],
    location: null,
  })
})

test('a mistake of our own is none of the database', async () => {
  const calls = answeredBy(async () => {
    throw new Error('a mistake')
  })
  await expect(calls('/sign-in/email', {})).rejects.toThrow('a mistake')
})

test('a code and a message that are no texts are none, and so is what is no JSON', async () => {
  const strange = answeredBy(async () => Response.json({ code: 7, message: ['x'] }))
  expect(await strange('/x')).toMatchObject({ code: '', message: '', body: { code: 7 } })
  const page = answeredBy(async () => new Response('{"code":"X"}', { status: 500 }))
  expect(await page('/x')).toMatchObject({ ok: false, status: 500, code: '', body: {} })
  const nothing = answeredBy(async () => new Response(null, { status: 204 }))
  expect(await nothing('/x')).toMatchObject({ ok: true, status: 204, body: {} })
})

test('a link that leads on says where to, without words of its own', async () => {
  const verified = await asStranger('/verify-email?token=broken&callbackURL=%2Fdashboard')
  expect(verified.ok).toBe(false)
  expect([verified.status, verified.code, verified.message]).toEqual([302, '', ''])
  expect(verified.location).toMatch(/^\/dashboard\?error=/)
  expect(verified.body).toEqual({})
})
