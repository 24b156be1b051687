import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../test/app.ts'
import { lessonsOf, makeCourse } from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import { enrollments } from '../enrollment/tables.ts'
import { emptyRichText } from '../lessons/rich-text.ts'
import { lessons } from '../lessons/tables.ts'
import { derivedKey } from './derived-files.ts'
import { uploadKey } from './finish-upload.ts'
import { streamAddress, streamSecondsLeft } from './stream-address.ts'
import { mediaFiles } from './tables.ts'
import { videoAddress } from './video-address.ts'

const cdn = { origin: 'https://cdn.thunder.example', secret: 'a secret that the CDN has as well' }
const AUTH_SECRET = 'signs the cookies of both nodes of this test'
const hour = 60 * 60 * 1000
const segment = Buffer.from('four seconds of a film')
const playlists = {
  'main.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\n360p/index.m3u8\n',
  '360p/index.m3u8': '#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:4,\n00000.m4s\n#EXT-X-ENDLIST\n',
}

let app: TestApp
let owner: Person
let member: Person
let courseId: string
let mediaId: string

async function addStream(purpose: 'video' | 'import' = 'video') {
  const { db, storage } = app.services
  const file = { filename: 'a.mp4', contentType: 'video/mp4', sizeBytes: 4 }
  const [row] = await db
    .insert(mediaFiles)
    .values({ ownerId: owner.id, courseId, purpose, status: 'ready', ...file })
    .returning()
  const { id } = row!
  await storage.put(uploadKey(id), Buffer.from('film'))
  for (const [name, text] of Object.entries(playlists)) {
    await storage.put(derivedKey(id, `hls/${name}`), Buffer.from(text))
  }
  for (const name of ['init.mp4', '00000.m4s', '00000.ts']) {
    await storage.put(derivedKey(id, `hls/360p/${name}`), segment)
  }
  await storage.put(derivedKey(id, 'poster.jpg'), Buffer.from('poster'))
  return id
}

beforeAll(async () => {
  app = await startTestApp({ AUTH_SECRET, CDN_URL: cdn.origin, CDN_SECRET: cdn.secret })
  ;[owner, member] = await Promise.all([app.signUp(), app.signUp()])
  const values = { slug: 'films', title: 'Films', description: emptyRichText, category: 'Art' }
  const [course] = await app.services.db
    .insert(courses)
    .values({ ...values, instructorId: owner.id, status: 'published' })
    .returning()
  courseId = course!.id
  await app.services.db.insert(enrollments).values({ courseId, userId: member.id })
  mediaId = await addStream()
})
afterAll(() => app.stop())

/** What a player does: it begins at our address and is told where the CDN has it. */
async function begin(who: Person, method = 'GET') {
  const base = videoAddress({ mediaId, viewerId: who.id, secret: app.services.secret })
  return fetch(`${app.url}${base}/hls/main.m3u8`, {
    method,
    headers: { cookie: who.cookie },
    redirect: 'manual',
  })
}

const signedFor = (id = mediaId, now?: number) =>
  streamAddress({ mediaId: id, viewerId: member.id, now }, cdn).slice(cdn.origin.length)

/** As the CDN asks: without a cookie. */
const fromCdn = (path: string, init: RequestInit = {}) => fetch(app.url + path, init)

test('a member is sent to the CDN, where every file of the stream is behind one signature', async () => {
  const sent = await begin(member)
  expect([sent.status, sent.headers.get('cache-control')]).toEqual([302, 'no-store'])
  const main = new URL(sent.headers.get('location')!)
  expect(main.origin).toBe(cdn.origin)
  expect((await begin(member)).headers.get('location')).toBe(main.href)
  expect((await begin(member, 'HEAD')).status).toBe(302)
  // Players put the names of a playlist behind the place that it came from.
  const level = new URL('360p/index.m3u8', main)
  const watch = watchStatements(app)
  for (const [file, bytes, type] of [
    [main, playlists['main.m3u8'], 'application/vnd.apple.mpegurl'],
    [level, playlists['360p/index.m3u8'], 'application/vnd.apple.mpegurl'],
    [new URL('init.mp4', level), String(segment), 'video/mp4'],
    [new URL('00000.m4s', level), String(segment), 'video/mp4'],
    [new URL('00000.ts', level), String(segment), 'video/mp2t'],
  ] as const) {
    let answer!: Response
    const statements = await watch.during(async () => {
      answer = await fromCdn(file.pathname)
    })
    expect(statements).toEqual([])
    expect([answer.status, await answer.text()]).toEqual([200, bytes])
    const { headers } = answer
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    // A cache in between may keep it, but never for longer than the address is good.
    const [, seconds] = /^public, max-age=(\d+), immutable$/.exec(headers.get('cache-control')!)!
    expect(Number(seconds)).toBeGreaterThan(59 * 60)
    expect(Number(seconds)).toBeLessThanOrEqual(2 * 60 * 60)
  }
  const part = await fromCdn(new URL('00000.m4s', level).pathname, {
    headers: { range: 'bytes=5-11' },
  })
  expect([part.status, await part.text()]).toEqual([206, 'seconds'])
  const head = await fromCdn(level.pathname, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('who has no access gets no address, and who lost it gets no new one', async () => {
  const guest = await app.signUp()
  expect((await begin(guest)).status).toBe(403)
  await app.services.db.insert(enrollments).values({ courseId, userId: guest.id })
  const given = (await begin(guest)).headers.get('location')!
  await app.services.db.delete(enrollments).where(eq(enrollments.userId, guest.id))
  expect((await begin(guest)).status).toBe(403)
  // What was given out is good for the rest of its time, which is two hours at most.
  expect((await fromCdn(new URL(given).pathname)).status).toBe(200)
  const suspend = (at: Date | null) =>
    app.services.db.update(users).set({ suspendedAt: at }).where(eq(users.id, member.id))
  await suspend(new Date())
  expect((await begin(member)).status).toBe(403)
  await suspend(null)
  const base = videoAddress({ mediaId, viewerId: null, secret: app.services.secret })
  const stranger = await fetch(`${app.url}${base}/hls/main.m3u8`, { redirect: 'manual' })
  expect(stranger.status).toBe(401)
})

test('whoever watches a free preview is sent there as well, as nobody', async () => {
  const { db, secret } = app.services
  const course = await makeCourse(app.services, owner)
  const [lesson] = await lessonsOf(app.services, course.id)
  const film = await addStream()
  await db.update(mediaFiles).set({ courseId: course.id }).where(eq(mediaFiles.id, film))
  const open = { videoId: film, isPreview: true }
  await db.update(lessons).set(open).where(eq(lessons.id, lesson!.id))
  const base = videoAddress({ mediaId: film, viewerId: null, secret })
  const sent = await fetch(`${app.url}${base}/hls/main.m3u8`, { redirect: 'manual' })
  const address = streamAddress({ mediaId: film, viewerId: null }, cdn)
  expect([sent.status, sent.headers.get('location')]).toEqual([302, `${address}/main.m3u8`])
  // The other files of a film come from here.
  const poster = await fetch(`${app.url}${base}/poster.jpg`, { redirect: 'manual' })
  expect([poster.status, await poster.text()]).toEqual([200, 'poster'])
})

test('an address that is over, altered, of another film or not signed at all opens nothing', async () => {
  const good = signedFor()
  const [expires, holder, signature] = good.split('/').at(-1)!.split('.') as [
    string,
    string,
    string,
  ]
  const other = await addStream()
  const at = (id: string, ...parts: string[]) => `/storage/v1/streams/${id}/${parts.join('.')}`
  const wrong: [string, string][] = [
    ['over', signedFor(mediaId, Date.now() - 2 * hour)],
    ['long over', signedFor(mediaId, Date.now() - 1000 * hour)],
    ['a later end', at(mediaId, String(Number(expires) + 3600), holder, signature)],
    ['an end without an end', at(mediaId, '9999999999', holder, signature)],
    ['another holder', at(mediaId, expires, 'A'.repeat(16), signature)],
    ['of another film', at(other, expires, holder, signature)],
    ['in capitals', good.replace(mediaId, mediaId.toUpperCase())],
    ['of no film', at('..%2f..%2fvideos', expires, holder, signature)],
    [
      'signed with a guess',
      streamAddress({ mediaId, viewerId: member.id }, { ...cdn, secret: 'guess' }).slice(
        cdn.origin.length,
      ),
    ],
    [
      'a letter changed',
      at(mediaId, expires, holder, `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`),
    ],
    ['cut', at(mediaId, expires, holder, signature.slice(0, -1))],
    ['longer', at(mediaId, expires, holder, `${signature}A`)],
    ['padded', at(mediaId, expires, holder, `${signature}=`)],
    ['no signature', at(mediaId, expires, holder)],
    ['an empty one', at(mediaId, expires, holder, '')],
    ['no holder', at(mediaId, expires, signature)],
    ['nothing', at(mediaId)],
    [
      'the token of a lesson',
      videoAddress({ mediaId, viewerId: member.id, secret: app.services.secret }).replace(
        'videos',
        'streams',
      ),
    ],
  ]
  for (const [what, folder] of wrong) {
    for (const name of ['main.m3u8', '360p/index.m3u8', '360p/00000.m4s']) {
      // Being a member makes it no better.
      const answer = await fromCdn(`${folder}/${name}`, { headers: { cookie: member.cookie } })
      expect([what, name, answer.status]).toEqual([what, name, 403])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      // So that a script reads why, instead of a failure of the network.
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    }
  }
  expect((await fromCdn(`/storage/v1/streams/${mediaId}/360p/00000.m4s`)).status).toBe(403)
})

test('a signature opens the stream of its film and nothing else', async () => {
  const folder = signedFor()
  for (const name of [
    '',
    'main.m3u8/',
    'main.m3u8%00',
    'poster.jpg',
    'original',
    '../poster.jpg',
    '%2e%2e/poster.jpg',
    '..%2fposter.jpg',
    '360p/..%2f..%2fposter.jpg',
    `..%2f..%2fvideos%2f${mediaId}/hls/main.m3u8`,
    '360p/00001.m4s',
    '360p/00000.m4s.bak',
    '360p/00000.mkv',
    '9p/00000.m4s',
    'hls/main.m3u8',
  ]) {
    const { status } = await fromCdn(`${folder}/${name}`)
    expect([name, [403, 404].includes(status)]).toEqual([name, true])
  }
  const without = await addStream()
  await app.services.storage.remove(derivedKey(without, 'hls'))
  expect((await fromCdn(`${signedFor(without)}/main.m3u8`)).status).toBe(404)
  expect((await fromCdn(`${folder}/main.m3u8`, { method: 'POST' })).status).toBe(404)
  // The film itself is not there for the CDN.
  expect(
    (await fromCdn(`/storage/v1/videos/${mediaId}/${folder.split('/').at(-1)}/original`)).status,
  ).toBe(401)
})

test('an address stays the same for an hour, and lives for one to two', () => {
  const at = Date.parse('2026-11-22T10:00:00Z')
  const film = { mediaId: randomUUID(), viewerId: randomUUID() }
  const first = streamAddress({ ...film, now: at }, cdn)
  const token = first.split('/').at(-1)!
  expect(streamAddress({ ...film, now: at + hour - 1 }, cdn)).toBe(first)
  expect(streamAddress({ ...film, now: at + hour }, cdn)).not.toBe(first)
  expect(streamAddress({ ...film, viewerId: randomUUID(), now: at }, cdn)).not.toBe(first)
  const left = (now: number) => streamSecondsLeft({ mediaId: film.mediaId, token, now }, cdn)
  expect([at, at + hour, at + 2 * hour - 1000, at + 2 * hour].map(left)).toEqual([
    7200,
    3600,
    1,
    null,
  ])
})

test('without a CDN there are no such addresses, and streams come from here', async () => {
  const DATABASE_URL = app.databaseUrl
  const plain = await startTestApp({ AUTH_SECRET, DATABASE_URL })
  try {
    await plain.services.storage.put(derivedKey(mediaId, 'hls/main.m3u8'), Buffer.from('#EXTM3U\n'))
    expect((await fetch(`${plain.url}${signedFor()}/main.m3u8`)).status).toBe(404)
    const base = videoAddress({ mediaId, viewerId: member.id, secret: plain.services.secret })
    const { status, body } = await plain.request(`${base}/hls/main.m3u8`, { cookie: member.cookie })
    expect([status, body]).toEqual([200, '#EXTM3U\n'])
  } finally {
    await plain.stop()
  }
})
