// A telephone number of an account: shown to its owner, removed, and never the last way in.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { openBrowser } from '../../../test/identity/browser.ts'
import { codeIn, jobsDone, mailsTo, mailTo, startSmsGateway } from '../../../test/mailbox.ts'
import { identities, passkeys, verifications } from './tables.ts'

let app: TestApp
let gateway: Awaited<ReturnType<typeof startSmsGateway>>
beforeAll(async () => {
  gateway = await startSmsGateway()
  app = await startTestApp({ SMS_WEBHOOK_URL: gateway.url })
})
afterAll(async () => {
  await app?.stop()
  await gateway?.stop()
})
beforeEach(() => app.services.pool.query('delete from rate_limits'))

const somePhone = () => `+49${Math.trunc(1e9 + Math.random() * 9e9)}`
const remove = (cookie?: string) =>
  app.request('/rest/v1/me/telephone', { method: 'DELETE', ...(cookie ? { cookie } : {}) })
const post = (path: string, body: object, cookie?: string) =>
  app.request(`/auth/v1${path}`, { body, ...(cookie ? { cookie } : {}) })
const security = async (cookie: string) =>
  (await app.request('/rest/v1/me/security', { cookie })).body

async function textedCode(path: string, phoneNumber: string) {
  const before = gateway.taken.filter(({ to }) => to === phoneNumber).length
  await post(path, { phoneNumber })
  return codeIn(await gateway.textTo(phoneNumber, before + 1))
}

/** Somebody with a telephone; `mailbox: false` for who signed up by it. */
async function withTelephone({ mailbox = true } = {}) {
  const email = mailbox ? {} : { email: `${randomUUID()}@phone.invalid` }
  const person = await makePerson(app.services, email)
  const phoneNumber = somePhone()
  await app.services.pool.query(
    'update users set phone_number = $2, phone_number_verified = true where id = $1',
    [person.id, phoneNumber],
  )
  return { ...person, phoneNumber, cookie: await sessionCookieOf(app.services, person.id) }
}

const numberOf = async (id: string) =>
  (
    await app.services.pool.query(
      'select phone_number as "number", phone_number_verified as verified from users where id = $1',
      [id],
    )
  ).rows[0]
const noNumber = { number: null, verified: false }

async function addPasskey(userId: string) {
  const [added] = await app.services.db
    .insert(passkeys)
    .values({
      userId,
      publicKey: 'x',
      credentialID: randomUUID(),
      counter: 0,
      deviceType: 'singleDevice',
      backedUp: false,
    })
    .returning({ id: passkeys.id })
  return added!.id
}

async function addIdentity(userId: string, providerId = 'google') {
  const [added] = await app.services.db
    .insert(identities)
    .values({ userId, providerId, accountId: randomUUID() })
    .returning({ id: identities.id })
  return added!.id
}

test('is shown to its owner, removed by a call, told of by mail, and lets nobody in any more', async () => {
  const { id, email, phoneNumber, cookie } = await withTelephone()
  expect((await security(cookie)).phoneNumber).toBe(phoneNumber)
  const login = await textedCode('/phone-number/send-otp', phoneNumber)
  const otp = await textedCode('/phone-number/request-password-reset', phoneNumber)

  const { status, body } = await remove(cookie)
  expect([status, body]).toEqual([200, { removed: true }])
  expect((await security(cookie)).phoneNumber).toBeNull()
  expect(await numberOf(id)).toEqual(noNumber)
  await mailTo(app, email, /^The telephone number was removed from your account$/)

  // Codes that were on their way are good no more; a new one is somebody else's.
  expect((await post('/phone-number/verify', { phoneNumber, code: login })).status).toBe(400)
  const reset = { phoneNumber, otp, newPassword: 'battery staple' }
  expect((await post('/phone-number/reset-password', reset)).status).toBe(400)
  const browser = openBrowser(app)
  const code = await textedCode('/phone-number/send-otp', phoneNumber)
  await browser.request('/auth/v1/phone-number/verify', { body: { phoneNumber, code } })
  expect(await browser.signedInAs()).toMatch(/@phone\.invalid$/)
})

test('and with it goes what was begun, such as a log-in that waits for the second step', async () => {
  const { id, cookie } = await withTelephone()
  const { db, pool } = app.services
  const expiresAt = new Date(Date.now() + 60_000)
  await db.insert(verifications).values({ identifier: randomUUID(), value: id, expiresAt })
  expect((await remove(cookie)).status).toBe(200)
  expect((await pool.query('select 1 from verifications where value = $1', [id])).rows).toEqual([])
})

test('is removed by nobody else', async () => {
  const { id, phoneNumber } = await withTelephone()
  const stranger = await remove()
  expect([stranger.status, stranger.body.message]).toEqual([401, 'User must be authenticated'])
  const other = await sessionCookieOf(app.services, (await makePerson(app.services)).id)
  const missing = 'No telephone number is connected to your account.'
  const answer = await remove(other)
  expect([answer.status, answer.body.message]).toEqual([404, missing])
  expect(await numberOf(id)).toEqual({ number: phoneNumber, verified: true })
})

test('takes a proof that is not older than a quarter of an hour', async () => {
  const { id, phoneNumber, password, cookie } = await withTelephone()
  await app.services.pool.query(
    `update sessions set proven_at = now() - interval '16 minutes' where user_id = $1`,
    [id],
  )
  const { status, body } = await remove(cookie)
  expect([status, body.code]).toEqual([403, 'PROOF_NEEDED'])
  expect((await numberOf(id)).number).toBe(phoneNumber)
  await post('/verify-password', { password }, cookie)
  expect((await remove(cookie)).status).toBe(200)
})

test('twice, it is not there any more, and its owner is told once', async () => {
  const { email, cookie } = await withTelephone()
  expect((await remove(cookie)).status).toBe(200)
  expect((await remove(cookie)).status).toBe(404)
  await jobsDone(app)
  const told = (await mailsTo(app, email)).filter(({ subject }) => /removed/.test(subject))
  expect(told).toHaveLength(1)
})

test('the only way in stays, with a password as well; with a passkey or a service it goes', async () => {
  const person = await withTelephone({ mailbox: false })
  const refused = await remove(person.cookie)
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    'LAST_WAY_IN',
    'This is your only way to log in, so it stays. Add an email address or a passkey first, then remove it.',
  ])
  expect((await numberOf(person.id)).number).toBe(person.phoneNumber)
  await addPasskey(person.id)
  expect((await remove(person.cookie)).status).toBe(200)

  const other = await withTelephone({ mailbox: false })
  await addIdentity(other.id)
  expect((await remove(other.cookie)).status).toBe(200)
  expect(await numberOf(other.id)).toEqual(noNumber)
})

test('is a way in: whoever has it may remove the only passkey, service or wallet, and then not it', async () => {
  const removals = [
    async (id: string, cookie: string) =>
      post('/passkey/delete-passkey', { id: await addPasskey(id) }, cookie),
    async (id: string, cookie: string) =>
      post('/unlink-account', { accountId: await addIdentity(id) }, cookie),
    async (id: string, cookie: string) =>
      post('/unlink-account', { accountId: await addIdentity(id, 'siwe') }, cookie),
  ]
  for (const removal of removals) {
    const { id, cookie } = await withTelephone({ mailbox: false })
    await app.services.pool.query('delete from identities where user_id = $1', [id])
    expect((await removal(id, cookie)).status).toBe(200)
    expect((await remove(cookie)).status).toBe(409)
  }
})

test('once it is gone, the passkey or the service that is left stays', async () => {
  const { id, cookie } = await withTelephone({ mailbox: false })
  const passkeyId = await addPasskey(id)
  expect((await remove(cookie)).status).toBe(200)
  const last = await post('/passkey/delete-passkey', { id: passkeyId }, cookie)
  expect([last.status, last.body.code, last.body.message]).toEqual([
    409,
    'LAST_WAY_IN',
    'This is your only way to log in, so it stays. Add an email address first, then remove it.',
  ])
  const accountId = await addIdentity(id)
  expect((await post('/passkey/delete-passkey', { id: passkeyId }, cookie)).status).toBe(200)
  // A password is there, but nothing to type beside it.
  const unlinked = await post('/unlink-account', { accountId }, cookie)
  expect([unlinked.status, unlinked.body.code]).toEqual([400, 'FAILED_TO_UNLINK_LAST_ACCOUNT'])
})

/** Another way in, and how it is removed. */
const otherWays = [
  async (id: string, cookie: string) => {
    const passkeyId = await addPasskey(id)
    return () => post('/passkey/delete-passkey', { id: passkeyId }, cookie)
  },
  async (id: string, cookie: string) => {
    const accountId = await addIdentity(id)
    return () => post('/unlink-account', { accountId }, cookie)
  },
]

test('of it and another way that are removed at once, one stays', async () => {
  for (const removal of otherWays) {
    const { id, cookie } = await withTelephone({ mailbox: false })
    const removeOther = await removal(id, cookie)
    const answers = await behindChange(
      app.services,
      ['select 1 from users where id = $1 for no key update', id],
      [() => remove(cookie), removeOther],
    )
    expect(answers.map(({ status }) => status === 200).toSorted()).toEqual([false, true])
  }
})

test('neither it nor another way in is removed by a session that is ended meanwhile', async () => {
  const itself = async (_id: string, cookie: string) => () => remove(cookie)
  for (const removal of [itself, ...otherWays]) {
    const { id, cookie } = await withTelephone()
    const removeIt = await removal(id, cookie)
    const ways = () =>
      app.services.pool.query(
        `select phone_number, (select count(*) from passkeys where user_id = u.id) as passkeys,
                (select count(*) from identities where user_id = u.id) as identities
           from users u where id = $1`,
        [id],
      )
    const before = (await ways()).rows
    const [answer] = await behindChange(
      app.services,
      ['select 1 from users where id = $1 for no key update', id],
      [removeIt],
      () => app.services.pool.query('delete from sessions where user_id = $1', [id]),
    )
    expect([answer!.status, answer!.body.message]).toEqual([401, 'User must be authenticated'])
    expect((await ways()).rows).toEqual(before)
  }
})

test('of two removals at once one finds it', async () => {
  const { id, cookie } = await withTelephone()
  const answers = await behindChange(
    app.services,
    ['select 1 from users where id = $1 for no key update', id],
    [() => remove(cookie), () => remove(cookie)],
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
})
