// The description of the API: valid for machines, true about what the guard asks, readable for people.
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { contractRows, described } from '../../test/contract-rows.ts'
import { scopes } from '../domains/tokens/rules.ts'
import { sessionCookieName } from './viewer.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const openApi = async () => (await app.request('/rest/v1/openapi.json')).body

test('is OpenAPI 3.1 by a validator that is not ours', async () => {
  const description = await openApi()
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(description))
  expect([valid, errors]).toEqual([true, undefined])
  expect(validator.version).toBe('3.1')
  // It would see that something is wrong.
  const broken = { ...description, paths: { ...description.paths, '/x': { get: 'nothing' } } }
  expect((await new Validator().validate(broken)).valid).toBe(false)
})

test('names at each call what opens it, with the scope for tokens', async () => {
  const { paths, components } = await openApi()
  expect(components.securitySchemes.session.name).toBe(sessionCookieName(false))
  for (const { name, method, path, access, scope, once } of contractRows) {
    const { security, parameters = [], responses } = paths[described(path)][method.toLowerCase()]
    const personal = security.find((one: object) => 'personalToken' in one)
    expect([name, personal?.personalToken]).toEqual([name, scope && [scope]])
    expect(security.some((one: object) => Object.keys(one).length === 0)).toBe(access === 'public')
    const takesKey = parameters.some(({ $ref }: { $ref?: string }) =>
      $ref?.endsWith('/IdempotencyKey'),
    )
    const isDoneOnce = once === true || scope !== undefined
    expect([name, takesKey]).toEqual([name, isDoneOnce && method === 'POST'])
    expect('429' in responses && scope !== undefined).toBe(scope !== undefined)
  }
})

test('says of each limit which a call has for itself by which code, beside the one of its token', async () => {
  const { paths } = await openApi()
  const limited = contractRows.flatMap(({ name, method, path, scope, errors }) =>
    Object.entries(errors)
      .filter(([, { status }]) => status === 429)
      .map(([code]) => ({
        name,
        scope,
        code,
        said: paths[described(path)][method.toLowerCase()].responses,
      })),
  )
  expect(limited.filter(({ scope }) => scope).length).toBeGreaterThan(5)
  for (const { name, scope, code, said } of limited) {
    const { content, headers = {} } = said['429']
    const { schema } = content['application/json']
    expect([name, JSON.stringify(schema)]).toEqual([name, expect.stringContaining(`"${code}"`)])
    if (!scope) continue
    expect([name, schema.anyOf.at(-1)]).toEqual([name, { $ref: '#/components/schemas/Problem' }])
    expect([name, Object.keys(headers)]).toEqual([name, ['RateLimit', 'Retry-After']])
  }
})

test('says what rich text looks like, where it is given and where it is answered', async () => {
  const { paths, components } = await openApi()
  const one = { $ref: '#/components/schemas/RichText' }
  const content = (of: { content: Record<string, { schema: { properties: object } }> }) =>
    of.content['application/json']!.schema
  const create = content(paths['/rest/v1/courses'].post.requestBody)
  expect(create).toMatchObject({
    properties: { description: one },
    required: expect.arrayContaining(['description']),
  })
  const answers = paths['/rest/v1/courses/{slug}/lessons/{lessonSlug}'].get.responses
  expect(content(answers['200']).properties).toMatchObject({ content: one })
  expect(components.schemas.RichText.properties.content.items).toEqual({
    $ref: '#/components/schemas/RichTextNode',
  })
  // Nothing is described by what no value is.
  expect(JSON.stringify(paths)).not.toContain('"not":{}')
})

/** All fields below a part of the description, with where they stand. */
function* fieldsOf(part: unknown, at: string): Generator<[string, string, object]> {
  if (typeof part !== 'object' || part === null) return
  for (const [name, value] of Object.entries('properties' in part ? (part.properties ?? {}) : {})) {
    yield [at, name, value]
  }
  for (const [key, value] of Object.entries(part)) yield* fieldsOf(value, `${at} ${key}`)
}

test('says the unit of each amount of money', async () => {
  const { paths } = await openApi()
  const isMoney = (name: string, at: string) =>
    /amount|price(?!_id)|revenue|gross|fee$|refund|disputed|^net$/i.test(name) ||
    (at.startsWith('/rest/v1/earnings ') &&
      /^(total|thisMonth|pending|available|onItsWay|paidOut|leastPayout)$/.test(name))
  const amounts = [...fieldsOf(paths, '')].flatMap(([at, name, field]) => {
    const said = JSON.stringify(field)
    const isNumber = /^\{("anyOf":\[\{)?"type":"integer"/.test(said)
    return isNumber && isMoney(name, at.trim()) ? [{ call: `${at} ${name}`, said }] : []
  })
  expect(amounts.length).toBeGreaterThan(70)
  for (const { call, said } of amounts) {
    expect([call, said]).toEqual([call, expect.stringContaining('In minor units')])
  }
})

test.each([
  [
    'put',
    '/rest/v1/courses/{courseId}/content',
    /not sent, .*is deleted.*completed.*notes.*videoId/,
  ],
  ['put', '/rest/v1/courses/{courseId}/channels', /not sent .*is removed/],
  ['put', '/rest/v1/courses/{courseId}/application-questions', /not sent .*is removed/],
  ['put', '/rest/v1/courses/{courseId}/community-settings', /not sent is removed/],
  ['put', '/rest/v1/media/{mediaId}/captions/{language}', /are deleted/],
  ['put', '/rest/v1/posts/{postId}', /not sent are removed/],
  ['post', '/rest/v1/courses/{courseId}/invitations/csv', /unless dryRun is false/],
])('says what %s %s takes away, or does not do', async (method, path, words) => {
  const { paths } = await openApi()
  expect(paths[path][method].description).toMatch(words)
  expect(paths['/rest/v1/courses'].get.description).not.toMatch(words)
})

test('says of each call with an input that it may be 422, and what that is like', async () => {
  const { paths, components } = await openApi()
  for (const { name, method, path } of contractRows) {
    const { parameters, requestBody, responses } = paths[described(path)][method.toLowerCase()]
    if (!parameters && !requestBody) continue
    expect([name, responses['422']?.content?.['application/json'] !== undefined]).toEqual([
      name,
      true,
    ])
  }
  const { status, body } = await app.request('/rest/v1/courses?show=none')
  expect(status).toBe(422)
  const { required, properties } = components.schemas.Problem
  expect(Object.keys(body)).toEqual(expect.arrayContaining(required))
  expect(Object.keys(body.data.fields[0])).toEqual(properties.data.properties.fields.items.required)
})

test('has no two paths that are one to OpenAPI', async () => {
  const { paths } = await openApi()
  const templates = Object.keys(paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
  expect(templates).toEqual([...new Set(templates)])
  const { get, patch } = paths['/rest/v1/courses/{course}']
  expect([get.parameters, patch.parameters]).toEqual([
    [
      expect.objectContaining({
        name: 'course',
        in: 'path',
        required: true,
        description: expect.stringContaining('or its id'),
      }),
    ],
    [
      expect.objectContaining({
        name: 'course',
        in: 'path',
        required: true,
        description: 'The id of the course.',
      }),
    ],
  ])
  // Each path names all of its parameters, and no others.
  for (const [path, item] of Object.entries<
    Record<string, { parameters?: { in?: string; name: string }[] }>
  >(paths)) {
    for (const [method, { parameters = [] }] of Object.entries(item)) {
      const named = parameters.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`)
      expect([method, path, named.toSorted()]).toEqual([
        method,
        path,
        (path.match(/\{\w+\}/g) ?? []).toSorted(),
      ])
    }
  }
})

test('says of no parameter that it is sent as it is', async () => {
  const { paths } = await openApi()
  const search = paths['/rest/v1/courses'].get.parameters.find(
    ({ name }: { name: string }) => name === 'search',
  )
  expect(search).toEqual({ name: 'search', in: 'query', schema: { type: 'string', default: '' } })
  expect(JSON.stringify(paths)).not.toMatch(/allowReserved|allowEmptyValue/)
})

test('says of each call what kind of body it answers, also where that is a file', async () => {
  const { paths } = await openApi()
  const kindOf = (path: string) => Object.keys(paths[path].get.responses['200'].content)
  expect(kindOf('/rest/v1/sales/export')).toEqual(['text/csv'])
  expect(kindOf('/rest/v1/statements/{month}')).toEqual(['application/pdf'])
  expect(kindOf('/rest/v1/courses/{courseId}/export')).toEqual(['application/zip'])
  for (const { name, method, path } of contractRows) {
    const kinds = Object.keys(paths[described(path)][method.toLowerCase()].responses['200'].content)
    expect([name, kinds.length]).toEqual([name, 1])
  }
})

test.each(['/docs', '/rest/v1/openapi.json'])('%s is packed, and sent once', async (path) => {
  const ask = (headers: Record<string, string>) => fetch(app.url + path, { headers })
  const plain = await (await ask({ 'accept-encoding': 'identity' })).text()
  for (const packing of ['br', 'gzip']) {
    const answer = await ask({ 'accept-encoding': packing })
    expect(answer.headers.get('content-encoding')).toBe(packing)
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(120_000)
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    // What lies packed is what is answered without packing.
    expect(await answer.text()).toBe(plain)
    const etag = answer.headers.get('etag')!
    const again = await ask({ 'accept-encoding': packing, 'if-none-match': `"other", ${etag}` })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200)
  }
})

test('says of a short token what it does not open', async () => {
  const { components } = await openApi()
  const { description } = components.securitySchemes.accessToken
  expect(description).toMatch(/opens no call under \/auth\/v1 that takes a session/)
  expect(description).toMatch(/no proof .* deleted/)
  expect(description).not.toMatch(/all that its session may do/)
})

test('/docs is no page of a signed-out visitor, at which the service worker forgets kept lessons', async () => {
  const { headers } = await app.request('/docs')
  expect(headers.get('cache-control')).toBe('public, no-cache')
})

test('says once what most calls are refused with, and at each call what it has of its own', async () => {
  const { body } = await app.request('/docs')
  const times = (words: string) => body.split(words).length - 1
  expect(times('User must be authenticated')).toBe(1)
  expect(body).toMatch(/And what most calls share: .*400, 401, 403, 404, 409/)
  const { paths } = await openApi()
  const own = 'You have reached this limit.'
  expect(JSON.stringify(paths['/rest/v1/courses'].post.responses['403'])).toContain(own)
  expect(body).toContain(own)
  expect(body.length).toBeLessThan(3_000_000)
})

test('is readable: tokens, scopes, paging, keys, limits, errors, and every call', async () => {
  const { body, headers } = await app.request('/docs')
  expect(headers.get('content-type')).toMatch(/^text\/html/)
  for (const title of [
    'Access tokens',
    'Scopes',
    'Money',
    'Calls that replace',
    'Paging',
    'Doing things once',
    'Limits',
    'Errors',
  ]) {
    expect(body).toContain(`<h2>${title}</h2>`)
  }
  for (const scope of scopes) expect(body).toContain(`<code>${scope}</code>`)
  for (const { method, path } of contractRows)
    expect(body).toContain(`<code>${method} ${described(path)}</code>`)
  expect((await openApi()).info.description).toContain('## Doing things once')
})
