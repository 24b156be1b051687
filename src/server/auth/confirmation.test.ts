// Sites that want addresses confirmed, and sites that take no new people.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson } from '../../../test/factories.ts'
import { openBrowser } from '../../../test/identity/browser.ts'
import {
  codeIn,
  jobsDone,
  linkIn,
  mailsTo,
  mailTo,
  startSmsGateway,
  tokenIn,
} from '../../../test/mailbox.ts'
import { logInRefusal, signUpRefusal } from '../../domains/accounts/sign-in-words.ts'

const nobody = () => `${crypto.randomUUID()}@example.com`
const hasSession = (headers: Headers) => headers.getSetCookie().join().includes('session_token=')

describe('with EMAIL_CONFIRMATION=on', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ EMAIL_CONFIRMATION: 'on' })
  })
  afterAll(() => app?.stop())
  beforeEach(() => app.services.pool.query('delete from rate_limits'))

  const post = (path: string, body: object, cookie?: string) =>
    app.request(`/auth/v1${path}`, { body, ...(cookie ? { cookie } : {}) })
  const signUp = (email: string) =>
    post('/sign-up/email', { name: 'Ann Lee', email, password: 'correct horse' })
  const verify = (token: string, cookie?: string) =>
    app.request(`/auth/v1/verify-email?token=${token}`, cookie ? { cookie } : {})

  test('a newcomer confirms first, then logs in, and is welcomed then', async () => {
    const email = nobody()
    const signedUp = await signUp(email)
    expect([signedUp.status, hasSession(signedUp.headers)]).toEqual([200, false])

    const logIn = () => post('/sign-in/email', { email, password: 'correct horse' })
    const early = await logIn()
    expect([early.status, early.body.code, hasSession(early.headers)]).toEqual([
      403,
      'EMAIL_NOT_VERIFIED',
      false,
    ])
    expect(logInRefusal(early.body)).toBe(
      'Please check your email and click the confirmation link before signing in.',
    )
    const link = linkIn(await mailTo(app, email, /Confirm your email address/))
    expect(link.origin + link.pathname).toBe('http://localhost:3000/confirm-email')
    await jobsDone(app)
    expect(await mailsTo(app, email)).toHaveLength(1)

    const confirmed = await verify(link.searchParams.get('token')!)
    expect([confirmed.status, hasSession(confirmed.headers)]).toEqual([200, false])
    const browser = openBrowser(app)
    await browser.request('/auth/v1/sign-in/email', { body: { email, password: 'correct horse' } })
    const { body: me } = await browser.request('/rest/v1/me')
    expect(me).toMatchObject({ email, username: expect.stringMatching(/^ann-lee/) })
    await mailTo(app, email, /^Welcome to Thunder$/)
    const { rows } = await app.services.pool.query(
      'select title, type from notifications where user_id = $1',
      [me.id],
    )
    expect(rows).toEqual([{ title: 'Welcome to Thunder Bootcamp!', type: 'success' }])
  })

  test('with a wrong password nobody hears whether the address is confirmed', async () => {
    const email = nobody()
    await signUp(email)
    const known = await post('/sign-in/email', { email, password: 'a wrong one' })
    const unknown = await post('/sign-in/email', { email: nobody(), password: 'a wrong one' })
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
  })

  test('an address that has an account is told so, confirmed or not, also to many at once', async () => {
    const email = nobody()
    const answers = await Promise.all(Array.from({ length: 6 }, () => signUp(email)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.find(({ status }) => status !== 200)!
    expect(refused.status).toBe(422)
    expect(signUpRefusal({ status: refused.status, ...refused.body })).toBe(
      'An account with this email already exists. Please try logging in instead.',
    )
    await verify(tokenIn(await mailTo(app, email, /Confirm your email address/)))
    expect((await signUp(email)).status).toBe(422)
  })

  test('the mail leads on to the page that was wanted, of this site alone', async () => {
    const email = nobody()
    const person = { name: 'Ann Lee', email, password: 'correct horse' }
    await post('/sign-up/email', { ...person, callbackURL: '/course/x' })
    const first = await mailTo(app, email, /Confirm your email address/)
    expect(linkIn(first).searchParams.get('to')).toBe('/course/x')
    await post('/send-verification-email', { email, callbackURL: '//evil.example' })
    const second = await mailTo(app, email, /Confirm your email address/, first)
    expect(linkIn(second).searchParams.get('to')).toBe('/dashboard')
  })

  test('the mail is sent again when it is asked for, and not to who is confirmed', async () => {
    const email = nobody()
    await signUp(email)
    const first = await mailTo(app, email, /Confirm your email address/)
    expect((await post('/send-verification-email', { email })).body).toEqual({ status: true })
    const second = await mailTo(app, email, /Confirm your email address/, first)
    await verify(tokenIn(second))
    const before = (await mailsTo(app, email)).length
    expect((await post('/send-verification-email', { email })).body).toEqual({ status: true })
    await jobsDone(app)
    expect(await mailsTo(app, email)).toHaveLength(before)
  })

  test('a link that is not ours, or too old, confirms nothing', async () => {
    const email = nobody()
    await signUp(email)
    const token = tokenIn(await mailTo(app, email, /Confirm your email address/))
    const [header, payload, signature] = token.split('.')
    const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString())
    expect(claims.exp - claims.iat).toBe(24 * 60 * 60)
    const other = Buffer.from(JSON.stringify({ ...claims, email: 'other@example.com' }))
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    const forged = [
      `${header}.${other.toString('base64url')}.${signature}`,
      `${none}.${payload}.`,
      `${token.slice(0, -4)}AAAA`,
      'made-up',
    ]
    for (const made of forged) {
      const { status, body } = await verify(made)
      expect([status, body.message]).toEqual([401, expect.stringMatching(/\w+ \w+/)])
    }
    const refused = await post('/sign-in/email', { email, password: 'correct horse' })
    expect(refused.status).toBe(403)
  })

  test('a person who was made before confirmation was wanted confirms at the next log-in', async () => {
    const { email, password, id } = await makePerson(app.services)
    await app.services.pool.query('update users set email_verified = false where id = $1', [id])
    expect((await post('/sign-in/email', { email, password })).status).toBe(403)
    await post('/email-otp/send-verification-otp', { email, type: 'email-verification' })
    const otp = codeIn((await mailTo(app, email, /is your Thunder code/)).text)
    await post('/email-otp/verify-email', { email, otp })
    expect((await post('/sign-in/email', { email, password })).status).toBe(200)
  })

  test('a new address is allowed from the old mailbox, then confirmed from the new one', async () => {
    const { email, password } = await makePerson(app.services)
    const browser = openBrowser(app)
    await browser.request('/auth/v1/sign-in/email', { body: { email, password } })
    const newEmail = nobody()
    await browser.request('/auth/v1/change-email', { body: { newEmail } })
    const allow = tokenIn(await mailTo(app, email, /Allow a new email address/))
    expect((await verify(allow)).status).toBe(200)
    expect(await browser.signedInAs()).toBe(email)
    const confirm = tokenIn(await mailTo(app, newEmail, /Confirm your email address/))
    // Wherever the new mailbox is open: following the link logs nobody in.
    const elsewhere = openBrowser(app)
    const followed = await elsewhere.request(`/auth/v1/verify-email?token=${confirm}`)
    expect([followed.status, await elsewhere.signedInAs()]).toEqual([200, null])
    expect(await browser.signedInAs()).toBe(newEmail)
    const { rows } = await app.services.pool.query(
      'select count(*)::int from sessions s join users u on u.id = s.user_id where u.email = $1',
      [newEmail],
    )
    expect(rows).toEqual([{ count: 1 }])
    expect((await verify(confirm)).status).toBe(401)
  })

  test('a new address confirmed in the own browser leaves the session as it is', async () => {
    const { email, password } = await makePerson(app.services)
    const browser = openBrowser(app)
    await browser.request('/auth/v1/sign-in/email', { body: { email, password } })
    const newEmail = nobody()
    await browser.request('/auth/v1/change-email', { body: { newEmail } })
    await browser.request(
      `/auth/v1/verify-email?token=${tokenIn(await mailTo(app, email, /Allow a new email address/))}`,
    )
    await browser.request(
      `/auth/v1/verify-email?token=${tokenIn(await mailTo(app, newEmail, /Confirm your email/))}`,
    )
    expect(await browser.signedInAs()).toBe(newEmail)
  })

  test('a new address that somebody has is answered like any other, and nothing is sent', async () => {
    const [ann, bob] = [await makePerson(app.services), await makePerson(app.services)]
    const browser = openBrowser(app)
    await browser.request('/auth/v1/sign-in/email', {
      body: { email: ann.email, password: ann.password },
    })
    const change = (newEmail: string) =>
      browser.request('/auth/v1/change-email', { body: { newEmail } })
    const taken = await change(bob.email)
    await jobsDone(app)
    expect(await mailsTo(app, ann.email)).toEqual([])
    const free = await change(nobody())
    expect([taken.status, taken.body]).toEqual([free.status, free.body])
  })
})

describe('with SIGNUP=closed', () => {
  const words = 'Account creation is currently restricted. Please contact support.'
  let app: TestApp
  let gateway: Awaited<ReturnType<typeof startSmsGateway>>
  beforeAll(async () => {
    gateway = await startSmsGateway()
    app = await startTestApp({ SIGNUP: 'closed', SMS_WEBHOOK_URL: gateway.url })
  })
  afterAll(async () => {
    await app?.stop()
    await gateway?.stop()
  })

  const post = (path: string, body: object) => app.request(`/auth/v1${path}`, { body })
  const people = async () =>
    (await app.services.pool.query('select count(*)::int from users')).rows[0].count

  test('no password makes an account', async () => {
    const before = await people()
    const answer = await post('/sign-up/email', {
      name: 'Ann Lee',
      email: nobody(),
      password: 'correct horse',
    })
    expect([answer.status, answer.body.message]).toEqual([403, words])
    expect(hasSession(answer.headers)).toBe(false)
    expect(await people()).toBe(before)
  })

  test('no mailed code makes an account', async () => {
    const [email, before] = [nobody(), await people()]
    await post('/email-otp/send-verification-otp', { email, type: 'sign-in' })
    const otp = codeIn((await mailTo(app, email, /is your Thunder code/)).text)
    const answer = await post('/sign-in/email-otp', { email, otp })
    expect([answer.status, answer.body.message]).toEqual([403, words])
    expect(hasSession(answer.headers)).toBe(false)
    expect(await people()).toBe(before)
  })

  test('no mailed link makes an account', async () => {
    const [email, before] = [nobody(), await people()]
    await post('/sign-in/magic-link', { email })
    const token = tokenIn(await mailTo(app, email, /log-in link/))
    const { headers, status } = await app.request(
      `/auth/v1/magic-link/verify?token=${token}&callbackURL=/dashboard`,
    )
    const location = new URL(headers.get('location')!)
    expect([status, location.searchParams.get('error')]).toEqual([302, 'SIGNUP_CLOSED'])
    expect(location.searchParams.get('error_description')).toBe(words)
    expect(hasSession(headers)).toBe(false)
    expect(await people()).toBe(before)
  })

  test('no telephone makes an account', async () => {
    const [phoneNumber, before] = ['+4915199999999', await people()]
    await post('/phone-number/send-otp', { phoneNumber })
    const code = codeIn(await gateway.textTo(phoneNumber))
    const answer = await post('/phone-number/verify', { phoneNumber, code })
    expect([answer.status, answer.body.message]).toEqual([403, words])
    expect(hasSession(answer.headers)).toBe(false)
    expect(await people()).toBe(before)
  })

  test('who has an account gets in by password, code and link as ever', async () => {
    const { email, password } = await makePerson(app.services)
    expect((await post('/sign-in/email', { email, password })).status).toBe(200)
    await post('/email-otp/send-verification-otp', { email, type: 'sign-in' })
    const otp = codeIn((await mailTo(app, email, /is your Thunder code/)).text)
    expect((await post('/sign-in/email-otp', { email, otp })).status).toBe(200)
    await post('/sign-in/magic-link', { email })
    const token = tokenIn(await mailTo(app, email, /log-in link/))
    const { headers } = await app.request(
      `/auth/v1/magic-link/verify?token=${token}&callbackURL=/dashboard`,
    )
    expect(hasSession(headers)).toBe(true)
  })
})
