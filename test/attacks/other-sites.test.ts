// What a page of another site can make a visitor's browser do here: change something, lead somebody away, or slip a
// session under a log-in.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { authCalls } from '../../src/server/auth/calls.ts'
import { sessionCookieName } from '../../src/server/viewer.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { contractRows, requestOf } from '../contract-rows.ts'
import { inputs } from '../contract-inputs.ts'
import { makePerson, sessionCookieOf } from '../factories.ts'
import { forgetLimits } from '../forget-limits.ts'
import { doors } from './doors.ts'
import { endConnections, send } from './send.ts'
import { makeWorld, type World } from './world.ts'

let app: TestApp
let world: World
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
  world = await makeWorld(app.services)
})
beforeEach(async () => {
  await forgetLimits(app.services.pool)
})
afterAll(async () => {
  endConnections()
  await app?.stop()
})

/** Where a browser may say that a page comes from, whose request must not count. */
const foreignOrigins = ['https://evil.example', 'null', 'http://localhost:3000.evil.example', '']

/** As forms can send without asking first, and as scripts can where they were allowed to. */
const kindsOfBodies = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
]

/** Of every table, what a change of any row would change; not what the look at it costs. */
async function everyRow(): Promise<Record<string, string>> {
  const { rows } = await app.services.pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const state: Record<string, string> = {}
  for (const { name } of rows) {
    const { rows: sums } = await app.services.pool.query<{ state: string }>(
      `select count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) as state from ${name}`,
    )
    state[name] = sums[0]!.state
  }
  return state
}

const changed = (before: Record<string, string>, after: Record<string, string>) =>
  Object.keys(after).filter((name) => before[name] !== after[name])

describe('a request of another site', () => {
  test('to any call that writes is refused, however its body is written, and changes nothing', async () => {
    const rows = contractRows.filter(({ method }) => method !== 'GET')
    const requests = []
    for (const row of rows) {
      const input = await inputs[row.name]!(world.target, app.services)
      requests.push({ row, ...requestOf(row, input) })
    }
    const before = await everyRow()
    const passed: string[] = []
    for (const { row, path, body } of requests) {
      const cookie = row.access === 'admin' ? world.administrator.cookie : world.owner.cookie
      for (const [index, origin] of foreignOrigins.entries()) {
        const { status, text } = await send(app.url, {
          method: row.method,
          path,
          headers: { cookie, origin, 'content-type': kindsOfBodies[index]! },
          body: Buffer.from(JSON.stringify(body ?? {})),
        })
        if (status !== 403 || !text.includes('FOREIGN_ORIGIN')) {
          passed.push(`${row.name} from ${JSON.stringify(origin)}: ${status}`)
        }
      }
    }
    expect(passed).toEqual([])
    expect(changed(before, await everyRow())).toEqual([])
    expect(requests.length).toBeGreaterThan(100)
  })

  test('to any door beside the contract is refused, and changes nothing', async () => {
    const before = await everyRow()
    const passed: string[] = []
    for (const { attacked, input } of doors) {
      const { method } = attacked
      if (['GET', 'HEAD', 'OPTIONS'].includes(method)) continue
      const fields = input(world.target)
      const path = attacked.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String(fields[name] ?? 'x')),
      )
      for (const [index, origin] of foreignOrigins.entries()) {
        const { status, text } = await send(app.url, {
          method,
          path,
          headers: {
            ...attacked.headers,
            cookie: world.owner.cookie,
            origin,
            'content-type': attacked.headers?.['content-type'] ?? kindsOfBodies[index]!,
          },
          body: Buffer.from(JSON.stringify(fields)),
        })
        if (status !== 403 || !text.includes('FOREIGN_ORIGIN')) passed.push(`${method} ${path}`)
      }
    }
    // An identity provider answers with a form of its own site; what it says is signed, and counts in the browser that asked.
    expect([...new Set(passed)]).toEqual(['POST /auth/v1/sso/saml2/sp/acs/google'])
    expect(changed(before, await everyRow())).toEqual([])
  })

  test('that only reads changes nothing, so that a picture or a link can do nothing', async () => {
    const requests = []
    for (const row of contractRows.filter(({ method }) => method === 'GET')) {
      if (row.name === 'realtime.watchEvents') continue
      requests.push({ row, ...requestOf(row, await inputs[row.name]!(world.target, app.services)) })
    }
    // What the payment provider has to tell of the people and courses that were just made.
    await expect
      .poll(
        async () =>
          (await app.services.pool.query('select 1 from stripe_sandbox.deliveries')).rowCount,
      )
      .toBe(0)
    // When somebody was last here is kept by the first request of all.
    for (const { cookie } of [world.owner, world.administrator]) {
      await app.request('/rest/v1/me', { cookie })
    }
    const before = await everyRow()
    for (const { row, path } of requests) {
      const cookie = row.access === 'admin' ? world.administrator.cookie : world.owner.cookie
      await app.request(path, { cookie, headers: { origin: 'https://evil.example' } })
    }
    for (const { attacked, input } of doors) {
      if (attacked.method !== 'GET' || attacked.path.includes('events')) continue
      const fields = input(world.target)
      const path = attacked.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String(fields[name] ?? 'x')),
      )
      await send(app.url, { method: 'GET', path, headers: { cookie: world.owner.cookie } })
    }
    const after = await everyRow()
    expect(changed(before, after).filter((name) => !keptByReading.includes(name))).toEqual([])
    const count = (state: Record<string, string>) => state.sessions!.split(' ')[0]
    expect(count(after)).toBe(count(before))
  })

  test('brings no cookie along: it is for this site alone, and no script reads it', async () => {
    const person = await makePerson(app.services)
    const { headers } = await app.request('/auth/v1/sign-in/email', {
      body: { email: person.email, password: person.password },
    })
    const lines = headers.getSetCookie()
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) {
      expect(line).toMatch(/SameSite=(?:Lax|Strict)/i)
      expect(line).toMatch(/HttpOnly/i)
      expect(line).not.toMatch(/Domain=/i)
    }
  })

  test('is told nothing: no answer allows another site to read it', async () => {
    const allowing: string[] = []
    for (const { attacked, input } of doors) {
      const fields = input(world.target)
      const path = attacked.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String(fields[name] ?? 'x')),
      )
      const { headers } = await send(app.url, {
        method: attacked.method === 'POST' ? 'OPTIONS' : attacked.method,
        path,
        headers: {
          cookie: world.owner.cookie,
          origin: 'https://evil.example',
          'access-control-request-method': 'POST',
        },
      })
      const allowed = headers['access-control-allow-origin']
      const withCookies = headers['access-control-allow-credentials']
      if (allowed && (allowed !== '*' || withCookies)) allowing.push(`${attacked.method} ${path}`)
    }
    expect(allowing).toEqual([])
  })
})

/** What reading makes of itself, and why. */
const keptByReading = [
  // A try at a code or a link is counted.
  'rate_limits',
  // The library notes that a session was asked about; there are as many as before.
  'sessions',
  // Made when a key is asked for that nobody has needed yet.
  'signing_keys',
  // What a passkey is asked to sign.
  'verifications',
]

/** Addresses that look like one of this site, or are none. */
const elsewhere = [
  'https://evil.example/',
  '//evil.example/',
  '///evil.example/',
  '/\\evil.example/',
  '/.//evil.example/',
  '/x/..//evil.example/',
  '\\\\evil.example/',
  '/\t/evil.example/',
  '/\n/evil.example/',
  'https:evil.example',
  'https:/evil.example',
  'http://localhost:3000@evil.example/',
  'http://localhost:3000.evil.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  '/%2f%2fevil.example',
  '/%5cevil.example',
  '.evil.example',
  '@evil.example',
  '%0d%0aLocation:%20https://evil.example',
  '/x\r\nLocation: https://evil.example',
]

/** Where a browser that stands at this site would go. */
const leadsAway = (location: string) =>
  !URL.canParse(location, 'http://localhost:3000/a/b') ||
  !['http://localhost:3000', app.url].includes(
    new URL(location, 'http://localhost:3000/a/b').origin,
  )

const locationOf = (headers: Record<string, string | string[] | undefined>) =>
  [headers.location ?? []].flat()[0]

describe('nobody is led to another site', () => {
  test('by a call that signs in, out or confirms', async () => {
    const names = [
      'callbackURL',
      'errorCallbackURL',
      'newUserCallbackURL',
      'redirectTo',
      'to',
      'state',
      'RelayState',
      'redirect_uri',
    ]
    const away: string[] = []
    for (const { method, path } of authCalls) {
      for (const address of elsewhere) {
        await forgetLimits(app.services.pool)
        const fields = Object.fromEntries(names.map((name) => [name, address]))
        const known = {
          email: 'somebody@example.com',
          password: 'correct horse',
          provider: 'google',
          token: 'a'.repeat(32),
        }
        const where = `/auth/v1${path.replaceAll(/:\w+/g, 'google')}`
        const query = new URLSearchParams({ ...fields, ...known }).toString()
        const { headers, text } = await send(app.url, {
          method,
          path: method === 'GET' ? `${where}?${query}` : where,
          headers: { cookie: world.owner.cookie, 'content-type': 'application/json' },
          ...(method === 'POST' && { body: Buffer.from(JSON.stringify({ ...fields, ...known })) }),
        })
        const location = locationOf(headers)
        const told = /"url":"([^"]+)"/.exec(text)?.[1]
        for (const one of [location, told]) {
          if (one !== undefined && leadsAway(one)) away.push(`${method} ${path}: ${one}`)
        }
      }
    }
    expect(away).toEqual([])
  }, 300_000)

  test('by an address that is written in another way', async () => {
    const away: string[] = []
    for (const address of elsewhere) {
      for (const path of [
        address.startsWith('/') ? address : `/${address}`,
        `/${address}/`,
        `/course/x/../..//${address}`,
        `//${address}//`,
        `/login/?to=${encodeURIComponent(address)}`,
      ]) {
        // What no request line can hold is sent as browsers would.
        const { headers } = await send(app.url, {
          method: 'GET',
          path: path.replaceAll(/[\t\r\n ]/g, encodeURIComponent),
          headers: {},
        })
        const location = locationOf(headers)
        if (location !== undefined && leadsAway(location)) away.push(`${path}: ${location}`)
      }
    }
    expect(away).toEqual([])
  })

  test('by a call that says where to go on after a payment', async () => {
    const away: string[] = []
    let kept = 0
    for (const name of [
      'billing.stripeCheckout',
      'billing.stripePortal',
      'purchases.courseCheckout',
    ]) {
      const row = contractRows.find((one) => one.name === name)!
      const valid = await inputs[name]!(world.target, app.services)
      const fields = Object.keys(valid).filter((field) => field.endsWith('_url'))
      expect(fields.length, name).toBeGreaterThan(0)
      for (const field of fields) {
        for (const address of [...elsewhere, '/billing']) {
          await forgetLimits(app.services.pool)
          await app.services.pool.query('delete from checkouts')
          const { path, body } = requestOf(row, { ...valid, [field]: address })
          const cookie = name.endsWith('Checkout') ? world.member.cookie : world.owner.cookie
          const { status } = await app.request(path, { body, cookie })
          if (status >= 500) away.push(`${name} ${field} ${address}: ${status}`)
          const { rows } = await app.services.pool.query<{ success: string; cancel: string }>(
            'select success_url as success, cancel_url as cancel from checkouts',
          )
          for (const one of rows.flatMap(({ success, cancel }) => [success, cancel])) {
            kept++
            if (leadsAway(one)) away.push(`${name} ${field}: ${one}`)
          }
        }
      }
    }
    expect(kept).toBeGreaterThan(0)
    expect(away).toEqual([])
  })
})

describe('a session that somebody else has set', () => {
  const name = sessionCookieName(false)

  test.each([
    ['a made-up one', () => Promise.resolve(`${name}=of-the-attacker.c2lnbmVk`)],
    ['a live one of the attacker', () => sessionCookieOf(app.services, world.member.id)],
    [
      'two of them',
      async () =>
        `${name}=first.x; ${await sessionCookieOf(app.services, world.member.id)}; ${name}=last.x`,
    ],
  ])('is not the one that a log-in opens: %s', async (_what, cookieOf) => {
    const planted = await cookieOf()
    const person = await makePerson(app.services)
    for (const [path, body] of [
      ['/auth/v1/sign-in/email', { email: person.email, password: person.password }],
      [
        '/auth/v1/sign-up/email',
        { name: 'New', email: `${crypto.randomUUID()}@example.com`, password: 'correct horse' },
      ],
    ] as const) {
      const { status, headers, body: said } = await app.request(path, { body, cookie: planted })
      expect(status).toBe(200)
      const set = headers
        .getSetCookie()
        .find((line) => line.startsWith(`${name}=`))!
        .split(';')[0]!
      expect(planted.includes(set.split('=')[1]!.split('.')[0]!)).toBe(false)
      expect((await app.request('/rest/v1/me', { cookie: set })).body.id).toBe(said.user.id)
      // Whoever planted it is not let in by it, nor made another person.
      const attacker = (await app.request('/rest/v1/me', { cookie: planted })).body
      expect([null, world.member.id]).toContain(attacker?.id ?? null)
      expect(attacker?.id).not.toBe(said.user.id)
    }
  })
})
