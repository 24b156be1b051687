// What people, programs and attackers send to the calls of accounts instead of what was asked for: never a
// 5xx, always a sentence, and never a session.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { forgetLimits } from '../../../test/forget-limits.ts'
import { type OidcProvider, startOidcProvider } from '../../../test/identity/oidc-provider.ts'
import { makeSamlProvider } from '../../../test/identity/saml-provider.ts'
import { type AuthCall, authCalls } from './calls.ts'

let app: TestApp
let provider: OidcProvider
let admin: Caller
let person: Caller

interface Caller {
  id: string
  cookie: string
}

const appUrl = 'http://localhost:3000'

beforeAll(async () => {
  provider = await startOidcProvider({ redirectUris: [`${appUrl}/auth/v1/callback/oidc`] })
  app = await startTestApp({
    OIDC_DISCOVERY_URL: provider.discoveryUrl,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    SSO_TRUSTED_ORIGINS: provider.issuer,
  })
  admin = await makeCaller('admin')
  person = await makeCaller('user')
  const { status } = await app.request('/auth/v1/sso/register', {
    body: inputs['POST /sso/register'],
    cookie: admin.cookie,
  })
  expect(status).toBe(200)
})
afterAll(async () => {
  await app.stop()
  await provider.stop()
})

async function makeCaller(role: 'user' | 'admin'): Promise<Caller> {
  const { id } = await makePerson(app.services)
  await app.services.pool.query('update users set role = $1 where id = $2', [role, id])
  return { id, cookie: await sessionCookieOf(app.services, id) }
}

const nobody = 'nobody@example.com'
const saml = makeSamlProvider()
const idToken = { token: 'a.b.c', nonce: 'n', accessToken: 'x', refreshToken: 'y' }
const uuid = '01a1fe09-a1af-70d7-9042-a0f1ef60bb93'
const credential = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  clientExtensionResults: {},
  response: {
    clientDataJSON: 'e30',
    authenticatorData: 'AAAA',
    signature: 'AAAA',
    attestationObject: 'AAAA',
  },
}

/** What each call is sent when nothing is wrong but that there is no such person, code or key. */
const inputs: Record<string, Record<string, unknown>> = {
  'POST /sign-up/email': { name: 'Ann', email: 'ann@example.com', password: 'correct horse' },
  'POST /sign-in/email': { email: nobody, password: 'wrong horse', rememberMe: true },
  'POST /sign-in/phone-number': { phoneNumber: '+4915112345678', password: 'x', rememberMe: true },
  'POST /sign-out': {},
  'POST /sign-in/magic-link': { email: nobody, callbackURL: '/dashboard' },
  'GET /magic-link/verify': { token: 'x', callbackURL: '/dashboard', errorCallbackURL: '/login' },
  'POST /email-otp/send-verification-otp': { email: nobody, type: 'sign-in' },
  'POST /sign-in/email-otp': { email: nobody, otp: '000000' },
  'POST /email-otp/verify-email': { email: nobody, otp: '000000' },
  'POST /email-otp/reset-password': { email: nobody, otp: '000000', password: 'new horse' },
  'POST /phone-number/send-otp': { phoneNumber: '+4915112345678' },
  'POST /phone-number/verify': {
    phoneNumber: '+4915112345678',
    code: '000000',
    updatePhoneNumber: false,
  },
  'POST /phone-number/request-password-reset': { phoneNumber: '+4915112345678' },
  'POST /phone-number/reset-password': {
    phoneNumber: '+4915112345678',
    otp: '000000',
    newPassword: 'new horse',
  },
  'POST /send-verification-email': { email: nobody },
  'GET /verify-email': { token: 'x', callbackURL: '/dashboard' },
  'POST /request-password-reset': { email: nobody },
  'POST /reset-password': { token: 'x', newPassword: 'new horse' },
  'POST /sign-in/social': {
    provider: 'oidc',
    callbackURL: '/dashboard',
    errorCallbackURL: '/login',
    newUserCallbackURL: '/dashboard',
    scopes: ['openid'],
    loginHint: 'x',
    requestSignUp: true,
    disableRedirect: true,
    additionalParams: { x: 'y' },
    additionalData: { x: 'y' },
    idToken,
  },
  'GET /callback/:id': { state: 'x', code: 'y', iss: 'https://x', error: '', user: '{}' },
  'POST /siwe/nonce': {},
  'POST /siwe/verify': { message: 'Nonce: abcdefghijkl', signature: '0x00', email: nobody },
  'POST /sign-in/sso': {
    email: 'ann@initech.example',
    providerId: 'initech',
    domain: 'initech.example',
    organizationSlug: 'x',
    callbackURL: '/dashboard',
    errorCallbackURL: '/login',
    scopes: ['openid'],
    loginHint: 'x',
    additionalParams: { x: 'y' },
    providerType: 'saml',
  },
  'GET /sso/callback/:providerId': { state: 'x', code: 'y', error: '', error_description: 'z' },
  'GET /sso/callback': { state: 'x', code: 'y', error: '', error_description: 'z' },
  'GET /sso/saml2/sp/metadata': { providerId: 'initech' },
  'GET /sso/saml2/sp/acs/:providerId': { RelayState: '/dashboard' },
  'POST /sso/saml2/sp/acs/:providerId': { SAMLResponse: 'PGEvPg==', RelayState: 'x' },
  'POST /sso/register': {
    providerId: 'initech',
    issuer: 'https://initech.example',
    domain: 'initech.example',
    samlConfig: {
      entryPoint: saml.entryPoint,
      idpMetadata: { metadata: saml.metadata },
      spMetadata: { metadata: '' },
      mapping: { email: 'email', name: 'displayName' },
    },
    organizationId: undefined,
  },
  'GET /sso/providers': {},
  'POST /sso/update-provider': {
    providerId: 'initech',
    domain: 'initech.example',
    issuer: 'https://initech.example',
    oidcConfig: { clientId: 'x', tokenEndpoint: 'https://initech.example/token' },
    samlConfig: { entryPoint: saml.entryPoint, idpMetadata: { entityID: 'x' } },
  },
  'POST /sso/delete-provider': { providerId: 'nobody' },
  'POST /link-social': { provider: 'oidc', callbackURL: '/settings', scopes: ['openid'], idToken },
  'GET /list-accounts': {},
  'POST /unlink-account': { accountId: uuid },
  'GET /passkey/generate-register-options': { name: 'x', authenticatorAttachment: 'platform' },
  'POST /passkey/verify-registration': { name: 'x', response: credential },
  'GET /passkey/generate-authenticate-options': {},
  'POST /passkey/verify-authentication': { response: credential },
  'GET /passkey/list-user-passkeys': {},
  'POST /passkey/update-passkey': { id: uuid, name: 'x' },
  'POST /passkey/delete-passkey': { id: uuid },
  'POST /two-factor/enable': { password: 'wrong horse', issuer: 'x' },
  'POST /two-factor/get-totp-uri': { password: 'wrong horse' },
  'POST /two-factor/verify-totp': { code: '000000', trustDevice: true },
  'POST /two-factor/verify-backup-code': { code: 'x', trustDevice: true, disableSession: true },
  'POST /two-factor/generate-backup-codes': { password: 'wrong horse' },
  'POST /two-factor/disable': { password: 'wrong horse' },
  'GET /get-session': { disableCookieCache: 'true', disableRefresh: 'true' },
  'GET /list-sessions': {},
  'POST /revoke-other-sessions': {},
  'POST /revoke-sessions': {},
  'POST /verify-password': { password: 'wrong horse' },
  'POST /change-password': { currentPassword: 'wrong horse', newPassword: 'new horse' },
  'POST /change-email': { newEmail: 'new@example.com' },
  'POST /update-user': { name: 'Ann' },
  'GET /token': {},
  'GET /.well-known/jwks.json': {},
}

const pathOf = (call: AuthCall, part = call.path.startsWith('/sso') ? 'initech' : 'oidc') =>
  call.path.replace(/:\w+/, part)

const keyOf = ({ method, path }: AuthCall) => `${method} ${path}`

/** Instead of one value. Lone surrogates cross the wire as escapes only. */
const junk: unknown[] = [
  null,
  1e308,
  '',
  'x'.repeat(10_000),
  'NUL \0 inside',
  'lone \ud800 surrogate, 🦄\u202e\u200b\ufeff',
  '%00%ff../../etc/passwd',
  '__proto__',
  '//evil.example',
  '/dаshbo🦄rd',
  [[[null]]],
  { toString: 'x', constructor: { prototype: null } },
]

/** Instead of a value inside another one. */
const junkInside = [null, -1, 'x'.repeat(10_000), 'NUL \0 inside', [[[null]]]]

/** Instead of a whole body. */
const bodies = [
  '',
  '{',
  'not JSON',
  '[]',
  '"text"',
  '5',
  'null',
  '\0',
  '{"__proto__":{"role":"admin"},"constructor":5,"toString":{}}',
  '['.repeat(20_000) + ']'.repeat(20_000),
  `${'{"a":'.repeat(8000)}1${'}'.repeat(8000)}`,
  `${'{"additionalData":{"a":'.repeat(1000)}1${'}'.repeat(2000)}`,
]

const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'x', '']

/** Copies of `input`, each with one value somewhere replaced or left out. */
function* withInstead(input: unknown, values = junk): Generator<Record<string, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return
  for (const [name, value] of Object.entries(input)) {
    for (const instead of values) yield { ...input, [name]: instead }
    yield { ...input, [name]: undefined }
    for (const inner of withInstead(value, junkInside)) yield { ...input, [name]: inner }
  }
}

/** Words that belong into our log, not into an answer. */
const internals =
  /node_modules|file:\/\/|\bat \S+ \(|select .* from|insert into|Failed query|violates|ECONN|better-auth/i

interface Attempt {
  call: AuthCall
  cookie?: string | undefined
  body?: string | undefined
  type?: string
  path?: string
}

async function send({ call, cookie, body, type = 'application/json', path }: Attempt) {
  const response = await fetch(`${app.url}/auth/v1${path ?? pathOf(call)}`, {
    method: call.method,
    body: call.method === 'GET' ? undefined : (body ?? '{}'),
    headers: {
      ...(call.method === 'GET' ? {} : { 'content-type': type }),
      ...(cookie ? { cookie } : {}),
    },
    redirect: 'manual',
  })
  const text = await response.text()
  const { status, headers } = response
  const about = `${keyOf(call)} ${(path ?? '').slice(0, 100)} ${(body ?? '').slice(0, 200)} → ${status} ${text.slice(0, 300)}`

  expect(status, about).toBeLessThan(500)
  expect(text, about).not.toMatch(internals)
  const opened = headers
    .getSetCookie()
    .some((line) => /session_token=[^;]+;/.test(line) && !/max-age=0/i.test(line))
  // Who signs up is signed in, and a change of a password opens a session instead of the others.
  const mayOpen = call.path === '/sign-up/email' || cookie !== undefined
  if (!mayOpen) expect(opened, about).toBe(false)
  if (status >= 300 && status < 400) {
    expect(call.method === 'GET' || call.path.includes('/acs/'), about).toBe(true)
    const location = headers.get('location')!
    expect(new URL(location, appUrl).origin, about).toBe(appUrl)
    expect(decodeURIComponent(location), about).not.toMatch(internals)
  } else if (status >= 400) {
    expect(headers.get('content-type'), about).toContain('application/json')
    const answer = JSON.parse(text)
    expect(answer.code, about).toMatch(/^\w+$/)
    expect(answer.message, about).toMatch(/^\w[^{}[\]<>]* \w+/)
    expect(answer.message.length, about).toBeLessThan(300)
  }
  return status
}

async function sendAll(attempts: Iterable<Attempt>) {
  const rest = attempts[Symbol.iterator]()
  let sent = 0
  const work = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) {
      // So that the next one is answered for what it is, not for its number.
      if (sent++ % 10 === 0) await forgetLimits(app.services.pool)
      await send(next.value)
    }
  }
  await Promise.all(Array.from({ length: 6 }, work))
}

const queryOf = (input: Record<string, unknown>) =>
  new URLSearchParams(
    Object.entries(input).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  ).toString()

test('every call has an input here', () => {
  expect(authCalls.map(keyOf).toSorted()).toEqual(Object.keys(inputs).toSorted())
})

test('strangers get through to public calls only, and people to nothing of administrators', async () => {
  for (const call of authCalls.filter(({ access }) => access !== 'public')) {
    const body = JSON.stringify(inputs[keyOf(call)])
    expect(await send({ call, body }), keyOf(call)).toBe(401)
    for (const broken of ['', '[]', '{']) expect(await send({ call, body: broken })).toBe(401)
    for (const cookie of ['thunder.session_token=x', 'thunder.session_token=x.y%FF', '=;;=']) {
      expect(await send({ call, body, cookie }), keyOf(call)).toBe(401)
    }
    if (call.access === 'admin') {
      expect(await send({ call, body, cookie: person.cookie }), keyOf(call)).toBe(403)
    }
  }
})

describe.each(authCalls.map((call) => ({ call, name: keyOf(call) })))('$name', ({ call, name }) => {
  const input = inputs[name]!

  test('is answered with a sentence, whatever is sent', async () => {
    const { id } = call.access === 'admin' ? admin : person
    const session = await sessionCookieOf(app.services, id)
    const cookie = call.access === 'public' ? undefined : session
    // Public calls see whoever is signed in, too.
    const cookies = [cookie, session]
    const attempts: Attempt[] = []
    if (call.method === 'GET') {
      for (const spoiled of withInstead(input)) {
        attempts.push({ call, cookie, path: `${pathOf(call)}?${queryOf(spoiled)}` })
      }
      for (const query of ['%ff', 'a=%00', '=&=&', 'token[]=x', '%ED%A0%80=1', 'x'.repeat(5000)]) {
        const path = `${pathOf(call)}?${query}`
        for (const one of cookies) attempts.push({ call, cookie: one, path })
      }
    } else {
      for (const [index, body] of bodies.entries()) {
        attempts.push({ call, cookie: cookies[index % 2], body })
      }
      for (const type of types) attempts.push({ call, cookie, body: JSON.stringify(input), type })
      for (const spoiled of withInstead(input)) {
        attempts.push({ call, cookie, body: JSON.stringify(spoiled) })
      }
    }
    if (call.path.includes(':')) {
      for (const part of ['%00', '%ff', '%2e%2e', '__proto__', 'constructor', 'x'.repeat(2000)]) {
        attempts.push({ call, cookie, path: pathOf(call, part), body: JSON.stringify(input) })
      }
    }
    await sendAll(attempts)
  })
})
