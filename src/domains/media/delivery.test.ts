import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../test/app.ts'
import { hasObjectStore } from '../../../test/object-store.ts'
import { watchStatements } from '../../../test/statements.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import { enrollments } from '../enrollment/tables.ts'
import { emptyRichText } from '../lessons/rich-text.ts'
import { derivedKey } from './derived-files.ts'
import { uploadKey } from './finish-upload.ts'
import { storeImage } from './store-image.ts'
import { mediaFiles, videoCaptions } from './tables.ts'
import { tokenState, videoAddress } from './video-address.ts'

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

/** Where this video is for this person; `now` is when the address was made. */
const addressFor = (who: { id: string } | null, id = mediaId, now?: number) =>
  videoAddress({ mediaId: id, viewerId: who?.id ?? null, secret: app.services.secret, now })

function get(
  headers: Record<string, string> = {},
  path = `${addressFor(member)}/original`,
  method = 'GET',
) {
  return fetch(app.url + path, { method, headers: { cookie: member.cookie, ...headers } })
}

const askedBy = (who: Person | null, base: string, name = 'original') =>
  fetch(`${app.url}${base}/${name}`, {
    headers: who ? { cookie: who.cookie, range: 'bytes=0-9' } : {},
  })

const statusOf = async (who: Person | null, base = addressFor(who), name?: string) =>
  (await askedBy(who, base, name)).status

const hour = 60 * 60 * 1000

async function publish(isPublished: boolean) {
  const status = isPublished ? ('published' as const) : ('draft' as const)
  await app.services.db.update(courses).set({ status }).where(eq(courses.id, courseId))
}

test('a video is for members, the instructor and admins', async () => {
  expect(await statusOf(null)).toBe(401)
  expect(await statusOf(null, addressFor(null, randomUUID()))).toBe(401)
  expect(await statusOf(other)).toBe(403)
  expect(await statusOf(owner)).toBe(206)
  expect(await statusOf(member)).toBe(206)
  const changeRole = (role: 'admin' | 'user') =>
    app.services.db.update(users).set({ role }).where(eq(users.id, other.id))
  await changeRole('admin')
  expect(await statusOf(other)).toBe(206)
  await changeRole('user')
  await publish(false)
  expect(await statusOf(member)).toBe(206)
  expect(await statusOf(other)).toBe(404)
  await publish(true)
})

test('who left the course sees no more of it', async () => {
  const guest = await app.signUp()
  await app.services.db.insert(enrollments).values({ courseId, userId: guest.id })
  expect(await statusOf(guest)).toBe(206)
  await app.services.db.delete(enrollments).where(eq(enrollments.userId, guest.id))
  for (const name of ['original', 'poster.jpg', 'hls/main.m3u8', 'captions/en.vtt']) {
    expect([name, await statusOf(guest, addressFor(guest), name)]).toEqual([name, 403])
  }
})

test('an address is worth nothing to somebody else, and nothing after six hours', async () => {
  expect(await statusOf(null, addressFor(member))).toBe(401)
  const leaked = await askedBy(owner, addressFor(member))
  expect([leaked.status, await leaked.text()]).toEqual([
    403,
    'This address was made for somebody else. Please open the lesson yourself.',
  ])
  expect(await statusOf(member, addressFor(null))).toBe(403)
  const now = Date.now()
  expect(await statusOf(member, addressFor(member, mediaId, now - 4.9 * hour))).toBe(206)
  const old = await askedBy(member, addressFor(member, mediaId, now - 6 * hour))
  expect([old.status, await old.text()]).toEqual([
    403,
    'This address has expired. Please load the page of the lesson again.',
  ])
  expect(old.headers.get('cache-control')).toBe('no-store')
  // Another video, another secret, another time written into it: not what was signed.
  const another = await addVideo(lesson)
  const swapped = addressFor(member).replace(mediaId, another)
  const forged = videoAddress({ mediaId, viewerId: member.id, secret: 'guessed' })
  const longer = addressFor(member).replace(/\/[a-z0-9]+\./, '/zzzzz.')
  for (const base of [swapped, forged, longer]) {
    expect([base, await statusOf(member, base)]).toEqual([base, 403])
  }
})

test('an address stays the same for an hour, and lives for at least five', () => {
  const at = Date.parse('2026-11-21T10:00:00Z')
  const holder = { mediaId, viewerId: member.id, secret: 's' }
  const first = videoAddress({ ...holder, now: at })
  const token = first.split('/').at(-1)!
  expect(videoAddress({ ...holder, now: at + hour - 1 })).toBe(first)
  expect(videoAddress({ ...holder, now: at + hour })).not.toBe(first)
  expect(tokenState(token, { ...holder, now: at + 6 * hour - 1 })).toBe('good')
  expect(tokenState(token, { ...holder, now: at + 6 * hour })).toBe('expired')
  for (const junk of ['', '.', 'a.b', `${token}x`, token.slice(0, -1), '\u{1F600}.x']) {
    expect([junk, tokenState(junk, holder)]).toEqual([junk, 'foreign'])
  }
})

test('what is unknown, unfinished or no id is not found', async () => {
  const unfinished = await addVideo(lesson, 'uploading')
  for (const id of [randomUUID(), unfinished, 'x', "1'", '..%2f..', '%00', '']) {
    const path = `${addressFor(member, id)}/original`
    expect([id, (await get({}, path)).status]).toEqual([id, 404])
  }
})

const noSuchNames = [
  '',
  'original/',
  'original/x',
  'poster.png',
  'poster.jpg%00',
  '%2e%2e/original',
  '..%2foriginal',
  'hls/main.m3u8.bak',
  'hls/secret.m3u8',
  'hls/../../../uploads',
  'hls/180p/..%2f..%2fposter.jpg',
  'hls/180p/0.php',
  'hls/180p/',
  'hls/99999p/index.m3u8',
  'captions/../poster.vtt',
  'captions/xx_.vtt',
  'captions/en.srt',
]
test('only what is made of a video has an address', async () => {
  for (const name of noSuchNames) {
    expect([name, (await get({}, `${addressFor(member)}/${name}`)).status]).toEqual([name, 404])
  }
  // The address before there were tokens.
  expect((await get({}, `/storage/v1/videos/${mediaId}`)).status).toBe(404)
})

test('what is made of a video comes as what it is, for two statements', async () => {
  const playlist = '#EXTM3U\n180p/index.m3u8\n'
  const made: [name: string, type: string, bytes: Buffer][] = [
    ['poster.jpg', 'image/jpeg', Buffer.from('poster')],
    ['preview.jpg', 'image/jpeg', Buffer.from('preview')],
    ['preview.vtt', 'text/vtt; charset=utf-8', Buffer.from('WEBVTT\n')],
    ['hls/main.m3u8', 'application/vnd.apple.mpegurl', Buffer.from(playlist)],
    ['hls/180p/index.m3u8', 'application/vnd.apple.mpegurl', Buffer.from('#EXTM3U\n')],
    ['hls/180p/init.mp4', 'video/mp4', Buffer.from('init')],
    ['hls/180p/0001.m4s', 'video/mp4', lesson],
    ['hls/180p/0001.ts', 'video/mp2t', lesson],
  ]
  // A player has its place (stream-limit.test.ts).
  await get({}, `${addressFor(member)}/hls/main.m3u8`)
  const watch = watchStatements(app)
  for (const [name, type, bytes] of made) {
    await app.services.storage.put(derivedKey(mediaId, name), bytes)
    const path = `${addressFor(member)}/${name}`
    let answer!: Response
    const statements = await watch.during(async () => {
      answer = await get({}, path)
    })
    expect([name, statements.length]).toEqual([name, 2])
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': type,
      'cache-control': 'private, max-age=21600, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    })
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
    const known = await get({ 'if-none-match': answer.headers.get('etag') ?? '' }, path)
    expect(known.status).toBe(304)
    expect(await statusOf(other, addressFor(other), name)).toBe(403)
    expect(await statusOf(owner, addressFor(member), name)).toBe(403)
    expect(await statusOf(null, addressFor(member), name)).toBe(401)
  }
  expect(
    (await get({ range: 'bytes=1-2' }, `${addressFor(member)}/hls/180p/0001.m4s`)).status,
  ).toBe(206)
  expect((await get({}, `${addressFor(member)}/hls/180p/0002.m4s`)).status).toBe(404)
})

test('captions come as WebVTT, as they are now', async () => {
  const cues = [{ start: 0, end: 1.5, text: 'Tea <b>& milk</b>' }]
  const rows = app.services.db.insert(videoCaptions)
  await rows.values({ mediaId, language: 'en', cues })
  const path = `${addressFor(member)}/captions/en.vtt`
  const answer = await get({}, path)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/vtt; charset=utf-8',
  ])
  expect(answer.headers.get('cache-control')).toBe('private, no-cache')
  const text = await answer.text()
  expect(text).toMatch(/^WEBVTT/)
  expect(text).toContain('00:00:00.000 --> 00:00:01.500')
  expect(text).toContain('Tea &lt;b&gt;&amp; milk&lt;/b&gt;')
  const etag = answer.headers.get('etag') ?? ''
  expect((await get({ 'if-none-match': etag }, path)).status).toBe(304)
  await app.services.db
    .update(videoCaptions)
    .set({ cues: [{ ...cues[0]!, text: 'Coffee' }] })
    .where(eq(videoCaptions.mediaId, mediaId))
  const mended = await get({ 'if-none-match': etag }, path)
  expect(await mended.text()).toContain('Coffee')
  expect((await get({}, `${addressFor(member)}/captions/de.vtt`)).status).toBe(404)
  expect(await (await get({}, path, 'HEAD')).text()).toBe('')
})

test('the whole of it', async () => {
  const response = await get()
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'video/mp4',
    'content-length': String(size),
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=21600, immutable',
    'x-content-type-options': 'nosniff',
    'content-disposition': 'inline',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
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

test.skipIf(hasObjectStore).each([
  ['the video', 'original', uploadKey],
  ['a segment', 'hls/180p/0003.m4s', (id: string) => derivedKey(id, 'hls/180p/0003.m4s')],
])('a client that goes away from %s leaves no open file', async (_what, name, keyOf) => {
  const large = await addVideo(lesson)
  await app.services.storage.put(keyOf(large), Buffer.alloc(30 * 1024 * 1024))
  const path = join(app.services.config.dataDir, 'storage', keyOf(large))
  const openFiles = () =>
    readdirSync('/proc/self/fd').filter((fd) => isLinkTo(`/proc/self/fd/${fd}`, path))
  const { port, hostname } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET ${addressFor(member, large)}/${name} HTTP/1.1\r\nHost: x\r\nCookie: ${member.cookie}\r\n\r\n`,
  )
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  await expect.poll(openFiles).toHaveLength(1)
  socket.destroy()
  await expect.poll(openFiles).toEqual([])
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
