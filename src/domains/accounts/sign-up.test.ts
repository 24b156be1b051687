import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { authCalls } from '../../server/auth/calls.ts'
import { patience } from '../../../test/patience.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const signUp = (body: Record<string, unknown>, headers?: HeadersInit) =>
  app.request('/auth/v1/sign-up/email', { body, headers })
const logIn = (email: string, password: string) =>
  app.request('/auth/v1/sign-in/email', { body: { email, password } })

test('a newcomer gets a session cookie, a username, a notice and a mail', async () => {
  const { headers, status } = await signUp({
    name: ' Ann Lee ',
    email: 'Ann@Example.com',
    password: ' secret1 ',
  })
  expect(status).toBe(200)
  expect(headers.getSetCookie()[0]).toMatch(
    /^thunder\.session_token=.+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const cookie = headers.getSetCookie()[0]!.split(';')[0]!
  const me = await app.request('/rest/v1/me', { cookie })
  expect(me.body).toMatchObject({
    name: 'Ann Lee',
    email: 'ann@example.com',
    username: 'ann-lee',
    plan: 'free',
  })

  const { rows } = await app.services.pool.query(
    'select title, type, read from notifications where user_id = $1',
    [me.body.id],
  )
  expect(rows).toEqual([{ title: 'Welcome to Thunder Bootcamp!', type: 'success', read: false }])

  const mail = await vi.waitFor(async () => {
    const mails = await app.services.mail.outbox?.()
    const found = mails?.find(({ to }) => to === 'ann@example.com')
    if (!found) throw new Error('no mail yet')
    return found
  }, patience)
  expect(mail.subject).toBe('Welcome to Thunder')
  expect(mail.text).toContain('/explore')
  expect(mail.html).toContain('Welcome, Ann Lee')
})

test('the same name gets a number, a name without latin letters the id', async () => {
  const first = await app.signUp({ name: 'Same Name' })
  const second = await app.signUp({ name: 'same name!' })
  const other = await app.signUp({ name: '李小龍' })
  const usernames = await app.services.pool.query(
    'select id, username from users where id = any($1)',
    [[first.id, second.id, other.id]],
  )
  const username = (id: string) => usernames.rows.find((row) => row.id === id).username
  expect(username(first.id)).toBe('same-name')
  expect(username(second.id)).toBe('same-name-2')
  expect(username(other.id)).toBe(other.id)
})

test('direct calls pass the same rules, in the same words', async () => {
  const cases: [Record<string, unknown>, string][] = [
    [{}, 'Display name is required'],
    [
      { name: 'A', email: 'a@b.co', password: 'secret1' },
      'Display name must be at least 2 characters long',
    ],
    [{ name: 'Ann', email: 'nope', password: 'secret1' }, 'Please enter a valid email address'],
    [
      { name: 'Ann', email: 'a@b.co', password: 'short' },
      'Password must be at least 6 characters long',
    ],
    [
      { name: 'x'.repeat(10_000), email: 'a@b.co', password: 'secret1' },
      'Display name can have at most 80 characters',
    ],
  ]
  for (const [body, message] of cases) {
    const answer = await signUp(body)
    expect([answer.status, answer.body.message]).toEqual([400, message])
  }
  const { rows } = await app.services.pool.query(`select 1 from users where email = 'a@b.co'`)
  expect(rows).toEqual([])
})

test('nobody can sign up as an administrator, or with fields that are not theirs to set', async () => {
  const { body } = await signUp({
    name: 'Eve',
    email: 'eve@example.com',
    password: 'secret1',
    role: 'admin',
    verified: true,
    emailVerified: true,
    image: 'https://evil.example/x.png',
  })
  const { rows } = await app.services.pool.query(
    'select role, verified, email_verified, avatar_url from users where id = $1',
    [body.user.id],
  )
  expect(rows).toEqual([{ role: 'user', verified: false, email_verified: false, avatar_url: null }])
})

test('an address can have one account, whatever its case; markup in a name stays text', async () => {
  const name = '<script>alert(1)</script>'
  expect((await signUp({ name, email: 'one@example.com', password: 'secret1' })).status).toBe(200)
  const again = await signUp({ name: 'Two', email: 'ONE@example.com', password: 'secret1' })
  expect(again.status).toBe(422)
  expect(again.body.code).toMatch(/^USER_ALREADY_EXISTS/)
  const { rows } = await app.services.pool.query(
    `select name from users where email = 'one@example.com'`,
  )
  expect(rows).toEqual([{ name }])
})

test('wrong passwords are refused alike for known and unknown people, and only so often', async () => {
  const { email } = await app.signUp()
  const unknown = await logIn('nobody@example.com', 'whatever')
  const known = await logIn(email, 'whatever')
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
  for (let attempt = 0; attempt < 9; attempt++) await logIn(email, `guess ${attempt}`)
  const refused = await logIn(email, 'correct horse')
  expect(refused.status).toBe(429)
  expect(refused.body.message).toBe('Too many attempts. Please try again in 10 minutes.')
  const other = await app.signUp()
  expect((await logIn(other.email, 'correct horse')).status).toBe(200)
})

test('what a visitor claims to be the address is not believed', async () => {
  await signUp(
    { name: 'Kim', email: 'kim@example.com', password: 'secret1' },
    { 'x-thunder-address': '6.6.6.6' },
  )
  const { rows } = await app.services.pool.query(
    `select ip_address from sessions s join users u on u.id = s.user_id where u.email = 'kim@example.com'`,
  )
  expect(rows).toEqual([{ ip_address: '127.0.0.1' }])
})

test('pages of other sites cannot act in somebody’s name', async () => {
  const { cookie } = await app.signUp()
  const headers = { origin: 'https://evil.example' }
  const answer = await app.request('/rest/v1/rpc/can_create_course', {
    method: 'POST',
    body: {},
    cookie,
    headers,
  })
  expect([answer.status, answer.body.code]).toEqual([403, 'FOREIGN_ORIGIN'])
  expect(
    (await app.request('/auth/v1/sign-out', { method: 'POST', body: {}, cookie, headers })).status,
  ).toBe(403)
})

/** Every call that the library and its plugins would answer. */
function libraryCalls() {
  const endpoints = Object.values(app.services.auth.api) as {
    path?: string
    options?: { method?: string | string[] }
  }[]
  return endpoints.flatMap(({ path, options }) =>
    path ? [options?.method ?? 'GET'].flat().map((method) => ({ method, path })) : [],
  )
}

test('calls of the library that we do not offer are not there', async () => {
  const { cookie } = await app.signUp()
  const isOpen = ({ method, path }: { method: string; path: string }) =>
    authCalls.some((call) => call.method === method && call.path === path)
  const closed = libraryCalls().filter((call) => !isOpen(call))
  // Among them, so that the loop below is about something.
  const some = ['/delete-user', '/revoke-session', '/update-session', '/refresh-token', '/error']
  expect(closed.map(({ path }) => path)).toEqual(expect.arrayContaining(some))
  for (const { method, path } of closed) {
    const answer = await app.request(`/auth/v1${path.replace(/:\w+/g, 'x')}`, {
      method,
      cookie,
      body: method === 'POST' ? {} : undefined,
    })
    expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'NOT_FOUND'])
  }
})

test('calls that we offer are calls of the library, by that method', () => {
  const known = libraryCalls().map(({ method, path }) => `${method} ${path}`)
  for (const { method, path } of authCalls) expect(known).toContain(`${method} ${path}`)
})

test('signing out ends the session on the server', async () => {
  const { cookie } = await app.signUp()
  expect(
    (await app.request('/auth/v1/sign-out', { method: 'POST', body: {}, cookie })).status,
  ).toBe(200)
  expect((await app.request('/rest/v1/me', { cookie })).body).toBeNull()
})

test('a cookie that was tampered with is nobody', async () => {
  const { cookie } = await app.signUp()
  for (const forged of [
    `${cookie}x`,
    cookie.replace(/\.[^.]*$/, ''),
    'thunder.session_token=%E0%A4%A',
    cookie.slice(0, -6),
  ]) {
    expect((await app.request('/rest/v1/me', { cookie: forged })).body).toBeNull()
  }
})

test('a session is extended by a request after an hour, and ends after its time', async () => {
  const { cookie, id } = await app.signUp()
  const sessions = (set: string) =>
    app.services.pool.query(`update sessions set ${set} where user_id = $1`, [id])
  await sessions(`updated_at = now() - interval '2 hours', expires_at = now() + interval '10 days'`)
  const extended = await app.request('/rest/v1/me', { cookie })
  expect(extended.headers.getSetCookie().join()).toContain('thunder.session_token=')
  const { rows } = await app.services.pool.query(
    `select expires_at > now() + interval '29 days' as extended from sessions where user_id = $1`,
    [id],
  )
  expect(rows).toEqual([{ extended: true }])
  await sessions(`expires_at = now() - interval '1 second'`)
  expect((await app.request('/rest/v1/me', { cookie })).body).toBeNull()
})

test('a newcomer whose welcome was cut off is welcomed by the next request', async () => {
  const { cookie, id } = await app.signUp()
  await app.services.pool.query(
    'update users set welcomed_at = null, username = null where id = $1',
    [id],
  )
  await app.services.pool.query('delete from notifications where user_id = $1', [id])
  await app.request('/rest/v1/me', { cookie })
  const { rows } = await app.services.pool.query(
    'select username is not null as named, (select count(*)::int from notifications where user_id = users.id) as notices from users where id = $1',
    [id],
  )
  expect(rows).toEqual([{ named: true, notices: 1 }])
})

test('of many sign-ups with one address at once, one succeeds and the others hear why not', async () => {
  const fields = { name: 'Race', email: 'race@example.com', password: 'secret1' }
  const answers = await Promise.all(Array.from({ length: 6 }, () => signUp(fields)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const refused = answers.filter(({ status }) => status === 422)
  expect(new Set(refused.map(({ body }) => body.message))).toEqual(
    new Set(['An account with this email already exists. Please try logging in instead.']),
  )
  expect(refused).toHaveLength(5)
})
