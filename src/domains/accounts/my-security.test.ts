// What a person sees about the safety of the own account, and ending the sessions on other devices.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { type MadePerson, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { publishToPerson } from '../../server/publish.ts'
import { patience } from '../../../test/patience.ts'
import { watchStatements } from '../../../test/statements.ts'
import { identities, passkeys, twoFactors } from './tables.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' })
})
afterAll(() => app?.stop())

const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

const cookiesIn = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

/** Logs in as a browser does. */
async function logIn(person: MadePerson, userAgent = firefox): Promise<string> {
  const { status, headers } = await app.request('/auth/v1/sign-in/email', {
    body: { email: person.email, password: person.password },
    headers: { 'user-agent': userAgent },
  })
  expect(status).toBe(200)
  return cookiesIn(headers)
}

const security = async (cookie: string) =>
  (await app.request('/rest/v1/me/security', { cookie })).body

interface Listed {
  id: string
  device: string
  current: boolean
}

const otherSession = async (cookie: string) =>
  (await security(cookie)).sessions.find((one: Listed) => !one.current).id

const end = (sessionId: string, cookie: string) =>
  app.request(`/rest/v1/me/sessions/${sessionId}`, { method: 'DELETE', cookie })

const isSignedIn = async (cookie: string) =>
  (await app.request('/rest/v1/me', { cookie })).body !== null

/** Opens the event stream and waits until it brings something. */
async function openStream(person: { id: string }, cookie: string) {
  const abort = new AbortController()
  closings.push(() => abort.abort())
  const response = await fetch(`${app.url}/realtime/v1/events`, {
    headers: { cookie },
    signal: abort.signal,
  })
  expect(response.status).toBe(200)
  const stream = { text: '', hasEnded: false }
  const read = async () => {
    for await (const text of response.body!.pipeThrough(new TextDecoderStream()))
      stream.text += text
    stream.hasEnded = true
  }
  read().catch(() => {})
  const { db } = app.services
  await vi.waitFor(
    async () => {
      await publishToPerson(db, person.id, { type: 'joined', courseId: randomUUID() })
      expect(stream.text).toContain('joined')
    },
    { ...patience, interval: 50 },
  )
  return stream
}

const expectEnd = (stream: { hasEnded: boolean }) => expect.poll(() => stream.hasEnded).toBe(true)

describe('what is shown', () => {
  test('to somebody with a password, at two devices', async () => {
    const person = await makePerson(app.services)
    const cookie = await logIn(person)
    await logIn(person, 'curl/8.14.1')
    const shown = await security(cookie)
    expect(shown).toEqual({
      now: expect.stringMatching(/^\d{4}-.*Z$/),
      email: person.email,
      emailVerified: true,
      hasMailbox: true,
      phoneNumber: null,
      hasPassword: true,
      twoFactorEnabled: false,
      passkeys: [],
      identities: [],
      connectable: [{ id: 'google', name: 'Google' }],
      sessions: [
        {
          id: expect.any(String),
          device: 'Firefox on Windows',
          address: '127.0.0.1',
          current: true,
          lastUsedAt: expect.stringMatching(/Z$/),
          createdAt: expect.stringMatching(/Z$/),
          aal: 'aal1',
        },
        expect.objectContaining({ device: 'curl', current: false }),
      ],
    })
  })

  test('never with a token, a secret or a key in it', async () => {
    const person = await makePerson(app.services)
    const cookie = await logIn(person)
    const { db, pool } = app.services
    const userId = person.id
    await db.insert(twoFactors).values({ userId, secret: 'CANARY-1', backupCodes: 'CANARY-2' })
    await db.insert(passkeys).values({
      userId,
      name: 'My phone',
      publicKey: 'CANARY-3',
      credentialID: `CANARY-4-${randomUUID()}`,
      counter: 0,
      deviceType: 'multiDevice',
      backedUp: true,
    })
    await db.insert(identities).values([
      {
        userId,
        providerId: 'google',
        accountId: `CANARY-5-${randomUUID()}`,
        accessToken: 'CANARY-6',
        refreshToken: 'CANARY-7',
        idToken: 'CANARY-8',
      },
      { userId, providerId: 'siwe', accountId: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F:1' },
    ])
    const shown = await security(cookie)
    expect(shown.passkeys).toMatchObject([{ name: 'My phone' }])
    expect(shown.identities).toMatchObject([
      { provider: 'google', name: 'Google' },
      { provider: 'siwe', name: 'Wallet 0x71C7…976F' },
    ])
    expect(shown.connectable).toEqual([])
    const { rows } = await pool.query<{ secret: string }>(
      `select token as secret from sessions where user_id = $1
       union all select password from identities where user_id = $1 and password is not null`,
      [userId],
    )
    const text = JSON.stringify(shown)
    expect(rows).toHaveLength(2)
    for (const { secret } of rows) expect(text).not.toContain(secret)
    expect(text).not.toContain('CANARY')
  })

  test('this device first, then the last used; the rest as it was made', async () => {
    const person = await makePerson(app.services)
    const cookie = await logIn(person)
    const { pool } = app.services
    const past = (table: string, days: number, where: string) =>
      pool.query(
        `update ${table} set created_at = now() - make_interval(days => ${days}) where user_id = $1 and ${where}`,
        [person.id],
      )
    await pool.query(
      `insert into sessions (token, user_id, expires_at, updated_at, user_agent, ip_address, aal)
       select 'token ' || n || $1, $1::uuid, now() + (3 - n) * interval '1 day', now() + n * interval '1 hour',
              'device-' || n, case n when 2 then '2001:0db8:0000:0000:0000:0000:0000:0001' end, 'aal2'
         from generate_series(1, 3) n`,
      [person.id],
    )
    const { db } = app.services
    const device = { publicKey: 'x', counter: 0, deviceType: 'singleDevice', backedUp: false }
    const userId = person.id
    await db.insert(passkeys).values([
      { ...device, userId, name: null, credentialID: `one ${userId}` },
      { ...device, userId, name: 'Old key', credentialID: `two ${userId}` },
    ])
    await past('passkeys', 2, `name = 'Old key'`)
    await db.insert(identities).values([
      { userId, providerId: 'corp-sso', accountId: `1 ${userId}` },
      { userId, providerId: 'google', accountId: `2 ${userId}` },
    ])
    await past('identities', 2, `provider_id = 'google'`)
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    const id = expect.any(String)
    const other = { id, current: false, lastUsedAt: time, createdAt: time, aal: 'aal2' }
    const shown = await security(cookie)
    // The third is over.
    expect(shown.sessions).toEqual([
      {
        ...other,
        device: 'Firefox on Windows',
        address: '127.0.0.1',
        current: true,
        aal: 'aal1',
      },
      { ...other, device: 'device-2', address: '2001:db8::1' },
      { ...other, device: 'device-1', address: null },
    ])
    expect(shown.passkeys).toEqual([
      { id, name: 'Old key', createdAt: time },
      { id, name: 'Passkey', createdAt: time },
    ])
    expect(shown.identities).toEqual([
      { id, provider: 'google', name: 'Google', createdAt: time },
      { id, provider: 'corp-sso', name: 'corp-sso', createdAt: time },
    ])
    expect(shown.connectable).toEqual([])
  })

  test('to somebody without a password or a mailbox', async () => {
    const person = await makePerson(app.services, { email: `${randomUUID()}@phone.invalid` })
    const cookie = await sessionCookieOf(app.services, person.id)
    await app.services.pool.query('delete from identities where user_id = $1', [person.id])
    expect(await security(cookie)).toMatchObject({
      hasPassword: false,
      hasMailbox: false,
      sessions: [{ device: 'Unknown device', address: null, current: true }],
    })
    // The stand-in for an address is shown nowhere.
    for (const path of ['/rest/v1/me', '/rest/v1/me/profile', '/rest/v1/me/deletion']) {
      const { status, body } = await app.request(path, { cookie })
      expect([status, body.email], path).toEqual([200, ''])
    }
  })

  test('is nobody else’s, and costs five statements with the look-up of who asks', async () => {
    const person = await makePerson(app.services)
    const cookie = await sessionCookieOf(app.services, person.id)
    const stranger = await app.request('/rest/v1/me/security')
    expect([stranger.status, stranger.body.message]).toEqual([401, 'User must be authenticated'])
    await logIn(await makePerson(app.services))
    let shown!: Awaited<ReturnType<typeof security>>
    const statements = await watchStatements(app).during(async () => {
      shown = await security(cookie)
    })
    expect(statements).toHaveLength(5)
    expect([shown.email, shown.sessions.length]).toEqual([person.email, 1])
  })
})

describe('ending a session', () => {
  test('signs that device out, and no other', async () => {
    const person = await makePerson(app.services)
    const [here, there] = [await logIn(person), await logIn(person, 'curl/8.14.1')]
    expect((await end(await otherSession(here), here)).status).toBe(200)
    expect(await isSignedIn(there)).toBe(false)
    expect(await isSignedIn(here)).toBe(true)
    expect((await security(here)).sessions).toMatchObject([{ current: true }])
  })

  test('is for its owner only: for others it does not exist', async () => {
    const [owner, other] = [await makePerson(app.services), await makePerson(app.services)]
    const [ofOwner, ofOther] = [await logIn(owner), await logIn(other)]
    const { id } = (await security(ofOwner)).sessions[0]
    const stranger = await app.request(`/rest/v1/me/sessions/${id}`, { method: 'DELETE' })
    expect(stranger.status).toBe(401)
    const foreign = await end(id, ofOther)
    const unknown = await end(randomUUID(), ofOther)
    expect([foreign.status, unknown.status]).toEqual([404, 404])
    expect(foreign.body).toEqual(unknown.body)
    expect(await isSignedIn(ofOwner)).toBe(true)
  })

  test('a second time says that it has ended', async () => {
    const person = await makePerson(app.services)
    const here = await logIn(person)
    await logIn(person)
    const id = await otherSession(here)
    await end(id, here)
    const again = await end(id, here)
    expect([again.status, again.body.message]).toEqual([404, 'This session has ended already.'])
  })

  test.each([
    ['a word', 'not-an-id'],
    ['a NUL', '%00'],
    ['a long text', 'x'.repeat(5000)],
  ])('%s is no session', async (_what, id) => {
    const person = await makePerson(app.services)
    const { status, body } = await end(id, await sessionCookieOf(app.services, person.id))
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(body.message).toMatch(/\w+ \w+/)
  })
})

describe('the event stream of a device ends', () => {
  /** Somebody at two devices, with a stream on the second. */
  async function twoDevices() {
    const person = await makePerson(app.services)
    const [here, there] = [await logIn(person), await logIn(person)]
    return { person, here, stream: await openStream(person, there) }
  }

  test('when its session is ended from another one; nothing later is told', async () => {
    const { person, here, stream } = await twoDevices()
    await end(await otherSession(here), here)
    const { db } = app.services
    await publishToPerson(db, person.id, { type: 'progress', courseId: randomUUID() })
    await expectEnd(stream)
    expect(stream.text).not.toContain('progress')
  })

  test('when everybody else is logged out', async () => {
    const { here, stream } = await twoDevices()
    const answer = await app.request('/auth/v1/revoke-other-sessions', { body: {}, cookie: here })
    expect(answer.status).toBe(200)
    await expectEnd(stream)
    expect(await isSignedIn(here)).toBe(true)
  })

  test('when the password is changed elsewhere', async () => {
    const { person, here, stream } = await twoDevices()
    const { status } = await app.request('/auth/v1/change-password', {
      body: { currentPassword: person.password, newPassword: 'battery staple' },
      cookie: here,
    })
    expect(status).toBe(200)
    await expectEnd(stream)
  })

  test('when it signs out itself', async () => {
    const person = await makePerson(app.services)
    const cookie = await logIn(person)
    const stream = await openStream(person, cookie)
    await app.request('/auth/v1/sign-out', { body: {}, cookie })
    await expectEnd(stream)
  })

  test('when the account is deleted', async () => {
    const { person, here, stream } = await twoDevices()
    const answer = await app.request('/rest/v1/me/deletion', {
      body: { confirmation: 'DELETE', password: person.password },
      cookie: here,
    })
    expect(answer.status).toBe(200)
    await expectEnd(stream)
  })

  test('when its session has expired, or went with the account, at the next look', async () => {
    const person = await makePerson(app.services)
    const expiring = await openStream(person, await logIn(person))
    const deleted = await openStream(person, await logIn(person))
    const other = await makePerson(app.services)
    const ofOther = await openStream(other, await logIn(other))
    await app.services.pool.query(
      `with gone as (
         delete from sessions where id =
           (select id from sessions where user_id = $1 order by created_at desc limit 1))
       update sessions set expires_at = now() where user_id = $1`,
      [person.id],
    )
    await app.services.events.endGoneStreams()
    await expectEnd(expiring)
    await expectEnd(deleted)
    expect(ofOther.hasEnded).toBe(false)
  })
})

test('somebody who passed the second step is still sure after a change of password', async () => {
  const person = await makePerson(app.services)
  const cookie = await logIn(person)
  await app.services.pool.query(`update sessions set aal = 'aal2' where user_id = $1`, [person.id])
  const { status, headers } = await app.request('/auth/v1/change-password', {
    body: { currentPassword: person.password, newPassword: 'battery staple' },
    cookie,
  })
  expect(status).toBe(200)
  expect((await security(cookiesIn(headers))).sessions).toMatchObject([{ aal: 'aal2' }])
})

describe('calls of the library that this page makes', () => {
  test.each(['enable', 'get-totp-uri', 'generate-backup-codes', 'disable'])(
    'two-factor/%s lets nobody guess the password of an open session',
    async (call) => {
      const person = await makePerson(app.services)
      const cookie = await sessionCookieOf(app.services, person.id)
      const { password } = person
      await app.request('/auth/v1/two-factor/enable', { body: { password }, cookie })
      // It is on, so that the password is what is wrong.
      await app.services.pool.query('update users set two_factor_enabled = true where id = $1', [
        person.id,
      ])
      const guess = () =>
        app.request(`/auth/v1/two-factor/${call}`, { body: { password: 'a guess' }, cookie })
      for (let guesses = 0; guesses < 10; guesses++) expect((await guess()).status).toBe(400)
      expect((await guess()).status).toBe(429)
    },
  )

  test.each([
    ['', 'Name is required'],
    [' \t\n ', 'Name is required'],
    ['x'.repeat(81), 'Name can have at most 80 characters'],
    [{ a: 1 }, 'Name is required'],
  ])('a passkey cannot be named %o', async (name, message) => {
    const person = await makePerson(app.services)
    const cookie = await sessionCookieOf(app.services, person.id)
    for (const call of ['update-passkey', 'verify-registration']) {
      const { status, body } = await app.request(`/auth/v1/passkey/${call}`, {
        body: { id: randomUUID(), response: {}, name },
        cookie,
      })
      expect([status, body.message]).toEqual([400, message])
    }
  })
})
