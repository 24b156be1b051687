// A node of its own on the app's database: the pace of its streams, what they go on with after they were
// cut, and the listener's connection, through a proxy that can be switched off like a database.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { piecesOf, sessionIdOf } from '../../test/events-of.ts'
import { makePerson } from '../../test/factories.ts'
import type { LiveEvent } from '../domains/notifications/schema.ts'
import type { Pace } from './event-streams.ts'
import { type LiveEvents, startLiveEvents } from './live-events.ts'
import { createLog } from './log.ts'
import { publishToPerson } from './publish.ts'

const log = createLog('silent')
const realTimeout = globalThis.setTimeout
const unhurried: Pace = { perSecond: 10_000, beatEvery: 20_000 }

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const closings: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closings.splice(0).toReversed()) await close()
})

/** A way to the database that refuses while `down`. */
async function startProxy() {
  const database = new URL(app.databaseUrl)
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
    // The driver has timers of its own.
    if (!new Error().stack?.includes('at reconnect ')) return realTimeout(run, pause)
    pauses.push(pause)
    return realTimeout(run, 1)
  }) as typeof setTimeout)
  return pauses
}

async function start(pace: Pace = unhurried, url = app.databaseUrl): Promise<LiveEvents> {
  const { db, features } = app.services
  const events = await startLiveEvents({ url, db, log, features }, pace)
  closings.push(() => events.stop())
  return events
}

async function someone() {
  const { id } = await makePerson(app.services)
  const viewing = { userId: id, sessionId: await sessionIdOf(app.services, id) }
  return { id, viewing, tell: (event: LiveEvent) => publishToPerson(app.services.db, id, event) }
}

/** Events that differ. */
const different = (): LiveEvent => ({ type: 'joined', courseId: randomUUID() })

/** A stream that is being read. */
async function openRead(
  events: LiveEvents,
  viewing: { userId: string; sessionId: string },
  since: Parameters<LiveEvents['watch']>[1] = null,
) {
  const pieces = piecesOf(events.watch(viewing, since))
  const heard: LiveEvent[] = []
  const times: number[] = []
  let last = (await pieces.next()).value
  const add = (event: LiveEvent | undefined) => {
    if (!event) return
    heard.push(event)
    times.push(performance.now())
  }
  add(last?.event)
  const reading = (async () => {
    for await (const piece of pieces) {
      last = piece
      add(piece.event)
    }
  })()
  return { heard, times, reading, lastEventId: () => last?.id ?? '' }
}

/** Transactions of other tests on the same PostgreSQL: while they go on, streams hear some things again. */
async function othersHaveEnded() {
  const { pool } = app.services
  const { rows } = await pool.query<{ now: string }>('select pg_current_xact_id()::text as now')
  const haveEnded = `select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as ended`
  await expect
    .poll(async () => (await pool.query(haveEnded, [rows[0]!.now])).rows[0])
    .toEqual({ ended: true })
}

/** Told, and heard by the node: no news to a stream that opens later. */
async function tellBefore(events: LiveEvents, person: Awaited<ReturnType<typeof someone>>) {
  const stream = await openRead(events, person.viewing)
  await person.tell(different())
  await expect.poll(() => stream.heard).toHaveLength(1)
  await othersHaveEnded()
  return stream.lastEventId()
}

describe('the listener’s connection', () => {
  test('is made again after 1, 2, 5, then each 10 seconds, one at a time; nothing is missed', async () => {
    const proxy = await startProxy()
    const events = await start(unhurried, proxy.url)
    const person = await someone()
    const stream = await openRead(events, person.viewing)
    const told = Array.from({ length: 6 }, different)
    await person.tell(told[0]!)
    await expect.poll(() => stream.heard).toEqual(told.slice(0, 1))

    const pauses = countPauses()
    const said = vi.spyOn(log, 'info')
    proxy.down = true
    proxy.cut()
    await expect.poll(() => proxy.connections).toBeGreaterThanOrEqual(7)
    // Two out of the order of their ids, one while the connection is being made.
    await app.services.db.transaction(async (transaction) => {
      await publishToPerson(transaction, person.id, told[1]!)
      await person.tell(told[2]!)
    })
    const late = await openRead(events, person.viewing, { lastEventId: stream.lastEventId() })
    proxy.down = false
    await person.tell(told[3]!)
    await expect.poll(() => said.mock.calls).toEqual([['the event listener is connected again']])
    expect(pauses.slice(0, 6)).toEqual([1000, 2000, 5000, 10_000, 10_000, 10_000])

    await person.tell(told[4]!)
    await person.tell(told[5]!)
    await expect.poll(() => stream.heard).toEqual(told)
    // Opened while nobody listened: it read them, and is not told them again.
    await expect.poll(() => late.heard).toEqual(told.slice(1))
  })

  test('after too much was missed, everybody looks again', async () => {
    const proxy = await startProxy()
    const events = await start(unhurried, proxy.url)
    const person = await someone()
    const stream = await openRead(events, person.viewing)
    await person.tell({ type: 'notification' })
    await expect.poll(() => stream.heard).toEqual([{ type: 'notification' }])
    const pauses = countPauses()
    proxy.down = true
    proxy.cut()
    await expect.poll(() => pauses.length).toBeGreaterThanOrEqual(2)
    await app.services.pool.query(
      `insert into live_events (topic, event)
       select 'person:' || gen_random_uuid(), '{"type":"notification"}' from generate_series(1, 2001)`,
    )
    proxy.down = false
    await expect.poll(() => stream.heard.slice(1)).toEqual([{ type: 'reset' }])
    const after = different()
    await person.tell(after)
    await expect.poll(() => stream.heard.slice(2)).toEqual([after])
  })

  test('that ends while what was missed is read is made again', async () => {
    const proxy = await startProxy()
    const gate = Promise.withResolvers<void>()
    let [isHeld, held] = [false, 0]
    const pool = new Proxy(app.services.pool, {
      get: (own, key) =>
        key === 'query' && isHeld
          ? async (...asked: Parameters<typeof own.query>) => {
              held += 1
              const answer = await own.query(...asked)
              await gate.promise
              return answer
            }
          : Reflect.get(own, key),
    })
    const db = new Proxy(app.services.db, {
      get: (own, key) => (key === '$client' ? pool : Reflect.get(own, key)),
    })
    const { features } = app.services
    const events = await startLiveEvents({ url: proxy.url, db, log, features }, unhurried)
    closings.push(() => events.stop())
    const person = await someone()
    const stream = await openRead(events, person.viewing)
    countPauses()
    const before = proxy.connections
    isHeld = true
    proxy.cut()
    await expect.poll(() => [held, proxy.connections]).toEqual([1, before + 1])
    proxy.cut()
    isHeld = false
    gate.resolve()
    await expect.poll(() => proxy.connections).toBeGreaterThan(before + 1)
    await person.tell({ type: 'notification' })
    await expect.poll(() => stream.heard).toEqual([{ type: 'notification' }])
  })

  test('stopped while the database is away, it does not come back', async () => {
    const proxy = await startProxy()
    const events = await start(unhurried, `${proxy.url}&application_name=stopped`)
    const listeners = async () => {
      const { rows } = await app.services.pool.query<{ count: number }>(
        `select count(*)::int from pg_stat_activity where application_name = 'stopped'`,
      )
      return rows[0]!.count
    }
    expect(await listeners()).toBe(1)
    const pauses = countPauses()
    proxy.down = true
    proxy.cut()
    await expect.poll(() => pauses.length).toBeGreaterThanOrEqual(2)
    await expect.poll(listeners).toBe(0)
    await events.stop()
    proxy.down = false
    // Long enough for many pauses of a millisecond.
    for (let round = 0; round < 30; round++) await listeners()
    // One that was under way when it was stopped may come, and leaves.
    await expect.poll(listeners).toBe(0)
  })
})

describe('a stream that is cut', () => {
  test('goes on: each of 200 events once over 20 cuts, though they commit out of the order of their ids', async () => {
    const events = await start()
    const person = await someone()
    const told: string[] = []
    const had: string[] = []
    const toldAgain = async () => {
      const { rows } = await app.services.pool.query<{ count: number }>(
        `select count(*)::int from live_events
          where topic = $1 and xid >= pg_snapshot_xmin(pg_current_snapshot())`,
        [`person:${person.id}`],
      )
      return rows[0]!.count
    }
    /** Commits what has the later id first; writers run beside each other. */
    async function write(pairs: number) {
      for (let pair = 0; pair < pairs; pair++) {
        // Never so far ahead that looking at everything again would be quicker; nor while somebody else's
        // transaction is open, since the beginning of which all would be told again.
        await vi.waitFor(
          async () => {
            expect(told.length - had.length).toBeLessThan(40)
            expect(await toldAgain()).toBeLessThan(40)
          },
          { timeout: 50_000, interval: 2 },
        )
        const [first, second] = [different(), different()]
        told.push(JSON.stringify(first), JSON.stringify(second))
        await app.services.db.transaction(async (transaction) => {
          await publishToPerson(transaction, person.id, first)
          await person.tell(second)
        })
      }
    }
    const ids = new Set<string>()
    let lastEventId: string | undefined
    /** Reads from where the last one was cut. */
    async function readUntil(isEnough: (fresh: number, event: LiveEvent) => boolean) {
      const since = lastEventId === undefined ? null : { lastEventId }
      const inThisOne = new Set<string>()
      let fresh = 0
      for await (const { id, event } of piecesOf(events.watch(person.viewing, since))) {
        lastEventId = id!
        if (!event) continue
        expect(event.type).not.toBe('reset')
        expect(inThisOne.has(id!), 'twice in one stream').toBe(false)
        inThisOne.add(id!)
        // As the client does it.
        if (ids.has(id!)) continue
        ids.add(id!)
        had.push(JSON.stringify(event))
        fresh += 1
        if (isEnough(fresh, event)) return
      }
    }
    const first = piecesOf(events.watch(person.viewing, null))
    lastEventId = (await first.next()).value!.id
    await first.return(undefined)
    const writing = Promise.all([25, 25, 25, 25].map(write))
    for (let cut = 0; cut < 20; cut++) await readUntil((fresh) => fresh === 8)
    await writing
    const last: LiveEvent = { type: 'notification' }
    await person.tell(last)
    await readUntil((_fresh, event) => event.type === last.type)
    told.push(JSON.stringify(last))
    expect(had.toSorted()).toEqual(told.toSorted())
    expect(events.openStreams()).toBe(0)
  }, 60_000)

  test('goes on from its beginning when nothing was told yet', async () => {
    const events = await start()
    const person = await someone()
    await tellBefore(events, person)
    const first = piecesOf(events.watch(person.viewing, null))
    const { value } = await first.next()
    expect(value).toEqual({ id: expect.stringMatching(/^x\d+\.\d+$/), event: undefined })
    await first.return(undefined)
    const meanwhile = different()
    await person.tell(meanwhile)
    const { heard } = await openRead(events, person.viewing, { lastEventId: value!.id! })
    expect(heard).toEqual([meanwhile])
  })

  test('a new one hears what happened since the page was read', async () => {
    const events = await start()
    const person = await someone()
    await tellBefore(events, person)
    await app.services.pool.query(
      `update live_events set created_at = now() - interval '10 minutes' where topic = $1`,
      [`person:${person.id}`],
    )
    const since = different()
    await person.tell(since)
    expect((await openRead(events, person.viewing, { age: 300_000 })).heard).toEqual([since])
  })

  test.each([
    ['garbage', 'garbage'],
    ['a huge number', '9'.repeat(400)],
    ['the largest number', '9223372036854775807'],
    ['a negative number', '-1'],
    ['no transaction', `x${'9'.repeat(20)}.1`],
    ['a time long ago', 'x3.1'],
    ['an event that was removed', '0'],
  ])(
    'with %s as its last event is to look at everything again, once',
    async (_what, lastEventId) => {
      const events = await start()
      const person = await someone()
      await tellBefore(events, person)
      const stream = await openRead(events, person.viewing, { lastEventId })
      const after = different()
      await person.tell(after)
      await expect.poll(() => stream.heard).toEqual([{ type: 'reset' }, after])
    },
  )

  test('learns nothing from the last event of somebody else', async () => {
    const events = await start()
    const [person, other] = [await someone(), await someone()]
    const lastEventId = await tellBefore(events, other)
    await other.tell(different())
    const stream = await openRead(events, person.viewing, { lastEventId })
    await person.tell({ type: 'notification' })
    await expect.poll(() => stream.heard).toEqual([{ type: 'reset' }, { type: 'notification' }])
  })

  test('that missed too much is to look at everything again', async () => {
    const events = await start()
    const person = await someone()
    const stream = await openRead(events, person.viewing)
    const lastEventId = stream.lastEventId()
    await app.services.pool.query(
      `insert into live_events (topic, event)
       select $1, jsonb_build_object('type', 'joined', 'courseId', gen_random_uuid())
         from generate_series(1, 101)`,
      [`person:${person.id}`],
    )
    expect((await openRead(events, person.viewing, { lastEventId })).heard).toEqual([
      { type: 'reset' },
    ])
  })
})

describe('the pace', () => {
  test('so many events in any second, equal ones that wait once, in their order', async () => {
    const events = await start({ perSecond: 2, beatEvery: 20_000 })
    const person = await someone()
    const stream = await openRead(events, person.viewing)
    const [a, b, c] = [different(), different(), different()]
    await app.services.db.transaction(async (transaction) => {
      for (const event of [a, b, b, a, c, a, b, c]) {
        await publishToPerson(transaction, person.id, event)
      }
    })
    await expect.poll(() => stream.heard).toEqual([a, b, b, a, c])
    for (const [index, time] of stream.times.slice(2).entries()) {
      expect(time - stream.times[index]!).toBeGreaterThan(990)
    }
  })

  test('of many likes that wait, the last count', async () => {
    const events = await start({ perSecond: 2, beatEvery: 20_000 })
    const person = await someone()
    const stream = await openRead(events, person.viewing)
    const [courseId, postId, commentId] = [randomUUID(), randomUUID(), randomUUID()]
    const likes = (likesCount: number, comment: string | null = null): LiveEvent => ({
      type: 'likes',
      courseId,
      postId,
      commentId: comment,
      likesCount,
    })
    await app.services.db.transaction(async (transaction) => {
      for (let count = 1; count <= 20; count++) {
        await publishToPerson(transaction, person.id, likes(count))
        await publishToPerson(transaction, person.id, likes(1, commentId))
      }
    })
    await expect.poll(() => stream.heard.slice(2)).toEqual([likes(1, commentId), likes(20)])
  })

  test('who does not read is told to look at everything again', async () => {
    // A sign of life would take the place of one of the pieces that are counted.
    const events = await start({ ...unhurried, beatEvery: 3_600_000 })
    const [person, other] = [await someone(), await someone()]
    const reader = events.watch(person.viewing, null).getReader()
    closings.push(() => reader.cancel())
    const decoder = new TextDecoder()
    const next = async () => decoder.decode((await reader.read()).value)
    expect(await next()).toMatch(/^id: x/)
    const reading = await openRead(events, other.viewing)
    const told = Array.from({ length: 150 }, different)
    await app.services.db.transaction(async (transaction) => {
      for (const event of told) await publishToPerson(transaction, person.id, event)
      await publishToPerson(transaction, other.id, { type: 'notification' })
    })
    await expect.poll(() => reading.heard).toEqual([{ type: 'notification' }])
    const heard: LiveEvent[] = []
    while (heard.at(-1)?.type !== 'reset') {
      // Some pieces only say how far the stream is, or that it lives.
      const [, said] = /^data: (.*)$/m.exec(await next()) ?? []
      if (said !== undefined) heard.push(JSON.parse(said))
    }
    expect(heard).toEqual([...told.slice(0, 16), { type: 'reset' }])
    const after = different()
    await person.tell(after)
    expect(await next()).toContain(JSON.stringify(after))
  })

  test('who still does not read after two signs of life is left', async () => {
    const events = await start({ perSecond: 10_000, beatEvery: 100 })
    const person = await someone()
    const reader = events.watch(person.viewing, null).getReader()
    await expect.poll(() => events.openStreams()).toBe(0)
    const readAll = async () => {
      while (!(await reader.read()).done);
    }
    await expect(readAll()).rejects.toThrow('does not read')
  })

  test('who goes away is forgotten', async () => {
    const events = await start()
    const person = await someone()
    const bodies = [1, 2, 3].map(() => events.watch(person.viewing, null))
    expect(events.openStreams()).toBe(3)
    await Promise.all(bodies.map((body) => body.cancel()))
    expect(events.openStreams()).toBe(0)
    await person.tell(different())
  })
})
