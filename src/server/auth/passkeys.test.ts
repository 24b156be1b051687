// Passkeys, with an authenticator made of software.
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import { makePerson } from '../../../test/factories.ts'
import { type Browser, openBrowser } from '../../../test/identity/browser.ts'
import { jobsDone, linkIn, mailsTo, mailTo } from '../../../test/mailbox.ts'
import { makePasskey } from '../../../test/software-passkey.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())
beforeEach(() => app.services.pool.query('delete from rate_limits'))

const wasRemoved = 'This way to log in was removed a moment ago. Please log in another way.'

type Passkey = ReturnType<typeof makePasskey>
type Change = Partial<Parameters<Passkey['logIn']>[0]>

async function signedIn() {
  const person = await makePerson(app.services)
  const browser = openBrowser(app)
  await browser.request('/auth/v1/sign-in/email', {
    body: { email: person.email, password: person.password },
  })
  return { ...person, browser }
}

async function register(browser: Browser, passkey: Passkey, change: Change = {}) {
  const { body } = await browser.request('/auth/v1/passkey/generate-register-options')
  const response = passkey.register({ challenge: body.challenge, ...change })
  return browser.request('/auth/v1/passkey/verify-registration', {
    body: { response, name: 'My laptop' },
  })
}

async function logIn(browser: Browser, passkey: Passkey, change: Change = {}) {
  const { body } = await browser.request('/auth/v1/passkey/generate-authenticate-options')
  const response = passkey.logIn({ challenge: body.challenge, ...change })
  return browser.request('/auth/v1/passkey/verify-authentication', { body: { response } })
}

async function personWithPasskey() {
  const person = await signedIn()
  const passkey = makePasskey()
  expect((await register(person.browser, passkey)).status).toBe(200)
  return { ...person, passkey }
}

describe('adding a passkey', () => {
  test('asks for one that checks its owner; the owner of the account is told', async () => {
    const { browser, email } = await signedIn()
    const { body: options } = await browser.request('/auth/v1/passkey/generate-register-options')
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Thunder' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const passkey = makePasskey()
    await register(browser, passkey)
    const { body } = await browser.request('/auth/v1/passkey/list-user-passkeys')
    expect(body).toMatchObject([{ name: 'My laptop', credentialID: passkey.id }])
    await mailTo(app, email, /A passkey was added to your account/)
  })

  test('takes a session that was proved lately', async () => {
    const { browser, id, password } = await signedIn()
    await app.services.pool.query(
      `update sessions set proven_at = now() - interval '16 minutes' where user_id = $1`,
      [id],
    )
    const options = () => browser.request('/auth/v1/passkey/generate-register-options')
    const { status, body } = await options()
    expect([status, body.code]).toEqual([403, 'PROOF_NEEDED'])
    await browser.request('/auth/v1/verify-password', { body: { password } })
    expect((await options()).status).toBe(200)
    expect((await app.request('/auth/v1/passkey/generate-register-options')).status).toBe(401)
  })

  test.each([
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
  ])('is refused with a foreign answer: %o', async (change) => {
    const { browser } = await signedIn()
    const { status } = await register(browser, makePasskey(), change)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    const { body } = await browser.request('/auth/v1/passkey/list-user-passkeys')
    expect(body).toEqual([])
  })

  test('is refused by a session that is ended meanwhile', async () => {
    const { browser, id, email } = await signedIn()
    const holding = 'select 1 from users where id = $1 for update'
    const [answer] = await behindChange(
      app.services,
      [holding, id],
      [() => register(browser, makePasskey())],
      () => app.services.pool.query('delete from sessions where user_id = $1', [id]),
    )
    expect([answer!.status, answer!.body.message]).toEqual([401, 'User must be authenticated'])
    const { rows } = await app.services.pool.query('select 1 from passkeys where user_id = $1', [
      id,
    ])
    expect(rows).toEqual([])
    await jobsDone(app)
    expect(await mailsTo(app, email)).toEqual([])
  })

  test('of another person is refused', async () => {
    const [ann, bob] = [await personWithPasskey(), await signedIn()]
    const { status } = await register(bob.browser, ann.passkey)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  })
})

describe('logging in with a passkey', () => {
  describe('and remember me', () => {
    const sessionLines = (headers: Headers) =>
      headers.getSetCookie().filter((line) => line.startsWith('thunder.session_token='))

    async function comingIn(browser: Browser, passkey: Passkey, rememberMe?: boolean) {
      const { body } = await browser.request('/auth/v1/passkey/generate-authenticate-options')
      const response = passkey.logIn({ challenge: body.challenge })
      const fields = rememberMe === undefined ? { response } : { response, rememberMe }
      return browser.request('/auth/v1/passkey/verify-authentication', { body: fields })
    }

    test('not chosen, the session ends with the browser, later as well', async () => {
      const { passkey, id, email } = await personWithPasskey()
      const browser = openBrowser(app)
      const { status, headers } = await comingIn(browser, passkey, false)
      expect(status).toBe(200)
      expect(sessionLines(headers)).toEqual([
        expect.stringMatching(/^thunder\.session_token=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/),
      ])
      await app.services.pool.query(
        `update sessions set updated_at = now() - interval '2 hours', expires_at = expires_at - interval '2 hours'
          where user_id = $1`,
        [id],
      )
      const later = await browser.request('/rest/v1/me')
      expect(later.body).toMatchObject({ email })
      for (const line of later.headers.getSetCookie()) expect(line).not.toMatch(/Max-Age=[1-9]/)
    })

    test.each([true, undefined])(
      'chosen (%s), it lasts for 30 days, whatever was chosen before',
      async (rememberMe) => {
        const { passkey, email, password } = await personWithPasskey()
        const browser = openBrowser(app)
        const body = { email, password, rememberMe: false }
        await browser.request('/auth/v1/sign-in/email', { body })
        expect(browser.cookie()).toContain('thunder.dont_remember=')
        const { headers } = await comingIn(browser, passkey, rememberMe)
        expect(sessionLines(headers)).toEqual([expect.stringContaining('; Max-Age=2592000; ')])
        expect(browser.cookie()).not.toContain('thunder.dont_remember=')
      },
    )

    test('that is refused leaves what was chosen before as it is', async () => {
      const { email, password } = await personWithPasskey()
      const browser = openBrowser(app)
      const body = { email, password, rememberMe: false }
      await browser.request('/auth/v1/sign-in/email', { body })
      expect((await comingIn(browser, makePasskey(), true)).status).toBe(401)
      expect(browser.cookie()).toContain('thunder.dont_remember=')
    })
  })

  test('names nobody beforehand, and is of two factors by itself', async () => {
    const { passkey, email } = await personWithPasskey()
    const browser = openBrowser(app)
    const { body: options } = await browser.request(
      '/auth/v1/passkey/generate-authenticate-options',
    )
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(options.allowCredentials ?? []).toEqual([])
    expect((await logIn(browser, passkey)).status).toBe(200)
    expect(await browser.signedInAs()).toBe(email)
    const { body } = await browser.request('/auth/v1/get-session')
    expect(body.session.aal).toBe('aal2')
    const { body: access } = await browser.request('/auth/v1/token')
    expect(decodeJwt(access.token)).toMatchObject({ aal: 'aal2' })
  })

  test('is not asked for a second step', async () => {
    const { passkey, browser: own, password, email } = await personWithPasskey()
    await own.request('/auth/v1/two-factor/enable', { body: { password } })
    await app.services.pool.query(`update users set two_factor_enabled = true where email = $1`, [
      email,
    ])
    const browser = openBrowser(app)
    await logIn(browser, passkey)
    expect(await browser.signedInAs()).toBe(email)
  })

  test('an answer is good once', async () => {
    const { passkey } = await personWithPasskey()
    const browser = openBrowser(app)
    const { body } = await browser.request('/auth/v1/passkey/generate-authenticate-options')
    const response = passkey.logIn({ challenge: body.challenge })
    // The same cookies, as somebody who had copied all of it would have them.
    const answer = () =>
      app.request('/auth/v1/passkey/verify-authentication', {
        body: { response },
        cookie: challengeCookie,
      })
    const challengeCookie = browser.cookie()
    const answers = await Promise.all([answer(), answer(), answer()])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await answer()).status).toBeGreaterThanOrEqual(400)
  })

  test('an answer to another challenge is refused', async () => {
    const { passkey } = await personWithPasskey()
    const browser = openBrowser(app)
    const { body } = await browser.request('/auth/v1/passkey/generate-authenticate-options')
    const response = passkey.logIn({ challenge: body.challenge })
    await browser.request('/auth/v1/passkey/generate-authenticate-options')
    const { status } = await browser.request('/auth/v1/passkey/verify-authentication', {
      body: { response },
    })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(await browser.signedInAs()).toBeNull()
  })

  test('without a check of the owner is refused in words', async () => {
    const { passkey } = await personWithPasskey()
    const browser = openBrowser(app)
    const { status, body } = await logIn(browser, passkey, { checksOwner: false })
    expect([status, body]).toEqual([
      401,
      {
        status: 401,
        code: 'USER_NOT_VERIFIED',
        message: 'Your device did not check that it is you. Please unlock it and try again.',
      },
    ])
    expect(await browser.signedInAs()).toBeNull()
  })

  test('a check of the owner that was painted on afterwards is refused', async () => {
    const { passkey } = await personWithPasskey()
    const browser = openBrowser(app)
    const { body } = await browser.request('/auth/v1/passkey/generate-authenticate-options')
    const response = passkey.logIn({ challenge: body.challenge, checksOwner: false })
    const data = Buffer.from(response.response.authenticatorData, 'base64url')
    data[32]! |= 4
    response.response.authenticatorData = data.toString('base64url')
    const { status } = await browser.request('/auth/v1/passkey/verify-authentication', {
      body: { response },
    })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(await browser.signedInAs()).toBeNull()
  })

  test.each([{ origin: 'https://evil.example' }, { rpId: 'evil.example' }])(
    'for another site is refused: %o',
    async (change) => {
      const { passkey } = await personWithPasskey()
      const browser = openBrowser(app)
      const { status } = await logIn(browser, passkey, change)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(await browser.signedInAs()).toBeNull()
    },
  )

  test('leaves no session when the passkey is taken away meanwhile', async () => {
    const { id, passkey } = await personWithPasskey()
    const rowsOf = (sql: string) => app.services.pool.query(sql, [id])
    await rowsOf('delete from sessions where user_id = $1')
    const [answer] = await behindChange(
      app.services,
      ['select 1 from users where id = $1 for update', id],
      [() => logIn(openBrowser(app), passkey)],
      () => rowsOf('delete from passkeys where user_id = $1'),
    )
    expect([answer!.status, answer!.body.message]).toEqual([401, wasRemoved])
    expect((await rowsOf('select 1 from sessions where user_id = $1')).rows).toEqual([])
  })

  test('leaves no session to whoever made it beside an address that its owner is proving', async () => {
    const { id, email, passkey } = await personWithPasskey()
    await app.services.pool.query('update users set email_verified = false where id = $1', [id])
    await app.request('/auth/v1/sign-in/magic-link', { body: { email } })
    const token = linkIn(await mailTo(app, email, /log-in link/)).searchParams.get('token')
    const [owner, other] = [openBrowser(app), openBrowser(app)]
    await behindChange(
      app.services,
      ['select 1 from passkeys where user_id = $1 for key share', id],
      [() => owner.request(`/auth/v1/magic-link/verify?token=${token}`)],
      async () => expect((await logIn(other, passkey)).status).toBe(200),
    )
    expect(await owner.signedInAs()).toBe(email)
    expect(await other.signedInAs()).toBeNull()
  })

  test('with another key under the same name is refused', async () => {
    const { passkey } = await personWithPasskey()
    const browser = openBrowser(app)
    const { body } = await browser.request('/auth/v1/passkey/generate-authenticate-options')
    const forged = { ...makePasskey().logIn({ challenge: body.challenge }) }
    const { status } = await browser.request('/auth/v1/passkey/verify-authentication', {
      body: { response: { ...forged, id: passkey.id, rawId: passkey.id } },
    })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(await browser.signedInAs()).toBeNull()
  })
})

describe('a passkey', () => {
  test('is renamed and removed by its owner only, and is no good any more', async () => {
    const [ann, bob] = [await personWithPasskey(), await signedIn()]
    const { body: list } = await ann.browser.request('/auth/v1/passkey/list-user-passkeys')
    const { id } = list[0]
    const rename = ({ browser }: { browser: Browser }, name: string) =>
      browser.request('/auth/v1/passkey/update-passkey', { body: { id, name } })
    const remove = ({ browser }: { browser: Browser }) =>
      browser.request('/auth/v1/passkey/delete-passkey', { body: { id } })
    expect((await rename(bob, 'Mine')).status).toBeGreaterThanOrEqual(400)
    expect((await remove(bob)).status).toBeGreaterThanOrEqual(400)
    expect((await rename(ann, 'My phone')).status).toBe(200)
    const renamed = await ann.browser.request('/auth/v1/passkey/list-user-passkeys')
    expect(renamed.body).toMatchObject([{ name: 'My phone' }])
    expect((await remove(ann)).status).toBe(200)
    await mailTo(app, ann.email, /A passkey was removed from your account/)
    const browser = openBrowser(app)
    expect((await logIn(browser, ann.passkey)).status).toBeGreaterThanOrEqual(400)
    expect(await browser.signedInAs()).toBeNull()
  })
})
