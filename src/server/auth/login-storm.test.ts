// Many log-ins at once, honest and other. Behind a proxy, so that a test can come from many addresses.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { type MadePerson, makePerson } from '../../../test/factories.ts'
import { openBrowser } from '../../../test/identity/browser.ts'
import { watchStatements } from '../../../test/statements.ts'

// Hundreds of passwords are checked: seconds on a quiet machine, more on a busy one.
vi.setConfig({ testTimeout: 120_000 })

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: 'on' })
})
afterAll(() => app?.stop())
beforeEach(() => app.services.pool.query('delete from rate_limits'))

const logIn = (email: string, password: string, address = '203.0.113.1', cookie = '') =>
  app.request('/auth/v1/sign-in/email', {
    body: { email, password },
    headers: { 'x-forwarded-for': address },
    ...(cookie ? { cookie } : {}),
  })

const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

const counted = (answers: { status: number }[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The cookie by which a browser is known that has logged in before. */
async function deviceCookie({ email, password }: MadePerson, address: string): Promise<string> {
  const { headers, status } = await logIn(email, password, address)
  expect(status).toBe(200)
  const line = headers.getSetCookie().find((cookie) => cookie.startsWith('thunder.device='))
  expect(line).toMatch(/; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
  return line!.split(';')[0]!
}

test('a log-in is four statements: what was counted, who it is, the session, whether the password still counts', async () => {
  const { email, password } = await makePerson(app.services)
  const statements = watchStatements(app)
  const sent = await statements.during(async () => {
    expect((await logIn(email, password)).status).toBe(200)
  })
  expect(
    sent.map((text) => /from (rate_limits|"users"|identities)|into "sessions"/.exec(text)?.[0]),
  ).toEqual(['from rate_limits', 'from "users"', 'into "sessions"', 'from identities'])
})

test('64 log-ins of one person at once, from one address', async () => {
  const { email, password } = await makePerson(app.services)
  expect(counted(await times(64, () => logIn(email, password)))).toEqual({ 200: 64 })
})

test('64 people at once, from one address', async () => {
  const people: MadePerson[] = []
  while (people.length < 64) people.push(await makePerson(app.services))
  const answers = await times(64, (index) => logIn(people[index]!.email, people[index]!.password))
  expect(counted(answers)).toEqual({ 200: 64 })
})

test('wrong guesses in a burst are as few as one after the other, also from many addresses', async () => {
  const one = await makePerson(app.services)
  expect(counted(await times(64, () => logIn(one.email, 'guess')))).toEqual({ 401: 10, 429: 54 })
  const spread = await makePerson(app.services)
  await app.services.rateLimits.loginByAccount.count(spread.email)
  await app.services.pool.query('update rate_limits set points = 90 where key = $1', [
    `login-account:${spread.email}`,
  ])
  const answers = await times(40, (index) => logIn(spread.email, 'guess', `198.51.100.${index}`))
  expect(counted(answers)).toEqual({ 401: 10, 429: 30 })
})

test('a right password among wrong ones in a burst is not passed by them', async () => {
  const { email, password } = await makePerson(app.services)
  const answers = await times(40, (index) => logIn(email, index === 30 ? password : 'guess'))
  expect(answers[30]?.status).toBe(429)
})

test('after a right password one may be wrong as often as before, where one logs in from', async () => {
  const person = await makePerson(app.services)
  const { email, password } = person
  const from = '203.0.113.90'
  const known = await deviceCookie(person, from)
  for (const cookie of [undefined, known]) {
    for (let time = 0; time < 2; time++) {
      const wrong = await times(9, () => logIn(email, 'guess', from, cookie))
      expect(counted(wrong)).toEqual({ 401: 9 })
      expect((await logIn(email, password, from, cookie)).status).toBe(200)
    }
  }
})

test('after 1,000 guesses from everywhere the owner still gets in where they were in before', async () => {
  const owner = await makePerson(app.services)
  const known = await deviceCookie(owner, '203.0.113.7')
  const guesses = await times(10, () => logIn(owner.email, 'guess', '203.0.113.66'))
  await app.services.pool.query('update rate_limits set points = 90 where key = $1', [
    `login-account:${owner.email}`,
  ])
  for (let burst = 0; burst < 33; burst++) {
    guesses.push(
      ...(await times(30, (index) =>
        logIn(owner.email, `guess ${index}`, `198.51.${burst}.${index}`),
      )),
    )
  }
  expect(guesses).toHaveLength(1000)
  expect(counted(guesses)).toEqual({ 401: 20, 429: 980 })
  expect((await logIn(owner.email, owner.password, '192.0.2.1')).status).toBe(429)
  const back = await logIn(owner.email, owner.password, '192.0.2.1', known)
  expect(back.status).toBe(200)
  // While the guesses go on, too.
  const [during] = await Promise.all([
    logIn(owner.email, owner.password, '192.0.2.1', known),
    times(50, (index) => logIn(owner.email, 'guess', `198.51.99.${index}`)),
  ])
  expect(during.status).toBe(200)
})

test('a known browser has ten wrong guesses of its own', async () => {
  const owner = await makePerson(app.services)
  const known = await deviceCookie(owner, '203.0.113.7')
  const answers = await times(12, () => logIn(owner.email, 'guess', '203.0.113.7', known))
  expect(counted(answers)).toEqual({ 401: 10, 429: 2 })
  expect((await logIn(owner.email, owner.password, '203.0.113.7', known)).status).toBe(429)
  // Its loss is nobody else's.
  expect((await logIn(owner.email, owner.password, '203.0.113.8')).status).toBe(200)
})

test('a device cookie that was made up, changed, or is another account’s is worth nothing', async () => {
  const [owner, thief] = [await makePerson(app.services), await makePerson(app.services)]
  const known = await deviceCookie(owner, '203.0.113.7')
  const foreign = await deviceCookie(thief, '203.0.113.8')
  const [device] = known.split('=')[1]!.split('.')
  await times(12, () => logIn(owner.email, 'guess', '203.0.113.9'))
  const worthless = [
    foreign,
    `thunder.device=${crypto.randomUUID()}.${'A'.repeat(43)}`,
    `thunder.device=${device}.`,
    `thunder.device=${device}`,
    `thunder.device=.`,
    `thunder.device=${crypto.randomUUID()}.${known.split('.').at(-1)}`,
    `${known}x`,
  ]
  for (const cookie of worthless) {
    const { status } = await logIn(owner.email, owner.password, '203.0.113.9', cookie)
    expect([cookie, status]).toEqual([cookie, 429])
  }
  expect((await logIn(owner.email, owner.password, '203.0.113.9', known)).status).toBe(200)
})

test('asking for the password again, and changing it, are guesses at it as well', async () => {
  const { email, password } = await makePerson(app.services)
  const browser = openBrowser(app)
  await browser.request('/auth/v1/sign-in/email', { body: { email, password } })
  const guess = (index: number) =>
    index % 2
      ? browser.request('/auth/v1/verify-password', { body: { password: 'guess' } })
      : browser.request('/auth/v1/change-password', {
          body: { currentPassword: 'guess', newPassword: 'battery staple' },
        })
  const answers = []
  for (let index = 0; index < 12; index++) answers.push(await guess(index))
  expect(counted(answers)).toEqual({ 400: 10, 429: 2 })
})
