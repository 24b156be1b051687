// How a stored file is sent: whole, in part, or not again; and who may have the file of a post.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson, makePost } from '../../../test/factories.ts'
import { isKnown } from '../../server/is-known.ts'
import type { Viewer } from '../../server/viewer.ts'
import { courseAccess } from '../courses/access.ts'
import { postAttachments } from '../community/tables.ts'
import { derivedType } from './send-derived.ts'
import { inert, sendFile } from './send-file.ts'
import { mayHavePostFile } from './post-file.ts'
import { mediaFiles } from './tables.ts'
import { ownVideoUrl, tokenState, videoAddress } from './video-address.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

describe('a stored file', () => {
  const key = 'uploads/sent-file'
  const etag = '"one"'
  const send = (headers: Record<string, string> = {}, method = 'GET') =>
    sendFile(app.services.storage, new Request('http://localhost/', { method, headers }), {
      key,
      size: 10,
      etag,
      type: 'video/mp4',
      cacheControl: 'private',
    })
  const usual = {
    ...inert,
    'content-type': 'video/mp4',
    'accept-ranges': 'bytes',
    'cache-control': 'private',
    etag,
  }
  const said = async (answer: Response) => [
    answer.status,
    Object.fromEntries(answer.headers),
    await answer.text(),
  ]
  beforeAll(() => app.services.storage.put(key, Buffer.from('0123456789')))

  test('comes whole', async () => {
    expect(await said(send())).toEqual([200, { ...usual, 'content-length': '10' }, '0123456789'])
    expect(await said(send({}, 'HEAD'))).toEqual([200, { ...usual, 'content-length': '10' }, ''])
  })

  test('comes in part, when the part is of what is there', async () => {
    const part = { ...usual, 'content-length': '3', 'content-range': 'bytes 2-4/10' }
    const range = 'bytes=2-4'
    expect(await said(send({ range }))).toEqual([206, part, '234'])
    expect(await said(send({ range, 'if-range': ` ${etag} ` }))).toEqual([206, part, '234'])
    expect(await said(send({ range }, 'HEAD'))).toEqual([206, part, ''])
    expect((await said(send({ range, 'if-range': '"two"' })))[0]).toBe(200)
  })

  test('has nothing beyond its end', async () => {
    const { 'content-type': _type, ...rest } = usual
    expect(await said(send({ range: 'bytes=10-' }))).toEqual([
      416,
      { ...rest, 'content-range': 'bytes */10' },
      '',
    ])
  })

  test('does not come again to who has it', async () => {
    for (const known of [etag, '*', ' * ', `"two", ${etag}`, `${etag},"two"`]) {
      expect(await said(send({ 'if-none-match': known, range: 'bytes=0-1' })), known).toEqual([
        304,
        usual,
        '',
      ])
    }
    for (const unknown of ['"two"', 'one', '**', '']) {
      const request = new Request('http://localhost/', { headers: { 'if-none-match': unknown } })
      expect(isKnown(request, etag), unknown).toBe(false)
    }
    expect(isKnown(new Request('http://localhost/'), etag)).toBe(false)
  })
})

test('what is made of a video has these names, and no others', () => {
  const types = {
    'poster.jpg': 'image/jpeg',
    'preview.jpg': 'image/jpeg',
    'preview.vtt': 'text/vtt; charset=utf-8',
    'hls/main.m3u8': 'application/vnd.apple.mpegurl',
    'hls/80p/index.m3u8': 'application/vnd.apple.mpegurl',
    'hls/1080p/index.m3u8': 'application/vnd.apple.mpegurl',
    'hls/720p/init.mp4': 'video/mp4',
    'hls/720p/00001.m4s': 'video/mp4',
    [`hls/720p/${'a'.repeat(40)}.ts`]: 'video/mp2t',
  }
  for (const [name, type] of Object.entries(types)) {
    expect(derivedType(name), name).toBe(type)
    expect(derivedType(`x${name}`), name).toBeNull()
    expect(derivedType(`${name}x`), name).toBeNull()
  }
  for (const name of [
    '',
    'original',
    'posterxjpg',
    'preview.png',
    'hls/index.m3u8',
    'hls/7p/index.m3u8',
    'hls/12345p/index.m3u8',
    'hls/720p/main.m3u8',
    'hls/720p/.ts',
    `hls/720p/${'a'.repeat(41)}.ts`,
    'hls/720p/a/b.ts',
    'hls/720p/a.b.ts',
  ]) {
    expect(derivedType(name), name).toBeNull()
  }
})

describe('an address', () => {
  const holder = { mediaId: randomUUID() as string, viewerId: 'somebody', secret: 's' }
  const tokenOf = (address: string) => address.split('/').at(-1)!

  test('of a post opens nothing as one of a lesson, and the other way round', () => {
    const [lesson, post] = [videoAddress(holder), videoAddress({ ...holder, of: 'post' })]
    expect(lesson).toMatch(/^\/storage\/v1\/videos\/[\da-f-]{36}\/[\da-z]+\.[\w-]{43}$/)
    expect(post).toMatch(/^\/storage\/v1\/post-videos\/[\da-f-]{36}\/[\da-z]+\.[\w-]{43}$/)
    const worth = (address: string, of: 'lesson' | 'post') =>
      tokenState(tokenOf(address), { ...holder, of })
    expect([worth(lesson, 'lesson'), worth(post, 'post')]).toEqual(['good', 'good'])
    expect([worth(lesson, 'post'), worth(post, 'lesson')]).toEqual(['foreign', 'foreign'])
  })

  test('is of one video, however its id is written, of one person, and of this site', () => {
    const token = tokenOf(videoAddress(holder))
    const worth = (change: Partial<typeof holder> | { viewerId: null }) =>
      tokenState(token, { ...holder, ...change })
    expect(worth({ mediaId: holder.mediaId.toUpperCase() })).toBe('good')
    expect(worth({ mediaId: randomUUID() })).toBe('foreign')
    expect(worth({ viewerId: 'nobody else' })).toBe('foreign')
    expect(worth({ viewerId: null })).toBe('foreign')
    expect(worth({ secret: 't' })).toBe('foreign')
  })

  test('is given to the owner of what is ready', () => {
    const own = (file: Partial<Parameters<typeof ownVideoUrl>[0]> = {}) =>
      ownVideoUrl({ id: holder.mediaId, status: 'ready', ...file }, 'somebody', 's')
    expect(own()).toBe(`${videoAddress(holder)}/original`)
    expect(own({ purpose: 'video' })).toBe(`${videoAddress(holder)}/original`)
    expect(own({ purpose: 'post_video' })).toBe(
      `${videoAddress({ ...holder, of: 'post' })}/original`,
    )
    expect([own({ status: 'uploading' }), own({ status: 'failed' })]).toEqual([null, null])
  })
})

test('who may have the file of a post', async () => {
  const { services } = app
  const { db, pool } = services
  const [instructor, writer, member, stranger, admin] = [
    await makePerson(services),
    await makePerson(services),
    await makePerson(services),
    await makePerson(services),
    await makePerson(services),
  ]
  const course = await makeCourse(services, instructor)
  const elsewhere = await makeCourse(services, instructor)
  for (const one of [writer, member]) await joinCourse(services, one, course)
  await joinCourse(services, member, elsewhere)

  const file = async (facts: Partial<typeof mediaFiles.$inferInsert> = {}) => {
    const [row] = await db
      .insert(mediaFiles)
      .values({
        ownerId: writer.id,
        courseId: course.id,
        purpose: 'post_image',
        status: 'ready',
        filename: 'a.png',
        sizeBytes: 1,
        ...facts,
      })
      .returning({ id: mediaFiles.id })
    return row!.id
  }
  const inPost = async (status: string, by = writer) => {
    const postId = await makePost(services, course, { by })
    const mediaId = await file({ ownerId: by.id })
    await db.insert(postAttachments).values({ postId, orderIndex: 1, kind: 'image', mediaId })
    await pool.query(
      `update posts set status = $2, scheduled_for = case when $2 = 'scheduled' then now() end where id = $1`,
      [postId, status],
    )
    return mediaId
  }
  const may = async (mediaId: string, where = course) => {
    const people = { instructor, writer, member, stranger, admin }
    const allowed: string[] = []
    for (const [name, person] of Object.entries(people)) {
      const role = name === 'admin' ? 'admin' : 'user'
      const viewer = { ...person, role, suspendedAt: null } as unknown as Viewer
      const access = await courseAccess(db, viewer, { courseId: where.id })
      if (await mayHavePostFile(db, viewer, access!, mediaId)) allowed.push(name)
    }
    return allowed
  }
  expect(await may(await inPost('published'))).toEqual(['instructor', 'writer', 'member', 'admin'])
  expect(await may(await inPost('hidden'))).toEqual(['instructor', 'admin'])
  expect(await may(await inPost('scheduled', instructor))).toEqual(['instructor'])
  // What stands in no post yet is its owner's.
  expect(await may(await file())).toEqual(['writer'])
  expect(await may(await file({ purpose: 'post_video' }))).toEqual(['writer'])
  expect(await may(await file({ purpose: 'video' }))).toEqual([])
  expect(await may(await file({ status: 'uploading' }))).toEqual([])
  expect(await may(await file({ courseId: elsewhere.id }))).toEqual([])
  expect(await may(await inPost('published'), elsewhere)).toEqual([])
  expect(await may(randomUUID())).toEqual([])
})
