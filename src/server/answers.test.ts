// What every answer carries, whichever door it comes from.
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { isORPCErrorJson } from '@orpc/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../test/app.ts'
import { richTextFrom } from '../domains/lessons/rich-text.ts'

let app: TestApp
let person: Person
beforeAll(async () => {
  app = await startTestApp({ APP_URL: 'https://thunder.example' })
  person = await app.signUp()
})
afterAll(() => app?.stop())

const doors = [
  '/healthz',
  '/metrics',
  '/rest/v1/me',
  '/rest/v1/nothing',
  '/rest/v1/openapi.json',
  '/docs',
  '/auth/v1/get-session',
  '/auth/v1/nothing',
  '/storage/v1/uploads',
  `/storage/v1/images/${randomUUID()}/320.webp`,
  '/robots.txt',
  '/favicon.ico',
  '/sitemap.xml',
  '/webhooks/stripe',
  '/nothing',
]

describe('every answer', () => {
  test.each([
    ...doors.map((path) => ({ path, method: 'GET', headers: {} })),
    { path: '/rest/v1/me', method: 'POST', headers: { origin: 'https://evil.example' } },
  ])('$method $path', async ({ path, method, headers: sent }) => {
    const { headers } = await app.request(path, { method, headers: sent, cookie: person.cookie })
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=31536000; includeSubDomains/)
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(headers.get('content-security-policy')).toMatch(/default-src .*frame-ancestors 'none'/)
  })
})

test('cookies go over https only, and no script reads them', async () => {
  const email = 'cookies@example.com'
  const password = 'a good password'
  const signUp = { name: 'Ann', email, password }
  for (const [path, body] of [
    ['/auth/v1/sign-up/email', signUp],
    ['/auth/v1/sign-in/email', { email, password }],
    ['/auth/v1/sign-in/email', { email, password, rememberMe: false }],
  ] as const) {
    const { status, headers } = await app.request(path, { body })
    expect([path, status]).toEqual([path, 200])
    expect(headers.getSetCookie()).not.toEqual([])
    for (const cookie of headers.getSetCookie()) {
      expect(cookie).toMatch(/^__Secure-thunder\./)
      for (const part of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']) {
        expect(cookie.split('; ')).toContain(part)
      }
    }
  }
})

test('names of an object’s own parts are no parts of a question', async () => {
  const evil = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
  for (const query of [
    '__proto__[polluted]=1',
    'constructor[prototype][polluted]=1',
    'search[__proto__][polluted]=1',
  ]) {
    const { status } = await app.request(`/rest/v1/courses?${query}`)
    expect([query, status < 500]).toEqual([query, true])
  }
  for (const path of ['/rest/v1/support/requests', '/auth/v1/sign-in/email', '/rest/v1/courses']) {
    const headers = { 'content-type': 'application/json' }
    const { status } = await app.request(path, {
      method: 'POST',
      body: evil,
      headers,
      cookie: person.cookie,
    })
    expect([path, status >= 400 && status < 500]).toEqual([path, true])
  }
  expect('polluted' in {}).toBe(false)
})

const withMethod = (method: string, path: string) =>
  fetch(`${app.url}${path}`, { method, headers: { cookie: person.cookie } })

describe('a call that is made with another method', () => {
  test.each([
    ['HEAD', '/rest/v1/rpc/can_create_course', 'POST', 'POST'],
    ['PUT', '/rest/v1/me', 'GET, HEAD', 'GET'],
    ['POST', `/rest/v1/comments/${randomUUID()}`, 'PUT, DELETE', 'PUT or DELETE'],
    ['GET', '/functions/v1/course-checkout', 'POST', 'POST'],
  ])('%s %s is told which there are', async (method, path, allow, words) => {
    const answer = await withMethod(method, path)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
    const said = await answer.text()
    expect(said).toContain(method === 'HEAD' ? '' : `This call is made with ${words}.`)
  })

  test('is none where there is none', async () => {
    const { status, headers } = await app.request('/rest/v1/nothing', { method: 'PUT' })
    expect([status, headers.get('allow')]).toEqual([404, null])
  })
})

test('HEAD is answered like GET, without a body', async () => {
  for (const path of [
    '/rest/v1/me',
    '/rest/v1/courses',
    '/rest/v1/sales/export',
    '/rest/v1/billing',
  ]) {
    const [head, get] = [await withMethod('HEAD', path), await withMethod('GET', path)]
    for (const name of ['content-type', 'cache-control', 'content-disposition']) {
      expect([path, head.headers.get(name)]).toEqual([path, get.headers.get(name)])
    }
    expect([path, head.status, await head.text()]).toEqual([path, 200, ''])
    await get.text()
  }
  const stream = await withMethod('HEAD', '/realtime/v1/events')
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  expect(app.services.events.openStreams()).toBe(0)
  const stranger = await fetch(`${app.url}/rest/v1/billing`, { method: 'HEAD' })
  expect(stranger.status).toBe(401)
})

test('TRACE repeats nothing of what was sent', async () => {
  const { hostname, port } = new URL(app.url)
  const headers = { cookie: person.cookie, 'x-secret': 'kept' }
  const answer = await new Promise<{ status: number | undefined; text: string }>(
    (resolve, reject) =>
      request(
        { hostname, port, path: '/rest/v1/me', method: 'TRACE', headers },
        async (response) => {
          resolve({ status: response.statusCode, text: await text(response) })
        },
      )
        .on('error', reject)
        .end(),
  )
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  expect(answer.text).not.toContain('kept')
})

test('what somebody is told while signed in is kept by no cache', async () => {
  for (const path of [
    '/rest/v1/me',
    '/rest/v1/me/security',
    '/rest/v1/billing',
    '/auth/v1/token',
  ]) {
    const { status, headers } = await app.request(path, { cookie: person.cookie })
    expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'no-store'])
  }
})

test('a body of a kind that is not read is refused, not taken for an empty one', async () => {
  const { body: course } = await app.request('/rest/v1/courses', {
    body: { title: 'Knots', category: 'Hobbies', description: richTextFrom('All about knots') },
    cookie: person.cookie,
  })
  // Without what limits it, an invitation is for everybody and for ever.
  const invite = (headers: Record<string, string>) =>
    app.request(`/rest/v1/courses/${course.id}/invitations`, {
      body: '{"maxUses":1,"expiresInDays":1}',
      cookie: person.cookie,
      headers,
    })
  for (const type of ['text/plain;charset=UTF-8', 'application/merge-patch+json', 'nonsense']) {
    const { status, body } = await invite({ 'content-type': type })
    expect([type, status, body.code]).toEqual([type, 415, 'UNSUPPORTED_MEDIA_TYPE'])
  }
  for (const type of ['application/json', 'application/json; charset=utf-8']) {
    const { status, body } = await invite({ 'content-type': type })
    expect([type, status, body.maxUses]).toEqual([type, 200, 1])
  }
})

test.each([
  [404, '/rest/v1/nothing', {}],
  [405, '/rest/v1/courses', { method: 'DELETE' }],
  [413, '/rest/v1/courses', { body: 'x'.repeat(600 * 1024) }],
  [415, '/rest/v1/courses', { body: '{}', headers: { 'content-type': 'text/plain' } }],
  [403, '/rest/v1/courses', { body: {}, headers: { origin: 'https://elsewhere.example' } }],
])(
  'a page reads the words of a refusal before the call itself: %i',
  async (expected, path, options) => {
    const { status, body } = await app.request(path, { ...options, cookie: person.cookie })
    expect([status, isORPCErrorJson(body)]).toEqual([expected, true])
  },
)

test.each([
  ['PUT', `/rest/v1/comments/${randomUUID()}`],
  ['PUT', '/rest/v1/me/avatar'],
  ['DELETE', `/rest/v1/comments/${randomUUID()}`],
  ['POST', '/rest/v1/support/requests'],
])('%s %s with a body that is no object is refused in words', async (method, path) => {
  for (const body of ['[]', '[{"content":"x"}]', '"x"', '7', 'true']) {
    const headers = { 'content-type': 'application/json' }
    const answer = await app.request(path, { method, body, headers, cookie: person.cookie })
    expect([body, answer.status, answer.body.message]).toEqual([
      body,
      400,
      'The body must be a JSON object.',
    ])
  }
})
