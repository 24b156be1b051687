// What becomes of an upload when its last byte is there; also when somebody else decides about it at the same moment.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson } from '../../../test/factories.ts'
import { StoreFailure } from '../../server/storage.ts'
import { finishUpload, uploadKey } from './finish-upload.ts'
import { markFailed, markReady, mediaFile } from './queries.ts'
import { problems } from './rules.ts'
import { imagesFolder, postImagesFolder } from './store-image.ts'
import { mediaFiles, videoProcessings } from './tables.ts'
import { finishInterruptedUploads, startFinishingUploads } from './uploads.ts'

type Row = typeof mediaFiles.$inferInsert
type Purpose = Row['purpose']

const film = await readFile('test/fixtures/lesson.mp4')
const drawn = sharp({ create: { width: 30, height: 20, channels: 3, background: '#f00' } })
const picture = await drawn.png().toBuffer()
const zip = Buffer.from('PK\x03\x04 and more', 'latin1')
const bytesFor = (purpose: Purpose) =>
  purpose === 'import' ? zip : ['video', 'post_video'].includes(purpose) ? film : picture

let app: TestApp
let owner: { id: string }
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app.services)
})
afterAll(() => app?.stop())
beforeEach(() => app.services.db.delete(mediaFiles))

async function uploaded(
  purpose: Purpose,
  bytes: Buffer = bytesFor(purpose),
  facts: Partial<Row> = {},
) {
  const { db, storage } = app.services
  const [row] = await db
    .insert(mediaFiles)
    .values({ ownerId: owner.id, purpose, filename: 'a', sizeBytes: bytes.length, ...facts })
    .returning({ id: mediaFiles.id })
  await storage.put(uploadKey(row!.id), bytes)
  return row!.id
}
const rowOf = (id: string) => mediaFile(app.services.db, id)
const isKept = async (id: string) => (await app.services.storage.size(uploadKey(id))) !== null
const picturesOf = async (id: string) => [
  ...(await app.services.storage.files(imagesFolder(id))),
  ...(await app.services.storage.files(postImagesFolder(id))),
]
const finish = (id: string, more: Partial<typeof app.services> = {}) =>
  finishUpload({ ...app.services, ...more }, id)

describe('an upload that is whole', () => {
  test.each<[Purpose, object, boolean, string[]]>([
    ['video', { contentType: 'video/mp4', durationSeconds: 12, width: null }, true, []],
    ['post_video', { contentType: 'video/mp4', durationSeconds: 12, width: null }, true, []],
    ['import', { contentType: 'application/zip', durationSeconds: null, width: null }, true, []],
    [
      'avatar',
      { contentType: 'image/webp', durationSeconds: null, width: 30, height: 20 },
      false,
      ['256.webp', '96.webp'],
    ],
    [
      'post_image',
      { contentType: 'image/webp', durationSeconds: null, width: 30, height: 20 },
      false,
      ['480.webp'],
    ],
  ])('is a ready %s', async (purpose, facts, isKeptAsItCame, pictures) => {
    const id = await uploaded(purpose, bytesFor(purpose), { problem: 'Of before' })
    expect(await finish(id)).toEqual({ status: 'ready' })
    expect(await rowOf(id)).toMatchObject({ status: 'ready', problem: null, ...facts })
    expect(await isKept(id)).toBe(isKeptAsItCame)
    expect((await picturesOf(id)).toSorted()).toEqual(pictures)
    expect(await finish(id)).toEqual({ status: 'ready' })
  })

  test('waits to be converted if it is a video, where that is done', async () => {
    const queued = async (purpose: Purpose, ffmpeg: typeof app.services.ffmpeg) => {
      const id = await uploaded(purpose)
      await finish(id, { ffmpeg })
      const { db } = app.services
      return db.$count(videoProcessings, eq(videoProcessings.mediaId, id))
    }
    const programs = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
    expect([await queued('video', programs), await queued('post_video', programs)]).toEqual([1, 1])
    expect([await queued('avatar', programs), await queued('video', null)]).toEqual([0, 0])
  })

  test('may be a picture of any of these kinds', async () => {
    const frames = await sharp([picture, picture], { join: { animated: true } })
      .gif()
      .toBuffer()
    const kinds = [await drawn.jpeg().toBuffer(), await drawn.webp().toBuffer(), picture, frames]
    for (const bytes of kinds) {
      expect(await finish(await uploaded('avatar', bytes))).toEqual({ status: 'ready' })
    }
  })

  test.each<[Purpose, Buffer, string]>([
    ['video', picture, problems.videoType],
    ['video', film.subarray(0, 2000), problems.videoDamaged],
    ['import', picture, problems.importType],
    ['import', zip.subarray(0, 3), problems.importType],
    ['thumbnail', film, problems.imageType],
    ['thumbnail', Buffer.from('a text'), problems.imageType],
    ['post_image', picture.subarray(0, 60), problems.imageDamaged],
  ])(
    'as %s of other bytes (%#) is refused in words, and they go',
    async (purpose, bytes, problem) => {
      const id = await uploaded(purpose, bytes)
      expect(await finish(id)).toEqual({ status: 'failed', problem })
      expect(await rowOf(id)).toMatchObject({ status: 'failed', problem })
      expect([await isKept(id), await picturesOf(id)]).toEqual([false, []])
      expect(await finish(id)).toEqual({ status: 'failed', problem })
    },
  )
})

test('what is not whole, or not there, is said to be so', async () => {
  const id = await uploaded('video', film, { sizeBytes: film.length + 1 })
  expect(await finish(id)).toEqual({ status: 'uploading' })
  expect(await rowOf(id)).toMatchObject({ status: 'uploading' })
  expect(await finish(randomUUID())).toEqual({ status: 'gone' })
  const unknown = await uploaded('video', film, { status: 'failed' })
  expect(await finish(unknown)).toEqual({ status: 'failed', problem: problems.videoFailed })
})

test('two who ask at once look at the bytes once, and who asks later asks anew', async () => {
  const id = await uploaded('video')
  const settle = vi.spyOn(app.services.storage, 'settle')
  onTestFinished(() => settle.mockRestore())
  const answers = [finish(id), finish(id), finish(await uploaded('video'))]
  expect(answers[0]).toBe(answers[1])
  expect(answers[0]).not.toBe(answers[2])
  await Promise.all(answers)
  expect(settle.mock.calls.filter(([key]) => key === uploadKey(id))).toHaveLength(1)
  const later = finish(id)
  expect(later).not.toBe(answers[0])
  await later
})

test('what only went wrong here is not held against the file', async () => {
  const id = await uploaded('video')
  const settle = () => Promise.reject(new Error('no connection'))
  const broken = { storage: { ...app.services.storage, settle } }
  await expect(finish(id, broken)).rejects.toThrow('no connection')
  expect(await rowOf(id)).toMatchObject({ status: 'uploading' })
  expect(await finish(id)).toEqual({ status: 'ready' })
})

describe('somebody decides while the bytes are looked at', () => {
  /** With a store in which this happens when the bytes are read. */
  const meanwhile = (happens: () => Promise<unknown>) => {
    const { storage } = app.services
    let isDone = false
    const once = async () => {
      if (!isDone) await happens()
      isDone = true
    }
    return {
      storage: {
        ...storage,
        settle: (key: string) => once().then(() => storage.settle(key)),
        put: (key: string, bytes: Uint8Array) => once().then(() => storage.put(key, bytes)),
      },
    }
  }
  const cancelled = (id: string) =>
    meanwhile(() => app.services.db.delete(mediaFiles).where(eq(mediaFiles.id, id)))

  test.each<Purpose>(['video', 'import', 'avatar', 'post_image'])(
    'a %s that was cancelled leaves nothing',
    async (purpose) => {
      const id = await uploaded(purpose)
      expect(await finish(id, cancelled(id))).toEqual({ status: 'gone' })
      expect([await rowOf(id), await isKept(id), await picturesOf(id)]).toEqual([null, false, []])
    },
  )

  test('nor does one that would have been refused', async () => {
    const id = await uploaded('video', picture)
    expect(await finish(id, cancelled(id))).toEqual({ status: 'gone' })
    expect(await isKept(id)).toBe(false)
  })

  test('what they decided holds', async () => {
    const { db } = app.services
    const facts = { contentType: 'video/mp4', durationSeconds: 3, width: null, height: null }
    const [good, bad] = [await uploaded('video'), await uploaded('video', picture)]
    const ready = (id: string) => meanwhile(() => markReady(db, id, facts))
    expect(await finish(good, ready(good))).toEqual({ status: 'ready' })
    expect(await finish(bad, ready(bad))).toEqual({ status: 'ready' })
    for (const id of [good, bad]) {
      expect(await rowOf(id)).toMatchObject({ durationSeconds: 3 })
      expect(await isKept(id)).toBe(true)
    }
    const failed = await uploaded('video')
    const failing = meanwhile(() => markFailed(db, failed, 'Not like this.'))
    expect(await finish(failed, failing)).toEqual({ status: 'failed', problem: 'Not like this.' })
  })
})

describe('at the start of the process', () => {
  const failing = (error: Error, ids: string[]) => {
    const { storage } = app.services
    const settle = (key: string) =>
      ids.some((id) => key === uploadKey(id)) ? Promise.reject(error) : storage.settle(key)
    return { ...app.services, storage: { ...storage, settle } }
  }
  /** So many of them, in the order in which they are found. */
  const some = async (count: number) => {
    const ids: string[] = []
    for (let at = 0; at < count; at++) ids.push(await uploaded('video'))
    const rows = await app.services.db
      .select({ id: mediaFiles.id })
      .from(mediaFiles)
      .orderBy(mediaFiles.id)
    expect(rows.map(({ id }) => id)).toEqual(ids)
    return ids
  }
  const statesOf = (ids: string[]) => Promise.all(ids.map(async (id) => (await rowOf(id))?.status))

  test('one that cannot be finished keeps no other from it', async () => {
    const ids = await some(2)
    const error = vi.spyOn(app.services.log, 'error').mockImplementation(() => {})
    onTestFinished(() => error.mockRestore())
    const broken = new Error('no memory')
    await finishInterruptedUploads(failing(broken, ids.slice(0, 1)))
    expect(await statesOf(ids)).toEqual(['uploading', 'ready'])
    expect(error.mock.calls).toEqual([[{ err: broken, mediaId: ids[0] }, expect.any(String)]])
  })

  test('no more are tried when the store is gone', async () => {
    const ids = await some(9)
    const gone = new StoreFailure('gone', { isFull: false })
    await finishInterruptedUploads(failing(gone, ids.slice(0, 8)))
    expect(await statesOf(ids)).toEqual(ids.map(() => 'uploading'))
    await finishInterruptedUploads(app.services)
    expect(await statesOf(ids)).toEqual(ids.map(() => 'ready'))
  })

  test('none is begun any more once it ends, and those at hand are waited for', async () => {
    const ids = await some(9)
    const begun: string[] = []
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    const { storage } = app.services
    const settle = async (key: string) => {
      begun.push(key)
      await held
      return storage.settle(key)
    }
    const uploads = startFinishingUploads({ ...app.services, storage: { ...storage, settle } })
    await expect.poll(() => begun.length).toBe(8)
    const stopped = uploads.stop()
    letGo()
    await stopped
    expect(await statesOf(ids)).toEqual([...ids.slice(1).map(() => 'ready'), 'uploading'])
  })
})
