// Which visitors get kept pages. The pages themselves are made up; the journeys have the real ones.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../test/factories.ts'
import { watchStatements } from '../../test/statements.ts'
import { createApp } from './app.ts'
import { createPages } from './pages.ts'

const made = vi.hoisted(() => ({ pages: 0, type: 'text/html' }))

vi.mock('virtual:still-script', () => ({ default: '' }))
vi.mock('virtual:react-router/server-build', () => ({ routes: {} }))
vi.mock('react-router', async (original) => ({
  ...(await original<typeof import('react-router')>()),
  createRequestHandler: () => async () =>
    new Response(`page ${++made.pages}`, { headers: { 'content-type': made.type } }),
}))

let app: TestApp
let pages: ReturnType<typeof createApp>
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())
beforeEach(() => {
  made.pages = 0
  made.type = 'text/html'
  pages = createApp(app.services, createPages(app.services, 'production'))
})

async function get(cookie?: string, method = 'GET', headers: Record<string, string> = {}) {
  const sent = cookie ? { ...headers, cookie } : headers
  const answer = await pages.request('/about', { method, headers: sent })
  return { headers: answer.headers, text: await answer.text() }
}

test('signed-out visitors share a page, whatever other cookies they have', async () => {
  expect((await get()).text).toBe('page 1')
  expect((await get('theme=dark; other=thunder.session_token')).text).toBe('page 1')
  const { headers } = await get()
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(headers.get('vary')).toContain('cookie')
  expect(headers.get('content-security-policy')).not.toContain('nonce-')
})

test('who has a session gets an own page that nobody else is shown', async () => {
  expect((await get()).text).toBe('page 1')
  const { id } = await makePerson(app.services)
  const cookie = await sessionCookieOf(app.services, id)
  const own = await get(cookie)
  expect(own.text).toBe('page 2')
  expect(own.headers.get('cache-control')).toBe('private, no-store')
  expect((await get(`theme=dark; ${cookie}`)).text).toBe('page 3')
  expect((await get()).text).toBe('page 1')
})

test('so does a program with an access token', async () => {
  const { id } = await makePerson(app.services)
  const cookie = await sessionCookieOf(app.services, id)
  const { body } = await app.request('/auth/v1/token', { cookie })
  const own = await get(undefined, 'GET', { authorization: `Bearer ${body.token}` })
  expect([own.text, own.headers.get('cache-control')]).toEqual(['page 1', 'private, no-store'])
  expect((await get()).text).toBe('page 2')
})

test('a page as data is kept nowhere, either', async () => {
  made.type = 'text/x-script'
  const { id } = await makePerson(app.services)
  const { headers } = await get(await sessionCookieOf(app.services, id))
  expect(headers.get('cache-control')).toBe('private, no-store')
})

test('a session that is over, or was never one, is rendered for itself too', async () => {
  expect((await get('thunder.session_token=nonsense')).text).toBe('page 1')
  expect((await get()).text).toBe('page 2')
})

test('each hydrated page has a nonce of its own', async () => {
  const nonceOf = async () =>
    /'nonce-([^']+)'/.exec(
      (await get('thunder.session_token=x')).headers.get('content-security-policy') ?? '',
    )?.[1]
  const first = await nonceOf()
  expect(first).toHaveLength(24)
  expect(await nonceOf()).not.toBe(first)
})

test('a form is never answered from what is kept', async () => {
  await get()
  expect((await get(undefined, 'POST')).text).toBe('page 2')
  expect((await get()).text).toBe('page 1')
})

test('which code the links of a page need is told without asking who wants to know', async () => {
  made.type = 'application/json'
  const { id } = await makePerson(app.services)
  const cookie = await sessionCookieOf(app.services, id)
  const statements = watchStatements(app)
  const told = (path: string) =>
    statements.during(async () => {
      const answer = await pages.request(path, { headers: { cookie } })
      expect(await answer.text()).toMatch(/^page/)
    })
  expect(await told('/__manifest?paths=%2Fdashboard&version=1')).toEqual([])
  expect(await told('/about')).not.toEqual([])
})
