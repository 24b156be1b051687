// The description of the API: valid for machines, true about what the guard asks, readable for people.
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { contractRows } from '../../test/contract-rows.ts'
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
  for (const { name, method, path, access, scope } of contractRows) {
    const { security, parameters = [], responses } = paths[path][method.toLowerCase()]
    const personal = security.find((one: object) => 'personalToken' in one)
    expect([name, personal?.personalToken]).toEqual([name, scope && [scope]])
    expect(security.some((one: object) => Object.keys(one).length === 0)).toBe(access === 'public')
    const takesKey = parameters.some(({ $ref }: { $ref?: string }) =>
      $ref?.endsWith('/IdempotencyKey'),
    )
    expect([name, takesKey]).toEqual([name, scope !== undefined && method === 'POST'])
    expect('429' in responses && scope !== undefined).toBe(scope !== undefined)
  }
})

test('is readable: tokens, scopes, paging, keys, limits, errors, and every call', async () => {
  const { body, headers } = await app.request('/docs')
  expect(headers.get('content-type')).toMatch(/^text\/html/)
  for (const title of [
    'Access tokens',
    'Scopes',
    'Paging',
    'Doing things once',
    'Limits',
    'Errors',
  ]) {
    expect(body).toContain(`<h2>${title}</h2>`)
  }
  for (const scope of scopes) expect(body).toContain(`<code>${scope}</code>`)
  for (const { method, path } of contractRows)
    expect(body).toContain(`<code>${method} ${path}</code>`)
  expect((await openApi()).info.description).toContain('## Doing things once')
})
