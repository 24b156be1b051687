import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { builtFiles } from './built-files.ts'

const appUrl = 'https://thunder.example'
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thunder-built-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets', 'page-abc.js'), 'export {}')
  await writeFile(join(folder, 'assets', 'page-abc.js.br'), 'packed')
  await writeFile(join(folder, 'secret.txt'), 'not for anybody')
})
afterAll(() => rm(folder, { recursive: true }))

const get = (path: string) =>
  new Hono().route('/', builtFiles(relative(process.cwd(), folder), appUrl)).request(path)

test('what was built is kept for good, and is taken for nothing else', async () => {
  const app = new Hono().route('/', builtFiles(relative(process.cwd(), folder), appUrl))
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
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
])('%s lists nothing, and leads out of the folder nowhere', async (path) => {
  const answer = await get(path)
  expect(answer.status).toBe(404)
  expect(await answer.text()).not.toContain('not for anybody')
})
