// Images and videos of posts: who may send them, what becomes of their bytes, who gets them back.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse } from '../../../test/factories.ts'
import { patience } from '../../../test/patience.ts'
import { storedBytes } from '../../../test/stored-files.ts'
import { courseTopic } from '../../server/publish.ts'
import { users } from '../accounts/tables.ts'
import { storageOfCourse } from '../media/course-storage.ts'
import { deleteFilesOf } from '../media/delete-files.ts'
import { derivedKey } from '../media/derived-files.ts'
import { uploadKey } from '../media/finish-upload.ts'
import { handOverFiles } from '../media/hand-over-files.ts'
import { mediaData } from '../media/personal-data.ts'
import { note } from '../media/processing-queue.ts'
import { postFilesPerDay, postImageUrl, postImageVersions, problems } from '../media/rules.ts'
import { imageKey, postImageKey } from '../media/store-image.ts'
import { mediaFiles, videoProcessings } from '../media/tables.ts'
import { removeStaleUploads } from '../media/uploads.ts'
import { videoAddress } from '../media/video-address.ts'
import { setPostHidden } from './hide-post.ts'
import { otherHost } from './rules.ts'
import { chooseAttachments } from './ui/choose-attachments.ts'

const film = await readFile('test/fixtures/lesson.mp4')

let app: TestApp
let owner: Person
let member: Person
let other: Person
let outsider: Person
let admin: Person
let courseId: string
let picture: Buffer

beforeAll(async () => {
  app = await startTestApp()
  ;[owner, member, other, outsider, admin] = await Promise.all([
    app.signUp(),
    app.signUp(),
    app.signUp(),
    app.signUp(),
    app.signUp(),
  ])
  await app.services.db.update(users).set({ role: 'admin' }).where(eq(users.id, admin.id))
  courseId = await courseOf(owner)
  picture = await drawn(1200, 800).png().toBuffer()
})
afterAll(() => app.stop())

async function courseOf(instructor: Person) {
  const course = await makeCourse(app.services, instructor)
  for (const person of [member, other]) {
    if (person !== instructor) await joinCourse(app.services, person, course)
  }
  return course.id
}

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 90, g: 40, b: 220 } } })

interface Sending {
  by?: Person
  purpose?: string
  filename?: string
  course?: string | null
}

/** As the composer sends it; answers the id, or the refusal. */
async function send(bytes: Uint8Array, sending: Sending = {}) {
  const { by = member, purpose = 'post_image', filename = 'a.png', course = courseId } = sending
  const metadata = Object.entries({ purpose, filename, ...(course && { courseId: course }) })
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')
  const tus = { 'tus-resumable': '1.0.0', cookie: by.cookie }
  const opened = await app.request('/storage/v1/uploads', {
    method: 'POST',
    headers: { ...tus, 'upload-length': String(bytes.length), 'upload-metadata': metadata },
  })
  if (opened.status !== 201) {
    const wait = Number(opened.headers.get('retry-after'))
    return { status: opened.status, text: opened.body, wait, id: '' }
  }
  const path = opened.headers.get('location')!
  const answer = await fetch(app.url + path, {
    method: 'PATCH',
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: bytes as BodyInit,
  })
  return { status: answer.status, text: await answer.text(), id: path.split('/').at(-1)! }
}

async function sent(bytes: Uint8Array = picture, sending: Sending = {}): Promise<string> {
  const { status, text, id } = await send(bytes, sending)
  expect([status, text]).toEqual([204, ''])
  return id
}

const sentFilm = () => sent(film, { purpose: 'post_video', filename: 'a.mp4' })

/** How often whoever reads the course heard that this post changed. */
async function timesToldOf(postId: string): Promise<number> {
  const { rows } = await app.services.db.execute<{ times: number }>(sql`
    select count(*)::int as times from live_events
     where topic = ${courseTopic(courseId)} and event ->> 'postId' = ${postId} and event ->> 'change' = 'changed'`)
  return rows[0]!.times
}

type Given = { mediaId: string } | { url: string }

const write = (attachments: Given[], by = member, course = courseId) =>
  app.request('/rest/v1/posts', {
    cookie: by.cookie,
    body: { courseId: course, content: 'Look at this', attachments },
  })

async function written(attachments: Given[]) {
  const { status, body } = await write(attachments)
  expect([status, body.message]).toEqual([200, undefined])
  return body
}

const edit = (postId: string, attachments: Given[], by = member) =>
  app.request(`/rest/v1/posts/${postId}`, {
    method: 'PUT',
    cookie: by.cookie,
    body: { content: 'Look at this', attachments },
  })

const statusOf = async (path: string, by: Person | null) =>
  (await app.request(path, by ? { cookie: by.cookie } : {})).status

const statusesOf = async (path: string) => {
  const people = { owner, member, other, admin, outsider, nobody: null }
  const statuses: Record<string, number> = {}
  for (const [name, person] of Object.entries(people)) statuses[name] = await statusOf(path, person)
  return statuses
}

const isStored = async (key: string) => (await app.services.storage.size(key)) !== null

const hide = (postId: string, hidden: boolean) =>
  app.services.db.transaction((transaction) =>
    setPostHidden(transaction, { postId, courseId, hidden }),
  )

describe('what may be chosen', () => {
  const named = (...names: string[]) => names.map((name) => ({ name, type: '' }))

  test('takes the first ten of forty, and names the others', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      name: `${index + 1}.png`,
      type: 'image/png',
    }))
    const { taken, left } = chooseAttachments(many, 0)
    expect(taken.map(({ name }) => name)).toEqual(many.slice(0, 10).map(({ name }) => name))
    expect(left).toMatch(
      /^A post can have at most 10 attachments\. Not added: “11.png”, .*“22.png” and 18 more\.$/,
    )
    expect(chooseAttachments(many.slice(0, 3), 8).left).toBe(
      'A post can have at most 10 attachments. Not added: “3.png”.',
    )
  })

  test('leaves out what is neither an image nor a video', () => {
    const { taken, left } = chooseAttachments(named('notes.pdf', 'a.JPG', 'b.mov'), 0)
    expect(taken).toEqual(named('a.JPG', 'b.mov'))
    expect(left).toBe('Only images and videos can stand below a post. Not added: “notes.pdf”.')
  })
})

describe('images', () => {
  test('fit into their widths, whole and never enlarged', () => {
    const widths = (width: number, height: number) =>
      postImageVersions({ width, height }).map((one) => [one.name, one.width, one.height])
    expect(widths(4000, 2000)).toEqual([
      [480, 480, 240],
      [960, 960, 480],
      [1920, 1920, 960],
    ])
    expect(widths(700, 700)).toEqual([
      [480, 480, 480],
      [960, 700, 700],
    ])
    expect(widths(20, 10)).toEqual([[480, 20, 10]])
    // What WebP cannot hold is made smaller.
    expect(widths(1000, 40_000).at(-1)).toEqual([480, 400, 16_000])
  })

  test('are turned upright, stripped, and kept as WebP', async () => {
    const photo = await drawn(1200, 800)
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Copyright: 'Ann lives at 1 Main Street' } })
      .jpeg()
      .toBuffer()
    const id = await sent(photo, { filename: 'photo.jpg' })
    const [post] = [await written([{ mediaId: id }])]
    const [image] = post.attachments
    expect(image).toMatchObject({ kind: 'image', mediaId: id, width: 800, height: 1200 })
    expect(image.versions).toEqual([
      { url: postImageUrl(id), width: 480 },
      { url: postImageUrl(id, 960), width: 800 },
    ])
    const answer = await fetch(app.url + image.versions[1].url, {
      headers: { cookie: member.cookie },
    })
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(answer.headers.get('cache-control')).toMatch(/^private/)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.includes('Main Street')).toBe(false)
    expect(await sharp(bytes).metadata()).toMatchObject({
      width: 800,
      height: 1200,
      format: 'webp',
    })
    expect(await isStored(uploadKey(id))).toBe(false)
  })

  test('a GIF that moves is kept by its first frame', async () => {
    const frames = Buffer.concat([Buffer.alloc(60 * 40 * 3, 0), Buffer.alloc(60 * 40 * 3, 255)])
    const raw = { width: 60, height: 80, channels: 3 as const, pageHeight: 40 }
    const id = await sent(await sharp(frames, { raw }).gif().toBuffer(), { filename: 'a.gif' })
    const stored = await storedBytes(app.services.storage, postImageKey(id, 480))
    const { width, height, pages } = await sharp(stored).metadata()
    expect([width, height, pages ?? 1]).toEqual([60, 40, 1])
    expect((await sharp(stored).stats()).channels[0]!.max).toBeLessThan(10)
  })

  test('what is no good is refused in words, and the server goes on', async () => {
    const header = Buffer.concat([Buffer.from('IHDR'), Buffer.alloc(13)])
    header.writeUInt32BE(50_000, 4)
    header.writeUInt32BE(50_000, 8)
    header.set([8, 6], 12)
    const checked = Buffer.alloc(4)
    checked.writeUInt32BE(crc32(header))
    const bomb = Buffer.concat([picture.subarray(0, 12), header, checked, picture.subarray(33)])
    const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), randomBytes(99)])
    const gif = Buffer.alloc(20 * 1024 * 1024)
    expect(await send(bomb)).toMatchObject({ status: 415, text: problems.imagePixels })
    expect(await send(heic)).toMatchObject({ status: 415, text: problems.imageType })
    expect(await send(picture.subarray(0, picture.length / 2))).toMatchObject({
      status: 415,
      text: problems.imageDamaged,
    })
    expect(await send(Buffer.alloc(0))).toMatchObject({ status: 400, text: problems.empty })
    expect(await send(gif, { filename: 'a.gif' })).toMatchObject({
      status: 413,
      text: 'Image file is too large. Please upload a file smaller than 10MB.',
    })
    expect(await send(film, { filename: 'a.png' })).toMatchObject({ status: 415 })
    expect((await app.request('/healthz')).status).toBe(200)
  })

  test('only those send them who take part, and so many a day', async () => {
    const words = 'Only members of this course can take part in its discussion.'
    for (const by of [outsider, admin]) {
      expect(await send(picture, { by })).toMatchObject({ status: 403, text: words })
    }
    expect(await send(picture, { course: null })).toMatchObject({ status: 400 })
    await app.services.db.execute(sql`
      insert into rate_limits (key, points, expire)
      values (${`upload-post_image:${other.id}`}, ${postFilesPerDay.post_image}, ${Date.now() + 8e7})`)
    const refused = await send(picture, { by: other })
    expect(refused).toMatchObject({
      status: 429,
      text: `${problems.postImages} Please continue in 23 hours.`,
    })
    expect(refused.wait! / 3600).toBeCloseTo(8e4 / 3600, 1)
    expect(await send(picture, { by: owner })).toMatchObject({ status: 204 })
  })

  test('are for members, as long as their post is shown', async () => {
    const id = await sent()
    const path = postImageUrl(id)
    const theirs = { owner: 404, member: 200, other: 404, admin: 404, outsider: 403, nobody: 401 }
    expect(await statusesOf(path)).toEqual(theirs)

    const { id: postId } = await written([{ mediaId: id }])
    const shown = { ...theirs, owner: 200, other: 200, admin: 200 }
    expect(await statusesOf(path)).toEqual(shown)
    // Whatever everybody may ask for leads elsewhere, also at a width that both have.
    await app.services.storage.put(postImageKey(id, 640), picture)
    for (const width of [256, 480, 640, 960]) {
      expect(await statusOf(`/storage/v1/images/${id}/${width}.webp`, member)).toBe(404)
      expect(await isStored(imageKey(id, width))).toBe(false)
    }

    await hide(postId, true)
    expect(await statusesOf(path)).toEqual({ ...shown, member: 404, other: 404 })
    await hide(postId, false)
    expect(await statusesOf(path)).toEqual(shown)

    const deleted = { method: 'DELETE', cookie: member.cookie }
    expect((await app.request(`/rest/v1/posts/${postId}`, deleted)).status).toBe(200)
    expect((await statusesOf(path)).member).toBe(404)
    await vi.waitFor(
      async () => expect(await isStored(postImageKey(id, 480))).toBe(false),
      patience,
    )
  })
})

describe('attachments of a post', () => {
  test('keep their order, and go with their bytes when they are left out', async () => {
    const [one, two] = [await sent(), await sent()]
    const link = { url: 'youtu.be/dQw4w9WgXcQ?t=42' }
    const post = await written([{ mediaId: one }, link, { mediaId: two }])
    const page = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42s'
    expect(post.attachments).toMatchObject([{ mediaId: one }, { url: page }, { mediaId: two }])

    const edited = await edit(post.id, [{ mediaId: two }, { url: page }])
    expect(edited.body.attachments).toMatchObject([{ mediaId: two }, { url: page }])
    await vi.waitFor(
      async () => expect(await isStored(postImageKey(one, 480))).toBe(false),
      patience,
    )
    expect(await isStored(postImageKey(two, 480))).toBe(true)
  })

  test('are refused in words, and nothing is written then', async () => {
    const mine = await sent()
    const { id: postId } = await written([{ mediaId: mine }])
    const refusals: [Given[], string | RegExp][] = [
      [[{ url: 'https://example.com/film.mp4' }], otherHost],
      [[{ url: 'javascript:alert(1)' }], otherHost],
      [[{ mediaId: mine }], /another post/],
      [[{ mediaId: await sent(picture, { by: owner }) }], /no longer there/],
      [[{ mediaId: await sent(picture, { course: await courseOf(outsider) }) }], /no longer there/],
    ]
    for (const [attachments, message] of refusals) {
      const { status, body } = await write(attachments)
      expect([status, body.message]).toEqual([400, expect.stringMatching(message)])
    }
    const eleven = Array.from({ length: 11 }, () => ({ mediaId: mine }))
    expect(await write(eleven)).toMatchObject({
      status: 422,
      body: { message: 'A post can have at most 10 attachments' },
    })
    const free = await sent()
    expect((await write([{ mediaId: free }, { mediaId: free }])).body.message).toMatch(/twice/)
    expect((await edit(postId, [{ mediaId: free }], owner)).status).toBe(403)
    const { rows } = await app.services.db.execute(
      sql`select media_id from post_attachments where post_id = ${postId}`,
    )
    expect(rows).toEqual([{ media_id: mine }])
  })

  test('what stands in no post goes after a day', async () => {
    const [kept, lost, fresh] = [await sent(), await sent(), await sent()]
    await written([{ mediaId: kept }])
    await app.services.db
      .update(mediaFiles)
      .set({ updatedAt: sql`now() - interval '25 hours'` })
      .where(sql`${mediaFiles.id} in (${kept}, ${lost})`)
    await removeStaleUploads(app.services)
    const there = [kept, lost, fresh].map((id) => isStored(postImageKey(id, 480)))
    expect(await Promise.all(there)).toEqual([true, false, true])
    expect((await write([{ mediaId: lost }])).body.message).toMatch(/no longer there/)
  })
})

describe('videos', () => {
  test('are for members, by an address of their own', async () => {
    const before = await storageOfCourse(app.services.db, courseId)
    const id = await sentFilm()
    const { id: postId } = await written([{ mediaId: id }])
    const after = await storageOfCourse(app.services.db, courseId)
    expect(after.bytes - before.bytes).toBe(film.length)

    const urlFor = async (by: Person) => {
      const { body } = await app.request(`/rest/v1/posts/${postId}`, { cookie: by.cookie })
      return body.attachments[0].url as string
    }
    const url = await urlFor(other)
    expect(await statusOf(url, other)).toBe(200)
    expect(await statusOf(url, member)).toBe(403)
    expect(await statusOf(url, outsider)).toBe(403)
    expect(await statusOf(url, null)).toBe(401)
    // The way to the videos of lessons opens with a token for one, which nobody gets for this one.
    expect(await statusOf(url.replace('post-videos', 'videos'), other)).toBe(403)
    const { secret } = app.services
    const forLesson = videoAddress({ mediaId: id, viewerId: other.id, secret })
    expect(await statusOf(`${forLesson}/original`, other)).toBe(404)

    const poster = url.replace('original', 'poster.jpg')
    await app.services.storage.put(derivedKey(id, 'poster.jpg'), picture)
    expect(await statusOf(poster, other)).toBe(200)
    const forOwner = await urlFor(owner)
    await hide(postId, true)
    expect([await statusOf(url, other), await statusOf(poster, other)]).toEqual([404, 404])
    expect(await statusOf(forOwner, owner)).toBe(200)

    expect(
      (await app.request(`/rest/v1/posts/${postId}`, { method: 'DELETE', cookie: owner.cookie }))
        .status,
    ).toBe(200)
    const keys = [uploadKey(id), derivedKey(id, 'poster.jpg')]
    await vi.waitFor(
      async () => expect(await Promise.all(keys.map(isStored))).toEqual([false, false]),
      patience,
    )
  })

  test('say that they are still being processed, and when they are not any more', async () => {
    const mediaId = await sentFilm()
    const { id: postId } = await written([{ mediaId }])
    const shown = async () => {
      const { body } = await app.request(`/rest/v1/posts/${postId}`, { cookie: other.cookie })
      return { ...body.attachments[0], told: await timesToldOf(postId) }
    }
    const claim = { mediaId, attempts: 1, contentType: 'video/mp4', durationSeconds: null }
    const work = { mediaId, status: 'running' as const, attempts: 1 }
    await app.services.db
      .insert(videoProcessings)
      .values(work)
      .onConflictDoUpdate({ target: videoProcessings.mediaId, set: work })
    expect(await shown()).toMatchObject({ isProcessing: true, posterUrl: null, told: 0 })

    await note(app.services, claim, { percent: 3 })
    await note(app.services, claim, { hasPoster: true, percent: 4 })
    expect(await shown()).toMatchObject({
      isProcessing: true,
      posterUrl: expect.any(String),
      told: 1,
    })
    await note(app.services, claim, { status: 'done', percent: 100, heights: [360] })
    expect(await shown()).toMatchObject({
      isProcessing: false,
      streamUrl: expect.any(String),
      told: 2,
    })
  })

  test('what a person sent for posts is in their download', async () => {
    const [image, video] = [await sent(), await sentFilm()]
    const { rows } = await app.services.db.execute<{ id: string; email: string }>(
      sql`select id, email from users where id = ${member.id}`,
    )
    const files = await mediaData.files!(app.services.db, { ...rows[0]!, phoneNumber: null })
    const keys = files.map(({ storageKey }) => storageKey)
    expect(keys).toEqual(expect.arrayContaining([postImageKey(image, 1920), uploadKey(video)]))
    for (const key of keys) expect(await isStored(key)).toBe(true)
  })

  test('go with who sent them, also out of courses that others take over', async () => {
    const course = await courseOf(member)
    const id = await sent(picture, { course })
    const leaving = { from: member.id, to: admin.id, courseIds: [course], thumbnailIds: [] }
    await app.services.db.transaction(async (transaction) => {
      await handOverFiles(transaction, leaving)
      await deleteFilesOf(transaction, member.id)
    })
    await vi.waitFor(
      async () => expect(await isStored(postImageKey(id, 480))).toBe(false),
      patience,
    )
  })
})
