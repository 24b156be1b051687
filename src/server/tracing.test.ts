import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { readTraceparent } from './tracing.ts'

interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, string | number> }[]
  status: { code?: number }
}

/** A collector as OTLP over HTTP wants it; it answers with `status`. */
async function startCollector() {
  const spans: (SentSpan & { service: unknown })[] = []
  const asked: { authorization: string | undefined }[] = []
  const state = { status: 200 }
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.url === '/v1/traces') asked.push({ authorization: request.headers.authorization })
      if (state.status === 200 && request.url === '/v1/traces') {
        const { resourceSpans } = JSON.parse(String(Buffer.concat(chunks)))
        for (const { resource, scopeSpans } of resourceSpans) {
          for (const scope of scopeSpans) {
            for (const span of scope.spans) spans.push({ ...span, service: resource.attributes })
          }
        }
      }
      response.writeHead(state.status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { url, spans, asked, state, stop }
}

const valueOf = ({ attributes }: SentSpan, key: string) =>
  Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0]

describe('with a collector', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  let app: TestApp
  beforeAll(async () => {
    collector = await startCollector()
    app = await startTestApp({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc',
      OTEL_SERVICE_NAME: 'school',
      NODE_NAME: 'one',
      SMS_WEBHOOK_URL: `${collector.url}/sms`,
    })
  })
  afterAll(async () => {
    await app?.stop()
    await collector?.stop()
  })

  test('a request, its call and its statements are one trace, which goes on that of the caller', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const person = await app.signUp()
    const answer = await app.request('/rest/v1/notifications?limit=1', {
      cookie: person.cookie,
      headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    })
    expect(answer.status).toBe(200)
    const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId)
    await expect.poll(() => ofTrace().length).toBeGreaterThan(2)
    const request = ofTrace().find(({ kind }) => kind === 2)!
    expect(request).toMatchObject({
      name: 'GET /rest/v1/notifications',
      parentSpanId: '00f067aa0ba902b7',
    })
    expect(valueOf(request, 'http.response.status_code')).toBe('200')
    expect(valueOf(request, 'thunder.request_id')).toBe(answer.headers.get('x-request-id'))
    expect(BigInt(request.endTimeUnixNano)).toBeGreaterThan(BigInt(request.startTimeUnixNano))
    expect(JSON.stringify(request.service)).toContain('school')

    const call = ofTrace().find(({ kind }) => kind === 1)!
    expect(call).toMatchObject({
      name: 'notifications.getNotifications',
      parentSpanId: request.spanId,
    })
    const statements = ofTrace().filter(({ kind }) => kind === 3)
    const parents = new Set(statements.map(({ parentSpanId }) => parentSpanId))
    expect(parents).toEqual(new Set([request.spanId, call.spanId]))
    for (const one of statements) {
      expect(valueOf(one, 'db.system.name')).toBe('postgresql')
      expect(valueOf(one, 'db.query.text')).toMatch(/select/i)
    }
    expect(JSON.stringify(collector.spans)).not.toContain(person.email)
    expect(collector.asked[0]).toEqual({ authorization: 'Basic abc' })
  })

  test('a job is a trace, with what it asks of others', async () => {
    const { sms } = app.services
    const { underWay } = await import('./under-way.ts')
    const span = app.services.tracer!.begin('job sendText', 'consumer')!
    await underWay.run({ job: 'sendText', facts: { statements: 0 }, span }, () =>
      sms.send({ to: '+4930123456', text: '123456' }),
    )
    span.end()
    const outgoing = () => collector.spans.find((one) => valueOf(one, 'server.port') !== undefined)
    await expect.poll(outgoing).toBeDefined()
    expect(outgoing()).toMatchObject({ name: 'POST', kind: 3 })
    expect(valueOf(outgoing()!, 'http.response.status_code')).toBe('200')
    await expect.poll(() => collector.spans.some(({ name }) => name.startsWith('job '))).toBe(true)
  })

  test('a failed statement says so, without its words', async () => {
    const { underWay } = await import('./under-way.ts')
    const span = app.services.tracer!.begin('test', 'server')!
    await underWay.run({ facts: { statements: 0 }, span }, async () => {
      await app.services.pool.query('select $1::int', ['zenobia']).catch(() => {})
    })
    span.end()
    const failed = () => collector.spans.find(({ status }) => status.code === 2)
    await expect.poll(failed).toBeDefined()
    expect(valueOf(failed()!, 'error.type')).toBe('22P02')
    expect(JSON.stringify(collector.spans)).not.toContain('zenobia')
  })

  test('what it does not take for the moment comes later', async () => {
    collector.state.status = 503
    const before = collector.asked.length
    const { headers } = await app.request('/rest/v1/courses/x')
    await expect.poll(() => collector.asked.length).toBeGreaterThan(before)
    collector.state.status = 200
    const number = headers.get('x-request-id')
    await expect
      .poll(() => collector.spans.some((span) => valueOf(span, 'thunder.request_id') === number))
      .toBe(true)
  })

  test('whose caller does not trace is not traced', async () => {
    const traceId = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
    await app.request('/rest/v1/courses/x', {
      headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-00` },
    })
    const { headers } = await app.request('/rest/v1/courses/x')
    const number = headers.get('x-request-id')
    await expect
      .poll(() => collector.spans.some((span) => valueOf(span, 'thunder.request_id') === number))
      .toBe(true)
    expect(collector.spans.some((span) => span.traceId === traceId)).toBe(false)
  })
})

test.each([
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', true],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00', true],
  ['01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more', true],
  ['ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', false],
  ['00-00000000000000000000000000000000-00f067aa0ba902b7-01', false],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01', false],
  ['00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01', false],
  ['', false],
])('traceparent %s: %s', (header, isGood) => {
  expect(readTraceparent(header) !== null).toBe(isGood)
})
