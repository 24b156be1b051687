// How long somebody stays signed in, what a session shows and may do, and how it ends.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { type MadePerson, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { openBrowser } from '../../../test/identity/browser.ts'
import { mailTo } from '../../../test/mailbox.ts'
import { watchStatements } from '../../../test/statements.ts'
import { schedule } from '../../schedule.ts'
import { authCalls } from '../../server/auth/calls.ts'
import { databaseFull } from '../../server/database-problem.ts'
import { removeExpired } from './remove-expired.ts'

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

  test('not chosen, a session is extended by use all the same, once an hour', async () => {
    const browser = openBrowser(app)
    const { email, password } = await makePerson(app.services)
    const fields = { email, password, rememberMe: false }
    await browser.request('/auth/v1/sign-in/email', { body: fields })
    const { body: own } = await browser.request('/auth/v1/get-session')
    const rowsOf = async (text: string) =>
      (await app.services.pool.query(text, [own.session.id])).rows[0]
    await rowsOf(
      `update sessions set updated_at = now() - interval '9 days', expires_at = now() + interval '21 days'
        where id = $1`,
    )
    await browser.request('/rest/v1/me')
    expect(
      await rowsOf(
        `select expires_at > now() + interval '29 days' as lasts, updated_at > now() - interval '1 minute' as used
           from sessions where id = $1`,
      ),
    ).toEqual({ lasts: true, used: true })
    const later = await watchStatements(app).during(() => browser.request('/rest/v1/me'))
    expect(later.filter((text) => /\bsessions\b/.test(text))).toHaveLength(1)
  })

  test('chosen where it was not before, it counts from then on', async () => {
    const browser = openBrowser(app)
    const { email, password, id } = await makePerson(app.services)
    const log = (rememberMe: boolean) =>
      browser.request('/auth/v1/sign-in/email', { body: { email, password, rememberMe } })
    await log(false)
    expect(browser.cookie()).toContain('thunder.dont_remember=')
    await log(true)
    expect(browser.cookie()).not.toContain('thunder.dont_remember=')
    await app.services.pool.query(
      `update sessions set updated_at = now() - interval '2 hours', expires_at = expires_at - interval '2 hours'
        where user_id = $1`,
      [id],
    )
    expect(sessionLine((await browser.request('/rest/v1/me')).headers)).toContain('Max-Age=2592000')
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

describe('a session', () => {
  test('that is over is removed every night, with what else nobody can use any more', async () => {
    const [over, lasting, old] = [await app.signUp(), await app.signUp(), await app.signUp()]
    await app.services.pool.query(
      `update sessions set expires_at = now() - interval '1 second' where user_id = $1`,
      [over.id],
    )
    // Used every day, and begun a year ago: the person proves anew who they are.
    const beganDaysAgo = (id: string, days: number) =>
      app.services.pool.query(
        `update sessions set created_at = now() - make_interval(days => $2) where user_id = $1`,
        [id, days],
      )
    await Promise.all([beganDaysAgo(old.id, 366), beganDaysAgo(lasting.id, 364)])
    await app.services.pool.query(
      `insert into verifications (identifier, value, expires_at)
         values ('old', 'x', now() - interval '1 second'), ('new', 'x', now() + interval '1 minute')`,
    )
    await app.services.pool.query(
      `insert into rate_limits (key, points, expire) values ('old', 1, 1), ('new', 1, 9e15)`,
    )
    await app.services.pool.query(
      `insert into used_codes (user_id, code_hash, used_at)
         values ($1, 'old', now() - interval '5 minutes'), ($1, 'new', now())`,
      [lasting.id],
    )
    await removeExpired(undefined, app.services)
    const left = async (query: string) =>
      (await app.services.pool.query<{ found: string }>(query)).rows.map(({ found }) => found)
    expect(await left(`select user_id as found from sessions`)).toContain(lasting.id)
    expect(await left(`select user_id as found from sessions`)).not.toContain(over.id)
    expect(await left(`select user_id as found from sessions`)).not.toContain(old.id)
    expect(await left(`select identifier as found from verifications`)).toEqual(['new'])
    expect(await left(`select key as found from rate_limits where key in ('old', 'new')`)).toEqual([
      'new',
    ])
    expect(await left(`select code_hash as found from used_codes`)).toEqual(['new'])
    expect(schedule).toMatch(/^\d+ \d+ \* \* \* removeExpired$/m)
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

describe('logging in where somebody is signed in', () => {
  test('gives another session and ends the one before, also of somebody else', async () => {
    const [browser, elsewhere] = [openBrowser(app), openBrowser(app)]
    const { email, password } = person
    const log = (who: { email: string; password: string }, where = browser) =>
      where.request('/auth/v1/sign-in/email', { body: { ...who } })
    await log({ email, password }, elsewhere)
    await log({ email, password })
    const first = browser.cookie()
    expect((await me(first)).body).toMatchObject({ email })
    await log({ email, password })
    const second = browser.cookie()
    expect([(await me(first)).body, (await me(second)).body?.email]).toEqual([null, email])
    const other = await makePerson(app.services)
    await log({ email: other.email, password: other.password })
    expect([(await me(second)).body, await browser.signedInAs()]).toEqual([null, other.email])
    // A wrong password ends nothing, and neither does somebody who logs in elsewhere.
    await log({ email, password: 'a wrong one' })
    expect(await browser.signedInAs()).toBe(other.email)
    expect(await elsewhere.signedInAs()).toBe(email)
  })
})

describe('signing out', () => {
  const call = (path: string, cookie: string) =>
    app.request(`/auth/v1${path}`, { body: {}, cookie })

  /** Three browsers of somebody, and one of somebody else. */
  async function browsers() {
    const [owner, other] = [await makePerson(app.services), await makePerson(app.services)]
    const cookies = []
    for (const { id } of [owner, owner, owner, other]) {
      cookies.push(await sessionCookieOf(app.services, id))
    }
    return cookies as [string, string, string, string]
  }
  const signedIn = (cookies: string[]) =>
    Promise.all(cookies.map(async (cookie) => (await me(cookie)).body !== null))

  test('here leaves the other browsers as they are', async () => {
    const cookies = await browsers()
    const { headers } = await call('/sign-out', cookies[0])
    expect(sessionLine(headers)).toMatch(/^thunder\.session_token=; Max-Age=0/)
    expect(await signedIn(cookies)).toEqual([false, true, true, true])
  })

  test('here says so when the session could not be ended, and is done the next time', async () => {
    const [cookie] = await browsers()
    const { pool } = app.services
    await pool.query(`
      create function refuse() returns trigger language plpgsql as
        'begin raise exception using errcode = ''disk_full''; end';
      create trigger refuse before delete on sessions execute function refuse();`)
    const refused = await call('/sign-out', cookie)
    await pool.query('drop function refuse cascade')
    expect([refused.status, refused.body.message]).toEqual([503, databaseFull])
    expect(refused.headers.getSetCookie()).toEqual([])
    expect(await signedIn([cookie])).toEqual([true])
    expect((await call('/sign-out', cookie)).status).toBe(200)
    expect(await signedIn([cookie])).toEqual([false])
  })

  test('everywhere else leaves this browser as it is', async () => {
    const cookies = await browsers()
    expect((await call('/revoke-other-sessions', cookies[1])).status).toBe(200)
    expect(await signedIn(cookies)).toEqual([false, true, false, true])
  })

  test('everywhere leaves none, of this person', async () => {
    const cookies = await browsers()
    expect((await call('/revoke-sessions', cookies[2])).status).toBe(200)
    expect(await signedIn(cookies)).toEqual([false, false, false, true])
  })

  test('is for people who are signed in; without a session the local one does nothing', async () => {
    expect((await call('/revoke-other-sessions', '')).status).toBe(401)
    expect((await call('/revoke-sessions', '')).status).toBe(401)
    expect((await call('/sign-out', '')).status).toBe(200)
  })
})

describe('confirming who one is', () => {
  const code = ({ status, body }: { status: number; body: { code?: string } | null }) => [
    status,
    body?.code,
  ]
  const provenAt = (interval: string) =>
    app.services.pool.query(
      `update sessions set proven_at = now() - $2::interval where user_id = $1`,
      [person.id, interval],
    )

  test('lasts for a quarter of an hour after logging in, and again after the password', async () => {
    const browser = openBrowser(app)
    const { email, password } = person
    await browser.request('/auth/v1/sign-in/email', { body: { email, password } })
    const sensitive = () =>
      browser.request('/auth/v1/two-factor/get-totp-uri', { body: { password } })
    // Two-step verification is off: whoever gets that far hears so.
    expect(code(await sensitive())).toEqual([400, 'TOTP_NOT_ENABLED'])
    await provenAt('16 minutes')
    const refused = await sensitive()
    expect(code(refused)).toEqual([403, 'PROOF_NEEDED'])
    expect(refused.body.message).toBe('Please confirm that it is you, then try again.')
    const wrong = await browser.request('/auth/v1/verify-password', { body: { password: 'guess' } })
    expect(code(wrong)).toEqual([400, 'INVALID_PASSWORD'])
    expect(code(await sensitive())).toEqual([403, 'PROOF_NEEDED'])
    const right = await browser.request('/auth/v1/verify-password', { body: { password } })
    expect([right.status, right.body]).toEqual([200, { status: true }])
    expect(code(await sensitive())).toEqual([400, 'TOTP_NOT_ENABLED'])
    await provenAt('14 minutes')
    expect(code(await sensitive())).toEqual([400, 'TOTP_NOT_ENABLED'])
  })

  test('in one browser says nothing about another', async () => {
    const { email, password } = person
    const [here, there] = [openBrowser(app), openBrowser(app)]
    for (const browser of [here, there]) {
      await browser.request('/auth/v1/sign-in/email', { body: { email, password } })
    }
    await provenAt('16 minutes')
    await here.request('/auth/v1/verify-password', { body: { password } })
    const refused = await there.request('/auth/v1/two-factor/get-totp-uri', { body: { password } })
    expect(code(refused)).toEqual([403, 'PROOF_NEEDED'])
  })

  test.each(authCalls.filter(({ access }) => access === 'proven'))(
    'is needed for $method $path',
    async ({ method, path }) => {
      const cookie = await sessionCookieOf(app.services, person.id)
      await provenAt('16 minutes')
      const answer = await app.request(`/auth/v1${path}`, {
        method,
        cookie,
        body: method === 'POST' ? { newEmail: 'new@example.com' } : undefined,
      })
      expect(code(answer)).toEqual([403, 'PROOF_NEEDED'])
    },
  )
})

describe('the person of a session', () => {
  const who = (cookie: string) => app.request('/auth/v1/get-session', { cookie })

  test('is told to itself, and to nobody else', async () => {
    const { cookie, id, email } = await app.signUp({ name: 'Bo Li' })
    const { body, headers } = await who(cookie)
    expect(body.user).toMatchObject({ id, email, name: 'Bo Li', emailVerified: false })
    expect(body.session).toMatchObject({ userId: id, aal: 'aal1' })
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await app.request('/auth/v1/get-session')).body).toBeNull()
  })

  test('can change the name, by the rules of sign-up, and nothing else', async () => {
    const { cookie, id, email } = await app.signUp({ name: 'Bo Li' })
    const update = (body: object) => app.request('/auth/v1/update-user', { body, cookie })
    const changed = await update({
      name: '  Bo   Lee ',
      role: 'admin',
      email: 'boss@example.com',
      emailVerified: true,
      image: 'https://evil.example/x.png',
      phoneNumber: '+4915112345678',
      twoFactorEnabled: true,
      username: 'boss',
      verified: true,
      id: '00000000-0000-7000-8000-000000000000',
    })
    expect(changed.status).toBe(200)
    const { rows } = await app.services.pool.query(
      `select name, role, email, email_verified, avatar_url, phone_number, two_factor_enabled, verified
         from users where id = $1`,
      [id],
    )
    expect(rows).toEqual([
      {
        name: 'Bo Lee',
        role: 'user',
        email,
        email_verified: false,
        avatar_url: null,
        phone_number: null,
        two_factor_enabled: false,
        verified: false,
      },
    ])
    for (const [name, message] of [
      ['', 'Display name is required'],
      ['B', 'Display name must be at least 2 characters long'],
      ['x'.repeat(81), 'Display name can have at most 80 characters'],
    ]) {
      const refused = await update({ name })
      expect([refused.status, refused.body.message]).toEqual([400, message])
    }
    expect((await app.request('/auth/v1/update-user', { body: { name: 'Eve' } })).status).toBe(401)
  })

  test('changes the password with the current one; other browsers are signed out and the owner told', async () => {
    const [here, there] = [openBrowser(app), openBrowser(app)]
    const { email, password } = await makePerson(app.services)
    for (const browser of [here, there]) {
      await browser.request('/auth/v1/sign-in/email', { body: { email, password } })
    }
    const change = (fields: object) => here.request('/auth/v1/change-password', { body: fields })
    const newPassword = 'battery staple'
    const wrong = await change({ currentPassword: 'guess', newPassword })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_PASSWORD'])
    const short = await change({ currentPassword: password, newPassword: '12345' })
    expect([short.status, short.body.message]).toEqual([
      400,
      'New password must be at least 6 characters long',
    ])
    expect((await change({ currentPassword: password, newPassword })).status).toBe(200)
    expect([await here.signedInAs(), await there.signedInAs()]).toEqual([email, null])
    await mailTo(app, email, /Your password was changed/)
    for (const [tried, status] of [
      [password, 401],
      [newPassword, 200],
    ] as const) {
      const answer = await app.request('/auth/v1/sign-in/email', {
        body: { email, password: tried },
      })
      expect(answer.status).toBe(status)
    }
  })
})
