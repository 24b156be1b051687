import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { patience } from '../../test/patience.ts'
import { takeAllConnections } from '../../test/taken-connections.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())

const ready = async () => {
  const { status, body } = await app.request('/readyz')
  return { status, said: body.status }
}

test('a node is ready when the database answers', async () => {
  expect(await ready()).toEqual({ status: 200, said: 'ready' })
})

test('a node whose connections are all taken, and where nobody is answered, is without database', async () => {
  await takeAllConnections(app)
  expect(await ready()).toEqual({ status: 503, said: 'without database' })
})

test('a node is ready whose connections are all taken, as long as anybody is answered', async () => {
  const { pool } = app.services
  const taken = await takeAllConnections(app)
  // Those who stand before the look, and get whatever is given back.
  const before = pool.connect()
  const looked = ready()
  await vi.waitFor(() => expect(pool.waitingCount).toBe(2), patience)
  taken.pop()!.release()
  taken.push(await before)
  expect(await looked).toEqual({ status: 200, said: 'ready' })
})

test('looks that nobody answers take one connection together', async () => {
  const { pool } = app.services
  await takeAllConnections(app)
  await Promise.all([ready(), ready(), ready()])
  expect(pool.waitingCount).toBe(1)
})
