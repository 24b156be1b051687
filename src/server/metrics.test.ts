import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { takeAllConnections } from '../../test/taken-connections.ts'
import { mayReadMetrics } from './metrics.ts'

const token = 'a-token-of-many-signs'
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ METRICS_TOKEN: token, TRUST_PROXY: 'on' })
})
afterAll(() => app?.stop())

describe('/metrics', () => {
  const from = (headers: Record<string, string>) => app.request('/metrics', { headers })

  test('is text for Prometheus, on this machine', async () => {
    const { status, body, headers } = await from({})
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
    expect(body).toMatch(
      /^# HELP thunder_counter_differences .+\n# TYPE thunder_counter_differences gauge\n/,
    )
    expect(body).toMatch(/^thunder_event_streams_open 0$/m)
    expect(body).toMatch(/^thunder_disk_free_bytes\{disk="data"\} \d+$/m)
    expect(body).toMatch(/^process_resident_memory_bytes \d{7,}$/m)
    for (const line of (body as string).trimEnd().split('\n')) {
      expect(line).toMatch(
        /^(?:# (?:HELP|TYPE) .+|[a-z_]+(?:\{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*\})? [\d.e-]+)$/,
      )
    }
  })

  test('is nothing for anybody else, without the token', async () => {
    const elsewhere = { 'x-forwarded-for': '203.0.113.9' }
    expect((await from(elsewhere)).status).toBe(404)
    for (const wrong of ['Bearer', 'Bearer x', `Basic ${token}`, `Bearer ${token}x`]) {
      expect((await from({ ...elsewhere, authorization: wrong })).status).toBe(404)
    }
    const right = await from({ ...elsewhere, authorization: `Bearer ${token}` })
    expect(right.status).toBe(200)
  })

  test('says what the node knows by itself when no connection is to be had', async () => {
    await takeAllConnections(app)
    const { status, body } = await from({})
    expect(status).toBe(200)
    expect(body).toMatch(/^thunder_database_up 0$/m)
    expect(body).toMatch(/^thunder_pool_waiting\{pool="requests"\} [1-9]\d*$/m)
    expect(body).toMatch(/^thunder_node_ready 1$/m)
  })
})

test.each([
  ['127.0.0.1', {}, true],
  ['::1', {}, true],
  ['::ffff:127.0.0.1', {}, true],
  ['127.0.0.1.example', {}, false],
  ['10.0.0.1', {}, false],
  ['unknown', {}, false],
  // A proxy on this machine that nobody told us to trust: who asks is somewhere else.
  ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, false],
  ['127.0.0.1', { forwarded: 'for=127.0.0.1' }, false],
])('from %s with %j: %s', (address, headers: Record<string, string>, allowed) => {
  const request = new Request('http://thunder.example/metrics', { headers })
  const config = { metricsToken: undefined, trustProxy: false }
  expect(mayReadMetrics(request, address, config)).toBe(allowed)
})
