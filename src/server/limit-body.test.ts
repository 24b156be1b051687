// A body that is too long is refused, whether its length is told or not; any other one is read as it came.
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limitBody } from './limit-body.ts'

const app = new Hono()
app.use(limitBody({ maxSize: 10, onError: (context) => context.text('too long', 413) }))
app.put('/', async (context) => context.text(`read ${await context.req.text()}`))

let server: ReturnType<typeof serve>
let url: string
beforeAll(async () => {
  server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const inPieces = (text: string) => new Blob([text]).stream()

async function put(body: BodyInit | undefined) {
  const init = { method: 'PUT', body, duplex: 'half' } as RequestInit
  const response = await fetch(url, init)
  return [response.status, await response.text()]
}

test.each([
  ['as long as it may be', '1234567890', [200, 'read 1234567890']],
  ['too long', '12345678901', [413, 'too long']],
  ['of few letters and many bytes', 'ö'.repeat(6), [413, 'too long']],
  ['empty', '', [200, 'read ']],
])('%s', async (_, text, answer) => {
  expect(await put(text)).toEqual(answer)
  expect(await put(inPieces(text))).toEqual(answer)
})

test('none', async () => {
  expect(await put(undefined)).toEqual([200, 'read '])
})
