// Imports, copies and exports where something is missing, slow, or changed meanwhile; and what is told of them.
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { afterEach, beforeAll, afterAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import {
  courseJson,
  courseJsonOf,
  film,
  lesson,
  movie,
  small,
  withVideo,
} from '../../../test/course-files.ts'
import {
  api,
  type Caller,
  exported,
  fullCourse,
  myImports,
  someone,
  storedFiles,
  uploadZip,
} from '../../../test/course-transfers.ts'
import { makeCourse, makeMedia } from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { type HandmadeEntry, zipByHand } from '../../../test/zip-by-hand.ts'
import type { Services } from '../../server/services.ts'
import { derivedKey } from '../media/derived-files.ts'
import { uploadKey } from '../media/finish-upload.ts'
import { imageKey } from '../media/store-image.ts'
import { exportCourse } from './export-course.ts'
import { importCourse } from './import-course.ts'
import { leavingNothing } from './media-bytes.ts'

let app: TestApp
beforeAll(async () => {
  // What is queued waits: a test calls the job itself, with what it needs to be slow or broken.
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())
afterEach(() => {
  vi.restoreAllMocks()
})

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows

const path = '/rest/v1/course-imports'
const start = (person: Caller, mediaId: string) => api(app, person, path, { mediaId })
const retry = (person: Caller, importId: string) =>
  api(app, person, `${path}/${importId}/retry`, {})

/** An import that waits for its job. */
async function waiting(entries: HandmadeEntry[]) {
  const person = await someone(app)
  const file = await uploadZip(app, person, zipByHand(entries))
  const started = await start(person, file.id)
  expect([started.status, started.body.status]).toEqual([200, 'waiting'])
  return { person, fileId: file.id, importId: String(started.body.id) }
}

const stateOf = async (importId: string) =>
  (
    await query(
      `select status, progress_percent as percent, problem from course_imports where id = $1`,
      importId,
    )
  )[0]

const eventsOf = async ({ id }: { id: string }) =>
  (
    await query(
      `select event from live_events where topic = $1 and event->>'type' = 'courseImport' order by id`,
      `person:${id}`,
    )
  ).map(({ event }) => event)

const advisoryLocks = () =>
  query(
    `select 1 from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`,
  )

/** The services with a storage that hands each piece of what is written to `onPiece`. */
const writing = (onPiece: (piece: Uint8Array) => Promise<void>): Services => {
  const { storage } = app.services
  const write: Services['storage']['write'] = (key, pieces, size) =>
    storage.write(
      key,
      (async function* () {
        for await (const piece of pieces) {
          await onPiece(piece)
          yield piece
        }
      })(),
      size,
    )
  return { ...app.services, storage: { ...storage, write } }
}

const logged = (level: 'info' | 'error') => vi.spyOn(app.services.log, level)
const aboutImports = (lines: ReturnType<typeof logged>) =>
  lines.mock.calls.map(([facts]) => facts as object).filter((facts) => 'importId' in facts)

describe('an import', () => {
  test('waits in the queue under its own name, and is told of when it begins and when it is a course', async () => {
    const { person, fileId, importId } = await waiting([courseJson(withVideo()), movie])
    expect(
      await query(
        `select task_identifier as name, key from graphile_worker.jobs where key like '%' || $1`,
        importId,
      ),
    ).toEqual([{ name: 'importCourse', key: `course-import:${importId}` }])
    expect(await eventsOf(person)).toEqual([])
    await importCourse({ importId }, app.services)
    const [{ course }] = await myImports(app, person)
    const about = { type: 'courseImport', importId }
    expect(await eventsOf(person)).toEqual([
      { ...about, courseId: null },
      { ...about, courseId: course.id },
    ])
    expect(
      await query(
        `select purpose, status, filename, content_type, size_bytes::int as bytes, duration_seconds,
                width, height, course_id from media_files where owner_id = $1`,
        person.id,
      ),
    ).toEqual([
      {
        purpose: 'video',
        status: 'ready',
        filename: 'a.mp4',
        content_type: 'video/mp4',
        bytes: film.length,
        duration_seconds: expect.any(Number),
        width: null,
        height: null,
        course_id: course.id,
      },
    ])
    expect(await courseJsonOf(await exported(app, person, course.id))).toEqual(withVideo())
    expect(await advisoryLocks()).toEqual([])
    if (!existsSync('/proc/self/fd')) return
    const open = readdirSync('/proc/self/fd').map((number) => `/proc/self/fd/${number}`)
    const files = open.filter((link) => existsSync(link)).map((link) => readlinkSync(link))
    expect(files.filter((file) => file.includes(fileId))).toEqual([])
  })

  test('whose file is gone has failed, and cannot be tried again', async () => {
    const { person, fileId, importId } = await waiting([courseJson(small)])
    await query('delete from media_files where id = $1', fileId)
    await importCourse({ importId }, app.services)
    expect(await myImports(app, person)).toMatchObject([
      {
        status: 'failed',
        problem: 'The course file is gone. Please upload it again.',
        canRetry: false,
        filename: null,
        course: null,
      },
    ])
    expect(await eventsOf(person)).toEqual([{ type: 'courseImport', importId, courseId: null }])
    const again = await retry(person, importId)
    expect([again.status, again.body.code]).toEqual([409, 'FILE_REMOVED'])
  })

  test('says how far it is every now and then, up to 99 percent', async () => {
    const long = Buffer.concat([film, Buffer.alloc(8_000_000)])
    const names = ['media/1-a.mp4', 'media/2-b.mp4', 'media/3-c.mp4']
    const lessons = names.map((file) => ({
      ...lesson,
      video: { file, filename: file, captions: [] },
    }))
    const { person, importId } = await waiting([
      courseJson({ ...small, chapters: [{ title: 'Chapter', lessons }] }),
      ...names.map((name, at) => ({ name, data: at === 0 ? long : film })),
    ])
    let now = Math.floor(performance.now())
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const total = long.length + 2 * film.length
    const percentOf = (bytes: number) => Math.floor((bytes / total) * 100)
    let unpacked = 0
    let lastSaid = now
    const said: number[] = []
    const due: number[] = []
    const services = writing(async (piece) => {
      if (unpacked < long.length) {
        said.push((await stateOf(importId)).percent)
        due.push(percentOf(unpacked))
        now += 400
        if (percentOf(unpacked + piece.length) > percentOf(unpacked)) lastSaid = now
      } else now = lastSaid + (unpacked === long.length ? 399 : 400)
      unpacked += piece.length
    })
    const { write } = services.storage
    const ends: number[] = []
    services.storage.write = async (key, pieces, size) => {
      await write(key, pieces, size)
      ends.push((await stateOf(importId)).percent)
    }
    await importCourse({ importId }, services)
    expect(said.length).toBeGreaterThan(100)
    expect(said).toEqual(due)
    const first = percentOf(long.length)
    // The second one comes too soon after the first.
    expect(ends).toEqual([first, first, 99])
    expect(await stateOf(importId)).toEqual({ status: 'done', percent: 100, problem: null })
    const times = new Set([...due, first, 99].filter((percent) => percent > 0)).size
    expect(await eventsOf(person)).toHaveLength(1 + times + 1)
  })

  test('that its person removes stops where it is, and nothing more is said of it', async () => {
    const long = Buffer.concat([film, Buffer.alloc(2_000_000)])
    const { person, importId } = await waiting([courseJson(withVideo()), { ...movie, data: long }])
    const errors = logged('error')
    let now = Math.floor(performance.now())
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    let pieces = 0
    const services = writing(async () => {
      pieces += 1
      now += 400
      await query('delete from course_imports where id = $1', importId)
    })
    await importCourse({ importId }, services)
    expect(pieces).toBe(1)
    expect(await eventsOf(person)).toHaveLength(1)
    expect(errors).not.toHaveBeenCalled()
    expect(await query('select 1 from courses where instructor_id = $1', person.id)).toEqual([])
  })

  test('on which another process works is left alone, and goes on when that one has ended', async () => {
    const { person, importId } = await waiting([courseJson(small)])
    const other = await app.services.directPool.connect()
    const named = `hashtext('course import'), hashtext($1)`
    await other.query(`select pg_advisory_lock(${named})`, [importId])
    await expect(importCourse({ importId }, app.services)).rejects.toThrow(
      'another process works on this import',
    )
    expect(await stateOf(importId)).toMatchObject({ status: 'waiting' })
    expect(await eventsOf(person)).toEqual([])
    // Each has a lock of its own.
    const unhindered = await waiting([courseJson(small)])
    await importCourse(unhindered, app.services)
    expect(await stateOf(unhindered.importId)).toMatchObject({ status: 'done' })
    other.release(true)
    await expect.poll(advisoryLocks).toEqual([])
    await importCourse({ importId }, app.services)
    expect(await stateOf(importId)).toMatchObject({ status: 'done' })
  })

  test('that cannot even begin is asked for again, and holds nobody up', async () => {
    const { importId } = await waiting([courseJson(small)])
    const update = () => {
      throw new Error('the database is away')
    }
    const broken = { ...app.services, db: { update } } as unknown as Services
    await expect(importCourse({ importId }, broken)).rejects.toThrow('the database is away')
    await expect.poll(advisoryLocks).toEqual([])
    await importCourse({ importId }, app.services)
    expect(await stateOf(importId)).toMatchObject({ status: 'done' })
  })

  test('that fails stands in the log: as an error when it is ours', async () => {
    const [infos, errors] = [logged('info'), logged('error')]
    const refused = await waiting([courseJson({ hello: 1 })])
    await importCourse(refused, app.services)
    expect(aboutImports(infos)).toEqual([
      { importId: refused.importId, reason: 'This ZIP holds no course of a Thunder.' },
    ])
    const limited = await waiting([courseJson(small)])
    await makeCourse(app.services, limited.person)
    await importCourse(limited, app.services)
    expect(await stateOf(limited.importId)).toMatchObject({ status: 'failed' })
    expect(await eventsOf(limited.person)).toHaveLength(2)
    expect(errors).not.toHaveBeenCalled()
    const ours = await waiting([courseJson(withVideo()), movie])
    const full = new Error('no space left on device')
    await importCourse(
      ours,
      writing(() => Promise.reject(full)),
    )
    expect(aboutImports(errors)).toEqual([{ err: full, importId: ours.importId }])
    expect(aboutImports(infos)).toHaveLength(1)
  })
})

describe('trying an import again', () => {
  const failed = async (person: Caller, fileId: string | null = null) => {
    const [row] = await query(
      `insert into course_imports (user_id, file_id, status, problem)
       values ($1, $2, 'failed', 'No.') returning id`,
      person.id,
      fileId,
    )
    return String(row.id)
  }

  test('waits for the one that is under way', async () => {
    const { person, fileId } = await waiting([courseJson(small)])
    const answered = await retry(person, await failed(person, fileId))
    expect([answered.status, answered.body.code]).toEqual([409, 'IMPORT_UNDER_WAY'])
  })

  test('says first that the file is gone: no plan brings it back', async () => {
    const person = await someone(app)
    const importId = await failed(person)
    await makeCourse(app.services, person)
    const answered = await retry(person, importId)
    expect([answered.status, answered.body.code]).toEqual([409, 'FILE_REMOVED'])
  })

  test('says so as well when the file goes at that moment', async () => {
    const person = await someone(app)
    const fileId = await makeMedia(app.services, person, { purpose: 'import' })
    const importId = await failed(person, fileId)
    const [answered] = await behindChange(
      app.services,
      ['update course_imports set file_id = null where id = $1', importId],
      [() => retry(person, importId)],
    )
    expect([answered!.status, answered!.body.code]).toEqual([409, 'FILE_REMOVED'])
    expect(await stateOf(importId)).toMatchObject({ status: 'failed' })
  })

  test('is over when it is removed: its file goes along, and where there is none, nothing else', async () => {
    const person = await someone(app)
    const fileId = await makeMedia(app.services, person, { purpose: 'import' })
    const removals = async () =>
      (
        await query(
          `select payload from graphile_worker._private_jobs j
             join graphile_worker._private_tasks t on t.id = j.task_id
            where t.identifier = 'removeFiles'`,
        )
      ).map(({ payload }) => payload)
    const before = await removals()
    for (const importId of [await failed(person, fileId), await failed(person)]) {
      const removed = await api(app, person, `${path}/${importId}`, undefined, 'DELETE')
      expect([removed.status, removed.body]).toEqual([200, { removed: true }])
    }
    expect(await myImports(app, person)).toEqual([])
    expect((await removals()).slice(before.length)).toEqual([{ mediaIds: [fileId] }])
  })
})

describe('a course with files', () => {
  let owner: Caller
  let course: { id: string; slug: string }
  beforeAll(async () => {
    owner = await someone(app)
    await query('insert into plan_grants (user_id) values ($1)', owner.id)
    course = await fullCourse(app, owner)
  })

  const duplicate = (courseId: string) =>
    api(app, owner, `/rest/v1/courses/${courseId}/duplicate`, {})
  const filesOf = (courseId: string) =>
    query(
      `select id, purpose, filename, content_type, size_bytes, duration_seconds, width, height
         from media_files m where course_id = $1
            or id = (select thumbnail_id from courses where id = $1) order by filename`,
      courseId,
    )
  const withoutIds = <File extends { id: string }>(files: File[]) =>
    files.map(({ id: _id, ...facts }) => facts)

  test('is sent as a file that is called like it, and that nobody else keeps', async () => {
    const { headers } = await app.request(`/rest/v1/courses/${course.id}/export`, owner)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="bread-all-of-it.course.zip"',
      'cache-control': 'private, no-store',
    })
    const nameless = await makeCourse(app.services, owner, { title: '⚡' })
    const own = { courseId: nameless.id, instructorId: owner.id }
    expect(await exportCourse(app.services, own)).toMatchObject({ filename: 'course.course.zip' })
    const { id } = await someone(app)
    expect(await exportCourse(app.services, { ...own, instructorId: id })).toBeNull()
  })

  test('is exported as it was at one moment, whoever saves meanwhile', async () => {
    const before = await makeCourse(app.services, owner, { title: 'Before' })
    // Who saves has the chapters for a moment; the title was read by then.
    const saving = `do $$ begin
      lock table chapters in access exclusive mode;
      update courses set title = 'After' where id = '${before.id}';
      update chapters set title = 'After' where course_id = '${before.id}';
    end $$`
    const statements: string[] = []
    const [zip] = await behindChange(
      app.services,
      [saving],
      [
        async () => {
          let bytes: Buffer | undefined
          const watched = watchStatements(app)
          const sent = await watched.during(async () => {
            bytes = await exported(app, owner, before.id)
          })
          statements.push(...sent)
          return bytes!
        },
      ],
    )
    expect(await courseJsonOf(zip!)).toMatchObject({
      title: 'Before',
      chapters: [{ title: 'Chapter 1' }],
    })
    expect(statements).toContain('begin isolation level repeatable read read only')
  })

  test('is copied with what was made of its videos', async () => {
    const first = (await filesOf(course.id)).find(({ filename }) => filename.startsWith('Mischen'))!
    await query(
      `insert into video_processings (media_id, status, percent, has_poster, heights)
       values ($1, 'done', 100, true, '[360]')`,
      first.id,
    )
    await app.services.storage.put(derivedKey(first.id, 'poster.webp'), Buffer.from('a poster'))
    const { status, body } = await duplicate(course.id)
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String),
        slug: 'copy-of-bread-all-of-it',
        title: 'Copy of Bread: “all of it” ⚡',
      },
    ])
    const [originals, copies] = [await filesOf(course.id), await filesOf(body.id)]
    // The film of two lessons is there once; the one that no lesson shows stays behind.
    expect(withoutIds(copies)).toEqual(
      withoutIds(originals.filter(({ filename }) => filename !== '..')).map((one) => ({
        ...one,
        filename: one.purpose === 'thumbnail' ? expect.any(String) : one.filename,
      })),
    )
    const posters = await query(
      `select p.media_id as id from video_processings p join media_files m on m.id = p.media_id
        where m.course_id = $1 and p.status = 'done' and p.heights = '[360]'`,
      body.id,
    )
    expect(posters).toHaveLength(1)
    const poster = await app.services.storage.size(derivedKey(posters[0].id, 'poster.webp'))
    expect(poster).toBe('a poster'.length)
  })

  test('can be saved, joined and bought while its files are copied', async () => {
    const { storage } = app.services
    const copy = storage.copy.bind(storage)
    const free: unknown[] = []
    vi.spyOn(storage, 'copy').mockImplementation(async (from, to) => {
      // Fails at once where somebody holds it.
      free.push(
        ...(await query('select 1 from courses where id = $1 for update nowait', course.id)),
      )
      free.push(...(await query('select 1 from users where id = $1 for update nowait', owner.id)))
      await copy(from, to)
    })
    expect((await duplicate(course.id)).status).toBe(200)
    expect(free.length).toBeGreaterThanOrEqual(4)
  })

  test.each(['before', 'after'])(
    'of which a film is removed right %s its bytes are copied is not copied, and nothing is left of the try',
    async (moment) => {
      const { storage } = app.services
      const changing = await fullCourse(app, owner)
      const files = await filesOf(changing.id)
      const filmId = String(files.find(({ filename }) => filename.startsWith('Mischen'))!.id)
      const stored = async () => (await storedFiles(app)).filter((file) => !file.includes(filmId))
      const before = await stored()
      const copy = storage.copy.bind(storage)
      vi.spyOn(storage, 'copy').mockImplementation(async (from, to) => {
        if (from !== uploadKey(filmId)) return copy(from, to)
        if (moment === 'after') await copy(from, to)
        await query('update lessons set video_id = null where video_id = $1', filmId)
        await query('delete from media_files where id = $1', filmId)
        if (moment === 'after') return
        await storage.remove(from)
        await copy(from, to)
      })
      const { status, body } = await duplicate(changing.id)
      expect([status, body.code, body.message]).toEqual([
        409,
        'CONFLICT',
        'This course was changed while it was being copied. Please try again.',
      ])
      expect(await stored()).toEqual(before)
    },
  )

  test('is not even begun to be copied where there is no room for one more', async () => {
    const free = await someone(app)
    const full = await fullCourse(app, free)
    const copy = vi.spyOn(app.services.storage, 'copy')
    const answered = await api(app, free, `/rest/v1/courses/${full.id}/duplicate`, {})
    expect([answered.status, answered.body.code]).toEqual([403, 'COURSE_LIMIT'])
    expect(copy).not.toHaveBeenCalled()
  })

  test('that goes to somebody else at that moment is not copied, and nothing is left of the try', async () => {
    const mine = await makeCourse(app.services, owner)
    const files = await storedFiles(app)
    const next = await someone(app)
    const [answered] = await behindChange(
      app.services,
      ['update courses set instructor_id = $2 where id = $1', mine.id, next.id],
      [() => duplicate(mine.id)],
    )
    expect([answered!.status, answered!.body.message]).toEqual([404, 'Course not found'])
    expect(await storedFiles(app)).toEqual(files)
  })

  test('of which bytes are gone is copied and exported without these, which the log names', async () => {
    const files = await filesOf(course.id)
    const video = files.find(({ filename }) => filename.startsWith('Mischen'))!
    const [{ thumbnail }] = await query(
      'select thumbnail_id as thumbnail from courses where id = $1',
      course.id,
    )
    await app.services.storage.remove(uploadKey(video.id))
    await app.services.storage.remove(imageKey(thumbnail, 1280))
    const errors = logged('error')
    const ids = () => errors.mock.calls.map(([facts]) => (facts as { mediaId: string }).mediaId)
    const left = await courseJsonOf(await exported(app, owner, course.id))
    expect(ids().toSorted()).toEqual([thumbnail, video.id].toSorted())
    expect(left.thumbnail).toBeNull()
    const videos = left.chapters.map(({ lessons }: { lessons: { video: object | null }[] }) =>
      lessons.map(({ video: shown }) => shown && (shown as { filename: string }).filename),
    )
    expect(videos).toEqual([[null, null], [null], ['パン.mp4']])

    errors.mockClear()
    const { status, body } = await duplicate(course.id)
    expect(status).toBe(200)
    expect(ids().toSorted()).toEqual([thumbnail, video.id].toSorted())
    expect((await filesOf(body.id)).map(({ filename }) => filename)).toEqual(['パン.mp4'])
    expect(
      await query(
        `select language from video_captions c join media_files m on m.id = c.media_id
          where m.course_id = $1`,
        body.id,
      ),
    ).toEqual([{ language: 'ja' }])
    errors.mockClear()
    const copy = await courseJsonOf(await exported(app, owner, body.id))
    expect(copy).toEqual({ ...left, title: body.title, chapters: expect.anything() })
    expect(errors).not.toHaveBeenCalled()
  })
})

test('of what was stored for nothing the bytes go, but not those that a row knows', async () => {
  const { storage } = app.services
  const known = await makeMedia(app.services, await someone(app), { purpose: 'video' })
  const unknown = crypto.randomUUID()
  const keysOf = (id: string) => [uploadKey(id), imageKey(id, 320), derivedKey(id, 'poster.webp')]
  for (const key of [known, unknown].flatMap(keysOf)) await storage.put(key, Buffer.from('x'))
  const failing = leavingNothing(app.services, async (ids) => {
    ids.push(known, unknown)
    throw new Error('the connection broke after the commit')
  })
  await expect(failing).rejects.toThrow('the connection broke after the commit')
  const sizes = (id: string) => Promise.all(keysOf(id).map((key) => storage.size(key)))
  expect(await sizes(known)).toEqual([1, 1, 1])
  expect(await sizes(unknown)).toEqual([null, null, null])
})
