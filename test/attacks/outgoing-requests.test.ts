// What the server asks of other servers: which of its sources do, whose address it is, and that no address that
// anybody types makes it ask in its own network.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authCalls } from '../../src/server/auth/calls.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { contractRows, requestOf } from '../contract-rows.ts'
import { inputs } from '../contract-inputs.ts'
import { forgetLimits } from '../forget-limits.ts'
import { makeWorld, type World } from './world.ts'

/** Each source that opens a connection, and who says where to. */
const asking: Record<string, string> = {
  'domains/offline/worker.ts': 'nobody: it runs in the browser, and asks this site',
  'domains/webhooks/deliver-webhooks.ts': 'creators: through postOutside alone',
  'operation/doctor/check-services.ts': 'the operator: APP_URL',
  'sandbox/stripe/deliveries.ts': 'the operator: this server itself',
  'server/auth/create-auth.ts': 'the operator and administrators: identity providers',
  'server/bucket.ts': 'the operator: S3_ENDPOINT',
  'server/mail.ts': 'the operator: SMTP_URL',
  'server/paypal.ts': 'nobody: PayPal’s own address, or the sandbox here',
  'server/post-outside.ts': 'creators: only where the address that the name leads to is public',
  'server/sms.ts': 'the operator: SMS_WEBHOOK_URL',
  'server/stripe.ts': 'nobody: Stripe’s own address, or the sandbox here',
  'server/tracing.ts': 'the operator: OTEL_EXPORTER_OTLP_ENDPOINT',
}

const opening =
  /(?<![.\w])fetch\(|postOutside\(|import (?!type)[^']*from 'node:(?:http|https|tls|dgram)'|new S3Client|createTransport\(|new Stripe\(|betterAuth\(/

test('every source that opens a connection is known', () => {
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test\.|\/ui\/|^(?:ui|web)\//.test(file))
    .filter((file) => opening.test(readFileSync(join('src', file), 'utf8')))
  expect(found.toSorted()).toEqual(Object.keys(asking).toSorted())
})

let app: TestApp
let world: World
let honey: Server
let port: number
const visits: string[] = []
beforeAll(async () => {
  honey = createServer((request, response) => {
    visits.push(`${request.method} ${request.url}`)
    response.end('{}')
  }).listen(0)
  await new Promise((resolve) => honey.once('listening', resolve))
  port = (honey.address() as AddressInfo).port
  app = await startTestApp()
  world = await makeWorld(app.services)
})
afterAll(async () => {
  await app?.stop()
  honey?.closeAllConnections()
  honey?.close()
})

/** This machine, as many people write it. */
const inside = (): string[] => [
  ...[
    '127.0.0.1',
    'localhost',
    '[::1]',
    '0.0.0.0',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '[::ffff:127.0.0.1]',
    'localhost.',
  ].flatMap((host) => [`http://${host}:${port}/inside`, `https://${host}:${port}/inside`]),
  `//127.0.0.1:${port}/inside`,
  `http://somebody:secret@127.0.0.1:${port}/inside`,
  `ftp://127.0.0.1:${port}/inside`,
  `gopher://127.0.0.1:${port}/_inside`,
  `http://169.254.169.254/latest/meta-data/`,
  'file:///etc/passwd',
]

/** A place in an input, as `withAddress` changes it. */
function textsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value === 'string') return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) =>
    textsOf(one, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

function withAddress(
  value: unknown,
  [key, ...rest]: (string | number)[],
  address: string,
): unknown {
  if (key === undefined) return address
  if (Array.isArray(value)) {
    return value.map((one, index) => (index === key ? withAddress(one, rest, address) : one))
  }
  const fields = value as Record<string, unknown>
  return { ...fields, [key]: withAddress(fields[key], rest, address) }
}

/** Afterwards the course or the person would not be there. */
const ending = /delete|leave|endAll|suspend|unpublish|demoUpgrade/i

test(
  'no address of this machine, in any text of any call, is ever asked for',
  { timeout: 300_000 },
  async () => {
    let sent = 0
    const rows = contractRows.filter(({ method, name }) => method !== 'GET' && !ending.test(name))
    for (const row of rows) {
      const cookie = row.access === 'admin' ? world.administrator.cookie : world.owner.cookie
      const valid = await inputs[row.name]!(world.target, app.services)
      for (const path of textsOf(valid)) {
        const name = String(path.findLast((key) => typeof key === 'string'))
        const all = inside()
        // Where an address is meant, each of them; elsewhere one is enough to see that nobody follows it.
        const some = /url|href|website|link|endpoint/i.test(name) ? all : all.slice(0, 1)
        for (const address of some) {
          await forgetLimits(app.services.pool)
          const request = requestOf(row, withAddress(valid, path, address) as typeof valid)
          const { status } = await app.request(request.path, {
            method: row.method,
            cookie,
            body: request.body ?? {},
          })
          expect(status, `${row.name} ${name}`).toBeLessThan(500)
          sent++
        }
      }
    }
    for (const { method, path, access } of authCalls) {
      // Administrators say where identity providers are, and may have them in their own network.
      if (access === 'admin' || method === 'GET') continue
      for (const address of inside().slice(0, 4)) {
        await forgetLimits(app.services.pool)
        const names = [
          'callbackURL',
          'redirectTo',
          'image',
          'issuer',
          'provider',
          'providerId',
          'domain',
          'idToken',
          'discoveryEndpoint',
          'url',
        ]
        await app.request(`/auth/v1${path.replaceAll(/:\w+/g, 'google')}`, {
          cookie: world.member.cookie,
          body: {
            ...Object.fromEntries(names.map((name) => [name, address])),
            email: 'somebody@example.com',
          },
        })
        sent++
      }
    }
    // Even an endpoint that was there before anybody looked at addresses is not asked.
    for (const address of inside()) {
      await forgetLimits(app.services.pool)
      const { endpointId } = await inputs['webhooks.sendTestWebhook']!(world.target, app.services)
      await app.services.pool.query(
        'update webhook_endpoints set url = $2, rests_until = null where id = $1',
        [endpointId, address],
      )
      const { status } = await app.request(`/rest/v1/webhooks/${endpointId}/test`, {
        cookie: world.owner.cookie,
        body: {},
      })
      expect(status).toBe(200)
      sent++
    }
    // Deliveries and whatever else was queued have been tried by then.
    await expect
      .poll(
        async () =>
          (
            await app.services.pool.query(
              'select count(*)::int as waiting from graphile_worker.jobs where attempts = 0 and run_at <= now()',
            )
          ).rows[0].waiting,
        { timeout: 120_000 },
      )
      .toBe(0)
    console.log(`${sent} requests with addresses of this machine`)
    expect(sent).toBeGreaterThan(300)
    expect(visits).toEqual([])
  },
)

test('the listener is there: who asks it is noted', async () => {
  await fetch(`http://127.0.0.1:${port}/alive`)
  expect(visits).toContain('GET /alive')
})
