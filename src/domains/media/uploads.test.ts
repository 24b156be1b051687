// Uploads over real HTTP, by the tus client library and by hand.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFile, rename, rm, symlink } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../test/app.ts'
import { hasObjectStore } from '../../../test/object-store.ts'
import { storedBytes, storedLongAgo } from '../../../test/stored-files.ts'
import { courses } from '../courses/tables.ts'
import { emptyRichText } from '../lessons/rich-text.ts'
import { uploadKey } from './finish-upload.ts'
import { mediaFile } from './queries.ts'
import { mediaFiles, videoProcessings } from './tables.ts'
import { arrivedBytes, openUploadFiles } from './upload-files.ts'
import { finishInterruptedUploads, removeStaleUploads } from './uploads.ts'

const lesson = await readFile('test/fixtures/lesson.mp4')
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The fixture with a box of noise behind it: still a film, as large as we like. */
function film(size: number): Buffer {
  const noise = randomBytes(size - lesson.length)
  noise.writeUInt32BE(noise.length, 0)
  noise.write('free', 4, 'latin1')
  return Buffer.concat([lesson, noise])
}

let app: TestApp
let creator: Person
let stranger: Person
let courseId: string

beforeAll(async () => {
  app = await startTestApp({ VIDEO_MAX_MB: '2' })
  creator = await app.signUp()
  stranger = await app.signUp()
  courseId = await newCourse(creator)
})
afterAll(() => app.stop())

async function newCourse(owner: Person, status: 'draft' | 'published' = 'draft') {
  const [course] = await app.services.db
    .insert(courses)
    .values({
      slug: randomUUID(),
      title: 'A course',
      description: emptyRichText,
      instructorId: owner.id,
      category: 'Tech',
      status,
    })
    .returning()
  return course!.id
}

type Headers = Record<string, string>

const metadataOf = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

function send(method: string, path: string, headers: Headers, body?: Uint8Array | ReadableStream) {
  return fetch(app.url + path, {
    method,
    headers: { 'tus-resumable': '1.0.0', ...headers },
    body: body as BodyInit,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  })
}

type NewUpload = {
  person?: Person
  size: number
  metadata?: Record<string, string>
  headers?: Headers
}

const videoMetadata = () => ({
  purpose: 'video',
  courseId,
  filename: 'a.mp4',
  filetype: 'video/mp4',
})
const pictureMetadata = { purpose: 'thumbnail', filename: 'a.png', filetype: 'image/png' }

function create({ person = creator, size, metadata = videoMetadata(), headers }: NewUpload) {
  return send('POST', '/storage/v1/uploads', {
    cookie: person.cookie,
    'upload-length': String(size),
    'upload-metadata': metadataOf(metadata),
    ...headers,
  })
}

async function created(options: NewUpload): Promise<string> {
  const response = await create(options)
  expect([response.status, await response.text()]).toEqual([201, ''])
  const location = response.headers.get('location') ?? ''
  expect(location).toMatch(/^\/storage\/v1\/uploads\/[0-9a-f-]{36}$/)
  return location
}

function patch(path: string, body: Uint8Array | ReadableStream, offset = 0, headers: Headers = {}) {
  return send(
    'PATCH',
    path,
    {
      cookie: creator.cookie,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      ...headers,
    },
    body,
  )
}

const head = (path: string, person = creator) => send('HEAD', path, { cookie: person.cookie })

const idOf = (path: string) => path.split('/').at(-1) ?? ''
const rowOf = (path: string) => mediaFile(app.services.db, idOf(path))
const bytesOf = (path: string) => storedBytes(app.services.storage, uploadKey(idOf(path)))
const storedSize = (path: string) => app.services.storage.size(uploadKey(idOf(path)))
/** An object store shows nothing of a request before it has ended. */
const arrived = (path: string) => arrivedBytes(openUploadFiles(app.services), idOf(path))
/** As it is on the disk. */
const diskPath = (key: string) => join(app.services.config.dataDir, 'storage', key)

/** A whole upload of `bytes`; answers where it is, and the answer to its last byte. */
async function upload(bytes: Uint8Array, metadata?: Record<string, string>) {
  const path = await created({ size: bytes.length, metadata })
  const response = await patch(path, bytes)
  return { path, status: response.status, text: await response.text() }
}

/** Sends the head of a PATCH request and a part of its body, and then nothing more. */
function startToSend(path: string, whole: Buffer, bytes: number): Socket {
  const { port, hostname } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  const lines = [
    `PATCH ${path} HTTP/1.1`,
    'Host: thunder.test',
    `Cookie: ${creator.cookie}`,
    'Tus-Resumable: 1.0.0',
    'Upload-Offset: 0',
    'Content-Type: application/offset+octet-stream',
    `Content-Length: ${whole.length}`,
    '\r\n',
  ]
  socket.write(lines.join('\r\n'))
  socket.write(whole.subarray(0, bytes))
  return socket
}

describe('a video', () => {
  test('arrives whole over a broken connection', async () => {
    const bytes = film(1_500_000)
    const path = await created({ size: bytes.length })
    const connection = startToSend(path, bytes, 700_000)
    if (!hasObjectStore) await expect.poll(() => arrived(path)).toBe(700_000)
    connection.destroy()
    const offset = Number((await head(path)).headers.get('upload-offset'))
    if (!hasObjectStore) expect(offset).toBe(700_000)
    expect((await rowOf(path))?.status).toBe('uploading')

    expect((await patch(path, bytes.subarray(offset), offset)).status).toBe(204)
    expect(sha256(await bytesOf(path))).toBe(sha256(bytes))
    expect(await rowOf(path)).toMatchObject({
      ownerId: creator.id,
      courseId,
      status: 'ready',
      problem: null,
      filename: 'a.mp4',
      contentType: 'video/mp4',
      sizeBytes: bytes.length,
      durationSeconds: 12,
    })
    const done = await head(path)
    expect([done.status, done.headers.get('upload-offset')]).toEqual([200, String(bytes.length)])
  })

  test('does not wait for a connection that hangs', async () => {
    const bytes = film(300_000)
    const path = await created({ size: bytes.length })
    const hanging = startToSend(path, bytes, 100_000)
    if (!hasObjectStore) await expect.poll(() => arrived(path)).toBe(100_000)
    const offset = Number((await head(path)).headers.get('upload-offset'))
    if (!hasObjectStore) expect(offset).toBe(100_000)
    expect((await patch(path, bytes.subarray(offset), offset)).status).toBe(204)
    hanging.destroy()
    expect(sha256(await bytesOf(path))).toBe(sha256(bytes))
  })

  test('arrives whole by the client library, stopped and gone on by another client', async () => {
    const bytes = film(1_000_000)
    const options = {
      endpoint: `${app.url}/storage/v1/uploads`,
      headers: { cookie: creator.cookie },
      metadata: videoMetadata(),
      chunkSize: 100_000,
    }
    const url = await new Promise<string>((resolve, reject) => {
      const first = new Upload(bytes, {
        ...options,
        onError: reject,
        onChunkComplete(_size, accepted) {
          if (accepted < 400_000) return
          void first.abort().then(() => resolve(first.url ?? ''))
        },
      })
      first.start()
    })
    await new Promise<void>((resolve, reject) => {
      const second = new Upload(bytes, {
        ...options,
        uploadUrl: url,
        onError: reject,
        onSuccess: () => resolve(),
      })
      second.start()
    })
    const path = new URL(url).pathname
    expect(sha256(await bytesOf(path))).toBe(sha256(bytes))
    expect((await rowOf(path))?.status).toBe('ready')
  })

  test('may be exactly as large as the limit, and not one byte larger', async () => {
    const limit = 2 * 1024 * 1024
    await cancelled(await created({ size: limit }))
    const tooLarge = await create({ size: limit + 1 })
    expect([tooLarge.status, await tooLarge.text()]).toEqual([
      413,
      'Video file is too large. Please upload a file smaller than 2MB.',
    ])
  })

  test('that is a text is refused, and nothing of it stays', async () => {
    const { path, status, text } = await upload(Buffer.from('This is not a film. '.repeat(500)))
    const message = 'Please upload a valid video file (MP4, WebM, OGG, AVI, MOV, QuickTime)'
    expect([status, text]).toEqual([415, message])
    expect(await rowOf(path)).toMatchObject({ status: 'failed', problem: message })
    expect(await storedSize(path)).toBeNull()
    expect((await head(path)).status).toBe(410)
    const again = await patch(path, Buffer.from('x'), 0)
    expect([again.status, await again.text()]).toEqual([410, message])
    expect((await send('DELETE', path, { cookie: creator.cookie })).status).toBe(204)
    expect(await rowOf(path)).toBeNull()
  })

  test('without its header is refused as damaged', async () => {
    const { status, text } = await upload(lesson.subarray(0, 2000))
    expect(status).toBe(415)
    expect(text).toMatch(/damaged or incomplete/)
  })

  test('of another kind is taken for what it is', async () => {
    const webm = Buffer.from(
      '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104',
      'hex',
    )
    const { path, status } = await upload(webm)
    expect(status).toBe(204)
    expect(await rowOf(path)).toMatchObject({ contentType: 'video/webm', durationSeconds: null })
  })

  test('is known to its owner only', async () => {
    const { path } = await upload(lesson)
    const url = `/rest/v1/media/${idOf(path)}`
    const mine = await app.request(url, { cookie: creator.cookie })
    expect(mine.body).toEqual({
      id: idOf(path),
      filename: 'a.mp4',
      sizeBytes: lesson.length,
      status: 'ready',
      problem: null,
      url: expect.stringContaining(`/storage/v1/videos/${idOf(path)}/`),
      processing: null,
      thumbnail: null,
    })
    expect((await app.request(url, { cookie: stranger.cookie })).status).toBe(404)
    expect((await app.request(url)).status).toBe(401)
  })
})

test('a course says what its videos take: the uploads, and what was made of them', async () => {
  const course = await newCourse(creator)
  const contentOf = async () => {
    const url = `/rest/v1/courses/${course}/content`
    return (await app.request(url, { cookie: creator.cookie })).body
  }
  expect((await contentOf()).storage).toEqual({ bytes: 0, files: 0 })
  const metadata = { ...videoMetadata(), courseId: course }
  const { path } = await upload(lesson, metadata)
  await upload(lesson, metadata)
  await created({ size: 1000, metadata })
  await upload(png, { ...pictureMetadata, courseId: course })
  expect((await contentOf()).storage).toEqual({ bytes: 2 * lesson.length, files: 2 })
  await app.services.db
    .insert(videoProcessings)
    .values({ mediaId: idOf(path), status: 'done', sizeBytes: 7 })
    .onConflictDoUpdate({
      target: videoProcessings.mediaId,
      set: { status: 'done', sizeBytes: 7 },
    })
  expect((await contentOf()).storage.bytes).toBe(2 * lesson.length + 7)
})

describe('who may', () => {
  test('strangers may nothing, others may not touch an upload, nobody reads it here', async () => {
    const path = await created({ size: lesson.length })
    const content = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    for (const [method, headers] of [
      ['HEAD', {}],
      ['GET', {}],
      ['DELETE', {}],
      ['PATCH', content],
    ] as const) {
      const body = method === 'PATCH' ? lesson : undefined
      expect([method, (await send(method, path, { ...headers }, body)).status]).toEqual([
        method,
        401,
      ])
      const other = await send(method, path, { ...headers, cookie: stranger.cookie }, body)
      expect([method, other.status]).toEqual([method, 404])
    }
    expect((await send('POST', '/storage/v1/uploads', { 'upload-length': '5' })).status).toBe(401)
    expect((await send('GET', path, { cookie: creator.cookie })).status).toBe(405)
    expect((await send('GET', '/storage/v1/uploads', { cookie: creator.cookie })).status).toBe(405)
    expect((await head(path)).headers.get('upload-offset')).toBe('0')
    expect((await head(`/storage/v1/uploads/${randomUUID()}`)).status).toBe(404)
    expect((await head('/storage/v1/uploads/..%2f..%2fauth-secret')).status).toBe(404)
    expect((await head(`${path}?x=1`)).headers.get('upload-offset')).toBe('0')
    await cancelled(path)
  })

  test('only the instructor adds videos to a course', async () => {
    const published = await newCourse(creator, 'published')
    const metadata = { ...videoMetadata(), courseId: published }
    expect((await create({ person: stranger, size: 100, metadata })).status).toBe(403)
    expect((await create({ person: stranger, size: 100 })).status).toBe(404)
    const nowhere = { ...metadata, courseId: randomUUID() }
    expect((await create({ size: 100, metadata: nowhere })).status).toBe(404)
    const others = { ...pictureMetadata, courseId: published }
    expect((await create({ person: stranger, size: 100, metadata: others })).status).toBe(403)
  })
})

describe('bad requests', () => {
  test.each<[string, number, RegExp | string, Partial<NewUpload>]>([
    ['no metadata', 400, /metadata/, { headers: { 'upload-metadata': '' } }],
    ['broken base64', 400, /metadata/, { headers: { 'upload-metadata': 'purpose !!!' } }],
    ['a key without value', 400, /purpose/, { headers: { 'upload-metadata': 'purpose' } }],
    ['another purpose', 400, /purpose/, { metadata: { purpose: 'banner', filename: 'a.png' } }],
    ['no filename', 400, /filename/, { metadata: { purpose: 'thumbnail' } }],
    [
      'a long filename',
      400,
      /255/,
      { metadata: { ...pictureMetadata, filename: 'a'.repeat(300) } },
    ],
    ['no course', 400, /courseId/, { metadata: { purpose: 'video', filename: 'a.mp4' } }],
    [
      'a course that is no id',
      400,
      /not a valid id/,
      { metadata: { ...pictureMetadata, courseId: "' or 1" } },
    ],
    ['a negative length', 400, /upload-length/i, { headers: { 'upload-length': '-5' } }],
    ['a length that is no number', 400, /upload-length/i, { headers: { 'upload-length': '1e3' } }],
    [
      'a length beyond reason',
      413,
      /too large/,
      { headers: { 'upload-length': '9007199254740991' } },
    ],
    ['a length to come', 400, /length/, { headers: { 'upload-defer-length': '1' } }],
    ['parts', 400, /one piece/, { headers: { 'upload-concat': 'partial' } }],
    ['another tus', 400, /tus-resumable/i, { headers: { 'tus-resumable': '0.2.2' } }],
    ['nothing', 400, 'This file is empty. Please choose another one.', { size: 0 }],
    [
      'a wrong type',
      415,
      'Please upload a valid video file (MP4, WebM, OGG, AVI, MOV, QuickTime)',
      {
        metadata: {
          purpose: 'video',
          courseId: '',
          filename: 'a.pdf',
          filetype: 'application/pdf',
        },
      },
    ],
    [
      'an image over 10 MB',
      413,
      'Image file is too large. Please upload a file smaller than 10MB.',
      { size: 10 * 1024 * 1024 + 1, metadata: pictureMetadata },
    ],
    [
      'a picture that is none',
      415,
      /image file/,
      { metadata: { ...pictureMetadata, filetype: 'image/svg+xml' } },
    ],
  ])('%s is refused with %d', async (_what, status, message, options) => {
    const metadata =
      options.metadata?.courseId === '' ? { ...options.metadata, courseId } : options.metadata
    const before = await app.services.db.$count(mediaFiles)
    const response = await create({ size: 1000, ...options, metadata })
    const text = await response.text()
    expect(response.status).toBe(status)
    if (typeof message === 'string') expect(text).toBe(message)
    else expect(text).toMatch(message)
    expect(await app.services.db.$count(mediaFiles)).toBe(before)
  })

  test('bytes at the wrong place or too many of them change nothing', async () => {
    const path = await created({ size: 1000 })
    const bytes = Buffer.alloc(1001)
    expect((await patch(path, bytes.subarray(0, 10), 5)).status).toBe(409)
    expect((await patch(path, bytes)).status).toBe(413)
    expect((await patch(path, bytes, 0, { 'content-type': 'text/plain' })).status).toBe(400)
    expect((await patch(path, bytes, -1)).status).toBe(400)
    expect((await send('PATCH', path, { cookie: creator.cookie })).status).toBe(403)
    expect((await send('PUT', path, { cookie: creator.cookie })).status).toBe(405)
    expect((await head(path)).headers.get('upload-offset')).toBe('0')
    const stream = new Blob([bytes]).stream()
    expect((await patch(path, stream)).status).toBe(413)
    await cancelled(path)
  })

  test('a filename cannot do harm', async () => {
    const filename = '../../../\0etc/<script>"\r\n.mp4'
    const { path, status } = await upload(lesson, { ...videoMetadata(), filename })
    expect(status).toBe(204)
    expect((await rowOf(path))?.filename).toBe('../../../etc/<script>".mp4')
  })

  test('no bytes make the server fail', async () => {
    const starts = [
      '',
      '0000001866747970',
      '1a45dfa3',
      '4f676753',
      '52494646',
      '3026b2758e66cf11',
      '00000008',
    ]
    const statuses = new Set<number>()
    // Each upload is some twenty requests to the store.
    for (let round = 0; round < (hasObjectStore ? 14 : 60); round += 1) {
      const start = Buffer.from(starts[round % starts.length] ?? '', 'hex')
      const noise = randomBytes(1 + Math.floor(Math.random() * 6000))
      const bytes = round % 2 ? Buffer.concat([start, noise]) : mangled(lesson)
      statuses.add((await upload(bytes)).status)
      const picture = await upload(round % 2 ? noise : mangled(png), pictureMetadata)
      statuses.add(picture.status)
    }
    expect([...statuses].filter((status) => status !== 204 && status !== 415)).toEqual([])
  })
})

const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#f5d90a' } })
  .png()
  .toBuffer()

/** A copy with some bytes changed and maybe its end cut off. */
function mangled(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let change = 0; change < 20; change += 1) {
    copy[Math.floor(Math.random() * Math.min(copy.length, 1500))] = Math.floor(Math.random() * 256)
  }
  return copy.subarray(
    0,
    Math.random() < 0.5 ? copy.length : 1 + Math.floor(Math.random() * copy.length),
  )
}

async function cancelled(path: string) {
  expect((await send('DELETE', path, { cookie: creator.cookie })).status).toBe(204)
}

const sizes = (path: string) =>
  Promise.all(
    [320, 640, 1280].map(async (width) => {
      const key = `images/${idOf(path)}/${width}.webp`
      const image = await sharp(await storedBytes(app.services.storage, key)).metadata()
      return [image.format, image.width, image.height, image.pages ?? 1]
    }),
  )

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3d2bff' } })

const noisyPng = () =>
  sharp(randomBytes(200 * 200 * 3), { raw: { width: 200, height: 200, channels: 3 } })
    .png()
    .toBuffer()

describe('a thumbnail', () => {
  const expected = [
    ['webp', 320, 180, 1],
    ['webp', 640, 360, 1],
    ['webp', 1280, 720, 1],
  ]

  test('is cut to 16:9 in three widths; the original goes', async () => {
    const { path, status } = await upload(await picture(900, 900).jpeg().toBuffer(), {
      ...pictureMetadata,
      filetype: 'image/jpeg',
    })
    expect(status).toBe(204)
    expect(await sizes(path)).toEqual(expected)
    expect(await rowOf(path)).toMatchObject({
      status: 'ready',
      width: 900,
      height: 900,
      courseId: null,
    })
    expect(await storedSize(path)).toBeNull()
    expect((await head(path)).status).toBe(200)
    const { body } = await app.request(`/rest/v1/media/${idOf(path)}`, { cookie: creator.cookie })
    const urls = [body.thumbnail.small, body.thumbnail.medium, body.thumbnail.large]
    for (const url of urls)
      expect((await app.request(url)).headers.get('content-type')).toBe('image/webp')
  })

  test('that moves stands still', async () => {
    const frames = await Promise.all(
      ['#f00', '#0f0', '#00f'].map((background) =>
        sharp({ create: { width: 100, height: 60, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    expect((await sharp(gif).metadata()).pages).toBe(3)
    const { path, status } = await upload(gif, { ...pictureMetadata, filetype: 'image/gif' })
    expect(status).toBe(204)
    expect(await sizes(path)).toEqual(expected)
  })

  test.each<[string, () => Promise<Buffer> | Buffer, RegExp]>([
    ['a text', () => Buffer.from('no picture'), /upload an image file/],
    [
      'a drawing with a script',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      /upload an image file/,
    ],
    ['half a picture', async () => (await noisyPng()).subarray(0, 20_000), /damaged/],
    [
      '50 megapixels in a small file',
      () => picture(10_000, 5_000).png().toBuffer(),
      /40 megapixels/,
    ],
    ['a film', () => lesson, /upload an image file/],
  ])('that is %s is refused', async (_what, make, message) => {
    const { path, status, text } = await upload(await make(), pictureMetadata)
    expect(status).toBe(415)
    expect(text).toMatch(message)
    expect((await rowOf(path))?.status).toBe('failed')
    expect(await storedSize(path)).toBeNull()
  })
})

describe.skipIf(hasObjectStore)('a disk that is full', () => {
  const sentence =
    'The server has no room left. What was sent is kept: please try again when there is room.'

  test('in the middle of an upload loses nothing, and the upload goes on when there is room', async () => {
    const bytes = film(300_000)
    const path = await created({ size: bytes.length })
    expect((await patch(path, bytes.subarray(0, 100_000))).status).toBe(204)

    // Whatever is written there finds the disk full.
    const stored = diskPath(uploadKey(idOf(path)))
    await rename(stored, `${stored}.aside`)
    await symlink('/dev/full', stored)
    const full = await patch(path, bytes, 0)
    expect([full.status, await full.text()]).toEqual([507, sentence])
    expect((await rowOf(path))?.status).toBe('uploading')

    await rm(stored)
    await rename(`${stored}.aside`, stored)
    expect((await head(path)).headers.get('upload-offset')).toBe('100000')
    expect((await patch(path, bytes.subarray(100_000), 100_000)).status).toBe(204)
    expect(sha256(await bytesOf(path))).toBe(sha256(bytes))
  })

  test('takes no new upload, so that the database keeps its room', async () => {
    const size = 1_000_000
    const room = vi.spyOn(app.services.storage, 'room')
    onTestFinished(() => room.mockRestore())
    const before = await app.services.db.$count(mediaFiles)
    room.mockResolvedValue(100 * 1024 * 1024 + size - 1)
    const refused = await create({ size })
    expect([refused.status, await refused.text()]).toEqual([507, sentence])
    expect(await app.services.db.$count(mediaFiles)).toBe(before)
    room.mockResolvedValue(100 * 1024 * 1024 + size)
    await cancelled(await created({ size }))
  })

  test('keeps the room of the database also from uploads that fitted when they began', async () => {
    const bytes = film(300_000)
    const path = await created({ size: bytes.length })
    const room = vi.spyOn(app.services.storage, 'room')
    onTestFinished(() => room.mockRestore())
    room.mockResolvedValue(100 * 1024 * 1024 - 1)
    const full = await patch(path, bytes)
    expect([full.status, await full.text()]).toEqual([507, sentence])
    expect((await head(path)).headers.get('upload-offset')).toBe('0')
    const { storage } = app.services
    await expect(storage.put('images/none', new Uint8Array(3))).rejects.toMatchObject({
      code: 'ENOSPC',
    })
    expect(await storage.size('images/none')).toBeNull()

    room.mockResolvedValue(100 * 1024 * 1024)
    expect((await patch(path, bytes)).status).toBe(204)
    expect(sha256(await bytesOf(path))).toBe(sha256(bytes))
  })

  test('is seen in the middle of a file, too', async () => {
    const { storage } = app.services
    const room = vi.spyOn(storage, 'room')
    onTestFinished(() => room.mockRestore())
    let taken = 0
    async function* large() {
      for (; taken < 64; taken += 1) {
        // Others take it meanwhile.
        if (taken === 10) room.mockResolvedValue(0)
        yield new Uint8Array(1024 * 1024)
      }
    }
    const stored = storage.write('uploads/large', large(), 64 * 1024 * 1024)
    await expect(stored).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(taken).toBeLessThan(20)
    expect(await storage.size('uploads/large')).toBeNull()
  })

  test('leaves no unfinished upload behind that nobody can go on with', async () => {
    const uploadsFolder = diskPath('uploads')
    const before = await app.services.db.$count(mediaFiles)
    await rename(uploadsFolder, `${uploadsFolder}.aside`)
    await symlink('/dev/full', uploadsFolder)
    const refused = await create({ size: 1000 })
    await rm(uploadsFolder)
    await rename(`${uploadsFolder}.aside`, uploadsFolder)
    expect(await refused.text()).toBe('Something went wrong on our side. Please try again.')
    expect(await app.services.db.$count(mediaFiles)).toBe(before)
  })
})

describe('what is left behind', () => {
  test('a cancelled upload leaves nothing; a finished one cannot be cancelled', async () => {
    const path = await created({ size: lesson.length })
    await patch(path, lesson.subarray(0, 100))
    await cancelled(path)
    expect(await rowOf(path)).toBeNull()
    expect(await storedSize(path)).toBeNull()
    expect((await head(path)).status).toBe(404)

    const finished = await upload(lesson)
    expect((await send('DELETE', finished.path, { cookie: creator.cookie })).status).toBe(409)
    expect((await rowOf(finished.path))?.status).toBe('ready')
    expect(await storedSize(finished.path)).toBe(lesson.length)
  })

  test('an upload whose process died after the last byte is finished by whoever asks', async () => {
    const byHead = await created({ size: lesson.length })
    const byStart = await created({ size: lesson.length })
    const partial = await created({ size: lesson.length })
    for (const path of [byHead, byStart])
      await app.services.storage.put(uploadKey(idOf(path)), lesson)
    await app.services.storage.put(uploadKey(idOf(partial)), lesson.subarray(0, 500))

    const answers = await Promise.all([head(byHead), head(byHead), head(byHead)])
    expect(answers.map((answer) => answer.headers.get('upload-offset'))).toEqual(
      Array(3).fill(String(lesson.length)),
    )
    expect((await rowOf(byHead))?.status).toBe('ready')

    await finishInterruptedUploads(app.services)
    expect((await rowOf(byStart))?.status).toBe('ready')
    expect((await rowOf(partial))?.status).toBe('uploading')
    await cancelled(partial)
  })

  test('a person has at most 20 unfinished uploads, also when starting many at once', async () => {
    const busy = await app.signUp()
    const course = await newCourse(busy)
    const metadata = { ...videoMetadata(), courseId: course }
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => create({ person: busy, size: 100, metadata })),
    )
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(20)
    const refused = answers.filter((answer) => answer.status === 429)
    expect(refused).toHaveLength(10)
    expect(await refused[0]?.text()).toMatch(/20 unfinished uploads/)
  })

  test('after 7 days unfinished uploads go, and bytes that belong to nothing', async () => {
    const { db, storage } = app.services
    const old = await created({ size: 1000 })
    const young = await created({ size: 1000 })
    const ready = (await upload(lesson)).path
    for (const path of [old, ready]) {
      await db
        .update(mediaFiles)
        .set({ createdAt: sql`now() - interval '8 days'` })
        .where(eq(mediaFiles.id, idOf(path)))
    }
    expect((await head(old)).status).toBe(410)
    const [orphan, freshOrphan] = [randomUUID(), randomUUID()]
    for (const id of [orphan, freshOrphan]) await storage.put(uploadKey(id), Buffer.from('x'))
    const week = 7 * 24 * 3600 * 1000
    storedLongAgo(storage, [uploadKey(orphan), uploadKey(idOf(ready))], week)

    await removeStaleUploads(app.services)
    expect([await rowOf(old), await storedSize(old)]).toEqual([null, null])
    expect((await rowOf(young))?.status).toBe('uploading')
    expect(await arrived(young)).toBe(0)
    expect(await storedSize(ready)).toBe(lesson.length)
    expect(await storage.size(uploadKey(orphan))).toBeNull()
    expect(await storage.size(uploadKey(freshOrphan))).toBe(1)
  })
})
