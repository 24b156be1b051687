// Log-in through an outside OpenID Connect provider: a real one, on loopback.
import { generateKeyPair } from 'jose'
import { TOTP, URI } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { type Browser, openBrowser } from '../../../test/identity/browser.ts'
import { linkIn } from '../../../test/mailbox.ts'
import {
  type OidcProvider,
  type ProviderPerson,
  startOidcProvider,
} from '../../../test/identity/oidc-provider.ts'

let provider: OidcProvider
let app: TestApp

const appUrl = 'http://localhost:3000'

const environment = () => ({
  OIDC_NAME: 'Example ID',
  OIDC_DISCOVERY_URL: provider.discoveryUrl,
  OIDC_CLIENT_ID: provider.clientId,
  OIDC_CLIENT_SECRET: provider.clientSecret,
})

beforeAll(async () => {
  provider = await startOidcProvider({
    redirectUris: [`${appUrl}/auth/v1/callback/oidc`],
    clientAuthentication: 'client_secret_post',
  })
  app = await startTestApp(environment())
})
beforeEach(() => app.services.pool.query('delete from rate_limits'))
afterAll(async () => {
  await app.stop()
  await provider.stop()
})

let people = 0
const somebody = (claims: Partial<ProviderPerson> = {}): ProviderPerson => {
  const sub = `person-${++people}`
  return {
    sub,
    email: `${sub}@example.com`,
    email_verified: true,
    name: `Person ${sub}`,
    ...claims,
  }
}

/** Asks for the authorize URL, and has this person log in there. */
async function visitProvider(
  browser: Browser,
  person: ProviderPerson | null,
  { path = '/auth/v1/sign-in/social', fields = {} } = {},
): Promise<URL> {
  const { status, body } = await browser.request(path, {
    body: { provider: 'oidc', callbackURL: '/dashboard', ...fields },
  })
  expect(status, JSON.stringify(body)).toBe(200)
  provider.person = person
  return provider.visit(body.url)
}

/** The whole way: to the provider, and back. */
async function comeThroughProvider(
  browser: Browser,
  person: ProviderPerson | null,
  options?: Parameters<typeof visitProvider>[2],
): Promise<string> {
  const answer = await browser.open(await visitProvider(browser, person, options))
  expect(answer.status).toBe(302)
  return answer.headers.get('location')!
}

const errorPage = (code: string) => `${appUrl}/login?error=${code}`

const rowsOf = async (sql: string, ...values: unknown[]) =>
  (await app.services.pool.query(sql, values)).rows

const identitiesOf = (email: unknown) =>
  rowsOf(
    `select i.* from identities i join users u on u.id = i.user_id
      where u.email = $1 order by i.created_at`,
    email,
  )

/** All that was mailed to this address, as one text. */
const mailTo = async (email: unknown) =>
  ((await app.services.mail.outbox?.()) ?? [])
    .filter((mail) => mail.to === email)
    .map((mail) => mail.text)
    .join('\n')

async function signedIn(facts: Parameters<typeof makePerson>[1] = {}) {
  const person = await makePerson(app.services, facts)
  const cookie = await sessionCookieOf(app.services, person.id)
  return { person, browser: openBrowser(app, cookie) }
}

describe('log-in', () => {
  test('starts with PKCE, a state and a nonce', async () => {
    const { body, headers } = await app.request('/auth/v1/sign-in/social', {
      body: { provider: 'oidc' },
    })
    const url = new URL(body.url)
    expect(url.origin).toBe(provider.issuer)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: provider.clientId,
      redirect_uri: `${appUrl}/auth/v1/callback/oidc`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^\S{20,}$/),
      nonce: expect.stringMatching(/^\S{20,}$/),
    })
    expect(headers.getSetCookie().join()).toMatch(/thunder\.state=.+HttpOnly/)
  })

  test('a newcomer gets an account, and comes back to it', async () => {
    const person = somebody({
      name: '  Ada \u0000 Lovelace\n',
      picture: 'https://pictures.example/ada.png',
    })
    const browser = openBrowser(app)
    expect(await comeThroughProvider(browser, person)).toBe('/dashboard')
    expect(await browser.signedInAs()).toBe(person.email)

    const [user] = await rowsOf('select * from users where email = $1', person.email)
    expect(user).toMatchObject({
      name: 'Ada Lovelace',
      avatar_url: null,
      email_verified: true,
      role: 'user',
      username: 'ada-lovelace',
    })
    const [identity] = await identitiesOf(person.email)
    expect(identity).toMatchObject({
      provider_id: 'oidc',
      account_id: person.sub,
      access_token: null,
      refresh_token: null,
      id_token: null,
      password: null,
    })

    // Another browser, and an address that has changed at the provider: still the same person.
    const later = openBrowser(app)
    await comeThroughProvider(later, { ...person, email: 'ada-has-moved@example.com' })
    expect(await later.signedInAs()).toBe(person.email)
    const rows = await identitiesOf(person.email)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ access_token: null, refresh_token: null, id_token: null })
  })

  test('a name that may not be one here becomes a neutral one', async () => {
    for (const name of [undefined, '', 'x', '\u0000', 'n'.repeat(500)]) {
      const person = somebody({ name })
      await comeThroughProvider(openBrowser(app), person)
      const [user] = await rowsOf('select name from users where email = $1', person.email)
      expect(user?.name).toBe(name?.startsWith('nn') ? 'n'.repeat(80) : 'New Member')
    }
  })

  test('a person who says no at the provider is told so, and is not signed in', async () => {
    const browser = openBrowser(app)
    expect(await comeThroughProvider(browser, null)).toContain(errorPage('access_denied'))
    expect(await browser.signedInAs()).toBeNull()
  })

  test.each([
    ['no state', (url: URL) => url.searchParams.delete('state'), 'state_not_found'],
    [
      'another state',
      (url: URL) => url.searchParams.set('state', 'x'.repeat(32)),
      'state_mismatch',
    ],
    ['no code', (url: URL) => url.searchParams.delete('code'), 'no_code'],
    ['another code', (url: URL) => url.searchParams.set('code', 'x'.repeat(43)), 'invalid_code'],
    [
      'another issuer',
      (url: URL) => url.searchParams.set('iss', 'https://evil.example'),
      'issuer_mismatch',
    ],
  ])('%s: nobody is signed in', async (_what, spoil, code) => {
    const browser = openBrowser(app)
    const back = await visitProvider(browser, somebody())
    spoil(back)
    const { status, headers } = await browser.open(back)
    expect([status, headers.get('location')]).toEqual([302, errorPage(code)])
    expect(await browser.signedInAs()).toBeNull()
  })

  test('an answer that was meant for another browser signs nobody in', async () => {
    const attacker = openBrowser(app)
    const back = await visitProvider(attacker, somebody())
    const victim = openBrowser(app)
    const { headers } = await victim.open(back)
    expect(headers.get('location')).toBe(errorPage('state_mismatch'))
    expect(await victim.signedInAs()).toBeNull()
  })

  test('an answer works once', async () => {
    const browser = openBrowser(app)
    const back = await visitProvider(browser, somebody())
    expect((await browser.open(back)).headers.get('location')).toBe('/dashboard')
    expect((await browser.open(back)).headers.get('location')).toBe(errorPage('state_mismatch'))
  })

  test('nobody is sent to another site afterwards', async () => {
    for (const field of ['callbackURL', 'newUserCallbackURL', 'errorCallbackURL']) {
      for (const address of ['https://evil.example', '//evil.example', '/\\evil.example']) {
        const { status, body } = await app.request('/auth/v1/sign-in/social', {
          body: { provider: 'oidc', [field]: address },
        })
        expect([status, body.message], `${field} ${address}`).toEqual([
          403,
          expect.stringMatching(/^\w+ \w+/),
        ])
      }
    }
  })

  test('a program cannot slip its own facts into the state', async () => {
    const { person: victim } = await signedIn()
    const person = somebody()
    const browser = openBrowser(app)
    await comeThroughProvider(browser, person, {
      fields: { additionalData: { link: { userId: victim.id, email: victim.email } } },
    })
    expect(await browser.signedInAs()).toBe(person.email)
    expect(await identitiesOf(victim.email)).toHaveLength(1)
    for (const name of ['state', 'code_challenge', 'redirect_uri', 'client_id', 'nonce']) {
      const { status } = await app.request('/auth/v1/sign-in/social', {
        body: { provider: 'oidc', additionalParams: { [name]: 'mine' } },
      })
      expect(status, name).toBe(400)
    }
  })
})

describe('people who have an account already', () => {
  test('a confirmed address at both ends is the same person; its owner hears of it', async () => {
    const known = await makePerson(app.services)
    const browser = openBrowser(app)
    const person = somebody({ email: known.email.toUpperCase() })
    expect(await comeThroughProvider(browser, person)).toBe('/dashboard')
    expect(await browser.signedInAs()).toBe(known.email)
    expect((await identitiesOf(known.email)).map((row) => row.provider_id)).toEqual([
      'credential',
      'oidc',
    ])
    await expect
      .poll(() => mailTo(known.email))
      .toContain('Another way to log in was connected to your account')
  })

  test.each([false, undefined, 'false', 'no', 0, null])(
    'an address that the provider has not confirmed (%j) opens nobody’s account',
    async (email_verified) => {
      const victim = await makePerson(app.services)
      const browser = openBrowser(app)
      const location = await comeThroughProvider(
        browser,
        somebody({ email: victim.email, email_verified }),
      )
      expect(location).toBe(errorPage('account_not_linked'))
      expect(await browser.signedInAs()).toBeNull()
      expect(await identitiesOf(victim.email)).toHaveLength(1)
    },
  )

  test('an account whose address nobody has confirmed is not the provider’s person', async () => {
    // Somebody could have signed up with the address of another, and wait for them to come.
    const person = somebody()
    await makePerson(app.services, { email: String(person.email) })
    await rowsOf('update users set email_verified = false where email = $1', person.email)
    const browser = openBrowser(app)
    expect(await comeThroughProvider(browser, person)).toBe(errorPage('account_not_linked'))
    expect(await browser.signedInAs()).toBeNull()
    expect(await identitiesOf(person.email)).toHaveLength(1)
  })

  test('whoever proves an address by mail gets the account alone', async () => {
    // An account of the provider whose address nobody has confirmed, waiting for its real owner.
    const waiting = somebody({ email_verified: false })
    await comeThroughProvider(openBrowser(app), waiting)
    await app.services.auth.api.requestPasswordReset({ body: { email: String(waiting.email) } })
    await expect.poll(() => mailTo(waiting.email)).toMatch(/reset-password\?token=/)
    const token = /reset-password\?token=([\w-]+)/.exec(await mailTo(waiting.email))?.[1]
    const reset = await app.request('/auth/v1/reset-password', {
      body: { token, newPassword: 'a new password' },
    })
    expect(reset.status).toBe(200)
    expect((await identitiesOf(waiting.email)).map((row) => row.provider_id)).toEqual([
      'credential',
    ])
    expect(await comeThroughProvider(openBrowser(app), waiting)).toBe(
      errorPage('account_not_linked'),
    )
  })

  test('who comes back while the account is closed to the provider has no session', async () => {
    const person = somebody()
    await comeThroughProvider(openBrowser(app), person)
    const [{ user_id: id }] = await identitiesOf(person.email)
    await rowsOf('delete from sessions where user_id = $1', id)
    const nonce = 'a nonce of this test'
    const token = await provider.idToken({ claims: { ...person, nonce } })
    const browser = openBrowser(app)
    const back = await visitProvider(browser, person)
    const [led, sent] = await behindChange(
      app.services,
      ['lock table sessions in share mode'],
      [
        () => browser.open(back),
        () =>
          openBrowser(app).request('/auth/v1/sign-in/social', {
            body: { provider: 'oidc', idToken: { token, nonce } },
          }),
      ],
      () => rowsOf('delete from identities where user_id = $1', id),
    )
    expect(led!.headers.get('location')).toBe(errorPage('state_mismatch'))
    expect(sent!.status).toBe(401)
    expect(await rowsOf('select 1 from sessions where user_id = $1', id)).toEqual([])
  })

  test.each([undefined, '', 'not an address', 5, { x: 1 }, `${'x'.repeat(300)}@example.com`])(
    'a provider that tells no usable address (%j) signs nobody up',
    async (email) => {
      const browser = openBrowser(app)
      const person = somebody({ email })
      expect(await comeThroughProvider(browser, person)).toMatch(/\/login\?error=email_not_found$/)
      expect(await browser.signedInAs()).toBeNull()
    },
  )
})

describe('connecting and disconnecting', () => {
  const link = { path: '/auth/v1/link-social', fields: { callbackURL: '/settings' } }

  test('strangers may not, and a session alone is not enough', async () => {
    const stranger = await app.request('/auth/v1/link-social', { body: { provider: 'oidc' } })
    expect(stranger.status).toBe(401)
    const { person, browser } = await signedIn()
    await rowsOf(
      `update sessions set proven_at = now() - interval '16 minutes' where user_id = $1`,
      person.id,
    )
    for (const path of ['/auth/v1/link-social', '/auth/v1/unlink-account']) {
      const { status, body } = await browser.request(path, { body: { provider: 'oidc' } })
      expect([status, body.code], path).toEqual([403, 'PROOF_NEEDED'])
    }
    await browser.request('/auth/v1/verify-password', { body: { password: person.password } })
    const { status } = await browser.request('/auth/v1/link-social', { body: { provider: 'oidc' } })
    expect(status).toBe(200)
  })

  test('an identity is connected, listed, logs in, and is disconnected; never the last one', async () => {
    const { person, browser } = await signedIn()
    // The provider may know the person by another address.
    const outside = somebody()
    expect(await comeThroughProvider(browser, outside, link)).toBe('/settings')
    expect(await browser.signedInAs()).toBe(person.email)
    await expect
      .poll(() => mailTo(person.email))
      .toContain('Another way to log in was connected to your account')

    const list = async () => (await browser.request('/auth/v1/list-accounts')).body
    const connected = await list()
    expect(connected).toMatchObject([
      { providerId: 'credential' },
      { providerId: 'oidc', accountId: outside.sub },
    ])
    expect(JSON.stringify(connected)).not.toMatch(/token|"password"/i)

    const elsewhere = openBrowser(app)
    await comeThroughProvider(elsewhere, outside)
    expect(await elsewhere.signedInAs()).toBe(person.email)

    const unlink = (id: string) =>
      browser.request('/auth/v1/unlink-account', { body: { accountId: id } })
    expect((await unlink(connected[1].id)).status).toBe(200)
    expect(await list()).toHaveLength(1)
    await expect
      .poll(() => mailTo(person.email))
      .toContain('A way to log in was removed from your account')
    const last = await unlink(connected[0].id)
    expect([last.status, last.body.message]).toEqual([400, "You can't unlink your last account"])
    expect(await list()).toHaveLength(1)

    // Disconnected: the provider's person is somebody new here.
    const anew = openBrowser(app)
    await comeThroughProvider(anew, outside)
    expect(await anew.signedInAs()).toBe(outside.email)
  })

  test('of all that are disconnected at once, one stays', async () => {
    const { person, browser } = await signedIn()
    for (let more = 0; more < 5; more += 1) await comeThroughProvider(browser, somebody(), link)
    const connected = await identitiesOf(person.email)
    expect(connected).toHaveLength(6)
    const answers = await Promise.all(
      connected.map(({ id }) =>
        browser.request('/auth/v1/unlink-account', { body: { accountId: id } }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 400])
    expect(await identitiesOf(person.email)).toHaveLength(1)
  })

  test('an identity that belongs to somebody else is refused, at both ends of the way', async () => {
    const outside = somebody()
    await comeThroughProvider(openBrowser(app), outside)
    const { person, browser } = await signedIn()
    expect(await comeThroughProvider(browser, outside, link)).toContain(
      errorPage('account_already_linked_to_different_user'),
    )
    const nonce = 'a nonce of this test'
    const token = await provider.idToken({ claims: { ...outside, nonce } })
    const { status } = await browser.request('/auth/v1/link-social', {
      body: { provider: 'oidc', idToken: { token, nonce } },
    })
    expect(status).toBe(409)
    expect(await identitiesOf(person.email)).toHaveLength(1)
  })

  test('what was begun before the password was changed connects nothing after', async () => {
    const { person, browser } = await signedIn()
    const back = await visitProvider(browser, somebody(), link)
    const owner = openBrowser(app)
    await owner.request('/auth/v1/sign-in/email', {
      body: { email: person.email, password: person.password },
    })
    const { status } = await owner.request('/auth/v1/change-password', {
      body: { currentPassword: person.password, newPassword: 'battery staple' },
    })
    expect(status).toBe(200)
    await browser.open(back)
    expect(await identitiesOf(person.email)).toHaveLength(1)
  })

  describe('by a session that is ended meanwhile', () => {
    const endSessionsOf = (id: string) => rowsOf('delete from sessions where user_id = $1', id)

    test('nothing is connected', async () => {
      const { person, browser } = await signedIn()
      const holding = 'select 1 from users where id = $1 for update'
      const nonce = 'a nonce of this test'
      const token = await provider.idToken({ claims: { ...somebody(), nonce } })
      const ways = {
        coming: await visitProvider(browser, somebody(), link),
        sent: { provider: 'oidc', idToken: { token, nonce } },
      }
      const [back, sent] = await behindChange(
        app.services,
        [holding, person.id],
        [
          () => browser.open(ways.coming),
          () => browser.request('/auth/v1/link-social', { body: ways.sent }),
        ],
        () => endSessionsOf(person.id),
      )
      expect(back!.headers.get('location')).toBe(errorPage('state_mismatch'))
      expect(sent!.status).toBe(417)
      expect(await identitiesOf(person.email)).toHaveLength(1)
      expect(await mailTo(person.email)).toBe('')
    })

    test('nothing is begun that could be connected later', async () => {
      const { person, browser } = await signedIn()
      const [answer] = await behindChange(
        app.services,
        ['lock table verifications in share mode'],
        [
          () =>
            browser.request('/auth/v1/link-social', {
              body: { provider: 'oidc', callbackURL: '/settings' },
            }),
        ],
        () => endSessionsOf(person.id),
      )
      expect([answer!.status, answer!.body.message]).toEqual([401, 'User must be authenticated'])
      const begun = `select 1 from verifications where position($1 in value) > 0`
      expect(await rowsOf(begun, person.id)).toEqual([])
    })
  })

  test('nobody disconnects what belongs to somebody else', async () => {
    const owner = somebody()
    await comeThroughProvider(openBrowser(app), owner)
    const [identity] = await identitiesOf(owner.email)
    const { browser } = await signedIn()
    await comeThroughProvider(browser, somebody(), link)
    const { status } = await browser.request('/auth/v1/unlink-account', {
      body: { accountId: identity.id },
    })
    expect(status).toBe(400)
    expect(await identitiesOf(owner.email)).toHaveLength(1)
  })
})

describe('log-in with an ID token', () => {
  const nonce = 'n-0S6_WzA2Mj'
  const send = (browser: Browser, idToken: object) =>
    browser.request('/auth/v1/sign-in/social', { body: { provider: 'oidc', idToken } })

  test('a token of the provider for us signs its person in', async () => {
    const person = somebody()
    const token = await provider.idToken({ claims: { ...person, nonce } })
    const browser = openBrowser(app)
    const { status, body } = await send(browser, {
      token,
      nonce,
      accessToken: 'x',
      refreshToken: 'y',
    })
    expect([status, body.user?.email]).toEqual([200, person.email])
    expect(body.token).toBeUndefined()
    expect(await browser.signedInAs()).toBe(person.email)
    expect(await identitiesOf(person.email)).toMatchObject([
      { account_id: person.sub, access_token: null, refresh_token: null, id_token: null },
    ])
  })

  test('every other token is refused', async () => {
    const person = somebody()
    const claims = { ...person, nonce }
    const { privateKey } = await generateKeyPair('RS256')
    const good = await provider.idToken({ claims })
    const [header, payload] = good.split('.')
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    const tokens = {
      'for another program': await provider.idToken({ claims, audience: 'another program' }),
      'of another issuer': await provider.idToken({ claims, issuer: 'https://evil.example' }),
      'signed by somebody else': await provider.idToken({ claims, key: privateKey }),
      expired: await provider.idToken({ claims, expiresIn: -3600 }),
      'with another nonce': await provider.idToken({ claims: { ...person, nonce: 'another' } }),
      'without a nonce': await provider.idToken({ claims: { ...person } }),
      'not signed': `${unsigned}.${payload}.`,
      'without its signature': `${header}.${payload}.`,
      'not a token': 'not a token',
      empty: '',
    }
    for (const [what, token] of Object.entries(tokens)) {
      const browser = openBrowser(app)
      const { status, body } = await send(browser, { token, nonce })
      expect([status, body.message], what).toEqual([401, expect.stringMatching(/^\w+ \w+/)])
      expect(await browser.signedInAs(), what).toBeNull()
    }
    for (const given of [{}, { nonce: '' }, { nonce: 'another' }]) {
      expect((await send(openBrowser(app), { token: good, ...given })).status).toBe(401)
    }
    expect(await identitiesOf(person.email)).toHaveLength(0)
  })

  test('it opens no account whose address the provider has not confirmed', async () => {
    const victim = await makePerson(app.services)
    const claims = { ...somebody({ email: victim.email, email_verified: 'false' }), nonce }
    const browser = openBrowser(app)
    const { status } = await send(browser, { token: await provider.idToken({ claims }), nonce })
    expect(status).toBe(401)
    expect(await browser.signedInAs()).toBeNull()
  })
})

describe('two-step verification', () => {
  test('is asked of whoever comes through a provider', async () => {
    const { person, browser } = await signedIn()
    const enabled = await browser.request('/auth/v1/two-factor/enable', {
      body: { password: person.password },
    })
    const totp = URI.parse(enabled.body.totpURI) as TOTP
    const on = await browser.request('/auth/v1/two-factor/verify-totp', {
      body: { code: totp.generate() },
    })
    expect(on.status, JSON.stringify(on.body)).toBe(200)

    const outside = somebody({ email: person.email })
    const nonce = 'a nonce of this test'
    const ways: ((browser: Browser) => Promise<void>)[] = [
      async (coming) => {
        expect(await comeThroughProvider(coming, outside)).toBe(
          `${appUrl}/login/two-step?to=%2Fdashboard`,
        )
      },
      async (coming) => {
        const token = await provider.idToken({ claims: { ...outside, nonce } })
        const { body } = await coming.request('/auth/v1/sign-in/social', {
          body: { provider: 'oidc', idToken: { token, nonce } },
        })
        expect(body).toMatchObject({ twoFactorRedirect: true })
        expect(body.user).toBeUndefined()
      },
    ]
    for (const come of ways) {
      const coming = openBrowser(app)
      await come(coming)
      expect(await coming.signedInAs()).toBeNull()
      expect((await coming.request('/auth/v1/list-sessions')).status).toBe(401)
      const wrong = await coming.request('/auth/v1/two-factor/verify-totp', {
        body: { code: '000000' },
      })
      expect(wrong.status).toBe(401)
      expect(await coming.signedInAs()).toBeNull()
      // Each code counts once, and the next one is half a minute away.
      await rowsOf('delete from used_codes where user_id = $1', person.id)
      const right = await coming.request('/auth/v1/two-factor/verify-totp', {
        body: { code: totp.generate() },
      })
      expect(right.status, JSON.stringify(right.body)).toBe(200)
      expect(await coming.signedInAs()).toBe(person.email)
    }
    const levels = await rowsOf(
      'select aal from sessions where user_id = $1 order by created_at desc limit 2',
      person.id,
    )
    expect(levels).toEqual([{ aal: 'aal2' }, { aal: 'aal2' }])
  })
})

describe('other settings', () => {
  test('a provider without keys is not there', async () => {
    for (const name of ['google', 'github', 'apple', 'nonsense', '__proto__']) {
      const { status, body } = await app.request('/auth/v1/sign-in/social', {
        body: { provider: name },
      })
      expect([status, body.message], name).toEqual([404, 'Provider not found'])
    }
  })

  describe('with keys of Google and GitHub, and sign-up closed', () => {
    let closed: TestApp
    beforeAll(async () => {
      closed = await startTestApp({
        ...environment(),
        SIGNUP: 'closed',
        GOOGLE_CLIENT_ID: 'our-id-at-google',
        GOOGLE_CLIENT_SECRET: 'our secret at google',
        GITHUB_CLIENT_ID: 'our-id-at-github',
        GITHUB_CLIENT_SECRET: 'our secret at github',
      })
    })
    afterAll(() => closed.stop())

    test.each([
      ['google', 'https://accounts.google.com', 'our-id-at-google'],
      ['github', 'https://github.com', 'our-id-at-github'],
    ])('%s is asked with PKCE and a state', async (name, origin, clientId) => {
      const { body } = await closed.request('/auth/v1/sign-in/social', { body: { provider: name } })
      const url = new URL(body.url)
      expect(url.origin).toBe(origin)
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        client_id: clientId,
        redirect_uri: `${appUrl}/auth/v1/callback/${name}`,
        response_type: 'code',
        code_challenge_method: 'S256',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        state: expect.stringMatching(/^\S{20,}$/),
      })
      expect(body.url).not.toContain('secret')
    })

    test('a newcomer is told that sign-up is closed; who has an account comes in', async () => {
      const newcomer = openBrowser(closed)
      const location = new URL(await comeThroughProvider(newcomer, somebody()))
      expect(location.origin + location.pathname).toBe(`${appUrl}/login`)
      expect(Object.fromEntries(location.searchParams)).toEqual({
        error: 'SIGNUP_CLOSED',
        error_description: 'Account creation is currently restricted. Please contact support.',
      })
      expect(await newcomer.signedInAs()).toBeNull()
      const claims = { ...somebody() }
      const { status, body } = await newcomer.request('/auth/v1/sign-in/social', {
        body: { provider: 'oidc', idToken: { token: await provider.idToken({ claims }) } },
      })
      expect([status, body.message]).toEqual([
        403,
        'Account creation is currently restricted. Please contact support.',
      ])

      const known = await makePerson(closed.services)
      const browser = openBrowser(closed)
      await comeThroughProvider(browser, somebody({ email: known.email }))
      expect(await browser.signedInAs()).toBe(known.email)
    })
  })

  test('where addresses have to be confirmed, an unconfirmed one signs nobody in', async () => {
    const strict = await startTestApp({ ...environment(), EMAIL_CONFIRMATION: 'on' })
    try {
      const person = somebody({ email_verified: false })
      const browser = openBrowser(strict)
      const wanted = '/course/knots?tab=about#top'
      for (let times = 0; times < 2; times++) {
        const fields = { callbackURL: `${appUrl}${wanted}` }
        const back = await comeThroughProvider(browser, person, { fields })
        expect(back).toBe(errorPage('email_not_verified'))
        expect(await browser.signedInAs()).toBeNull()
      }
      const mails = async () =>
        (await strict.services.mail.outbox!()).filter((mail) => mail.to === person.email)
      await expect.poll(async () => (await mails())[0]?.text ?? '').toMatch(/confirm-email\?token=/)
      const link = linkIn((await mails())[0]!)
      expect(link.searchParams.get('to')).toBe(wanted)
      const token = link.searchParams.get('token')
      await browser.request(`/auth/v1/verify-email?token=${token}`)
      await comeThroughProvider(browser, person)
      expect(await browser.signedInAs()).toBe(person.email)
    } finally {
      await strict.stop()
    }
  })

  test('a provider that cannot be reached is not there; the rest works', async () => {
    const alone = await startTestApp({
      OIDC_DISCOVERY_URL: 'http://127.0.0.1:9/.well-known/openid-configuration',
      OIDC_CLIENT_ID: 'thunder',
    })
    try {
      const { status } = await alone.request('/auth/v1/sign-in/social', {
        body: { provider: 'oidc' },
      })
      expect(status).toBe(404)
      await alone.signUp()
    } finally {
      await alone.stop()
    }
  })
})
