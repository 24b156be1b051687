// What somebody reads who asks for a file that is not there, or not theirs to see; and what goes along with one that is.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  lessonsOf,
  makeCourse,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { postAttachments } from '../community/tables.ts'
import { derivedKey } from './derived-files.ts'
import { uploadKey } from './finish-upload.ts'
import { inert } from './send-file.ts'
import { imageKey, postImageKey } from './store-image.ts'
import { mediaFiles, videoCaptions } from './tables.ts'
import { videoAddress } from './video-address.ts'

interface Caller {
  id: string
  cookie: string
}
type Made = { id: string; instructorId: string }

let app: TestApp
let owner: Caller
let member: Caller
let stranger: Caller
let course: Made
let draft: Made

async function someone(): Promise<Caller> {
  const { id } = await makePerson(app.services)
  return { id, cookie: await sessionCookieOf(app.services, id) }
}

type Facts = Partial<typeof mediaFiles.$inferInsert>

/** With its bytes, unless told otherwise. */
async function file(facts: Facts = {}, bytes: string | null = 'a film'): Promise<string> {
  const values = { ownerId: owner.id, courseId: course.id, purpose: 'video', status: 'ready' }
  const [row] = await app.services.db
    .insert(mediaFiles)
    .values({
      ...(values as { ownerId: string; purpose: 'video' }),
      filename: 'a',
      sizeBytes: 6,
      ...facts,
    })
    .returning({ id: mediaFiles.id })
  if (bytes !== null) await app.services.storage.put(uploadKey(row!.id), Buffer.from(bytes))
  return row!.id
}

async function inPost(mediaId: string, kind: 'image' | 'video') {
  const postId = await makePost(app.services, course)
  await app.services.db.insert(postAttachments).values({ postId, orderIndex: 1, kind, mediaId })
  return postId
}

beforeAll(async () => {
  app = await startTestApp()
  ;[owner, member, stranger] = [await someone(), await someone(), await someone()]
  course = await makeCourse(app.services, owner)
  draft = await makeCourse(app.services, owner, { status: 'draft' })
  await joinCourse(app.services, member, course)
})
afterAll(() => app?.stop())

const hour = 60 * 60 * 1000
type Kind = 'lesson' | 'post'

/** Where this file is for this person. */
const at = (mediaId: string, name: string, who: Caller | null, of: Kind = 'lesson', now?: number) =>
  `${videoAddress({ mediaId, viewerId: who?.id ?? null, secret: app.services.secret, of, now })}/${name}`

const get = (path: string, who: Caller | null, headers: Record<string, string> = {}) =>
  app.request(path, { cookie: who?.cookie, headers })

async function answered(path: string, who: Caller | null) {
  const { status, body, headers } = await get(path, who)
  if (status >= 400) expect(headers.get('cache-control')).toBe('no-store')
  return [status, body]
}

const who = [401, 'User must be authenticated']
const join = [403, 'Join this course to see this.']
const noVideo = [404, 'Video not found']
const noImage = [404, 'Image not found']
const nothing = [404, 'There is nothing at this address.']

describe('the film of a lesson', () => {
  const film = (id: string, caller: Caller | null, name = 'original') =>
    answered(at(id, name, caller), caller)

  test('is refused by who asks', async () => {
    const id = await file()
    expect(await film(id, member)).toEqual([200, 'a film'])
    expect(await film(id.toUpperCase(), member)).toEqual([200, 'a film'])
    expect(await film(id, stranger)).toEqual(join)
    expect(await film(id, null)).toEqual(who)
    const hidden = await file({ courseId: draft.id })
    expect(await film(hidden, owner)).toEqual([200, 'a film'])
    expect(await film(hidden, stranger)).toEqual(noVideo)
    expect(await film(hidden, null)).toEqual(who)
  })

  test('is refused by what is asked for', async () => {
    const id = await file({}, null)
    for (const name of ['original', 'poster.jpg', 'hls/main.m3u8', 'secret.txt', '']) {
      expect([name, await film(id, member, name)]).toEqual([name, noVideo])
      expect([name, await film(id, null, name)]).toEqual([name, who])
    }
    expect(await film(id, member, 'captions/de.vtt')).toEqual([404, 'Captions not found'])
    expect(await film('no-id', member)).toEqual(noVideo)
    expect(await film('no-id', null)).toEqual(who)
    expect(await film(randomUUID(), member)).toEqual(noVideo)
    expect(await film(await file({ status: 'uploading' }), member)).toEqual(noVideo)
    expect(await film(await file({ purpose: 'thumbnail' }), member)).toEqual(noVideo)
    expect(await film(await file({ purpose: 'import' }), member)).toEqual(noVideo)
  })

  test('comes as bytes where nobody knows what it is, and as what it is where somebody does', async () => {
    const types = async (contentType: string | null) => {
      const { headers } = await get(at(await file({ contentType }), 'original', member), member)
      return headers.get('content-type')
    }
    expect(await types(null)).toBe('application/octet-stream')
    expect(await types('video/webm')).toBe('video/webm')
  })

  test('is not played on a third device', async () => {
    const id = await file()
    await app.services.storage.put(derivedKey(id, 'hls/main.m3u8'), Buffer.from('#EXTM3U\n'))
    const devices = [member]
    for (const _device of [2, 3]) {
      devices.push({ ...member, cookie: await sessionCookieOf(app.services, member.id) })
    }
    const answers = []
    for (const device of devices)
      answers.push(await answered(at(id, 'hls/main.m3u8', member), device))
    expect(answers).toEqual([
      [200, '#EXTM3U\n'],
      [200, '#EXTM3U\n'],
      [
        409,
        'You are watching on other devices, as many as an account may use at once. Play this in its lesson to choose one that should stop.',
      ],
    ])
    // What stands in a post is nobody's lesson.
    const ofPost = await file({ purpose: 'post_video' })
    await inPost(ofPost, 'video')
    expect(await answered(at(ofPost, 'original', member, 'post'), devices[2]!)).toEqual([
      200,
      'a film',
    ])
  })

  test('has captions that are told to be asked for again, and to be nothing but text', async () => {
    const id = await file()
    const cues = [{ start: 0, end: 1, text: 'Tea' }]
    await app.services.db.insert(videoCaptions).values({ mediaId: id, language: 'zh-Hans', cues })
    const path = at(id, 'captions/zh-Hans.vtt', member)
    const vtt = 'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nTea\n'
    const whole = await get(path, member)
    expect([whole.status, whole.body]).toEqual([200, vtt])
    const told = {
      ...inert,
      'content-type': 'text/vtt; charset=utf-8',
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    }
    expect(Object.fromEntries(whole.headers)).toMatchObject(told)
    const etag = whole.headers.get('etag')!
    const known = await get(path, member, { 'if-none-match': etag })
    expect([known.status, known.body]).toEqual([304, ''])
    expect(known.headers.get('etag')).toBe(etag)
    const head = await app.request(path, { method: 'HEAD', cookie: member.cookie })
    expect([head.status, head.body, head.headers.get('etag')]).toEqual([200, '', etag])
    for (const name of [
      'captions/z.vtt',
      `captions/${'z'.repeat(36)}.vtt`,
      'xcaptions/de.vtt',
      'captions/de.vttx',
    ]) {
      expect([name, await film(id, member, name)]).toEqual([name, noVideo])
    }
    for (const name of ['captions/zh.vtt', `captions/${'z'.repeat(35)}.vtt`]) {
      expect([name, await film(id, member, name)]).toEqual([name, [404, 'Captions not found']])
    }
  })
})

describe('the film of a post', () => {
  test('is refused in words of the post', async () => {
    const id = await file({ purpose: 'post_video', ownerId: member.id })
    const postId = await inPost(id, 'video')
    const film = (caller: Caller | null, by = caller, now?: number) =>
      answered(at(id, 'original', by, 'post', now), caller)
    expect(await film(member)).toEqual([200, 'a film'])
    expect(await film(null)).toEqual(who)
    expect(await film(stranger)).toEqual(join)
    expect(await film(member, owner)).toEqual([
      403,
      'This address was made for somebody else. Please open the post yourself.',
    ])
    expect(await film(member, member, Date.now() - 7 * hour)).toEqual([
      403,
      'This address has expired. Please load the page of the post again.',
    ])
    await app.services.pool.query(`update posts set status = 'hidden' where id = $1`, [postId])
    expect(await film(member)).toEqual(noVideo)
    expect(await film(owner)).toEqual([200, 'a film'])
  })

  test('is no film of a lesson, nor the other way round, nor open because its lesson is a preview', async () => {
    const [ofLesson, ofPost] = [await file(), await file({ purpose: 'post_video' })]
    await inPost(ofPost, 'video')
    expect(await answered(at(ofLesson, 'original', member, 'post'), member)).toEqual(noVideo)
    expect(await answered(at(ofPost, 'original', member), member)).toEqual(noVideo)
    const [lesson] = await lessonsOf(app.services, course.id)
    await app.services.pool.query(
      'update lessons set video_id = $2, is_preview = true where id = $1',
      [lesson!.id, ofLesson],
    )
    expect(await answered(at(ofLesson, 'original', null), null)).toEqual([200, 'a film'])
    expect(await answered(at(ofLesson, 'original', null, 'post'), null)).toEqual(who)
    // Who signs in while it plays sees its end; who leaves for another account does not have the former one's.
    expect(await answered(at(ofLesson, 'original', null), stranger)).toEqual([200, 'a film'])
    expect(await answered(at(ofLesson, 'original', member), stranger)).toEqual([
      403,
      'This address was made for somebody else. Please open the lesson yourself.',
    ])
    expect(
      await answered(at(ofLesson, 'original', null, 'lesson', Date.now() - 7 * hour), stranger),
    ).toEqual([403, 'This address has expired. Please load the page of the lesson again.'])
  })
})

describe('the picture of a post', () => {
  const picture = (id: string, name = '480.webp') => `/storage/v1/post-images/${id}/${name}`

  test('is refused by who asks, and by what is asked for', async () => {
    const id = await file({ purpose: 'post_image', ownerId: member.id })
    await app.services.storage.put(postImageKey(id, 480), Buffer.from('a picture'))
    const postId = await inPost(id, 'image')
    expect(await answered(picture(id), member)).toEqual([200, 'a picture'])
    expect(await answered(picture(id.toUpperCase()), member)).toEqual([200, 'a picture'])
    expect(await answered(picture(id), null)).toEqual(who)
    expect(await answered(picture(id), stranger)).toEqual(join)
    expect(await answered(picture(id, '960.webp'), member)).toEqual(noImage)
    expect(await answered(picture(randomUUID()), member)).toEqual(noImage)
    await app.services.pool.query(`update posts set status = 'hidden' where id = $1`, [postId])
    expect(await answered(picture(id), member)).toEqual(noImage)
    const hidden = await file({ purpose: 'post_image', courseId: draft.id })
    expect(await answered(picture(hidden), stranger)).toEqual(noImage)
    for (const name of [
      '4.webp',
      '12345.webp',
      'x480.webp',
      '480.webpx',
      '480xwebp',
      '480.webp/x',
      '',
    ]) {
      expect([name, await answered(picture(id, name), member)]).toEqual([name, nothing])
    }
    expect(await answered(picture('no-id'), member)).toEqual(nothing)
  })

  test('is kept for this person, a day long', async () => {
    const id = await file({ purpose: 'post_image' })
    await app.services.storage.put(postImageKey(id, 480), Buffer.from('a picture'))
    await inPost(id, 'image')
    const told = {
      ...inert,
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=86400, immutable',
      vary: expect.stringMatching(/\bcookie\b/),
      etag: `"${id}-480"`,
    }
    const whole = await get(picture(id), member)
    expect(Object.fromEntries(whole.headers)).toMatchObject({ ...told, 'content-length': '9' })
    const known = await get(picture(id), member, { 'if-none-match': `"${id}-480"` })
    expect([known.status, known.body, known.headers.get('content-length')]).toEqual([304, '', null])
    expect(Object.fromEntries(known.headers)).toMatchObject(told)
    const head = await app.request(picture(id), { method: 'HEAD', cookie: member.cookie })
    expect([head.status, head.body]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe('9')
  })
})

test('a picture for everybody is kept for good, and there are these widths of it', async () => {
  const id = await file({ purpose: 'course_cover' })
  const widths = [96, 256, 320, 640, 1280, 1920]
  for (const width of [...widths, 480]) {
    await app.services.storage.put(imageKey(id, width), Buffer.from(`${width} wide`))
  }
  const address = (width: number, of = id) => `/storage/v1/images/${of}/${width}.webp`
  for (const width of widths) {
    expect(await answered(address(width), null)).toEqual([200, `${width} wide`])
  }
  expect(await answered(address(480), null)).toEqual(nothing)
  expect(await answered(address(96, id.toUpperCase()), null)).toEqual([200, '96 wide'])
  expect(await answered(address(96, randomUUID()), null)).toEqual(noImage)
  expect(await answered(address(96, 'no-id'), null)).toEqual(nothing)
  expect(await answered(`${address(96)}/x`, null)).toEqual(nothing)
  const { headers } = await get(address(96), null)
  expect(Object.fromEntries(headers)).toMatchObject({
    ...inert,
    'content-type': 'image/webp',
    'content-length': '7',
    'cache-control': 'public, max-age=31536000, immutable',
    etag: `"${id}-96"`,
  })
  const head = await app.request(address(96), { method: 'HEAD' })
  expect([head.status, head.body, head.headers.get('content-length')]).toEqual([200, '', '7'])
})

test('of other kinds there is nothing', async () => {
  for (const path of [
    'nothing',
    `nothing/${randomUUID()}/96.webp`,
    'images',
    'videos.zip',
    `streams/${randomUUID()}/x/main.m3u8`,
  ]) {
    expect([path, await answered(`/storage/v1/${path}`, member)]).toEqual([path, nothing])
  }
})
