// Files that came by another way than an upload: whose they are, what is made of them, and their captions.
import { randomUUID } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makeMedia, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import type { Transaction } from '../../server/db.ts'
import { addCaptions } from './add-captions.ts'
import {
  addReadyFiles,
  giveFilesToCourse,
  processReadyFiles,
  type ReadyFile,
} from './add-ready-files.ts'
import { allCaptionsOf, captionLanguagesOf } from './caption-queries.ts'
import { addDerived, copyDerivedFiles, derivedOf } from './copy-derived.ts'
import { derivedFolder, derivedKey } from './derived-files.ts'
import { saveCaptions } from './keep-captions.ts'
import { mediaFile } from './queries.ts'
import { mediaFiles, videoCaptions, videoProcessings } from './tables.ts'
import { ownVideoUrl } from './video-address.ts'

let app: TestApp
let owner: { id: string }
let course: { id: string; instructorId: string }
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  owner = await makePerson(app.services)
  course = await makeCourse(app.services, owner)
})

const within = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
  app.services.db.transaction(work)
const countOfAll = () => app.services.db.$count(mediaFiles)

const file = (facts: Partial<ReadyFile> = {}): ReadyFile => ({
  id: randomUUID(),
  purpose: 'video',
  filename: 'a.mp4',
  contentType: 'video/mp4',
  sizeBytes: 10,
  durationSeconds: 2.5,
  width: 640,
  height: 360,
  ...facts,
})
const video = () => makeMedia(app.services, owner, { purpose: 'video', courseId: course.id })

describe('files', () => {
  test('are ready, and somebody’s', async () => {
    const files = [file(), file({ purpose: 'thumbnail', durationSeconds: null })]
    const before = await countOfAll()
    await within((transaction) => addReadyFiles(transaction, owner.id, files))
    await within((transaction) => addReadyFiles(transaction, owner.id, []))
    expect(await countOfAll()).toBe(before + 2)
    for (const one of files) {
      expect(await mediaFile(app.services.db, one.id)).toMatchObject({
        ...one,
        ownerId: owner.id,
        courseId: null,
        status: 'ready',
      })
    }
  })

  test('become those of a course, if they are of its creator', async () => {
    const other = await makePerson(app.services)
    const [mine, theirs, left] = [file(), file(), file()]
    await within((transaction) => addReadyFiles(transaction, owner.id, [mine, left]))
    await within((transaction) => addReadyFiles(transaction, other.id, [theirs]))
    const give = (files: ReadyFile[]) =>
      within((transaction) => giveFilesToCourse(transaction, owner.id, files, course.id))
    await give([])
    await give([mine, theirs])
    const courses = await Promise.all(
      [mine, theirs, left].map(async ({ id }) => (await mediaFile(app.services.db, id))!.courseId),
    )
    expect(courses).toEqual([course.id, null, null])
  })

  test('wait to be converted when they are videos, where that is done', async () => {
    const files = [file(), file(), file({ purpose: 'thumbnail' })]
    await within((transaction) => addReadyFiles(transaction, owner.id, files))
    const process = async (ffmpeg: typeof app.services.ffmpeg, which = files) => {
      await within((transaction) => processReadyFiles(transaction, { ffmpeg }, which))
      const rows = await app.services.db
        .select({ id: videoProcessings.mediaId })
        .from(videoProcessings)
      return files.map(({ id }) => rows.some((row) => row.id === id))
    }
    expect(await process(null)).toEqual([false, false, false])
    const programs = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
    expect(await process(programs, files.slice(2))).toEqual([false, false, false])
    expect(await process(programs)).toEqual([true, true, false])
  })
})

describe('what was made of a video', () => {
  const facts = { percent: 100, hasPoster: true, hasPreview: true, heights: [360], sizeBytes: 77 }
  const processed = async (status: 'done' | 'failed') => {
    const mediaId = await video()
    await app.services.db
      .insert(videoProcessings)
      .values({ mediaId, status, attempts: 2, ...facts })
    return mediaId
  }

  test('serves its copy, however many files it is', async () => {
    const { db, storage } = app.services
    const [from, to] = [await processed('done'), await video()]
    const names = Array.from({ length: 20 }, (_, at) => `hls/${String(at).padStart(2, '0')}.m4s`)
    for (const name of names) await storage.put(derivedKey(from, name), Buffer.from(name))
    const [derived] = await derivedOf(db, [from])
    await copyDerivedFiles(storage, from, to)
    await within((transaction) => addDerived(transaction, [{ ...derived!, mediaId: to }]))
    const [row] = await db.select().from(videoProcessings).where(eq(videoProcessings.mediaId, to))
    expect(row).toMatchObject({ status: 'done', attempts: 0, ...facts })
    expect((await storage.files(derivedFolder(to))).toSorted()).toEqual(names)
  })

  test('does not before it is whole', async () => {
    const [done, failed] = [await processed('done'), await processed('failed')]
    const derived = await derivedOf(app.services.db, [failed, done])
    expect(derived).toEqual([{ mediaId: done, status: 'done', ...facts }])
  })

  test('of which a file cannot be copied is not copied any more when that is said', async () => {
    const { storage } = app.services
    const [from, to] = [await processed('done'), await video()]
    for (let at = 0; at < 20; at += 1)
      await storage.put(derivedKey(from, `${at}.m4s`), Buffer.from('x'))
    let underWay = 0
    const copy: typeof storage.copy = async (source, target) => {
      underWay += 1
      await storage.copy(source, target)
      underWay -= 1
      if (source.endsWith('/0.m4s')) throw new Error('the store is away')
    }
    const copying = copyDerivedFiles({ ...storage, copy }, from, to)
    await expect(copying).rejects.toThrow('the store is away')
    expect(underWay).toBe(0)
  })
})

describe('captions', () => {
  const cue = (text: string) => [{ start: 0, end: 1, text }]
  const storedFor = (mediaId: string) =>
    app.services.db
      .select({ language: videoCaptions.language, cues: videoCaptions.cues })
      .from(videoCaptions)
      .where(eq(videoCaptions.mediaId, mediaId))
      .orderBy(asc(videoCaptions.language))

  test.each([0, 1, 50, 51, 101])('of %d languages are all kept, each once', async (count) => {
    const mediaId = await video()
    const captions = Array.from({ length: count }, (_, at) => ({
      language: `x-${String(at).padStart(3, '0')}`,
      cues: cue(`Words ${at}`),
    }))
    await within((transaction) =>
      addCaptions(
        transaction,
        captions.map((one) => ({ mediaId, ...one })),
      ),
    )
    expect(await storedFor(mediaId)).toEqual(captions)
  })

  test('are told by language, of this video alone', async () => {
    const { db } = app.services
    const [one, two] = (await Promise.all([video(), video()])).toSorted()
    const add = (mediaId: string, language: string, words: string[]) =>
      saveCaptions(
        db,
        { courseId: course.id, mediaId, language },
        words.flatMap((text) => cue(text)),
      )
    await add(two!, 'en', ['Two'])
    await add(one!, 'pt-BR', ['Um', 'Dois'])
    await add(one!, 'de', ['Eins'])
    await add(one!, 'pt', ['Um'])
    expect(await captionLanguagesOf(db, one!)).toEqual([
      { language: 'de', cuesCount: 1, updatedAt: expect.any(Date) },
      { language: 'pt', cuesCount: 1, updatedAt: expect.any(Date) },
      { language: 'pt-BR', cuesCount: 2, updatedAt: expect.any(Date) },
    ])
    const all = await allCaptionsOf(db, [two!, one!])
    expect(all.map(({ mediaId, language, cues }) => [mediaId, language, cues[0]!.text])).toEqual([
      [one, 'de', 'Eins'],
      [one, 'pt', 'Um'],
      [one, 'pt-BR', 'Um'],
      [two, 'en', 'Two'],
    ])
    expect(await allCaptionsOf(db, [two!])).toHaveLength(1)
  })

  test('that are saved again are newer, and the same ones', async () => {
    const place = { courseId: course.id, mediaId: await video(), language: 'en' }
    const { db, pool } = app.services
    await saveCaptions(db, place, cue('First'))
    await pool.query(
      `update video_captions set updated_at = '2020-01-01', created_at = '2020-01-01' where media_id = $1`,
      [place.mediaId],
    )
    const saved = await saveCaptions(db, place, cue('Second'))
    expect(saved!.updatedAt.getTime()).toBeGreaterThan(Date.now() - 60_000)
    const rows = await db
      .select()
      .from(videoCaptions)
      .where(eq(videoCaptions.mediaId, place.mediaId))
    expect(rows).toEqual([expect.objectContaining({ cues: cue('Second') })])
    expect(rows[0]!.createdAt.getFullYear()).toBe(2020)
    const elsewhere = await makeCourse(app.services, owner)
    expect(await saveCaptions(db, { ...place, courseId: elsewhere.id }, cue('Third'))).toBeNull()
  })
})

test('the owner of a file is told what it is, where it is, and what becomes of it', async () => {
  const { secret, db } = app.services
  const cookie = await sessionCookieOf(app.services, owner.id)
  const told = async (facts: Partial<typeof mediaFiles.$inferInsert>) => {
    const values = { filename: 'a', sizeBytes: 5, status: 'ready', ...facts } as const
    const [row] = await db
      .insert(mediaFiles)
      .values({ purpose: 'video', ownerId: owner.id, ...values })
      .returning()
    const { status, body } = await app.request(`/rest/v1/media/${row!.id}`, { cookie })
    const { id, filename, sizeBytes, ...rest } = body
    expect([status, id, filename, sizeBytes]).toEqual([200, row!.id, 'a', 5])
    return { row: row!, rest }
  }
  const usual = { status: 'ready', problem: null, url: null, processing: null, thumbnail: null }
  for (const purpose of ['video', 'post_video'] as const) {
    const { row, rest } = await told({ purpose })
    const url = ownVideoUrl({ id: row.id, status: 'ready', purpose }, owner.id, secret)
    expect(rest).toEqual({ ...usual, url })
  }
  const failed = await told({ status: 'failed', problem: 'It is damaged.' })
  expect(failed.rest).toEqual({ ...usual, status: 'failed', problem: 'It is damaged.' })
  const { row, rest } = await told({ purpose: 'thumbnail' })
  const width = (pixels: number) => `/storage/v1/images/${row.id}/${pixels}.webp`
  expect(rest).toEqual({
    ...usual,
    thumbnail: { small: width(320), medium: width(640), large: width(1280) },
  })
  const unready = await told({ purpose: 'thumbnail', status: 'uploading' })
  expect(unready.rest).toEqual({ ...usual, status: 'uploading' })
  expect((await told({ purpose: 'avatar' })).rest).toEqual(usual)

  // Asking for its conversion is for a video that is ready.
  const asks = (id: string) =>
    app.request(`/rest/v1/media/${id}/processing`, { method: 'POST', cookie })
  for (const id of [row.id, (await told({ status: 'uploading' })).row.id, randomUUID()]) {
    expect((await asks(id)).status).toBe(404)
  }
  const plain = await told({ purpose: 'post_video' })
  const asked = await asks(plain.row.id)
  expect([asked.status, asked.body]).toEqual([200, { processing: null }])
})
