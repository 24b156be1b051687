// Access tokens for other programs: what is in them, where they open doors, and when they stop.
import { generateKeyPairSync } from 'node:crypto'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse } from '../../../test/factories.ts'
import { createAccessTokens } from './access-tokens.ts'
import { authCalls } from './calls.ts'

const appUrl = 'http://localhost:3000'
let app: TestApp
let person: Person
beforeAll(async () => {
  app = await startTestApp()
  person = await app.signUp()
})
afterAll(() => app?.stop())

async function tokenOf({ cookie }: Person): Promise<string> {
  const { body, status, headers } = await app.request('/auth/v1/token', { cookie })
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  return body.token
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const whoIs = async (token: string) => (await app.request('/rest/v1/me', bearer(token))).body
/** What is told to a program whose token is not good (any more): it has to get another one. */
async function toldOf(token: string, path = '/rest/v1/me') {
  const { status, body, headers } = await app.request(path, bearer(token))
  return [status, body.code, headers.get('www-authenticate')]
}
const notGood = [401, 'UNAUTHORIZED', 'Bearer error="invalid_token"']

describe('an access token', () => {
  test('verifies against the published keys, and says only ids, assurance and times', async () => {
    const token = await tokenOf(person)
    const keys = createRemoteJWKSet(new URL(`${app.url}/auth/v1/.well-known/jwks.json`))
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: appUrl,
      audience: appUrl,
    })
    const { body: session } = await app.request('/auth/v1/get-session', { cookie: person.cookie })
    expect(payload).toEqual({
      sub: person.id,
      sid: session.session.id,
      aal: 'aal1',
      iat: expect.any(Number),
      exp: payload.iat! + 15 * 60,
      iss: appUrl,
      aud: appUrl,
    })
    expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: expect.any(String) })
  })

  test('is for people who are logged in', async () => {
    expect((await app.request('/auth/v1/token')).status).toBe(401)
  })

  test('the published keys have no private half, and may be kept for minutes', async () => {
    await tokenOf(person)
    const { body, headers } = await app.request('/auth/v1/.well-known/jwks.json')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(body.keys).toHaveLength(1)
    expect(body.keys[0]).toEqual({
      alg: 'EdDSA',
      crv: 'Ed25519',
      kid: expect.any(String),
      kty: 'OKP',
      x: expect.any(String),
    })
    const { rows } = await app.services.pool.query('select private_key from signing_keys')
    expect(rows[0].private_key).not.toContain('"d"')
  })

  test('is accepted where a session cookie is', async () => {
    const token = await tokenOf(person)
    expect(await whoIs(token)).toMatchObject({ id: person.id, email: person.email })
    const course = await makeCourse(app.services, person)
    const asked = await app.request('/rest/v1/rpc/can_create_course', {
      body: {},
      ...bearer(token),
    })
    expect(asked.status).toBe(200)
    const mine = await app.request(`/rest/v1/courses/${course.id}`, bearer(token))
    expect(mine.status).toBe(200)
    const profile = await app.request('/rest/v1/me/profile', bearer(token))
    expect(profile.status).toBe(200)
    expect((await app.request('/rest/v1/me/profile')).status).toBe(401)
  })

  test('brings no cookie, and does not extend the session', async () => {
    const token = await tokenOf(person)
    await app.services.pool.query(
      `update sessions set updated_at = now() - interval '2 hours' where user_id = $1`,
      [person.id],
    )
    const { headers, body } = await app.request('/rest/v1/me', bearer(token))
    expect(body.id).toBe(person.id)
    expect(headers.getSetCookie()).toEqual([])
  })

  test('cannot change the account itself: that takes the session', async () => {
    const token = await tokenOf(person)
    for (const path of [
      '/change-email',
      '/two-factor/enable',
      '/revoke-sessions',
      '/update-user',
    ]) {
      const { status } = await app.request(`/auth/v1${path}`, {
        body: { newEmail: 'new@example.com', name: 'Somebody Else' },
        ...bearer(token),
      })
      expect([path, status]).toEqual([path, 401])
    }
    expect(await whoIs(token)).toMatchObject({ name: person.name, email: person.email })
  })

  test('opens no call of accounts that takes a session, nor removes a passkey', async () => {
    const token = await tokenOf(person)
    const { rows } = await app.services.pool.query<{ id: string }>(
      `insert into passkeys (user_id, public_key, credential_id, counter, device_type, backed_up)
         values ($1, 'key', 'credential-of-the-owner', 0, 'singleDevice', false) returning id`,
      [person.id],
    )
    const opened: string[] = []
    for (const { method, path, access } of authCalls) {
      if (access === 'public') continue
      const body = method === 'POST' ? { id: rows[0]!.id } : undefined
      const { status } = await app.request(`/auth/v1${path}`, { method, body, ...bearer(token) })
      if (status !== 401) opened.push(`${method} ${path}: ${status}`)
    }
    expect(opened).toEqual([])
    const { rows: left } = await app.services.pool.query('select 1 from passkeys where id = $1', [
      rows[0]!.id,
    ])
    expect(left).toHaveLength(1)
  })

  test('dies with its session', async () => {
    const leaver = await app.signUp()
    const token = await tokenOf(leaver)
    expect(await whoIs(token)).toMatchObject({ id: leaver.id })
    await app.request('/auth/v1/sign-out', { body: {}, cookie: leaver.cookie })
    expect(await toldOf(token)).toEqual(notGood)
    expect(await toldOf(token, '/rest/v1/me/profile')).toEqual(notGood)
  })

  test('dies with the session’s time', async () => {
    const sleeper = await app.signUp()
    const token = await tokenOf(sleeper)
    await app.services.pool.query(
      `update sessions set expires_at = now() - interval '1 second' where user_id = $1`,
      [sleeper.id],
    )
    expect(await toldOf(token)).toEqual(notGood)
  })

  test('that is over gets no stranger’s answer, wherever it is shown to a call', async () => {
    const member = await app.signUp()
    const token = await tokenOf(member)
    const course = await makeCourse(app.services, person)
    const path = `/rest/v1/courses/${course.slug}`
    expect((await app.request(path, bearer(token))).body.standing).toBe('signedIn')
    await app.request('/auth/v1/sign-out', { body: {}, cookie: member.cookie })
    expect(await toldOf(token, path)).toEqual(notGood)
    expect((await app.request(path)).body.standing).toBe('visitor')
    // However the scheme is written: a good token is taken that way, too.
    for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
      const shown = (one: string) => ({ headers: { authorization: `${scheme} ${one}` } })
      const { status } = await app.request(path, shown(token))
      expect([scheme, status]).toEqual([scheme, 401])
      const good = await app.request('/rest/v1/me', shown(await tokenOf(person)))
      expect([scheme, good.body.id]).toEqual([scheme, person.id])
    }
    // With the cookie of somebody who is there it is that person, as before; pages are for everybody.
    const both = await app.request(path, { cookie: person.cookie, ...bearer(token) })
    expect(both.body.standing).toBe('instructor')
    expect((await app.request('/rest/v1/openapi.json', bearer(token))).status).toBe(200)
    expect((await app.request('/healthz', bearer(token))).status).toBe(200)
  })

  test('comes after a session cookie, when a request has both', async () => {
    const other = await app.signUp()
    const { body } = await app.request('/rest/v1/me', {
      cookie: other.cookie,
      ...bearer(await tokenOf(person)),
    })
    expect(body.id).toBe(other.id)
  })
})

describe('refused is a token', () => {
  /** Our own key, as the server has it: only for making tokens that are wrong in one thing. */
  async function signed(change: Record<string, unknown>) {
    const { payload } = await jwtVerify(
      await tokenOf(person),
      createLocalJWKSet((await app.request('/auth/v1/.well-known/jwks.json')).body),
    )
    const made = (await app.services.auth.api.signJWT({
      body: { payload: { ...payload, ...change } },
    })) as { token: string }
    return made.token
  }

  test('that is made below for what it changes only: unchanged it is good', async () => {
    expect(await whoIs(await signed({}))).toMatchObject({ id: person.id })
  })

  test('signed by another kind of key, though it is among ours', async () => {
    const payload = decodeJwt(await tokenOf(person))
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { rows } = await app.services.pool.query<{ id: string }>(
      `insert into signing_keys (public_key, private_key, alg, crv, created_at)
         values ($1, 'none', 'ES256', 'P-256', now() - interval '1 year') returning id`,
      [JSON.stringify(publicKey.export({ format: 'jwk' }))],
    )
    const { id: kid } = rows[0]!
    const token = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(privateKey)
    const keys = (await app.request('/auth/v1/.well-known/jwks.json')).body
    expect((await jwtVerify(token, createLocalJWKSet(keys))).payload).toEqual(payload)
    const accessTokens = createAccessTokens(app.services.auth, app.services.config.appUrl)
    expect(await accessTokens.verify(token)).toBeNull()
    await app.services.pool.query('delete from signing_keys where id = $1', [kid])
  })

  test('that is too old', async () => {
    const now = Math.trunc(Date.now() / 1000)
    expect(await toldOf(await signed({ iat: now - 1000, exp: now - 1 }))).toEqual(notGood)
  })

  test('for another audience, or of another issuer', async () => {
    expect(await toldOf(await signed({ aud: 'https://elsewhere.example' }))).toEqual(notGood)
    expect(await toldOf(await signed({ iss: 'https://elsewhere.example' }))).toEqual(notGood)
  })

  test('of another person’s session', async () => {
    const other = await app.signUp()
    expect(await toldOf(await signed({ sub: other.id }))).toEqual(notGood)
  })

  test('whose ids are none', async () => {
    for (const change of [{ sid: 'not-an-id' }, { sid: 1 }, { sid: null }, { sub: "' or 1=1" }]) {
      expect([change, await toldOf(await signed(change))]).toEqual([change, notGood])
    }
  })

  test('signed by nobody, or with another key', async () => {
    const token = await tokenOf(person)
    const claims = decodeJwt(token)
    const { kid } = decodeProtectedHeader(token)
    const { privateKey } = generateKeyPairSync('ed25519')
    const foreign = (header: { alg: string; kid?: string }) =>
      new SignJWT(claims).setProtectedHeader(header).sign(privateKey)
    const { body: keys } = await app.request('/auth/v1/.well-known/jwks.json')
    // The public key as if it were a shared secret: the confusion that alg invites.
    const confused = new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: kid! })
      .sign(Buffer.from(keys.keys[0].x, 'base64url'))
    const [header, , signature] = token.split('.')
    const changed = Buffer.from(JSON.stringify({ ...claims, aal: 'aal2' })).toString('base64url')
    const forgeries = [
      new UnsecuredJWT(claims).encode(),
      await foreign({ alg: 'EdDSA', kid: kid! }),
      await foreign({ alg: 'EdDSA', kid: 'unknown' }),
      await foreign({ alg: 'EdDSA' }),
      await confused,
      `${header}.${changed}.${signature}`,
      `${token}x`,
    ]
    for (const forged of forgeries) {
      expect([forged, await toldOf(forged)]).toEqual([forged, notGood])
    }
    expect(await whoIs(token.split('.').slice(0, 2).join('.'))).toBeNull()
  })

  test.each(['', 'x', '...', 'a.b.c', 'null', '{}', 'e30.e30.e30', 'ö', 'x'.repeat(7000)])(
    'that is none: “%s”',
    async (token) => {
      const authorization = Buffer.from(`Bearer ${token}`).toString('latin1')
      const { status, body } = await app.request('/rest/v1/me', { headers: { authorization } })
      expect([status, body]).toEqual([200, null])
    },
  )
})

test('a key that appears later is found without a new start', async () => {
  expect(await whoIs(await tokenOf(person))).toMatchObject({ id: person.id })
  await app.services.pool.query('delete from signing_keys')
  const token = await tokenOf(person)
  // The keys are read again at most every five seconds.
  await expect.poll(() => whoIs(token)).toMatchObject({ id: person.id })
})
