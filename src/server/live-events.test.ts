// The listener's connection, through a proxy that can be switched off like a database.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, inject, test, vi } from 'vitest'
import { openDatabase } from './db.ts'
import { type LiveEvents, startLiveEvents } from './live-events.ts'
import { createLog } from './log.ts'

const log = createLog('silent')
const realTimeout = globalThis.setTimeout
const closings: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closings.splice(0).toReversed()) await close()
})

/** A way to the database that refuses while `down`. */
async function startProxy() {
  const database = new URL(inject('templateUrl'))
  database.pathname = '/postgres'
  const open = new Set<Socket>()
  const proxy = {
    down: false,
    connections: 0,
    url: '',
    cut() {
      for (const socket of open) socket.destroy()
    },
  }
  const server = createServer((socket) => {
    proxy.connections += 1
    socket.on('error', () => {})
    if (proxy.down) return void socket.destroy()
    const upstream = connect(Number(database.port), database.hostname)
    upstream.on('error', () => {})
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closings.push(() => new Promise((resolve) => server.close(resolve)), proxy.cut)
  const url = new URL(database)
  url.searchParams.set('sslmode', 'disable')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  proxy.url = url.href
  return proxy
}

/** Pauses are written down instead of waited for. */
function countPauses() {
  const pauses: (number | undefined)[] = []
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, pause?: number) => {
    if (![1000, 2000, 5000, 10_000].includes(pause ?? 0)) return realTimeout(run, pause)
    pauses.push(pause)
    return realTimeout(run, 1)
  }) as typeof setTimeout)
  return pauses
}

async function start(url: string): Promise<LiveEvents> {
  const events = await startLiveEvents(url, log)
  closings.push(() => events.stop())
  return events
}

function openPool() {
  const opened = openDatabase(inject('templateUrl').replace(/[^/]*$/, 'postgres'), log)
  closings.push(() => opened.pool.end())
  return opened
}

test('a lost connection is made again after 1, 2, 5, then each 10 seconds, one at a time', async () => {
  const proxy = await startProxy()
  const events = await start(proxy.url)
  const pauses = countPauses()
  const told = vi.spyOn(log, 'info')
  proxy.down = true
  proxy.cut()
  await expect.poll(() => proxy.connections).toBeGreaterThanOrEqual(7)
  proxy.down = false
  await expect.poll(() => told.mock.calls).toEqual([['the event listener is connected again']])
  expect(pauses.slice(0, 6)).toEqual([1000, 2000, 5000, 10_000, 10_000, 10_000])

  vi.restoreAllMocks()
  const { db } = openPool()
  const heard = events.subscribe('somebody').next()
  const courseId = '01999999-9999-7999-8999-999999999999'
  let done = false
  void heard.then(() => (done = true))
  await vi.waitFor(
    async () => {
      await events.publish(db, 'somebody', { type: 'joined', courseId })
      if (!done) throw new Error('nothing was heard')
    },
    { timeout: 20_000, interval: 50 },
  )
  expect((await heard).value).toEqual({ type: 'joined', courseId })
})

test('stopped while the database is away, it does not come back', async () => {
  const proxy = await startProxy()
  const events = await start(`${proxy.url}&application_name=stopped`)
  const { pool } = openPool()
  const listeners = async () => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where application_name = 'stopped'`,
    )
    return rows[0]!.count
  }
  expect(await listeners()).toBe(1)
  const pauses = countPauses()
  proxy.down = true
  proxy.cut()
  await expect.poll(() => pauses.length).toBeGreaterThanOrEqual(2)
  await events.stop()
  proxy.down = false
  // Long enough for many pauses of a millisecond.
  for (let round = 0; round < 30; round++) await listeners()
  expect(await listeners()).toBe(0)
})
