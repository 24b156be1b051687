import { and, eq, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../test/app.ts'
import { eventsOf } from '../../../test/events-of.ts'
import { lessonsOf, makeCourse, sessionCookieOf } from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { sessions } from '../accounts/tables.ts'
import { enrollments } from '../enrollment/tables.ts'
import { lessons } from '../lessons/tables.ts'
import { derivedKey } from './derived-files.ts'
import { uploadKey } from './finish-upload.ts'
import { streamLife } from './stream-limit.ts'
import { mediaFiles, playingStreams } from './tables.ts'
import { videoAddress } from './video-address.ts'

const browsers = {
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  phone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  linux: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
}

let app: TestApp
let owner: Person
let member: Person
let courseId: string
let lessonId: string
let mediaId: string

beforeAll(async () => {
  app = await startTestApp()
  ;[owner, member] = await Promise.all([app.signUp(), app.signUp()])
  const { db, storage } = app.services
  const course = await makeCourse(app.services, owner)
  courseId = course.id
  await db.insert(enrollments).values({ courseId, userId: member.id })
  const [lesson] = await lessonsOf(app.services, courseId)
  lessonId = lesson!.id
  const file = { filename: 'a.mp4', contentType: 'video/mp4', sizeBytes: 4 }
  const [row] = await db
    .insert(mediaFiles)
    .values({ ownerId: owner.id, courseId, purpose: 'video', status: 'ready', ...file })
    .returning()
  mediaId = row!.id
  await db.update(lessons).set({ videoId: mediaId }).where(eq(lessons.id, lessonId))
  await storage.put(uploadKey(mediaId), Buffer.from('film'))
  for (const name of ['hls/main.m3u8', 'hls/360p/00000.m4s', 'poster.jpg']) {
    await storage.put(derivedKey(mediaId, name), Buffer.from(name))
  }
})
afterAll(() => app.stop())
beforeEach(() => app.services.db.delete(playingStreams))

/** A browser in which this person is logged in: its cookie. */
async function browser(userAgent = browsers.mac, who = member): Promise<string> {
  const cookie = await sessionCookieOf(app.services, who.id)
  await app.services.db
    .update(sessions)
    .set({ userAgent })
    .where(and(eq(sessions.userId, who.id), isNull(sessions.userAgent)))
  return cookie
}

const play = (cookie: string, insteadOf?: string, on = app) =>
  on.request(`/rest/v1/lessons/${lessonId}/stream`, { method: 'PUT', cookie, body: { insteadOf } })

const isAt = (cookie: string, seconds: number) =>
  app.request(`/rest/v1/lessons/${lessonId}/position`, {
    method: 'PUT',
    cookie,
    body: { seconds },
  })

async function fetched(cookie: string, name: string, who = member): Promise<number> {
  const base = videoAddress({ mediaId, viewerId: who.id, secret: app.services.secret })
  const answer = await fetch(`${app.url}${base}/${name}`, { headers: { cookie } })
  await answer.arrayBuffer()
  return answer.status
}

/** As if nothing had been heard of these streams for so long. */
const silentFor = (seconds: number, id?: string) =>
  app.services.db
    .update(playingStreams)
    .set({ seenAt: sql`clock_timestamp() - make_interval(secs => ${seconds})` })
    .where(id === undefined ? undefined : eq(playingStreams.id, id))

const films = ['hls/main.m3u8', 'hls/360p/00000.m4s', 'original']

test('a third device is told which two play, and may take the place of one of them', async () => {
  const mac = await browser(browsers.mac)
  const phone = await browser(browsers.phone)
  const linux = await browser(browsers.linux)
  const first = await play(mac)
  const second = await play(phone)
  expect([first.status, second.status]).toEqual([200, 200])
  const refused = await play(linux)
  expect([refused.status, refused.body]).toEqual([
    409,
    expect.objectContaining({
      code: 'TOO_MANY_STREAMS',
      message: 'You are watching on 2 other devices: Chrome on Mac, Safari on iPhone.',
      data: {
        streams: [
          { id: first.body.streamId, device: 'Chrome on Mac', since: expect.any(String) },
          { id: second.body.streamId, device: 'Safari on iPhone', since: expect.any(String) },
        ],
      },
    }),
  ])
  for (const name of films) expect([name, await fetched(linux, name)]).toEqual([name, 409])
  for (const name of films) expect([name, await fetched(phone, name)]).toEqual([name, 200])
  // What shows what there is to play takes no place.
  expect(await fetched(linux, 'poster.jpg')).toBe(200)

  const heard = await eventsOf(app.services, member.id)
  const third = await play(linux, second.body.streamId)
  expect(third.status).toBe(200)
  expect((await heard.next()).value).toEqual({
    type: 'streamEnded',
    streamId: second.body.streamId,
    endedBy: third.body.streamId,
  })
  await heard.return()
  for (const name of films) expect([name, await fetched(phone, name)]).toEqual([name, 409])
  for (const name of films) expect([name, await fetched(linux, name)]).toEqual([name, 200])
  expect((await isAt(phone, 5)).body.stream).toEqual({
    id: second.body.streamId,
    state: 'ended',
    endedBy: third.body.streamId,
  })
  expect((await isAt(mac, 5)).body.stream).toMatchObject({ state: 'kept' })

  const back = await play(phone, third.body.streamId)
  expect(back.status).toBe(200)
  expect(back.body.streamId).not.toBe(second.body.streamId)
  expect(await fetched(linux, films[1]!)).toBe(409)
  expect(await fetched(phone, films[1]!)).toBe(200)
})

test('of ten devices that begin at once two play', async () => {
  const cookies = await Promise.all(Array.from({ length: 10 }, () => browser()))
  const answers = await Promise.all(cookies.map((cookie) => play(cookie)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, ...Array(8).fill(409)])
  await app.services.db.delete(playingStreams)
  // Nor by fetching without asking.
  const statuses = await Promise.all(cookies.map((cookie) => fetched(cookie, films[1]!)))
  expect(statuses.toSorted()).toEqual([200, 200, ...Array(8).fill(409)])
})

test('of ten devices that all take the place of the same one, one gets it', async () => {
  const [mac, phone] = [await browser(), await browser()]
  const { streamId } = (await play(mac)).body
  await play(phone)
  const cookies = await Promise.all(Array.from({ length: 10 }, () => browser()))
  const answers = await Promise.all(cookies.map((cookie) => play(cookie, streamId)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('the limit holds on all nodes', async () => {
  const { secret } = app.services
  const other = await startTestApp({ DATABASE_URL: app.databaseUrl, AUTH_SECRET: secret })
  const cookies = [await browser(), await browser(), await browser()] as const
  const second = await play(cookies[1], undefined, other)
  expect([(await play(cookies[0])).status, second.status]).toEqual([200, 200])
  expect((await play(cookies[2], undefined, other)).status).toBe(409)
  expect((await play(cookies[2], second.body.streamId, other)).status).toBe(200)
  expect(await fetched(cookies[1], films[1]!)).toBe(409)
  await other.stop()
})

test('a place that was noted by a clock that was ahead is kept for nobody, and whoever plays takes it again', async () => {
  const [mac, phone, linux] = [await browser(), await browser(), await browser()]
  const { streamId } = (await play(mac)).body
  await play(phone)
  await silentFor(-86_400)
  expect((await isAt(mac, 9)).body.stream).toMatchObject({ id: streamId, state: 'lapsed' })
  expect((await play(linux)).status).toBe(200)
  expect((await play(mac)).status).toBe(200)
  expect((await play(phone)).status).toBe(409)
})

test('whoever says nothing for a while gives the place free, and is not brought back by a late report', async () => {
  const [mac, phone, linux] = [await browser(), await browser(), await browser()]
  const { streamId } = (await play(mac)).body
  await play(phone)
  await silentFor(streamLife - 20, streamId)
  expect((await play(linux)).status).toBe(409)
  await silentFor(streamLife + 1, streamId)
  expect((await isAt(mac, 9)).body.stream).toMatchObject({ id: streamId, state: 'lapsed' })
  expect((await play(linux)).status).toBe(200)
  expect((await play(mac)).status).toBe(409)
  expect(await fetched(mac, films[1]!)).toBe(409)
})

test('reports keep the place, and so does fetching', async () => {
  const [mac, phone] = [await browser(), await browser()]
  const first = (await play(mac)).body.streamId
  const second = (await play(phone)).body.streamId
  await silentFor(streamLife - 20)
  expect((await isAt(mac, 9)).body.stream).toMatchObject({ state: 'kept' })
  expect(await fetched(phone, films[1]!)).toBe(200)
  const rows = await app.services.db
    .select({
      id: playingStreams.id,
      age: sql<number>`extract(epoch from clock_timestamp() - seen_at)::int`,
    })
    .from(playingStreams)
  for (const id of [first, second]) {
    expect(rows.find((row) => row.id === id)?.age).toBeLessThan(streamLife - 25)
  }
})

test('who logs out gives the place free at once', async () => {
  const [mac, phone, linux] = [await browser(), await browser(), await browser()]
  await play(mac)
  await play(phone)
  const out = await app.request('/auth/v1/sign-out', { method: 'POST', cookie: mac, body: {} })
  expect(out.status).toBe(200)
  expect((await play(linux)).status).toBe(200)
})

test('what was ended comes back when its person says so, not by fetching', async () => {
  const [mac, phone, linux] = [await browser(), await browser(), await browser()]
  const { streamId } = (await play(mac)).body
  await play(phone)
  await play(linux, streamId)
  await silentFor(streamLife + 1)
  for (const name of films) expect([name, await fetched(mac, name)]).toEqual([name, 409])
  expect((await play(mac)).status).toBe(200)
  for (const name of films) expect([name, await fetched(mac, name)]).toEqual([name, 200])
})

test('the tabs of a browser are one device', async () => {
  const [mac, phone] = [await browser(), await browser()]
  const { streamId } = (await play(mac)).body
  await play(phone)
  expect((await play(mac)).body).toEqual({ streamId })
})

test('nobody ends the stream of somebody else', async () => {
  const other = await app.signUp()
  await app.services.db
    .insert(enrollments)
    .values({ courseId, userId: other.id })
    .onConflictDoNothing()
  const [theirs, mac, phone, linux] = [
    await browser(browsers.mac, other),
    await browser(),
    await browser(),
    await browser(),
  ]
  const { streamId } = (await play(theirs)).body
  expect(streamId).toEqual(expect.any(String))
  await play(mac)
  await play(phone)
  const refused = await play(linux, streamId)
  expect(refused.status).toBe(409)
  expect(refused.body.data.streams.map(({ id }: { id: string }) => id)).not.toContain(streamId)
  expect(await fetched(theirs, films[1]!, other)).toBe(200)
})

test('the instructor, a free preview and an installation without a limit are not counted', async () => {
  const cookies = await Promise.all([1, 2, 3].map(() => browser(browsers.mac, owner)))
  for (const cookie of cookies) {
    expect((await play(cookie)).body).toEqual({ streamId: null })
    expect(await fetched(cookie, films[1]!, owner)).toBe(200)
  }
  const preview = (isPreview: boolean) =>
    app.services.db.update(lessons).set({ isPreview }).where(eq(lessons.id, lessonId))
  await preview(true)
  const learners = [await browser(), await browser(), await browser()]
  for (const cookie of learners) {
    expect((await play(cookie)).body).toEqual({ streamId: null })
    expect(await fetched(cookie, films[1]!)).toBe(200)
  }
  await preview(false)
  const { secret } = app.services
  const environment = { DATABASE_URL: app.databaseUrl, AUTH_SECRET: secret }
  const free = await startTestApp({ ...environment, STREAMS_PER_ACCOUNT: '0' })
  for (const cookie of learners) {
    expect((await play(cookie, undefined, free)).body).toEqual({ streamId: null })
  }
  expect(await app.services.db.select().from(playingStreams)).toEqual([])
  await free.stop()
})

test('an answer that is under way is cut within 15 seconds', async () => {
  const { storage } = app.services
  await storage.put(uploadKey(mediaId), Buffer.alloc(64 * 1024 * 1024))
  const [mac, phone, linux] = [await browser(), await browser(), await browser()]
  const { streamId } = (await play(mac)).body
  await play(phone)
  const base = videoAddress({ mediaId, viewerId: member.id, secret: app.services.secret })
  const open = async (cookie: string, at = base) => {
    const answer = await fetch(`${app.url}${at}/original`, { headers: { cookie } })
    return answer.body!.getReader()
  }
  // Of whom no places are counted.
  const owners = await Promise.all([browser(browsers.mac, owner), browser(browsers.phone, owner)])
  const ownBase = videoAddress({ mediaId, viewerId: owner.id, secret: app.services.secret })
  const [ended, going] = [await open(mac), await open(phone)]
  const [signedOut, signedIn] = [await open(owners[0]!, ownBase), await open(owners[1]!, ownBase)]
  const rest = async (reader: typeof ended) => {
    for (;;) if ((await reader.read()).done) return 'whole'
  }
  await Promise.all([ended, going, signedOut, signedIn].map((reader) => reader.read()))
  await play(linux, streamId)
  const bye = await app.request('/auth/v1/sign-out', { body: {}, cookie: owners[0]! })
  expect(bye.status).toBe(200)
  const later = performance.now() + 15_000
  const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
  const outcomes = await Promise.allSettled([ended, going, signedOut, signedIn].map(rest))
  clock.mockRestore()
  expect(outcomes.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  await storage.put(uploadKey(mediaId), Buffer.from('film'))
})

test('costs no statement for a segment, nor for a report', async () => {
  const mac = await browser()
  await play(mac)
  const watch = watchStatements(app)
  expect(await watch.during(() => fetched(mac, films[1]!))).toHaveLength(2)
  expect(await watch.during(() => isAt(mac, 3))).toHaveLength(2)
})
