// The cache with pages and versions made up here; the real ones are in src/still-pages.ts.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { createPageCache, type StillPage } from './page-cache.ts'
import { finished } from './packing.ts'
import type { Services } from './services.ts'

// All that the cache itself asks of them; made-up pages ask nothing.
const features = { off: {}, version: '', read: async () => {} }
const services = { config: { appUrl: 'https://thunder.example' }, features } as Services

let version: string | null
let renders: boolean[]
let status: number
let throughCache: ReturnType<typeof createPageCache>

const pages: StillPage[] = [
  { path: /^\/page$/, version: async () => version },
  { path: /^\/list$/, version: async () => version, parameters: ['search', 'show'] },
  { path: /^\/item\/([^/]+)$/, version: async (_services, match) => `${match[1]} ${version}` },
]

beforeEach(() => {
  version = 'one'
  renders = []
  status = 200
  throughCache = createPageCache(services, pages)
})

/** What a page says tells how often any page was rendered. */
const render = (address: string, method: string) => async (kept: boolean) => {
  renders.push(kept)
  const body = `<p>${address}, ${renders.length}</p>`.padEnd(2000, ' ')
  return new Response(method === 'HEAD' ? null : body, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
  })
}

function get(address: string, headers: Record<string, string> = {}, method = 'GET') {
  const request = new Request(`https://thunder.example${address}`, { method, headers })
  return throughCache(request, render(address, method))
}

const textOf = async (response: Response) => (await response.text()).trim()

describe('a page', () => {
  test('is rendered once while it shows the same', async () => {
    expect(await textOf(await get('/page'))).toBe('<p>/page, 1</p>')
    expect(await textOf(await get('/page'))).toBe('<p>/page, 1</p>')
    expect(renders).toEqual([true])
  })

  test('is rendered again on the next request after a change', async () => {
    const before = await get('/page')
    version = 'two'
    const after = await get('/page')
    expect(await textOf(after)).toBe('<p>/page, 2</p>')
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    expect(await textOf(await get('/page'))).toBe('<p>/page, 2</p>')
    expect(renders).toHaveLength(2)
  })

  test('is rendered again when something is switched off or on', async () => {
    await get('/page')
    features.version = 'something is off'
    expect(await textOf(await get('/page'))).toBe('<p>/page, 2</p>')
    features.version = ''
    expect(await textOf(await get('/page'))).toBe('<p>/page, 3</p>')
  })

  test('is kept for each address, and for the parameters that change it', async () => {
    await get('/item/a')
    expect(await textOf(await get('/item/b'))).toBe('<p>/item/b, 2</p>')
    await get('/list?search=tea')
    expect(await textOf(await get('/list?search=bread'))).toContain('bread')
    expect(await textOf(await get('/list?search=tea&show=24'))).toContain('show=24')
    expect(renders).toHaveLength(5)
    expect(await textOf(await get('/list?show=24&search=tea&utm_source=x'))).toContain(', 5<')
    expect(await textOf(await get('/item/a?utm_source=x'))).toContain(', 1<')
    expect(renders).toHaveLength(5)
  })

  test('is not mixed up with one whose parameters only look like its own', async () => {
    await get('/list?search=tea&show=1%26show%3D')
    expect(await textOf(await get('/list?search=tea%26show%3D1'))).toContain(', 2<')
    await get('/item/a%22,%22b')
    expect(await textOf(await get('/item/a?search=b'))).toContain(', 4<')
    await get('/list?search=bread&search=tea')
    expect(await textOf(await get('/list?search=bread'))).toContain(', 6<')
    await get('/list?search=&search=tea')
    expect(await textOf(await get('/list'))).toContain(', 8<')
  })

  test('that is not for keeping is rendered each time, and told so', async () => {
    version = null
    await get('/page')
    await get('/page')
    await get('/unknown')
    expect(renders).toEqual([false, false, false])
  })

  test.each([404, 302, 500])('with status %i is not kept', async (other) => {
    status = other
    expect((await get('/page')).status).toBe(other)
    status = 200
    expect((await get('/page')).status).toBe(200)
    expect(renders).toHaveLength(2)
  })
})

describe('the answer', () => {
  const unpack = {
    br: brotliDecompressSync,
    gzip: gunzipSync,
    identity: (bytes: Buffer) => bytes,
  }

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0, br;q=0', 'identity'],
    ['', 'identity'],
  ] as const)('to %j is packed as %s', async (accepted, packing) => {
    await get('/page')
    const answer = await get('/page', { 'accept-encoding': accepted })
    expect(answer.headers.get('content-encoding') ?? 'identity').toBe(packing)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.headers.get('content-length')).toBe(String(bytes.length))
    expect(unpack[packing](bytes).toString().trim()).toBe('<p>/page, 1</p>')
    expect(renders).toHaveLength(1)
  })

  test('has the headers of the page and its own, and nothing is left to do to it', async () => {
    for (const answer of [await get('/page'), await get('/page')]) {
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        vary: 'accept-encoding, cookie',
        etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("script-src 'self'"),
        'strict-transport-security': expect.stringContaining('max-age'),
      })
      expect(finished.has(answer)).toBe(true)
    }
  })

  test('to who has the page already is 304 without it, until it changes', async () => {
    const etag = (await get('/page')).headers.get('etag') ?? ''
    const known = await get('/page', { 'if-none-match': etag, 'accept-encoding': 'br' })
    expect([known.status, await known.text()]).toEqual([304, ''])
    expect(known.headers.get('etag')).toBe(etag)
    expect(known.headers.get('content-encoding')).toBeNull()
    expect(renders).toHaveLength(1)
    version = 'two'
    const changed = await get('/page', { 'if-none-match': etag })
    expect([changed.status, await textOf(changed)]).toEqual([200, '<p>/page, 2</p>'])
  })

  test('to HEAD has the headers of GET and no page', async () => {
    const full = await get('/page', { 'accept-encoding': 'gzip' })
    const answer = await get('/page', { 'accept-encoding': 'gzip' }, 'HEAD')
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(Object.fromEntries(answer.headers)).toEqual(Object.fromEntries(full.headers))
    expect(renders).toHaveLength(1)
  })

  test('to a HEAD that came first is not kept: there is no page in it', async () => {
    expect((await get('/page', {}, 'HEAD')).status).toBe(200)
    expect(await textOf(await get('/page'))).toBe('<p>/page, 2</p>')
  })
})
