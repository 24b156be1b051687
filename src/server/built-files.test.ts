import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { setClock } from '../../test/faults/set-clock.ts'
import { backUpFiles } from '../operation/backup/back-up-files.ts'
import { builtFiles } from './built-files.ts'
import { openDiskStorage } from './disk-storage.ts'
import { keepBuild, keepBuildAtStart, openKeptBuilds, removeFormerBuilds } from './kept-builds.ts'
import { createLog } from './log.ts'
import type { Services } from './services.ts'
import { type Storage, StoreFailure } from './storage.ts'

const appUrl = 'https://thunder.example'
let folder: string
let storage: Storage
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thunder-built-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets', 'page-abc.js'), 'export {}')
  await writeFile(join(folder, 'assets', 'page-abc.js.br'), 'packed')
  await writeFile(join(folder, 'secret.txt'), 'not for anybody')
  storage = await openDiskStorage(join(folder, 'data'))
})
afterAll(() => rm(folder, { recursive: true }))

const serving = (kept = storage) =>
  new Hono().route('/', builtFiles(relative(process.cwd(), folder), appUrl, openKeptBuilds(kept)))
const get = (path: string) => serving().request(path)

test('what was built is kept for good, and is taken for nothing else', async () => {
  const server = serve({ fetch: serving().fetch, port: 0, hostname: '127.0.0.1' })
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  for (const [packing, size] of [
    ['identity', '9'],
    ['br', '6'],
  ] as const) {
    const answer = await fetch(`http://127.0.0.1:${port}/assets/page-abc.js`, {
      method: 'HEAD',
      headers: { 'accept-encoding': packing, connection: 'close' },
    })
    expect([packing, answer.status]).toEqual([packing, 200])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-length': size,
      'content-type': expect.stringMatching(/^text\/javascript/),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.stringMatching(/^max-age=31536000/),
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    })
  }
})

test.each([
  '/assets/',
  '/assets',
  '/assets/../secret.txt',
  '/assets/%2e%2e/secret.txt',
  '/assets/..%2fsecret.txt',
  '/assets/%5c..%5csecret.txt',
  '/assets/__proto__',
  '/assets/constructor-abcdefgh.js',
  '/assets/x/page-abcdefgh.js',
])('%s lists nothing, and leads out of the folder nowhere', async (path) => {
  const answer = await get(path)
  expect(answer.status).toBe(404)
  expect(await answer.text()).not.toContain('not for anybody')
})

describe('a file of another build', () => {
  const built: Record<string, string> = {
    'page-Abc_12-x.js': 'export const page = 1',
    'page-Abc_12-x.js.br': 'packed by brotli',
    'page-Abc_12-x.js.gz': 'packed by gzip',
    'look-12345678.css': 'p {}',
    'manifest-1a2b3c4d.js': 'window.__reactRouterManifest={"routes":{}};',
  }

  /** What a build left in its folder. */
  async function buildOf(files: Record<string, string>) {
    const at = await mkdtemp(join(folder, 'build-'))
    await mkdir(join(at, 'assets'))
    for (const [name, text] of Object.entries(files))
      await writeFile(join(at, 'assets', name), text)
    return at
  }
  const emptyStorage = async () => openDiskStorage(await mkdtemp(join(folder, 'storage-')))

  test('comes from where its node kept it, as from its own folder', async () => {
    const kept = await emptyStorage()
    await keepBuild(kept, await buildOf(built))
    const app = serving(kept)
    for (const [packing, name] of [
      ['identity', 'page-Abc_12-x.js'],
      ['br', 'page-Abc_12-x.js.br'],
      ['gzip, deflate', 'page-Abc_12-x.js.gz'],
    ] as const) {
      const headers = { 'accept-encoding': packing }
      const answer = await app.request('/assets/page-Abc_12-x.js', { headers })
      expect([answer.status, await answer.text()]).toEqual([200, built[name]])
      const own = ['br', 'gzip'].find((one) => packing.startsWith(one)) ?? null
      expect(answer.headers.get('content-encoding')).toBe(own)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-length': String(built[name]!.length),
        'content-type': expect.stringMatching(/^text\/javascript/),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        vary: 'Accept-Encoding',
      })
    }
    const style = await app.request('/assets/look-12345678.css', { method: 'HEAD' })
    expect([style.status, await style.text()]).toEqual([200, ''])
    expect(style.headers.get('content-type')).toMatch(/^text\/css/)
    const none = await app.request('/assets/page-Abc_12-y.js')
    expect([none.status, none.headers.get('cache-control')]).toEqual([404, null])
    expect((await app.request('/assets/look-12345678.css', { method: 'POST' })).status).toBe(404)
  })

  test('is there at once when its node is, although others were looked for just before', async () => {
    const kept = await emptyStorage()
    const app = serving(kept)
    expect((await app.request('/assets/page-Abc_12-x.js')).status).toBe(404)
    await keepBuild(kept, await buildOf(built))
    expect((await app.request('/assets/page-Abc_12-x.js')).status).toBe(200)
  })

  test('is found when the clock was an hour ahead, and was set back', async () => {
    const kept = await emptyStorage()
    const app = serving(kept)
    onTestFinished(() => setClock(0))
    setClock(3_600_000)
    expect((await app.request('/assets/page-Abc_12-x.js')).status).toBe(404)
    setClock(0)
    await keepBuild(kept, await buildOf(built))
    expect((await app.request('/assets/page-Abc_12-x.js')).status).toBe(200)
  })

  test('costs strangers who guess names no more than a look a second', async () => {
    const kept = await emptyStorage()
    let looks = 0
    const app = serving({
      ...kept,
      names: (at) => {
        looks += 1
        return kept.names(at)
      },
    })
    const began = Date.now()
    const guesses = Array.from(
      { length: 300 },
      (_, at) => `/assets/page-${String(at).padStart(8, '0')}.js`,
    )
    const answers = await Promise.all(guesses.map((path) => app.request(path)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
    expect(looks).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - began) / 1000))
    // What no build would call a file is not looked for at all.
    const before = looks
    for (const path of [
      '/assets/wp-login.php',
      '/assets/a/b-12345678.js',
      '/assets/page-Abc_12-x.js.br',
    ])
      expect((await app.request(path)).status).toBe(404)
    expect(looks).toBe(before)
  })

  test('is kept once, and a second start says no more than that it is in use', async () => {
    const kept = await emptyStorage()
    const put: string[] = []
    const noting: Storage = {
      ...kept,
      put: (key, bytes) => {
        put.push(key.split('/').at(-1)!)
        return kept.put(key, bytes)
      },
    }
    const own = await buildOf(built)
    await keepBuild(noting, own)
    expect(put).toEqual(['bytes', 'list.json'])
    await keepBuild(noting, own)
    expect(put).toEqual(['bytes', 'list.json', 'list.json'])
    expect((await serving(kept).request('/assets/page-Abc_12-x.js')).status).toBe(200)
    await keepBuild(noting, join(folder, 'no-such-build'))
    expect(put).toHaveLength(3)
  })

  test('goes when nobody has started its build for 30 days', async () => {
    const kept = await emptyStorage()
    const [old, young] = [built, { ...built, 'look-12345679.css': 'q {}' }]
    await keepBuild(kept, await buildOf(old))
    const [former] = await kept.names('builds')
    await keepBuild(kept, await buildOf(young))
    const day = 86_400_000
    const changedAt = async (key: string) =>
      new Date(Date.now() - (key.includes(former!) ? 31 : 29) * day)
    const app = serving(kept)
    expect((await app.request('/assets/page-Abc_12-x.js')).status).toBe(200)
    const services = { storage: { ...kept, changedAt }, log: createLog('silent') } as Services
    await removeFormerBuilds(services)
    expect(await kept.names('builds')).not.toContain(former)
    // Who knew where it was finds it in the other one.
    expect((await app.request('/assets/page-Abc_12-x.js')).status).toBe(200)
    expect((await app.request('/assets/look-12345679.css')).status).toBe(200)
  })

  test('goes also from a disk that is full, and that of the own build stays', async () => {
    const kept = await emptyStorage()
    await keepBuild(kept, await buildOf(built))
    const [former] = await kept.names('builds')
    const own = await buildOf({ ...built, 'look-12345679.css': 'q {}' })
    await keepBuild(kept, own)
    // Nothing can be written, so that the own build has not been said to be in use for long.
    kept.room = async () => 0
    const changedAt = async () => new Date(Date.now() - 31 * 86_400_000)
    const services = { storage: { ...kept, changedAt }, log: createLog('silent') }
    await expect(removeFormerBuilds(services, own)).rejects.toThrow('less than 100 MB are left')
    expect(await kept.names('builds')).toHaveLength(1)
    expect(await kept.names('builds')).not.toContain(former)
  })

  test('is in no backup', async () => {
    const kept = await emptyStorage()
    await keepBuild(kept, await buildOf(built))
    await kept.put('images/one/40.webp', new Uint8Array(3))
    const copied = await backUpFiles(kept, await mkdtemp(join(folder, 'backup-')), () => {})
    expect(copied.keys).toEqual(['images/one/40.webp'])
  })

  test('is out of reach for a while where the store is, which stops no start', async () => {
    const away = () => Promise.reject(new StoreFailure('the store is away', { isFull: false }))
    const kept: Storage = { ...(await emptyStorage()), size: away, names: away, put: away }
    await keepBuildAtStart(kept, createLog('silent'), await buildOf(built))
    const answer = await serving(kept).request('/assets/page-Abc_12-x.js')
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, 'no-store'])
    expect((await serving(kept).request('/assets/page-abc.js')).status).toBe(200)
  })

  test('waits for no store that is slow', async () => {
    const never = () => new Promise<never>(() => {})
    const kept: Storage = { ...(await emptyStorage()), size: never }
    await keepBuildAtStart(kept, createLog('silent'), await buildOf(built))
  })
})
