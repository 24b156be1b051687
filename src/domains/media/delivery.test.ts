import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../test/app.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import { enrollments } from '../enrollment/tables.ts'
import { emptyRichText } from '../lessons/rich-text.ts'
import { uploadKey } from './finish-upload.ts'
import { storeImage } from './store-image.ts'
import { mediaFiles } from './tables.ts'

const lesson = readFileSync('test/fixtures/lesson.mp4')
const size = lesson.length

let app: TestApp
let owner: Person
let member: Person
let other: Person
let courseId: string
let mediaId: string

async function addVideo(bytes: Uint8Array, status: 'ready' | 'uploading' = 'ready') {
  const { db, storage } = app.services
  const values = {
    ownerId: owner.id,
    courseId,
    purpose: 'video' as const,
    status,
    filename: 'a.mp4',
  }
  const [row] = await db
    .insert(mediaFiles)
    .values({ ...values, contentType: 'video/mp4', sizeBytes: bytes.length })
    .returning()
  await storage.put(uploadKey(row!.id), bytes)
  return row!.id
}

beforeAll(async () => {
  app = await startTestApp()
  ;[owner, member, other] = await Promise.all([app.signUp(), app.signUp(), app.signUp()])
  const values = { slug: 'films', title: 'Films', description: emptyRichText, category: 'Art' }
  const [course] = await app.services.db
    .insert(courses)
    .values({ ...values, instructorId: owner.id, status: 'published' })
    .returning()
  courseId = course!.id
  await app.services.db.insert(enrollments).values({ courseId, userId: member.id })
  mediaId = await addVideo(lesson)
})
afterAll(() => app.stop())

function get(
  headers: Record<string, string> = {},
  path = `/storage/v1/videos/${mediaId}`,
  method = 'GET',
) {
  return fetch(app.url + path, { method, headers: { cookie: member.cookie, ...headers } })
}

test('a video is for members, the instructor and admins', async () => {
  expect((await fetch(`${app.url}/storage/v1/videos/${mediaId}`)).status).toBe(401)
  expect((await fetch(`${app.url}/storage/v1/videos/${randomUUID()}`)).status).toBe(401)
  expect((await get({ cookie: other.cookie })).status).toBe(403)
  const part = { range: 'bytes=0-99' }
  expect((await get({ ...part, cookie: owner.cookie })).status).toBe(206)
  expect((await get({ ...part, cookie: member.cookie })).status).toBe(206)
  await app.services.db.update(users).set({ role: 'admin' }).where(eq(users.id, other.id))
  expect((await get({ ...part, cookie: other.cookie })).status).toBe(206)
  await app.services.db.update(users).set({ role: 'user' }).where(eq(users.id, other.id))
})

test('who left the course sees no more of it', async () => {
  const guest = await app.signUp()
  await app.services.db.insert(enrollments).values({ courseId, userId: guest.id })
  expect((await get({ cookie: guest.cookie })).status).toBe(200)
  await app.services.db.delete(enrollments).where(eq(enrollments.userId, guest.id))
  expect((await get({ cookie: guest.cookie })).status).toBe(403)
})

test('what is unknown, unfinished or no id is not found', async () => {
  const unfinished = await addVideo(lesson, 'uploading')
  for (const id of [randomUUID(), unfinished, 'x', "1'", '..%2f..', `${mediaId}/x`, '%00', '']) {
    expect([id, (await get({}, `/storage/v1/videos/${id}`)).status]).toEqual([id, 404])
  }
})

test('the whole of it', async () => {
  const response = await get()
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'video/mp4',
    'content-length': String(size),
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
    'x-content-type-options': 'nosniff',
    'content-disposition': 'inline',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  expect(Buffer.from(await response.arrayBuffer()).equals(lesson)).toBe(true)
  const headers = await get({}, undefined, 'HEAD')
  expect([headers.status, headers.headers.get('content-length')]).toEqual([200, String(size)])
  const known = await get({ 'if-none-match': response.headers.get('etag') ?? '' })
  expect([known.status, await known.text()]).toEqual([304, ''])
})

test.each<[string, number, number]>([
  ['bytes=0-0', 0, 0],
  ['bytes=0-', 0, size - 1],
  ['bytes=100-199', 100, 199],
  ['bytes=-500', size - 500, size - 1],
  ['bytes=-99999999', 0, size - 1],
  [`bytes=${size - 1}-`, size - 1, size - 1],
  [`bytes=10-${size * 2}`, 10, size - 1],
])('a part of it: %s', async (range, start, end) => {
  const response = await get({ range })
  expect(response.status).toBe(206)
  expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`)
  expect(response.headers.get('content-length')).toBe(String(end - start + 1))
  const body = Buffer.from(await response.arrayBuffer())
  expect(body.equals(lesson.subarray(start, end + 1))).toBe(true)
})

test.each([`bytes=${size}-`, 'bytes=999999999999999999999-', 'bytes=-0'])(
  'beyond its end: %s',
  async (range) => {
    const response = await get({ range })
    expect([response.status, response.headers.get('content-range')]).toEqual([
      416,
      `bytes */${size}`,
    ])
    expect(await response.text()).toBe('')
  },
)

test.each(['bytes=0-1,5-6', 'bytes=5-2', 'bytes=a-b', 'bytes=-', 'pages=1-2', 'bytes', ''])(
  'what cannot be understood gets the whole: %s',
  async (range) => {
    const response = await get({ range })
    expect(response.status).toBe(200)
    expect((await response.arrayBuffer()).byteLength).toBe(size)
  },
)

test('a part of another version is not mixed in', async () => {
  const etag = (await get({}, undefined, 'HEAD')).headers.get('etag') ?? ''
  expect((await get({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
  expect((await get({ range: 'bytes=0-9', 'if-range': '"another"' })).status).toBe(200)
  expect(
    (await get({ range: 'bytes=0-9', 'if-range': 'Wed, 21 Oct 2015 07:28:00 GMT' })).status,
  ).toBe(200)
})

test('a client that goes away leaves no open file', async () => {
  const large = await addVideo(Buffer.alloc(30 * 1024 * 1024))
  const path = app.services.storage.path(uploadKey(large))
  const openFiles = () =>
    readdirSync('/proc/self/fd').filter((fd) => isLinkTo(`/proc/self/fd/${fd}`, path))
  const { port, hostname } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET /storage/v1/videos/${large} HTTP/1.1\r\nHost: x\r\nCookie: ${member.cookie}\r\n\r\n`,
  )
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  await expect.poll(openFiles, { timeout: 5000 }).toHaveLength(1)
  socket.destroy()
  await expect.poll(openFiles, { timeout: 5000 }).toEqual([])
  expect((await get()).status).toBe(200)
})

function isLinkTo(link: string, path: string) {
  try {
    return readlinkSync(link) === path
  } catch {
    return false
  }
}

test('a picture is for everybody, in three widths', async () => {
  const id = randomUUID()
  const red = await sharp({ create: { width: 500, height: 300, channels: 3, background: '#f00' } })
    .jpeg()
    .toBuffer()
  expect(await storeImage(app.services.storage, id, 'thumbnail', red)).toEqual({
    width: 500,
    height: 300,
  })
  for (const width of [320, 640, 1280]) {
    const response = await fetch(`${app.url}/storage/v1/images/${id}/${width}.webp`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const image = await sharp(await response.arrayBuffer()).metadata()
    expect([image.width, image.height]).toEqual([width, (width * 9) / 16])
    const etag = response.headers.get('etag') ?? ''
    const again = await fetch(response.url, { headers: { 'if-none-match': `"x", ${etag}` } })
    expect(again.status).toBe(304)
    expect((await fetch(response.url, { method: 'HEAD' })).headers.get('content-length')).toMatch(
      /^\d+$/,
    )
  }
  for (const rest of ['641.webp', '320.png', '0320.webp', '320.webp/x', '..%2f320.webp', '']) {
    expect([rest, (await fetch(`${app.url}/storage/v1/images/${id}/${rest}`)).status]).toEqual([
      rest,
      404,
    ])
  }
  expect((await fetch(`${app.url}/storage/v1/images/${randomUUID()}/320.webp`)).status).toBe(404)
  expect((await fetch(`${app.url}/storage/v1/images/..%2f..%2fuploads/320.webp`)).status).toBe(404)
})
