// Logging in without a password: codes by mail or telephone, links by mail.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
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

const post = (path: string, body: object, cookie?: string) =>
  app.request(`/auth/v1${path}`, { body, ...(cookie ? { cookie } : {}) })
const somePhone = () => `+49${Math.trunc(1e9 + Math.random() * 9e9)}`
const nobody = () => `${crypto.randomUUID()}@example.com`
const expire = () =>
  app.services.pool.query(`update verifications set expires_at = now() - interval '1 second'`)
const hasSession = (headers: Headers) => headers.getSetCookie().join().includes('session_token=')

describe('a code by mail', () => {
  async function codeFor(email: string, type: string) {
    const [before = { id: 0 }] = await mailsTo(app, email)
    const { body } = await post('/email-otp/send-verification-otp', { email, type })
    expect(body).toEqual({ status: true })
    return codeIn((await mailTo(app, email, /is your Thunder code/, before)).text)
  }

  test('logs in, once', async () => {
    const { email } = await makePerson(app.services)
    const browser = openBrowser(app)
    const otp = await codeFor(email, 'sign-in')
    const { status } = await browser.request('/auth/v1/sign-in/email-otp', { body: { email, otp } })
    expect(status).toBe(200)
    expect(await browser.signedInAs()).toBe(email)
    const again = await post('/sign-in/email-otp', { email, otp })
    expect([again.status, hasSession(again.headers)]).toEqual([400, false])
  })

  test('of two requests at once lets one in', async () => {
    const { email } = await makePerson(app.services)
    const otp = await codeFor(email, 'sign-in')
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post('/sign-in/email-otp', { email, otp })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('signs up who is new, with a confirmed address and a welcome', async () => {
    const email = nobody()
    const otp = await codeFor(email, 'sign-in')
    const browser = openBrowser(app)
    await browser.request('/auth/v1/sign-in/email-otp', {
      body: { email, otp, name: 'x', role: 'admin', image: 'https://evil.example/x.png' },
    })
    const { body } = await browser.request('/auth/v1/get-session')
    expect(body.user).toMatchObject({ email, emailVerified: true, name: 'New Member', image: null })
    await mailTo(app, email, /^Welcome to Thunder$/)
  })

  test('confirms an address without logging in', async () => {
    const { email, id } = await app.signUp()
    const otp = await codeFor(email, 'email-verification')
    const { status, headers } = await post('/email-otp/verify-email', { email, otp })
    expect([status, hasSession(headers)]).toEqual([200, false])
    const { rows } = await app.services.pool.query(
      'select email_verified from users where id = $1',
      [id],
    )
    expect(rows).toEqual([{ email_verified: true }])
  })

  test('for one purpose is no good for another', async () => {
    const { email } = await makePerson(app.services)
    const otp = await codeFor(email, 'email-verification')
    expect((await post('/sign-in/email-otp', { email, otp })).status).toBe(400)
    const reset = { email, otp, password: 'battery staple' }
    expect((await post('/email-otp/reset-password', reset)).status).toBe(400)
  })

  test('is no good for another address', async () => {
    const [ann, bob] = [await makePerson(app.services), await makePerson(app.services)]
    const otp = await codeFor(ann.email, 'sign-in')
    expect((await post('/sign-in/email-otp', { email: bob.email, otp })).status).toBe(400)
  })

  test('is refused after three wrong ones, also when it is right', async () => {
    const { email } = await makePerson(app.services)
    const otp = await codeFor(email, 'sign-in')
    const wrong = otp === '111111' ? '222222' : '111111'
    for (let attempt = 0; attempt < 3; attempt++) {
      const { status, body } = await post('/sign-in/email-otp', { email, otp: wrong })
      expect([status, body.code]).toEqual([400, 'INVALID_OTP'])
    }
    const refused = await post('/sign-in/email-otp', { email, otp })
    expect([refused.status, hasSession(refused.headers)]).toEqual([403, false])
  })

  test('is refused after its ten minutes', async () => {
    const { email } = await makePerson(app.services)
    const otp = await codeFor(email, 'sign-in')
    const { rows } = await app.services.pool.query(
      `select max(expires_at) between now() + interval '9 minutes' and now() + interval '10 minutes' as ten
         from verifications`,
    )
    expect(rows).toEqual([{ ten: true }])
    await expire()
    expect((await post('/sign-in/email-otp', { email, otp })).status).toBe(400)
  })

  test('to an address without an account is sent for logging in only', async () => {
    const email = nobody()
    await post('/email-otp/send-verification-otp', { email, type: 'email-verification' })
    await post('/email-otp/send-verification-otp', { email, type: 'forget-password' })
    await jobsDone(app)
    expect(await mailsTo(app, email)).toEqual([])
  })
})

describe('a link by mail', () => {
  async function linkFor(email: string, fields: object = {}) {
    const [before = { id: 0 }] = await mailsTo(app, email)
    await post('/sign-in/magic-link', { email, ...fields })
    return linkIn(await mailTo(app, email, /log-in link/, before))
  }
  const verify = (token: string, callback = '/dashboard') =>
    `/auth/v1/magic-link/verify?token=${token}&callbackURL=${encodeURIComponent(callback)}`

  test('leads to a page of ours; its token logs in, once, and leads to the wanted page', async () => {
    const { email } = await makePerson(app.services)
    const link = await linkFor(email, { callbackURL: '/explore?category=Art' })
    expect(link.origin + link.pathname).toBe('http://localhost:3000/login/link')
    expect(link.searchParams.get('to')).toBe('/explore?category=Art')
    const token = link.searchParams.get('token')!
    const browser = openBrowser(app)
    const { status, headers } = await browser.request(verify(token, '/explore?category=Art'))
    expect([status, headers.get('location')]).toEqual([
      302,
      'http://localhost:3000/explore?category=Art',
    ])
    expect(await browser.signedInAs()).toBe(email)
    const again = await app.request(verify(token))
    expect([again.status, hasSession(again.headers)]).toEqual([302, false])
    expect(again.headers.get('location')).toContain('error=INVALID_TOKEN')
  })

  test('lets in for 30 days, also where a log-in before it was to end with the browser', async () => {
    const { email, password } = await makePerson(app.services)
    const browser = openBrowser(app)
    const body = { email, password, rememberMe: false }
    await browser.request('/auth/v1/sign-in/email', { body })
    expect(browser.cookie()).toContain('thunder.dont_remember=')
    const token = (await linkFor(email)).searchParams.get('token')!
    const { headers } = await browser.request(verify(token))
    const lines = headers.getSetCookie().filter((line) => /session_token=/.test(line))
    expect(lines).toEqual([expect.stringContaining('; Max-Age=2592000; ')])
    expect(browser.cookie()).not.toContain('thunder.dont_remember=')
  })

  test('of many requests at once lets one in', async () => {
    const { email } = await makePerson(app.services)
    const token = (await linkFor(email)).searchParams.get('token')!
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.request(verify(token))))
    expect(answers.filter(({ headers }) => hasSession(headers))).toHaveLength(1)
  })

  test('is refused after its ten minutes', async () => {
    const { email } = await makePerson(app.services)
    const token = (await linkFor(email)).searchParams.get('token')!
    await expire()
    const { headers } = await app.request(verify(token))
    expect(hasSession(headers)).toBe(false)
    expect(headers.get('location')).toContain('error=INVALID_TOKEN')
  })

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'never leads to %s, and is not used up by the attempt',
    async (foreign) => {
      const { email } = await makePerson(app.services)
      const link = await linkFor(email, { callbackURL: foreign })
      expect(link.searchParams.get('to')).toBe('/dashboard')
      const token = link.searchParams.get('token')!
      const refused = await app.request(verify(token, foreign))
      expect([refused.status, refused.headers.get('location')]).toEqual([403, null])
      expect(hasSession(refused.headers)).toBe(false)
      expect(hasSession((await app.request(verify(token))).headers)).toBe(true)
    },
  )

  test('a made-up token is nobody', async () => {
    const { headers } = await app.request(verify('a'.repeat(32)))
    expect(hasSession(headers)).toBe(false)
  })
})

describe('a telephone', () => {
  async function textedCode(path: string, phoneNumber: string) {
    const before = gateway.taken.filter(({ to }) => to === phoneNumber).length
    const { body } = await post(path, { phoneNumber })
    expect(body).toEqual({ status: true })
    return codeIn(await gateway.textTo(phoneNumber, before + 1))
  }

  test('signs up by its code, gets a password by another, and logs in with it', async () => {
    const phoneNumber = somePhone()
    const browser = openBrowser(app)
    const code = await textedCode('/phone-number/send-otp', phoneNumber)
    const verified = await browser.request('/auth/v1/phone-number/verify', {
      body: { phoneNumber, code, role: 'admin', email: 'taken@example.com' },
    })
    expect(verified.status).toBe(200)
    const { body: session } = await browser.request('/auth/v1/get-session')
    expect(session.user).toMatchObject({ phoneNumber, phoneNumberVerified: true })
    // No mail is ever sent to the stand-in for an address.
    expect(session.user.email).toMatch(/^[a-z0-9]{24}@phone\.invalid$/)
    await jobsDone(app)
    expect(await mailsTo(app, session.user.email)).toEqual([])
    const { body: me } = await browser.request('/rest/v1/me')
    expect(me).toMatchObject({ id: session.user.id, name: 'New Member' })

    const otp = await textedCode('/phone-number/request-password-reset', phoneNumber)
    const reset = { phoneNumber, otp, newPassword: 'battery staple' }
    expect((await post('/phone-number/reset-password', reset)).status).toBe(200)
    expect(await browser.signedInAs()).toBeNull()
    expect((await post('/phone-number/reset-password', reset)).status).toBe(400)

    const logIn = (password: string) => post('/sign-in/phone-number', { phoneNumber, password })
    const right = await logIn('battery staple')
    expect([right.status, hasSession(right.headers)]).toEqual([200, true])
    const wrong = await logIn('correct horse')
    expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_PHONE_NUMBER_OR_PASSWORD'])
  })

  test('with an account logs in by a code, and stays one account', async () => {
    const phoneNumber = somePhone()
    const ids = []
    for (let visit = 0; visit < 2; visit++) {
      const code = await textedCode('/phone-number/send-otp', phoneNumber)
      ids.push((await post('/phone-number/verify', { phoneNumber, code })).body.user.id)
    }
    expect(ids[0]).toBe(ids[1])
  })

  test('that is removed while it logs in leaves no session', async () => {
    const phoneNumber = somePhone()
    const logIn = async () =>
      post('/phone-number/verify', {
        phoneNumber,
        code: await textedCode('/phone-number/send-otp', phoneNumber),
      })
    const { body } = await logIn()
    const rowsOf = (sql: string) => app.services.pool.query(sql, [body.user.id])
    await rowsOf('delete from sessions where user_id = $1')
    const [answer] = await behindChange(
      app.services,
      ['lock table sessions in share mode'],
      [logIn],
      () => rowsOf('update users set phone_number = null where id = $1'),
    )
    expect([answer!.status, answer!.body.message]).toEqual([
      401,
      'This way to log in was removed a moment ago. Please log in another way.',
    ])
    expect((await rowsOf('select 1 from sessions where user_id = $1')).rows).toEqual([])
  })

  test('that resets a password proves no email address', async () => {
    const { id } = await app.signUp()
    const phoneNumber = somePhone()
    await app.services.pool.query(
      'update users set phone_number = $2, phone_number_verified = true where id = $1',
      [id, phoneNumber],
    )
    const otp = await textedCode('/phone-number/request-password-reset', phoneNumber)
    await post('/phone-number/reset-password', { phoneNumber, otp, newPassword: 'battery staple' })
    const { rows } = await app.services.pool.query(
      'select email_verified from users where id = $1',
      [id],
    )
    expect(rows).toEqual([{ email_verified: false }])
  })

  test('hears nothing of a reset when it has no account', async () => {
    const phoneNumber = somePhone()
    await post('/phone-number/request-password-reset', { phoneNumber })
    await jobsDone(app)
    expect(gateway.taken.filter(({ to }) => to === phoneNumber)).toEqual([])
  })

  test('gets its message again when the gateway was out of order, and only once', async () => {
    const phoneNumber = somePhone()
    gateway.refusals.push(500)
    await post('/phone-number/send-otp', { phoneNumber })
    const code = codeIn(await gateway.textTo(phoneNumber))
    expect(gateway.refusals).toEqual([])
    expect((await post('/phone-number/verify', { phoneNumber, code })).status).toBe(200)
    expect(gateway.taken.filter(({ to }) => to === phoneNumber)).toHaveLength(1)
  })

  test('has a code for three guesses and ten minutes', async () => {
    const phoneNumber = somePhone()
    const code = await textedCode('/phone-number/send-otp', phoneNumber)
    const wrong = code === '111111' ? '222222' : '111111'
    for (let attempt = 0; attempt < 3; attempt++) {
      expect((await post('/phone-number/verify', { phoneNumber, code: wrong })).status).toBe(400)
    }
    expect((await post('/phone-number/verify', { phoneNumber, code })).status).toBe(403)
    const late = await textedCode('/phone-number/send-otp', phoneNumber)
    await expire()
    expect((await post('/phone-number/verify', { phoneNumber, code: late })).status).toBe(400)
  })

  test('is connected by no session that is ended meanwhile', async () => {
    const { cookie, id } = await app.signUp()
    const phoneNumber = somePhone()
    const code = await textedCode('/phone-number/send-otp', phoneNumber)
    const holding = 'select 1 from users where id = $1 for update'
    const [answer] = await behindChange(
      app.services,
      [holding, id],
      [() => post('/phone-number/verify', { phoneNumber, code, updatePhoneNumber: true }, cookie)],
      () => app.services.pool.query('delete from sessions where user_id = $1', [id]),
    )
    expect([answer!.status, answer!.body.message]).toEqual([401, 'User must be authenticated'])
    const { rows } = await app.services.pool.query('select phone_number from users where id = $1', [
      id,
    ])
    expect(rows).toEqual([{ phone_number: null }])
  })

  test('is connected to an account by its owner, who has proved to be it', async () => {
    const { cookie, email, id } = await app.signUp()
    const phoneNumber = somePhone()
    const connect = async (as?: string) =>
      post(
        '/phone-number/verify',
        {
          phoneNumber,
          code: await textedCode('/phone-number/send-otp', phoneNumber),
          updatePhoneNumber: true,
        },
        as,
      )
    expect((await connect()).status).toBe(401)
    const prove = (at: string) =>
      app.services.pool.query(
        `update sessions set proven_at = now() - $2::interval where user_id = $1`,
        [id, at],
      )
    await prove('16 minutes')
    const unproven = await connect(cookie)
    expect([unproven.status, unproven.body.code]).toEqual([403, 'PROOF_NEEDED'])
    await prove('14 minutes')
    expect((await connect(cookie)).status).toBe(200)
    const { body } = await app.request('/auth/v1/get-session', { cookie })
    expect(body.user).toMatchObject({ id, phoneNumber, phoneNumberVerified: true })
    await mailTo(app, email, /^A telephone number was connected to your account$/)

    const other = await app.signUp()
    const taken = await connect(other.cookie)
    expect([taken.status, taken.body.code]).toEqual([400, 'PHONE_NUMBER_EXIST'])
  })

  test.each([
    '',
    '0151 2345678',
    '+0123456789',
    '+49 15',
    'tel:+4915112345678',
    '+49151234567890123',
  ])('needs a number in full: “%s”', async (phoneNumber) => {
    const { status, body } = await post('/phone-number/send-otp', { phoneNumber })
    expect([status, body.message]).toEqual([
      400,
      'Please enter a telephone number that starts with + and the country',
    ])
  })

  test('may be written with spaces, brackets and hyphens', async () => {
    const phoneNumber = somePhone()
    const spaced = `${phoneNumber.slice(0, 3)} (${phoneNumber.slice(3, 6)}) ${phoneNumber.slice(6, 9)}-${phoneNumber.slice(9)}`
    await post('/phone-number/send-otp', { phoneNumber: spaced })
    expect(await gateway.textTo(phoneNumber)).toMatch(/^\d{6} is your Thunder code/)
  })
})

test.each(['cross-site', 'same-site', 'none'])(
  'a link to the call itself (%s) signs no visitor in, and uses nothing up',
  async (from) => {
    const { email } = await makePerson(app.services)
    await post('/sign-in/magic-link', { email })
    const token = tokenIn(await mailTo(app, email, /log-in link/))
    const asked = await app.request(`/auth/v1/magic-link/verify?token=${token}`, {
      headers: { 'sec-fetch-site': from, 'sec-fetch-mode': 'navigate' },
    })
    expect([asked.status, asked.headers.getSetCookie()]).toEqual([403, []])
    const browser = openBrowser(app)
    await browser.request(`/auth/v1/magic-link/verify?token=${token}`)
    expect(await browser.signedInAs()).toBe(email)
  },
)

test.each(['cross-site', 'same-site', 'none'])(
  'a link to the call itself (%s) confirms no address, and uses nothing up',
  async (from) => {
    const { email, cookie } = await app.signUp()
    await post('/send-verification-email', { email })
    const token = tokenIn(await mailTo(app, email, /Confirm your email address/))
    const follow = (headers: Record<string, string>) =>
      app.request(`/auth/v1/verify-email?token=${token}`, { headers, cookie })
    const isConfirmed = async () =>
      (await app.request('/auth/v1/get-session', { cookie })).body.user.emailVerified
    const asked = await follow({ 'sec-fetch-site': from, 'sec-fetch-mode': 'navigate' })
    expect([asked.status, await isConfirmed()]).toEqual([403, false])
    const ours = await follow({ 'sec-fetch-site': 'same-origin' })
    expect([ours.status, await isConfirmed()]).toEqual([200, true])
  },
)

test('a token in a mail is not a session: the link’s page has to use it', async () => {
  const { email } = await makePerson(app.services)
  await post('/sign-in/magic-link', { email })
  const token = tokenIn(await mailTo(app, email, /log-in link/))
  const cookie = `thunder.session_token=${token}`
  expect((await app.request('/rest/v1/me', { cookie })).body).toBeNull()
})
