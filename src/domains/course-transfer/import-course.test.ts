// An import from its file to its course: within the limit, interrupted, and of one person only.
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { courseJson, movie, small, withVideo } from '../../../test/course-files.ts'
import {
  api,
  type Caller,
  jobsAreDone,
  myImports,
  outcomeOf,
  someone,
  storedFiles,
  uploadZip,
} from '../../../test/course-transfers.ts'
import { makeCourse } from '../../../test/factories.ts'
import { storedLongAgo } from '../../../test/stored-files.ts'
import { zipByHand } from '../../../test/zip-by-hand.ts'
import { courses } from '../courses/tables.ts'
import { uploadKey } from '../media/finish-upload.ts'
import { imageKey } from '../media/store-image.ts'
import { mediaFiles } from '../media/tables.ts'
import { removeStaleUploads } from '../media/uploads.ts'
import { importCourse, resumeImports } from './import-course.ts'
import { courseImports } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ VIDEO_MAX_MB: '2', IMPORT_MAX_MB: '20' })
})
afterAll(() => app?.stop())

/** As if the process had ended before its queue came to it. */
async function importWithoutJob(
  person: Caller,
  fileId: string,
  status: 'waiting' | 'running' = 'waiting',
) {
  const [row] = await app.services.db
    .insert(courseImports)
    .values({ userId: person.id, fileId, status })
    .returning({ id: courseImports.id })
  return row!.id
}

describe('the course limit', () => {
  test('is asked before the upload, and before the import', async () => {
    const person = await someone(app)
    const file = await uploadZip(app, person, zipByHand([courseJson(small)]))
    const own = await makeCourse(app.services, person)
    const started = await api(app, person, '/rest/v1/course-imports', { mediaId: file.id })
    const limit = 'Free plan users can create up to 1 course. You have reached this limit.'
    expect([started.status, started.body.message]).toEqual([403, limit])
    const again = await uploadZip(app, person, zipByHand([courseJson(small)]))
    expect([again.status, again.text]).toEqual([403, limit])
    expect((await api(app, person, '/rest/v1/course-imports')).body).toMatchObject({
      canCreateCourse: false,
      importMaxMb: 20,
    })
    await app.services.db.delete(courses).where(eq(courses.id, own.id))
  })

  test('is asked again at the end; then the file stays for another try', async () => {
    const person = await someone(app)
    const file = await uploadZip(app, person, zipByHand([courseJson(withVideo()), movie]))
    const importId = await importWithoutJob(person, file.id)
    const own = await makeCourse(app.services, person)
    // Files of the import before go by a job.
    await jobsAreDone(app)
    const before = await storedFiles(app)
    await importCourse({ importId }, app.services)
    expect(await outcomeOf(app, person, importId)).toMatchObject({
      status: 'failed',
      problem: 'Free plan users can create up to 1 course. You have reached this limit.',
      canRetry: true,
    })
    expect(await storedFiles(app)).toEqual(before)
    const retry = () => api(app, person, `/rest/v1/course-imports/${importId}/retry`, {})
    expect((await retry()).status).toBe(403)
    await app.services.db.delete(courses).where(eq(courses.id, own.id))
    expect((await retry()).body).toMatchObject({ status: 'waiting', problem: null })
    expect(await outcomeOf(app, person, importId)).toMatchObject({ status: 'done' })
    expect((await retry()).status).toBe(409)
  })
})

describe('an import that is interrupted', () => {
  const zip = zipByHand([courseJson(withVideo()), movie])

  test('by the end of the process goes on with the next one', async () => {
    const person = await someone(app)
    const file = await uploadZip(app, person, zip)
    const importId = await importWithoutJob(person, file.id, 'running')
    await resumeImports(app.services)
    expect(await outcomeOf(app, person, importId)).toMatchObject({ status: 'done' })
    // Once more does no harm.
    await importCourse({ importId }, app.services)
    const { rows } = await app.services.pool.query(
      'select id from courses where instructor_id = $1',
      [person.id],
    )
    expect(rows).toHaveLength(1)
  })

  test('by a failure of the machine says so, leaves nothing, and can be tried again', async () => {
    const person = await someone(app)
    const file = await uploadZip(app, person, zip)
    const importId = await importWithoutJob(person, file.id)
    // Files of the import before go by a job.
    await jobsAreDone(app)
    const before = await storedFiles(app)
    const { storage } = app.services
    const fullDisk = {
      ...storage,
      write: async (key: string, chunks: AsyncIterable<Uint8Array>, size: number) => {
        await storage.write(key, chunks, size)
        throw Object.assign(new Error('no space left on device'), { syscall: 'write' })
      },
    }
    await importCourse({ importId }, { ...app.services, storage: fullDisk })
    expect(await outcomeOf(app, person, importId)).toMatchObject({
      status: 'failed',
      problem: 'Something went wrong on our side. Please try again.',
      canRetry: true,
    })
    expect(await storedFiles(app)).toEqual(before)
    await api(app, person, `/rest/v1/course-imports/${importId}/retry`, {})
    expect(await outcomeOf(app, person, importId)).toMatchObject({ status: 'done' })
  })

  test('by a disk that is full says so, leaves nothing, and can be tried again', async () => {
    const person = await someone(app)
    const file = await uploadZip(app, person, zip)
    // Files of the import before go by a job.
    await jobsAreDone(app)
    const before = await storedFiles(app)
    const { storage } = app.services
    const size = zip.length
    const noRoom = {
      status: 'failed',
      problem:
        'The server has no room left. What was sent is kept: please try again when there is room.',
      canRetry: true,
    }
    // Found out before a byte is unpacked, or in the middle.
    const isFull = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    const write = vi.fn<typeof storage.write>(() => Promise.reject(isFull))
    const room = async () => 100 * 1024 * 1024 + Math.floor(size / 2)
    const importId = await importWithoutJob(person, file.id)
    await importCourse({ importId }, { ...app.services, storage: { ...storage, room, write } })
    expect(write).not.toHaveBeenCalled()
    expect(await outcomeOf(app, person, importId)).toMatchObject(noRoom)
    await app.services.db
      .update(courseImports)
      .set({ status: 'waiting', problem: null })
      .where(eq(courseImports.id, importId))
    await importCourse({ importId }, { ...app.services, storage: { ...storage, write } })
    expect(write).toHaveBeenCalledOnce()
    expect(await outcomeOf(app, person, importId)).toMatchObject(noRoom)
    expect(await storedFiles(app)).toEqual(before)
    await api(app, person, `/rest/v1/course-imports/${importId}/retry`, {})
    expect(await outcomeOf(app, person, importId)).toMatchObject({ status: 'done' })
  })

  test('by its person ends without a trace', async () => {
    const person = await someone(app)
    const file = await uploadZip(app, person, zip)
    const importId = await importWithoutJob(person, file.id)
    const { storage } = app.services
    // Files of the import before go by a job.
    await jobsAreDone(app)
    const before = (await storedFiles(app)).filter((path) => !path.endsWith(file.id))
    const slow = {
      ...storage,
      write: async (key: string, chunks: AsyncIterable<Uint8Array>, size: number) => {
        await storage.write(key, chunks, size)
        const path = `/rest/v1/course-imports/${importId}`
        expect((await api(app, person, path, undefined, 'DELETE')).status).toBe(200)
      },
    }
    await importCourse({ importId }, { ...app.services, storage: slow })
    await jobsAreDone(app)
    expect(await myImports(app, person)).toEqual([])
    expect(await storedFiles(app)).toEqual(before)
    const { rows } = await app.services.pool.query(
      'select id from courses where instructor_id = $1 union all select id from media_files where owner_id = $1',
      [person.id],
    )
    expect(rows).toEqual([])
  })

  test('is never done by two at once', async () => {
    const person = await someone(app)
    const file = await uploadZip(app, person, zip)
    const importId = await importWithoutJob(person, file.id)
    const results = await Promise.allSettled([
      importCourse({ importId }, app.services),
      importCourse({ importId }, app.services),
    ])
    expect(results.map(({ status }) => status)).toContain('fulfilled')
    expect(await outcomeOf(app, person, importId)).toMatchObject({ status: 'done' })
    const { rows } = await app.services.pool.query(
      'select id from courses where instructor_id = $1',
      [person.id],
    )
    expect(rows).toHaveLength(1)
  })
})

describe('imports are private', () => {
  test('somebody else neither sees, retries nor removes one, nor imports the file', async () => {
    const person = await someone(app)
    const stranger = await someone(app)
    const file = await uploadZip(app, person, zipByHand([courseJson(small)]))
    const stolen = await api(app, stranger, '/rest/v1/course-imports', { mediaId: file.id })
    expect([stolen.status, stolen.body.message]).toEqual([
      400,
      'The course file was not found. Please upload it again.',
    ])
    const importId = await importWithoutJob(person, file.id)
    expect(await myImports(app, stranger)).toEqual([])
    const path = `/rest/v1/course-imports/${importId}`
    expect((await api(app, stranger, `${path}/retry`, {})).status).toBe(404)
    expect((await api(app, stranger, path, undefined, 'DELETE')).status).toBe(404)
    expect(await myImports(app, person)).toHaveLength(1)
  })

  test('one at a time; a new file takes the place of one that nobody imports', async () => {
    const person = await someone(app)
    const first = await uploadZip(app, person, zipByHand([courseJson(small)]))
    const second = await uploadZip(app, person, zipByHand([courseJson(small)]))
    const gone = await api(app, person, '/rest/v1/course-imports', { mediaId: first.id })
    expect(gone.status).toBe(400)
    const importId = await importWithoutJob(person, second.id)
    const busy = await api(app, person, '/rest/v1/course-imports', { mediaId: second.id })
    expect([busy.status, busy.body.code]).toEqual([409, 'IMPORT_UNDER_WAY'])
    expect((await uploadZip(app, person, zipByHand([courseJson(small)]))).status).toBe(429)
    await importCourse({ importId }, app.services)
    await jobsAreDone(app)
    expect(await app.services.storage.size(uploadKey(first.id))).toBeNull()
  })

  test('a file that nobody imports within a week is removed', async () => {
    const person = await someone(app)
    const file = await uploadZip(app, person, zipByHand([courseJson(small)]))
    await removeStaleUploads(app.services)
    expect(await app.services.storage.size(uploadKey(file.id))).toBeGreaterThan(0)
    await app.services.db
      .update(mediaFiles)
      .set({ updatedAt: sql`now() - interval '8 days'` })
      .where(eq(mediaFiles.id, file.id))
    await removeStaleUploads(app.services)
    expect(await app.services.storage.size(uploadKey(file.id))).toBeNull()
  })
})

test('bytes that belong to no row are swept away after a day', async () => {
  const { storage } = app.services
  const id = crypto.randomUUID()
  await storage.put(imageKey(id, 320), Buffer.from('x'))
  await removeStaleUploads(app.services)
  expect(await storage.size(imageKey(id, 320))).toBe(1)
  storedLongAgo(storage, [`images/${id}`], 2 * 86_400_000)
  await removeStaleUploads(app.services)
  expect(await storage.size(imageKey(id, 320))).toBeNull()
})
