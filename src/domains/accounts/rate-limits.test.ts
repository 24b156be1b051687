// Behind a proxy, so that a test can come from many addresses.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson } from '../../../test/factories.ts'

// A hundred passwords are checked: seconds on a quiet machine, more on a busy one.
vi.setConfig({ testTimeout: 120_000 })

const operations = await readFile('docs/operations.md', 'utf8')

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: 'on' })
})
afterAll(() => app?.stop())
beforeEach(() => app.services.pool.query('delete from rate_limits'))

const from = (address: string) => ({ 'x-forwarded-for': address })

const logIn = (email: string, password: string, address: string) =>
  app.request('/auth/v1/sign-in/email', { body: { email, password }, headers: from(address) })

const signUp = (email: string, address: string) =>
  app.request('/auth/v1/sign-up/email', {
    body: { name: 'Somebody', email, password: 'correct horse' },
    headers: from(address),
  })

/** As many as `count`, five at a time: checking a password is slow on purpose. */
async function repeat(count: number, attempt: (index: number) => Promise<{ status: number }>) {
  const statuses: number[] = []
  for (let done = 0; done < count; done += 5) {
    const some = Array.from({ length: Math.min(5, count - done) }, (_, index) =>
      attempt(done + index),
    )
    statuses.push(...(await Promise.all(some)).map(({ status }) => status))
  }
  return [...new Set(statuses)]
}

/** The time to wait begins now, however long all that was tried has taken. */
const waitFrom = (seconds: number) =>
  app.services.pool.query('update rate_limits set expire = $1', [Date.now() + seconds * 1000])

describe('wrong passwords', () => {
  test('from one address, for whatever accounts: 50 in 10 minutes', async () => {
    const known = await makePerson(app.services)
    const tried = await repeat(50, (index) =>
      logIn(`person${index}@example.com`, 'guess', '203.0.113.1'),
    )
    expect(tried).toEqual([401])
    await waitFrom(600)
    const refused = await logIn(known.email, known.password, '203.0.113.1')
    expect(refused.status).toBe(429)
    expect(refused.body.message).toBe('Too many attempts. Please try again in 10 minutes.')
    expect(Number(refused.headers.get('retry-after')) / 600).toBeCloseTo(1, 0)
    expect((await logIn(known.email, known.password, '203.0.113.2')).status).toBe(200)
  })

  test('for one account, from whatever addresses: 100 in an hour', async () => {
    const { email, password } = await makePerson(app.services)
    const tried = await repeat(100, (index) => logIn(email, 'guess', `198.51.100.${index}`))
    expect(tried).toEqual([401])
    await waitFrom(3600)
    const refused = await logIn(email, password, '203.0.113.9')
    expect(refused.status).toBe(429)
    expect(refused.body.message).toBe('Too many attempts. Please try again in 60 minutes.')
    const other = await makePerson(app.services)
    expect((await logIn(other.email, other.password, '203.0.113.9')).status).toBe(200)
  })

  test('guessed all at once are as few as one after the other', async () => {
    const { email } = await makePerson(app.services)
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => logIn(email, 'guess', '203.0.113.3')),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
  })

  test('that are refused do not shut the account to its owner elsewhere', async () => {
    const { email, password } = await makePerson(app.services)
    const tried = await repeat(120, () => logIn(email, 'guess', '203.0.113.10'))
    expect(tried.toSorted()).toEqual([401, 429])
    expect((await logIn(email, password, '203.0.113.11')).status).toBe(200)
  })

  test('that kept somebody out are forgotten by what the operator’s page says, known browsers included', async () => {
    const { email, password } = await makePerson(app.services)
    const other = await makePerson(app.services)
    const home = '203.0.113.12'
    const { headers } = await logIn(email, password, home)
    const device = headers.getSetCookie().find((one) => one.startsWith('thunder.device='))!
    const inKnownBrowser = (typed: string) =>
      app.request('/auth/v1/sign-in/email', {
        body: { email, password: typed },
        headers: from(home),
        cookie: device.split(';')[0],
      })
    await repeat(10, () => inKnownBrowser('guess'))
    await repeat(10, () => logIn(email, 'guess', home))
    await repeat(10, () => logIn(other.email, 'guess', home))
    const refused = async () => [
      (await inKnownBrowser(password)).status,
      (await logIn(email, password, home)).status,
      (await logIn(other.email, other.password, home)).status,
    ]
    expect(await refused()).toEqual([429, 429, 429])
    const [statement] = /delete from rate_limits where [^`]*'ann@example\.com'/.exec(operations)!
    await app.services.pool.query(statement.replace('ann@example.com', email))
    expect(await refused()).toEqual([200, 200, 429])
    const [ofAddress] = /delete from rate_limits where [^`]*'%203\.0\.113\.7'/.exec(operations)!
    await app.services.pool.query(ofAddress.replace('203.0.113.7', home))
    expect(await refused()).toEqual([200, 200, 200])
  })

  test('right ones do not count', async () => {
    const { email, password } = await makePerson(app.services)
    const right = await repeat(55, () => logIn(email, password, '203.0.113.4'))
    expect(right).toEqual([200])
  })
})

test('sign-ups from one address: 60 in an hour', async () => {
  const taken = (index: number) => signUp(`taken${index % 4}@example.com`, '203.0.113.5')
  expect(await repeat(4, taken)).toEqual([200])
  expect(await repeat(56, taken)).toEqual([422])
  await waitFrom(3600)
  const refused = await signUp('new@example.com', '203.0.113.5')
  expect(refused.status).toBe(429)
  expect(refused.body.message).toBe('Too many attempts. Please try again in 60 minutes.')
  expect((await signUp('new@example.com', '203.0.113.6')).status).toBe(200)
})

describe('the address', () => {
  test('of IPv6 counts with all of its network', async () => {
    const { email, password } = await makePerson(app.services)
    await repeat(10, (index) => logIn(email, 'guess', `2001:db8:7:7::${index}`))
    expect((await logIn(email, password, '2001:db8:7:7:ffff::1')).status).toBe(429)
    expect((await logIn(email, password, '2001:db8:7:8::1')).status).toBe(200)
  })

  const sessionAddress = async (of: TestApp, forwarded: string) => {
    const email = `${crypto.randomUUID()}@example.com`
    await of.request('/auth/v1/sign-up/email', {
      body: { name: 'Somebody', email, password: 'correct horse' },
      headers: from(forwarded),
    })
    const { rows } = await of.services.pool.query(
      'select ip_address from sessions s join users u on u.id = s.user_id where u.email = $1',
      [email],
    )
    return rows[0]?.ip_address
  }

  test('is the one that the own proxy saw, not what a visitor put before it', async () => {
    expect(await sessionAddress(app, '6.6.6.6, 203.0.113.7')).toBe('203.0.113.7')
  })

  test.each([
    ['6.6.6.6:1, 203.0.113.9:50123', '203.0.113.9'],
    // Of IPv6 the library keeps the network.
    ['[2001:db8:7::1]:50123', '2001:0db8:0007:0000:0000:0000:0000:0000'],
    ['[2001:db8:8::1]', '2001:0db8:0008:0000:0000:0000:0000:0000'],
    ['2001:db8:9::1', '2001:0db8:0009:0000:0000:0000:0000:0000'],
  ])('is without the port that some proxies say: %s', async (forwarded, address) => {
    expect(await sessionAddress(app, forwarded)).toBe(address)
  })

  test('is the connection’s when no proxy is trusted', async () => {
    const direct = await startTestApp()
    try {
      expect(await sessionAddress(direct, '203.0.113.8')).toBe('127.0.0.1')
    } finally {
      await direct.stop()
    }
  })
})

test('sign-ups with one email address, from whatever addresses: 20 in an hour', async () => {
  expect((await signUp('popular@example.com', '203.0.113.50')).status).toBe(200)
  const tried = await repeat(19, (index) => signUp('popular@example.com', `198.51.100.${index}`))
  expect(tried).toEqual([422])
  expect((await signUp('POPULAR@example.com', '203.0.113.51')).status).toBe(429)
  expect((await signUp('another@example.com', '203.0.113.51')).status).toBe(200)
})
