import { Writable } from 'node:stream'
import { DrizzleQueryError } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { createLog } from './log.ts'
import { withoutPersonalData } from './log-privacy.ts'
import { underWay } from './under-way.ts'

const canary = {
  name: 'Zenobia Quackenbush',
  email: 'zenobia.canary@private.example',
  password: 'sesame-canary-9f3e',
  address: '203.0.113.77',
}
/** What of them must be in no line, in any writing. */
const canaries = ['zenobia', 'quackenbush', 'sesame-canary', '203.0.113.77']

function keepLines() {
  const lines: string[] = []
  const to = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { lines, to, said: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

function expectNobody(lines: string[], secrets: string[] = []) {
  const all = lines.join('').toLowerCase()
  for (const one of [...canaries, ...secrets]) expect(all).not.toContain(one.toLowerCase())
}

describe('the log of an app', () => {
  const kept = keepLines()
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp(
      { LOG_LEVEL: 'debug', TRUST_PROXY: 'on' },
      createLog('debug', { node: 'one', to: kept.to }),
    )
  })
  afterAll(() => app?.stop())

  const headers = {
    'x-forwarded-for': canary.address,
    'user-agent': `Browser of ${canary.name}`,
    referer: `http://localhost:3000/?email=${canary.email}`,
  }

  test('names nobody, whatever is called, and whatever fails', async () => {
    const { services } = app
    const signUp = await app.request('/auth/v1/sign-up/email', { body: canary, headers })
    expect(signUp.status).toBe(200)
    const cookie = signUp.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const session = decodeURIComponent(/=([^;]+)/.exec(cookie)![1]!)
    const again = { headers: { ...headers, cookie } }
    // Twice, wrong, with a wrong password, forgotten.
    await app.request('/auth/v1/sign-up/email', { body: canary, headers })
    await app.request('/auth/v1/sign-in/email', {
      body: { ...canary, password: `${canary.password}x` },
      headers,
    })
    await app.request('/auth/v1/request-password-reset', { body: { email: canary.email }, headers })
    await app.request(`/auth/v1/reset-password/${canary.password}`, { headers })
    await app.request(`/rest/v1/courses/${canary.email}`, again)
    await app.request(`/rest/v1/explore?q=${encodeURIComponent(canary.name)}`, again)
    await app.request('/rest/v1/courses', {
      ...again,
      body: { title: canary.name, description: canary.password, category: canary.email },
    })
    await app.request('/rest/v1/courses', { ...again, body: `{"title": "${canary.email}` })
    await app.request('/webhooks/stripe', {
      body: canary.email,
      headers: { ...headers, 'stripe-signature': canary.password },
    })

    // What PostgreSQL says of a key that is there already.
    const broken = services.pool.query(
      `insert into users (id, name, email, username) select gen_random_uuid(), $1, email, 'other' from users where email = $2`,
      [canary.name, canary.email],
    )
    services.log.error({ err: await broken.catch((error: unknown) => error) }, 'it failed')
    const wrapped = await services.db
      .execute(`select ('${canary.email}' || name)::int from users`)
      .catch((error: unknown) => error)
    expect(wrapped).toBeInstanceOf(DrizzleQueryError)
    services.log.error({ err: wrapped }, 'it failed')
    // What fails in the middle of a call, and in a job.
    await services.pool.query('alter table lesson_notes rename to hidden_notes')
    await services.pool.query(
      `insert into graphile_worker._private_tasks (identifier) values ('sendNoticeMail') on conflict do nothing`,
    )
    await services.pool.query('alter table hidden_notes rename to lesson_notes')
    await services.pool.query(
      `select graphile_worker.add_job('sendAccountMail', json_build_object('sealed', $1::text), max_attempts := 1)`,
      [canary.email],
    )
    await expect
      .poll(() => kept.said().some(({ msg }) => String(msg).startsWith('Failed task')))
      .toBe(true)
    expectNobody(kept.lines, [session, cookie])
  })

  test.each(['identities', 'sessions'])(
    'is the only place where a failure of accounts is told of: %s',
    async (table) => {
      const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
      const { pool } = app.services
      await pool.query(`alter table ${table} rename to hidden`)
      const failed = await app.request('/auth/v1/sign-in/email', { body: canary, headers })
      await pool.query(`alter table hidden rename to ${table}`)
      expect(failed.status).toBe(500)
      expect(failed.body.message).toBe('Something went wrong on our side. Please try again.')
      expect(kept.said()).toContainEqual(expect.objectContaining({ msg: 'a request failed' }))
      expect(printed.mock.calls).toEqual([])
      printed.mockRestore()
      expectNobody(kept.lines)
    },
  )

  test('says of each request its number, pattern, status, time and statements', async () => {
    const number = '0198c3a2-aaaa-7bbb-8ccc-1234567890ab'
    const { headers: answered } = await app.request('/rest/v1/courses/no-such-course', {
      headers: { 'x-request-id': number },
    })
    expect(answered.get('x-request-id')).toBe(number)
    const line = kept.said().find(({ requestId, msg }) => requestId === number && msg === 'request')
    expect(line).toMatchObject({
      node: 'one',
      method: 'GET',
      route: '/rest/v1/courses/{slug}',
      status: 404,
      ms: expect.any(Number),
      statements: expect.any(Number),
    })
    expect(line!.statements).toBeGreaterThan(0)
  })

  test('gives a number of its own to who sends something else', async () => {
    const sent = `${canary.email} ${canary.name}`.replace(' ', '%20')
    const { headers: answered } = await app.request('/rest/v1/courses/x', {
      headers: { 'x-request-id': sent },
    })
    expect(answered.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expectNobody(kept.lines)
  })
})

describe('an error in the log', () => {
  const kept = keepLines()
  const log = createLog('debug', { to: kept.to })

  const mailServer = Object.assign(
    new Error(`Can't send mail - all recipients were rejected: 550 <${canary.email}> unknown`),
    {
      code: 'EENVELOPE',
      command: 'RCPT TO',
      responseCode: 550,
      response: `550 5.1.1 <${canary.email}> unknown to ${canary.address}`,
      rejected: [canary.email],
    },
  )
  const provider = Object.assign(new Error(`No such customer for ${canary.email}`), {
    type: 'StripeInvalidRequestError',
    statusCode: 400,
    requestId: 'req_123',
    raw: { message: canary.email, headers: { 'x-name': canary.name } },
    headers: { authorization: canary.password },
  })
  const nested = new Error('outer', {
    cause: new Error(`inner "${canary.name}"`, { cause: provider }),
  })

  test('is told by what it is, never by whom it was about', () => {
    for (const err of [
      mailServer,
      provider,
      nested,
      canary.email,
      new AggregateError([mailServer]),
    ]) {
      log.error({ err }, 'it failed')
    }
    log.warn({ error: mailServer.message, reason: canary.email, auth: canary.address }, 'words')
    log.info({ email: canary.email, name: canary.name, headers: { cookie: canary.password } }, 'x')
    log.info({ user: { email: canary.email, password: canary.password } }, `to ${canary.email}`)
    expectNobody(kept.lines)
    const [mail, payment] = kept.said().map(({ err }) => err as Record<string, unknown>)
    expect(mail).toMatchObject({ type: 'Error', code: 'EENVELOPE', responseCode: 550 })
    expect(payment).toMatchObject({ kind: 'StripeInvalidRequestError', requestId: 'req_123' })
    expect((payment!.stack as string[])[0]).toMatch(/log-privacy\.test/)
  })

  test('bears the number of the request that it belongs to', () => {
    underWay.run({ requestId: 'abc-12345', facts: { statements: 0 } }, () => log.warn('hm'))
    expect(kept.said().at(-1)).toMatchObject({ requestId: 'abc-12345', msg: 'hm' })
  })
})

test.each([
  ['Key (email)=(ada@example.com) already exists.', 'Key (email)=(…) already exists.'],
  ['sent to ada.l+x@mail.example.org now', 'sent to [address] now'],
  ['from 192.0.2.44 and 2001:db8:85a3:8d3:1319:8a2e:370:7348', 'from [ip] and [ip]'],
  ['authorization: Bearer abcdefghijkl', 'authorization: Bearer [secret]'],
  ['GET /reset?token=abc123&x=1', 'GET /reset?token=[secret]&x=1'],
])('%s: %s', (said, clean) => {
  expect(withoutPersonalData(said)).toBe(clean)
})
