// Identity providers of organisations: a real OpenID Connect one on loopback, and a SAML one.
import { TOTP, URI } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { type Browser, openBrowser } from '../../../test/identity/browser.ts'
import { makeSigningKey } from '../../../test/identity/certificate.ts'
import {
  type OidcProvider,
  type ProviderPerson,
  startOidcProvider,
} from '../../../test/identity/oidc-provider.ts'
import { mailTo, tokenIn } from '../../../test/mailbox.ts'
import { threadTime } from '../../../test/processor-time.ts'
import {
  makeSamlProvider,
  type SamlAnswer,
  type SamlProvider,
  type SamlRequest,
} from '../../../test/identity/saml-provider.ts'

let app: TestApp
let oidc: OidcProvider
let saml: SamlProvider
let admin: Browser

const appUrl = 'http://localhost:3000'

beforeAll(async () => {
  oidc = await startOidcProvider({
    redirectUris: [`${appUrl}/auth/v1/sso/callback/acme`],
    claimsIn: 'userinfo',
  })
  saml = makeSamlProvider()
  app = await startTestApp({ SSO_TRUSTED_ORIGINS: oidc.issuer })
  const person = await makePerson(app.services)
  await rowsOf(`update users set role = 'admin' where id = $1`, person.id)
  admin = openBrowser(app, await sessionCookieOf(app.services, person.id))
  const registered = [await register(admin, oidcFields()), await register(admin, samlFields())]
  expect(registered.map(({ status }) => status)).toEqual([200, 200])
})
beforeEach(() => app.services.pool.query('delete from rate_limits'))
afterAll(async () => {
  await app.stop()
  await oidc.stop()
})

const rowsOf = async (sql: string, ...values: unknown[]) =>
  (await app.services.pool.query(sql, values)).rows

const oidcFields = (fields = {}) => ({
  providerId: 'acme',
  issuer: oidc.issuer,
  domain: 'acme.example',
  oidcConfig: { clientId: oidc.clientId, clientSecret: oidc.clientSecret },
  ...fields,
})

const samlFields = (fields = {}) => ({
  providerId: 'initech',
  issuer: `${appUrl}/sso/initech`,
  domain: 'initech.example',
  samlConfig: { entryPoint: saml.entryPoint, idpMetadata: { metadata: saml.metadata } },
  ...fields,
})

const register = (browser: Browser, fields: object) =>
  browser.request('/auth/v1/sso/register', { body: fields })

let people = 0
const somebody = (claims: Partial<ProviderPerson> = {}): ProviderPerson => {
  const sub = `employee-${++people}`
  return {
    sub,
    email: `${sub}@acme.example`,
    email_verified: true,
    name: `Employee ${people}`,
    ...claims,
  }
}

const logIn = (browser: Browser, fields: object) =>
  browser.request('/auth/v1/sign-in/sso', { body: { callbackURL: '/dashboard', ...fields } })

/** Of a refusal. */
const inWords = expect.stringMatching(/^\w[^{}[\]<>]* \w+/)

const errorPage = (code: string) => `${appUrl}/login?error=${code}`

describe('registration', () => {
  const calls = [
    ['POST', '/sso/register'],
    ['POST', '/sso/update-provider'],
    ['POST', '/sso/delete-provider'],
    ['GET', '/sso/providers'],
  ] as const

  test.each(calls)('%s %s is for administrators', async (method, path) => {
    const body = method === 'GET' ? undefined : { ...oidcFields(), providerId: 'acme' }
    const stranger = await app.request(`/auth/v1${path}`, { method, body })
    expect(stranger.status).toBe(401)
    const person = await makePerson(app.services)
    const cookie = await sessionCookieOf(app.services, person.id)
    const somebodyElse = await app.request(`/auth/v1${path}`, { method, body, cookie })
    expect([somebodyElse.status, somebodyElse.body.message]).toEqual([
      403,
      'Only administrators may do this.',
    ])
  })

  test('the list shows no secret', async () => {
    const { body } = await admin.request('/auth/v1/sso/providers')
    expect(body.providers).toMatchObject([
      { providerId: 'acme', type: 'oidc', domain: 'acme.example' },
      { providerId: 'initech', type: 'saml', domain: 'initech.example' },
    ])
    expect(JSON.stringify(body)).not.toContain(oidc.clientSecret)
  })

  test('a name is given once, and never one of ours', async () => {
    for (const providerId of ['acme', 'credential', 'siwe', 'magic-link']) {
      expect((await register(admin, oidcFields({ providerId }))).status, providerId).toBe(422)
    }
  })

  test.each([
    'http://127.0.0.1:9',
    'http://localhost:5432',
    'http://169.254.169.254',
    'http://10.0.0.1',
    'http://[::1]:9',
    'file:///etc/passwd',
    'ftp://idp.example',
  ])('%s is not asked: only private hosts that the operator named are', async (issuer) => {
    const discovered = await register(admin, oidcFields({ providerId: 'inside', issuer }))
    expect(discovered.status).toBe(400)
    const told = await register(
      admin,
      oidcFields({
        providerId: 'inside',
        oidcConfig: {
          clientId: 'x',
          clientSecret: 'y',
          skipDiscovery: true,
          authorizationEndpoint: `${oidc.issuer}/auth`,
          tokenEndpoint: `${issuer}/token`,
          jwksEndpoint: `${oidc.issuer}/jwks`,
        },
      }),
    )
    expect(told.status).toBe(400)
    expect(told.body.message).toEqual(inWords)
  })

  test('a provider that does not answer is said so', async () => {
    const { port } = new URL(oidc.issuer)
    const { status, body } = await register(
      admin,
      oidcFields({
        providerId: 'gone',
        oidcConfig: {
          clientId: 'x',
          clientSecret: 'y',
          discoveryEndpoint: `http://127.0.0.1:${port}/no/such/page`,
        },
      }),
    )
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^OIDC discovery/)])
  })

  /** A SAML provider of its own name and domain, so that others can be there beside it. */
  function otherSaml(providerId: string) {
    const other = makeSamlProvider(`https://${providerId}.example`)
    return samlFields({
      providerId,
      issuer: `${appUrl}/sso/${providerId}`,
      domain: `${providerId}.example`,
      samlConfig: { entryPoint: other.entryPoint, idpMetadata: { metadata: other.metadata } },
    })
  }

  async function administrator() {
    const person = await makePerson(app.services)
    await rowsOf(`update users set role = 'admin' where id = $1`, person.id)
    return { ...person, browser: openBrowser(app, await sessionCookieOf(app.services, person.id)) }
  }

  const listed = async (by: Browser): Promise<string[]> => {
    const { body } = await by.request('/auth/v1/sso/providers')
    return body.providers.map(({ providerId }: { providerId: string }) => providerId)
  }

  test('is seen, changed and removed by every administrator, also when who registered it is gone', async () => {
    const registrar = await administrator()
    expect((await register(registrar.browser, otherSaml('shared'))).status).toBe(200)
    for (const by of [admin, registrar.browser]) {
      expect(await listed(by)).toEqual(['acme', 'initech', 'shared'])
    }
    const change = (domain: string) =>
      admin.request('/auth/v1/sso/update-provider', { body: { providerId: 'shared', domain } })
    expect((await change('one.example')).status).toBe(200)
    expect(await rowsOf(`select user_id from sso_providers where provider_id = 'shared'`)).toEqual([
      { user_id: registrar.id },
    ])
    await rowsOf('delete from users where id = $1', registrar.id)
    expect(await listed(admin)).toContain('shared')
    const changed = await change('two.example')
    expect([changed.status, changed.body.domain]).toEqual([200, 'two.example'])
    const remove = () =>
      admin.request('/auth/v1/sso/delete-provider', { body: { providerId: 'shared' } })
    expect((await remove()).status).toBe(200)
    expect((await remove()).status).toBe(404)
    expect(await listed(admin)).toEqual(['acme', 'initech'])
  })

  test('and what is done about it is in the log of administrators', async () => {
    const { id, browser } = await administrator()
    expect((await register(browser, otherSaml('logged'))).status).toBe(200)
    expect((await register(browser, otherSaml('logged'))).status).toBe(422)
    const providerId = 'logged'
    const change = (body: object) => browser.request('/auth/v1/sso/update-provider', { body })
    expect((await change({ providerId, domain: 'moved.example' })).status).toBe(200)
    expect((await change({ providerId })).status).toBe(400)
    const remove = () => browser.request('/auth/v1/sso/delete-provider', { body: { providerId } })
    expect((await remove()).status).toBe(200)
    expect((await remove()).status).toBe(404)
    const { body } = await browser.request('/rest/v1/admin/acts?subjectKind=login&subjectId=logged')
    const done = { actor: { id }, subjectKind: 'login', subjectName: 'logged' }
    expect(body.acts).toMatchObject([
      { ...done, action: 'remove_login' },
      { ...done, action: 'change_login' },
      { ...done, action: 'register_login' },
    ])
    expect(
      await rowsOf(
        `select details from administrative_acts where subject_id = 'logged' order by created_at`,
      ),
    ).toEqual([
      { details: { domain: 'logged.example' } },
      { details: { domain: 'moved.example' } },
      { details: {} },
    ])
  })

  test('is changed and removed by its administrator', async () => {
    const other = makeSamlProvider('https://other.example')
    const fields = samlFields({
      providerId: 'shortlived',
      domain: 'shortlived.example',
      samlConfig: { entryPoint: other.entryPoint, idpMetadata: { metadata: other.metadata } },
    })
    expect((await register(admin, fields)).status).toBe(200)
    const found = async () =>
      (await logIn(openBrowser(app), { email: 'ann@moved.example' })).status === 200
    expect(await found()).toBe(false)
    const changed = await admin.request('/auth/v1/sso/update-provider', {
      body: { providerId: 'shortlived', domain: 'moved.example' },
    })
    expect([changed.status, changed.body.domain]).toEqual([200, 'moved.example'])
    expect(await found()).toBe(true)
    const removed = await admin.request('/auth/v1/sso/delete-provider', {
      body: { providerId: 'shortlived' },
    })
    expect(removed.status).toBe(200)
    expect(await found()).toBe(false)
  })
})

describe('OpenID Connect', () => {
  /** The whole way: to the provider, and back. */
  async function come(browser: Browser, person: ProviderPerson | null, fields: object) {
    const { status, body } = await logIn(browser, fields)
    expect(status, JSON.stringify(body)).toBe(200)
    oidc.person = person
    const answer = await browser.open(await oidc.visit(body.url))
    expect(answer.status).toBe(302)
    return answer.headers.get('location')
  }

  test('is asked with PKCE and a state', async () => {
    const { body, headers } = await logIn(openBrowser(app), { providerId: 'acme' })
    const url = new URL(body.url)
    expect(url.origin).toBe(oidc.issuer)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^\S{20,}$/),
      redirect_uri: `${appUrl}/auth/v1/sso/callback/acme`,
    })
    expect(headers.getSetCookie().join()).toMatch(/thunder\.state=.+HttpOnly/)
  })

  test('an employee gets an account by the domain of the address, and comes back by name', async () => {
    const person = somebody({
      name: ' Grace\u0000  Hopper ',
      picture: 'https://acme.example/me.png',
    })
    const browser = openBrowser(app)
    expect(await come(browser, person, { email: person.email })).toBe('/dashboard')
    expect(await browser.signedInAs()).toBe(person.email)
    expect(await rowsOf('select * from users where email = $1', person.email)).toMatchObject([
      { name: 'Grace Hopper', avatar_url: null, role: 'user', email_verified: false },
    ])

    const later = openBrowser(app)
    await come(later, { ...person, email: 'moved@acme.example' }, { providerId: 'acme' })
    expect(await later.signedInAs()).toBe(person.email)
    const identities = await rowsOf(
      `select i.* from identities i join users u on u.id = i.user_id where u.email = $1`,
      person.email,
    )
    expect(identities).toMatchObject([
      {
        provider_id: 'acme',
        account_id: person.sub,
        access_token: null,
        refresh_token: null,
        id_token: null,
      },
    ])
  })

  test('addresses below the domain belong to it; others have no provider', async () => {
    expect((await logIn(openBrowser(app), { email: 'a@eu.acme.example' })).status).toBe(200)
    for (const email of ['a@notacme.example', 'a@acme.example.evil', 'a@example', 'a', '@']) {
      const { status, body } = await logIn(openBrowser(app), { email })
      expect([status, body.message], email).toEqual([
        email === 'a' || email === '@' ? 400 : 404,
        inWords,
      ])
    }
  })

  test('an account with the address is nobody else’s, confirmed or not', async () => {
    for (const verified of [true, false]) {
      const person = somebody()
      const known = await makePerson(app.services, { email: String(person.email) })
      await rowsOf('update users set email_verified = $1 where id = $2', verified, known.id)
      const browser = openBrowser(app)
      expect(await come(browser, person, { providerId: 'acme' })).toMatch(
        /\/login\?error=organization_not_linked$/,
      )
      expect(await browser.signedInAs()).toBeNull()
    }
  })

  /** Sets a password through a mailed link, as people do who forgot theirs. */
  async function setPassword(email: string) {
    await app.request('/auth/v1/request-password-reset', { body: { email } })
    const token = tokenIn(await mailTo(app, email, /Reset your password/))
    const { status } = await app.request('/auth/v1/reset-password', {
      body: { token, newPassword: 'battery staple' },
    })
    expect(status).toBe(200)
  }

  test('who sets a password before the address is confirmed loses this way in, and is told', async () => {
    const person = somebody()
    const email = String(person.email)
    await come(openBrowser(app), person, { providerId: 'acme' })
    await setPassword(email)
    await mailTo(app, email, /Your other ways to log in were removed/)
    const [wanted, reason] = ['/course/knots?tab=about', 'organization_not_linked']
    const errorCallbackURL = `${appUrl}/login?to=${encodeURIComponent(wanted)}`
    const back = await come(openBrowser(app), person, { providerId: 'acme', errorCallbackURL })
    const { pathname, searchParams } = new URL(String(back))
    expect([pathname, searchParams.get('error'), searchParams.get('to')]).toEqual([
      '/login',
      reason,
      wanted,
    ])
  })

  test('who confirms the address first keeps it beside the password', async () => {
    const person = somebody()
    const email = String(person.email)
    const browser = openBrowser(app)
    await come(browser, person, { providerId: 'acme' })
    await browser.request('/auth/v1/send-verification-email', { body: { email } })
    const token = tokenIn(await mailTo(app, email, /Confirm your email address/))
    await browser.request(`/auth/v1/verify-email?token=${token}`)
    await setPassword(email)
    const later = openBrowser(app)
    await come(later, person, { providerId: 'acme' })
    expect(await later.signedInAs()).toBe(email)
  })

  test('whoever says no there, or brings another state, is not signed in', async () => {
    const browser = openBrowser(app)
    expect(await come(browser, null, { providerId: 'acme' })).toContain(errorPage('access_denied'))
    const { body } = await logIn(browser, { providerId: 'acme' })
    oidc.person = somebody()
    const back = await oidc.visit(body.url)
    const victim = await openBrowser(app).open(back)
    expect(victim.headers.get('location')).toBe(errorPage('state_mismatch'))
    back.searchParams.set('state', 'x'.repeat(32))
    expect((await browser.open(back)).headers.get('location')).toBe(errorPage('state_mismatch'))
    expect(await browser.signedInAs()).toBeNull()
  })

  test('the shared address of all providers works as theirs does', async () => {
    const { status, headers } = await app.request('/auth/v1/sso/callback?code=x&state=y')
    expect([status, headers.get('location')]).toEqual([302, errorPage('state_mismatch')])
  })

  test('nobody is sent to another site afterwards', async () => {
    for (const callbackURL of ['https://evil.example', '//evil.example', '/\\evil.example']) {
      const { status } = await logIn(openBrowser(app), { providerId: 'acme', callbackURL })
      expect(status, callbackURL).toBe(403)
    }
  })

  test('two-step verification is asked for', async () => {
    const person = somebody()
    const browser = openBrowser(app)
    await come(browser, person, { providerId: 'acme' })
    const enabled = await browser.request('/auth/v1/two-factor/enable', { body: {} })
    const totp = URI.parse(enabled.body.totpURI) as TOTP
    const on = await browser.request('/auth/v1/two-factor/verify-totp', {
      body: { code: totp.generate() },
    })
    expect(on.status).toBe(200)
    const coming = openBrowser(app)
    expect(await come(coming, person, { providerId: 'acme' })).toBe(
      `${appUrl}/login/two-step?to=%2Fdashboard`,
    )
    expect(await coming.signedInAs()).toBeNull()
    await coming.request('/auth/v1/two-factor/verify-totp', {
      body: { code: totp.generate({ timestamp: Date.now() + 30_000 }) },
    })
    expect(await coming.signedInAs()).toBe(person.email)
  })
})

describe('SAML', () => {
  const acs = '/auth/v1/sso/saml2/sp/acs/initech'

  async function ask(browser: Browser, fields = {}): Promise<SamlRequest> {
    const { status, body } = await logIn(browser, { providerId: 'initech', ...fields })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.url).toContain(saml.entryPoint)
    return saml.read(body.url)
  }

  /** Sends the provider's form, from the provider's site. */
  const send = (
    browser: Browser,
    SAMLResponse: string,
    RelayState: string,
    { path = acs, type = 'application/x-www-form-urlencoded' } = {},
  ) =>
    browser.request(path, {
      body: new URLSearchParams({ SAMLResponse, RelayState }).toString(),
      headers: {
        'content-type': type,
        origin: 'https://idp.example',
        'sec-fetch-site': 'cross-site',
      },
    })

  /** The whole way; answers where the browser is sent. */
  async function come(browser: Browser, facts: Omit<SamlAnswer, 'request'>) {
    const request = await ask(browser)
    const answer = await send(browser, saml.answer({ request, ...facts }), request.relayState)
    expect(answer.status, JSON.stringify(answer.body)).toBe(302)
    return answer.headers.get('location')
  }

  const employee = (name: string) => ({
    nameId: `${name}@initech.example`,
    attributes: { email: `${name}@initech.example`, displayName: `Employee ${name}` },
  })

  test('describes our side', async () => {
    const { status, headers, body } = await app.request(
      '/auth/v1/sso/saml2/sp/metadata?providerId=initech',
    )
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('xml')
    expect(body).toContain(`Location="${appUrl}${acs}"`)
    expect(body).toContain('WantAssertionsSigned="true"')
    for (const query of ['', '?providerId=nobody', '?providerId=acme', '?providerId=%00']) {
      const wrong = await app.request(`/auth/v1/sso/saml2/sp/metadata${query}`)
      expect(wrong.status, query).toBeGreaterThanOrEqual(400)
      expect(wrong.status, query).toBeLessThan(500)
      expect(wrong.body.message, query).toEqual(inWords)
    }
  })

  test('a signed answer makes an account, and finds it again', async () => {
    for (const email of ['milton@initech.example', undefined]) {
      const browser = openBrowser(app)
      expect(await come(browser, employee('milton'))).toBe('/dashboard')
      expect(await browser.signedInAs(), String(email)).toBe('milton@initech.example')
    }
    expect(
      await rowsOf(
        `select u.name, u.email_verified, i.provider_id, i.account_id, i.access_token, i.id_token
           from users u join identities i on i.user_id = u.id where u.email = $1`,
        'milton@initech.example',
      ),
    ).toEqual([
      {
        name: 'Employee milton',
        email_verified: false,
        provider_id: 'initech',
        account_id: 'milton@initech.example',
        access_token: null,
        id_token: null,
      },
    ])
  })

  test('an account with the address is nobody else’s', async () => {
    const known = await makePerson(app.services, { email: 'peter@initech.example' })
    const browser = openBrowser(app)
    expect(await come(browser, employee('peter'))).toBe(errorPage('organization_not_linked'))
    expect(await browser.signedInAs()).toBeNull()
    expect(await rowsOf('select 1 from identities where user_id = $1', known.id)).toHaveLength(1)
  })

  test('who is not brought in gets to the wanted page by another log-in', async () => {
    await makePerson(app.services, { email: 'bob@initech.example' })
    const browser = openBrowser(app)
    const wanted = '/course/knots?tab=about#top'
    for (const callbackURL of [wanted, `${appUrl}${wanted}`]) {
      const request = await ask(browser, { callbackURL })
      const answer = saml.answer({ request, ...employee('bob') })
      const { headers } = await send(browser, answer, request.relayState)
      const { origin, pathname, searchParams } = new URL(headers.get('location')!)
      expect(origin + pathname).toBe(`${appUrl}/login`)
      expect(Object.fromEntries(searchParams)).toEqual({
        error: 'organization_not_linked',
        to: wanted,
      })
    }
  })

  const otherKey = makeSigningKey('idp.example')
  const wrong: [string, Partial<SamlAnswer>][] = [
    ['not signed', { signs: 'nothing' }],
    ['signed around the assertion only', { signs: 'response' }],
    ['signed by somebody else', { key: otherKey }],
    [
      'changed on its way',
      { tamper: (xml) => xml.replaceAll('samir@initech.example', 'boss@initech.example') },
    ],
    ['for another service', { audience: 'https://other.example' }],
    ['for another address', { recipient: 'https://other.example/acs' }],
    ['sent to another address', { destination: 'https://other.example/acs' }],
    ['of another provider', { issuer: 'https://evil.example' }],
    ['expired', { validFrom: -7200, validTo: -3600 }],
    ['not valid yet', { validFrom: 3600, validTo: 7200 }],
    ['to no question', { inResponseTo: null }],
    ['to another question', { inResponseTo: '_somebody-elses-question' }],
    [
      'wrapped around a forged assertion',
      {
        tamper: (xml) => {
          const signed = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)![0]
          const forged = signed
            .replace(/<ds:Signature .*<\/ds:Signature>/s, '')
            .replace(/ ID="[^"]+"/, ' ID="_forged"')
            .replaceAll('samir@', 'boss@')
          return xml.replace(signed, `${forged}<samlp:Extensions>${signed}</samlp:Extensions>`)
        },
      },
    ],
    [
      'hidden inside a forged assertion',
      {
        tamper: (xml) => {
          const signed = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)![0]
          const signature = /<ds:Signature .*<\/ds:Signature>/s.exec(signed)![0]
          const bare = signed.replace(signature, '')
          const forged = bare
            .replace(/ ID="[^"]+"/, ' ID="_forged"')
            .replaceAll('samir@', 'boss@')
            .replace(
              '</saml:Issuer>',
              () =>
                `</saml:Issuer>${signature.replace('</ds:Signature>', () => `<ds:Object>${bare}</ds:Object></ds:Signature>`)}`,
            )
          return xml.replace(signed, () => forged)
        },
      },
    ],
  ]
  test.each(wrong)('an answer that is %s signs nobody in', async (_what, facts) => {
    const before = await rowsOf('select count(*)::int from sessions')
    const browser = openBrowser(app)
    const location = await come(browser, { ...employee('samir'), ...facts })
    expect(location).toMatch(/^http:\/\/localhost:3000\/login\?error=\w+/)
    expect(await browser.signedInAs()).toBeNull()
    expect(await rowsOf('select count(*)::int from sessions')).toEqual(before)
    expect(await rowsOf(`select 1 from users where email like 'boss@%'`)).toEqual([])
  })

  test('a comment does not cut an address short', async () => {
    // A comment is no part of what is signed; a reader that stops there would read another address.
    const browser = openBrowser(app)
    await come(browser, {
      ...employee('michael@initech.example.evil'),
      tamper: (xml) =>
        xml.replaceAll('michael@initech.example.', 'michael@initech.example<!---->.'),
    })
    expect(await browser.signedInAs()).not.toBe('michael@initech.example')
    expect(await rowsOf(`select 1 from users where email = 'michael@initech.example'`)).toEqual([])
  })

  test('an answer works once', async () => {
    const browser = openBrowser(app)
    const request = await ask(browser)
    const answer = saml.answer({ request, ...employee('replayed') })
    const first = await send(browser, answer, request.relayState)
    expect(first.headers.get('location')).toBe('/dashboard')
    const thief = openBrowser(app)
    for (const relayState of [request.relayState, '']) {
      const again = await send(thief, answer, relayState)
      expect(again.headers.get('location')).toMatch(/\/login\?error=\w+/)
    }
    // Nor does its assertion, as the answer to another question.
    const another = await ask(thief)
    const assertionId = /<saml:Assertion [^>]*ID="([^"]+)"/.exec(
      Buffer.from(answer, 'base64').toString(),
    )![1]
    const reused = saml.answer({ request: another, ...employee('replayed'), assertionId })
    const { headers } = await send(thief, reused, another.relayState)
    expect(headers.get('location')).toMatch(/\/login\?error=replay_detected/)
    expect(await thief.signedInAs()).toBeNull()
  })

  test('an answer that another browser asked for signs nobody in, and is not used up', async () => {
    const thief = openBrowser(app)
    const request = await ask(thief)
    const answer = saml.answer({ request, ...employee('thief') })
    const stranger = openBrowser(app)
    const beginner = openBrowser(app)
    await ask(beginner)
    const owner = await makePerson(app.services)
    const signedIn = openBrowser(app, await sessionCookieOf(app.services, owner.id))
    for (const victim of [stranger, beginner, signedIn]) {
      for (const relayState of [request.relayState, '', 'x']) {
        const { headers } = await send(victim, answer, relayState)
        expect(headers.get('location')).toBe(errorPage('state_mismatch'))
      }
    }
    expect(await stranger.signedInAs()).toBeNull()
    expect(await beginner.signedInAs()).toBeNull()
    expect(await signedIn.signedInAs()).toBe(owner.email)
    expect(await rowsOf(`select 1 from users where email = 'thief@initech.example'`)).toEqual([])
    const own = await send(thief, answer, request.relayState)
    expect(own.headers.get('location')).toBe('/dashboard')
  })

  test('the browser that asks keeps a cookie that comes with a form of the provider’s site', async () => {
    const { headers } = await logIn(openBrowser(app), { providerId: 'initech' })
    const cookies = headers.getSetCookie().map((line) => line.split('; '))
    expect(cookies).toEqual([
      expect.arrayContaining([
        expect.stringMatching(/^thunder\.relay_state=[^;]{20,}$/),
        'HttpOnly',
        'SameSite=None',
        'Secure',
      ]),
    ])
  })

  test('the relay state sends nobody to another site', async () => {
    for (const relayState of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/dashboard',
    ]) {
      const browser = openBrowser(app)
      const request = await ask(browser)
      const answer = saml.answer({ request, ...employee('relayed') })
      const { headers } = await send(browser, answer, relayState)
      expect(headers.get('location'), relayState).toMatch(
        /^(http:\/\/localhost:3000(\/|$)|\/(?![/\\]))/,
      )
      const signedIn = await app.request(`${acs}?RelayState=${encodeURIComponent(relayState)}`, {
        cookie: admin.cookie(),
      })
      expect(signedIn.headers.get('location'), relayState).toMatch(
        /^(http:\/\/localhost:3000(\/|$)|\/(?![/\\]))/,
      )
    }
    expect((await app.request(acs)).headers.get('location')).toContain('/login?error=')
  })

  test('who is signed in already is led to where they were, in whatever letters', async () => {
    const browser = openBrowser(app)
    await come(browser, employee('lettered'))
    const led = async (to: string) =>
      (await browser.request(`${acs}?RelayState=${encodeURIComponent(to)}`)).headers.get('location')
    expect(await led('/course/knots')).toBe('/course/knots')
    expect(await led('/course/Köln 🦄?q=ü')).toBe('/course/K%C3%B6ln%20%F0%9F%A6%84?q=%C3%BC')
  })

  test('other sites may post there, and nowhere else', async () => {
    const headers = { origin: 'https://idp.example', 'sec-fetch-site': 'cross-site' }
    for (const path of [
      '/auth/v1/sign-in/sso',
      '/auth/v1/sso/register',
      '/auth/v1/sso/saml2/sp/acs',
      `${acs}/more`,
      '/auth/v1/sign-out',
    ]) {
      const { status, body } = await admin.request(path, { body: {}, headers })
      expect([status, body.code], path).toEqual([403, 'FOREIGN_ORIGIN'])
    }
  })

  test('two-step verification is asked for', async () => {
    const browser = openBrowser(app)
    await come(browser, employee('careful'))
    const enabled = await browser.request('/auth/v1/two-factor/enable', { body: {} })
    const totp = URI.parse(enabled.body.totpURI) as TOTP
    await browser.request('/auth/v1/two-factor/verify-totp', { body: { code: totp.generate() } })
    const coming = openBrowser(app)
    expect(await come(coming, employee('careful'))).toBe(`${appUrl}/login/two-step?to=%2Fdashboard`)
    expect(await coming.signedInAs()).toBeNull()
  })

  describe('garbage', () => {
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const entities = (times: number) =>
      Array.from(
        { length: times },
        (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
      ).join('')
    const bomb = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e0 "boom">${entities(9)}]><samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"><saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">&e9;</saml:Assertion></samlp:Response>`
    const outside = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"><saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">&x;</saml:Assertion></samlp:Response>`
    const responses: [string, string][] = [
      ['nothing', ''],
      ['no base64', '%%%'],
      [
        'random bytes',
        Buffer.from(Array.from({ length: 500 }, (_, n) => (n * 197) % 256)).toString('base64'),
      ],
      ['NUL', base64('\0')],
      ['text', base64('hello')],
      ['broken XML', base64('<a><b></a>')],
      [
        'an empty response',
        base64('<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"/>'),
      ],
      ['a deep tree', base64('<a>'.repeat(5000) + '</a>'.repeat(5000))],
      ['much text', base64(`<a>${'x'.repeat(30_000)}</a>`)],
      ['an entity bomb', base64(bomb)],
      ['an entity of a file', base64(outside)],
    ]

    test.each(responses)('%s signs nobody in, and breaks nothing', async (_what, response) => {
      const browser = openBrowser(app)
      const { relayState } = await ask(browser)
      const before = threadTime()
      for (const state of [relayState, '', '\0', 'x'.repeat(5000)]) {
        const answer = await send(browser, response, state)
        expect(answer.status).toBeLessThan(500)
        if (answer.status === 302) {
          expect(answer.headers.get('location')).toMatch(/^http:\/\/localhost:3000\/login\?error=/)
        } else expect(answer.body.message).toEqual(inWords)
        expect(JSON.stringify([answer.body, ...answer.headers])).not.toMatch(
          /node_modules|\bat \S+ \(|root:/,
        )
      }
      expect(threadTime() - before).toBeLessThan(5000)
      expect(await browser.signedInAs()).toBeNull()
    })

    test.each([
      ['text/plain', 'hello'],
      ['application/json', '{'],
      ['application/json', '[]'],
      ['application/json', '{"SAMLResponse":{"x":1}}'],
      ['application/xml', '<a/>'],
      ['multipart/form-data', 'no boundary'],
      ['multipart/form-data; boundary=x', '--x\r\n\r\nhalf'],
      ['application/x-www-form-urlencoded', 'SAMLResponse=%ff%00&SAMLResponse=b'],
      ['application/octet-stream', '\0\u0001\u0002'],
      ['', 'x'],
    ])('a body of type %s is refused in words', async (type, body) => {
      const answer = await app.request(acs, {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      })
      expect(answer.status).toBeLessThan(500)
      if (answer.status !== 302) expect(answer.body.message).toEqual(inWords)
    })

    test('too much is refused', async () => {
      // The rest of it is not read: the connection is of no use to the next request.
      const answer = await app.request(acs, {
        body: `SAMLResponse=${'A'.repeat(1_000_000)}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', connection: 'close' },
      })
      expect([answer.status, answer.body.message]).toEqual([413, inWords])
    })

    test('a provider that is not there is said so', async () => {
      for (const name of ['nobody', 'acme', '%00', '%ff', '..%2f', 'x'.repeat(3000), '__proto__']) {
        const answer = await send(openBrowser(app), base64('<a/>'), '', {
          path: `/auth/v1/sso/saml2/sp/acs/${name}`,
        })
        expect(answer.status, name).toBeGreaterThanOrEqual(400)
        expect(answer.status, name).toBeLessThan(500)
        const back = await app.request(`/auth/v1/sso/callback/${name}?code=x`)
        expect(back.status, name).toBeLessThan(500)
      }
    })
  })
})
