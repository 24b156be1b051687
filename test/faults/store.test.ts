// The object store is slow, fails, hangs or is gone: people are told, and go on where they were.
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { storeProblem } from '../../src/server/storage.ts'
import { uploadKey } from '../../src/domains/media/finish-upload.ts'
import { mediaFiles } from '../../src/domains/media/tables.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { startLine, type Trouble } from '../cut-line.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../factories.ts'
import { objectStoreVariables } from '../object-store.ts'
import { storedBytes } from '../stored-files.ts'
import { faultLimits, startLoad } from './load.ts'
import { startSmallStore } from './small-store.ts'
import { avatar, filmOf, idIn, sha256, uploader, videoOf } from './uploading.ts'

vi.setConfig(faultLimits)

const MiB = 1024 * 1024

let app: TestApp
let line: Awaited<ReturnType<typeof startLine>>
let stopStore = async () => {}

beforeAll(async () => {
  const bucket = `thunder-${randomUUID()}`
  const real = await objectStoreVariables(bucket)
  let endpoint = real.S3_ENDPOINT
  if (!endpoint) {
    const small = await startSmallStore()
    stopStore = small.stop
    endpoint = small.url
  }
  line = await startLine(endpoint)
  app = await startTestApp({
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
    ...real,
    S3_ENDPOINT: new URL(line.url).origin,
  })
})
afterAll(async () => {
  await app?.stop()
  await line?.cut()
  await stopStore()
})

const picture = async () =>
  new Uint8Array(
    await sharp({ create: { width: 300, height: 300, channels: 3, background: '#4630eb' } })
      .png()
      .toBuffer(),
  )

/** A film of which the first megabyte is there, and a picture that is about to be sent. */
async function twoUploads() {
  const creator = await makePerson(app.services)
  const course = await makeCourse(app.services, creator)
  const cookie = await sessionCookieOf(app.services, creator.id)
  const files = uploader(app.url, cookie)
  const film = filmOf(9 * MiB)
  const { location } = await files.begin(film.length, videoOf(course.id))
  expect((await files.patch(location, film.subarray(0, MiB), 0)).status).toBe(204)
  const face = await picture()
  const begun = await files.begin(face.length, avatar)
  expect(begun.status).toBe(201)
  return {
    files,
    cookie,
    film: { bytes: film, location },
    face: { bytes: face, location: begun.location },
  }
}
type Uploads = Awaited<ReturnType<typeof twoUploads>>

async function sendsTheRest({ files, film, face, cookie }: Uploads) {
  for (const { bytes, location } of [film, face]) {
    const { offset } = await files.look(location)
    expect(offset).toBeLessThan(bytes.length)
    const { status, said } = await files.patch(location, bytes.subarray(offset), offset)
    expect([status, said]).toEqual([204, ''])
    const { body } = await app.request(`/rest/v1/media/${idIn(location)}`, { cookie })
    expect(body.status).toBe('ready')
  }
  const stored = await storedBytes(app.services.storage, uploadKey(idIn(film.location)))
  expect(sha256(stored)).toBe(sha256(film.bytes))
}

test('an object store that is slow is waited for', async () => {
  const load = await startLoad(app)
  const uploads = await twoUploads()
  line.trouble({ later: 20 })
  const sending = sendsTheRest(uploads)
  await load.acknowledges(60)
  await sending
  line.trouble('none')
  await load.end()
})

const failing =
  'HTTP/1.1 500 Internal Server Error\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'
const hangUp = (trouble: Trouble) => ({
  begin: async () => line.trouble(trouble),
  heal: async () => line.trouble('none'),
})

test.each([
  ['answers 500', hangUp({ answers: failing })],
  ['hangs', hangUp('hangs')],
  ['is gone', { begin: () => line.cut(), heal: () => line.mend() }],
])('an object store that %s', async (_name, { begin, heal }) => {
  const load = await startLoad(app)
  const uploads = await twoUploads()
  const { files, film, face } = uploads
  const rows = await app.services.db.$count(mediaFiles)
  await load.acknowledges(20)
  await begin()
  const answers = Promise.all([
    files.patch(film.location, film.bytes.subarray(MiB), MiB),
    files.patch(face.location, face.bytes, 0),
    files.begin(MiB, avatar),
    app.request(`/storage/v1/images/${randomUUID()}/320.webp`),
  ])
  await load.acknowledges(60)
  const told = (await answers).map((answer) => [
    answer.status,
    'said' in answer ? answer.said : answer.body.message,
  ])
  expect(told).toEqual(told.map(() => [503, storeProblem]))
  expect(await app.services.db.$count(mediaFiles)).toBe(rows)
  await heal()
  await sendsTheRest(uploads)
  await load.end()
})
