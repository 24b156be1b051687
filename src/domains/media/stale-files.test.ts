// Which files are swept away, which stay, and whose files a call reaches: row by row.
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { waitingFor } from '../../../test/behind-change.ts'
import { lessonsOf, makeCourse, makeMedia, makePerson, makePost } from '../../../test/factories.ts'
import { courseBrandings } from '../branding/tables.ts'
import { certificates } from '../certificates/tables.ts'
import { postAttachments } from '../community/tables.ts'
import { courseImports } from '../course-transfer/tables.ts'
import { planContent } from '../courses/plan-content.ts'
import { knownContent, lockContent, newIds, storeContent } from '../courses/save-content.ts'
import { courseContentSave } from '../courses/schema.ts'
import { users } from '../accounts/tables.ts'
import { deleteCourseFile, deleteFilesOfCourses, deletePostFiles } from './delete-files.ts'
import { derivedKey } from './derived-files.ts'
import { expectedFiles, missingAmong } from './expected-files.ts'
import { uploadKey } from './finish-upload.ts'
import { handOverFiles } from './hand-over-files.ts'
import { holdCoursePicture, holdThumbnail, touchFiles } from './hold-course-picture.ts'
import {
  countUnfinished,
  deleteUnfinished,
  deleteUnusedCourseFiles,
  holdPostFiles,
  knownIds,
  markFailed,
  markReady,
  unfinishedFiles,
} from './queries.ts'
import { imageKey, postImageKey } from './store-image.ts'
import { mediaFiles, videoProcessings } from './tables.ts'
import { removeStaleUploads } from './uploads.ts'

let app: TestApp
let owner: { id: string }
let other: { id: string }
let course: { id: string; instructorId: string; slug: string }
let foreign: { id: string; instructorId: string; slug: string }

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  owner = await makePerson(app.services)
  other = await makePerson(app.services)
  course = await makeCourse(app.services, owner)
  foreign = await makeCourse(app.services, other)
})

const query = async (statement: string, ...values: unknown[]) =>
  (await app.services.pool.query(statement, values)).rows

type Facts = Partial<typeof mediaFiles.$inferInsert>

const media = async (facts: Facts = {}) => {
  const [row] = await app.services.db
    .insert(mediaFiles)
    .values({
      ownerId: owner.id,
      purpose: 'video',
      status: 'ready',
      filename: 'a.mp4',
      sizeBytes: 10,
      ...facts,
    })
    .returning({ id: mediaFiles.id })
  return row!.id
}

/** As if nothing had happened with it for so many hours. */
const lain = async (hours: number, facts: Facts = {}) => {
  const id = await media(facts)
  await query(
    `update media_files set created_at = now() - make_interval(secs => $2),
            updated_at = now() - make_interval(secs => $2) where id = $1`,
    id,
    hours * 3600,
  )
  return id
}

const areThere = async (ids: string[]) => {
  const known = await knownIds(app.services.db, ids)
  return ids.map((id) => known.has(id))
}

const [aDay, aWeek] = [24, 7 * 24]
const tenMinutes = 10 / 60

describe('swept away', () => {
  test('is what was not finished in a week, whatever it is for', async () => {
    const ids = [
      await lain(aWeek + tenMinutes, { status: 'uploading' }),
      await lain(aWeek + tenMinutes, { status: 'failed', problem: 'x', purpose: 'avatar' }),
      await lain(aWeek - tenMinutes, { status: 'uploading' }),
      await lain(aWeek - tenMinutes, { status: 'failed', problem: 'x' }),
    ]
    await removeStaleUploads(app.services)
    expect(await areThere(ids)).toEqual([false, false, true, true])
  })

  test('are videos that no lesson has shown for a week, with what was made of them', async () => {
    const { storage } = app.services
    const shown = await lain(aWeek * 2)
    const [lesson] = await lessonsOf(app.services, course.id)
    await query('update lessons set video_id = $2 where id = $1', lesson!.id, shown)
    const ids = [shown, await lain(aWeek + tenMinutes), await lain(aWeek - tenMinutes)]
    for (const id of ids) {
      await storage.put(uploadKey(id), Buffer.from('x'))
      await storage.put(derivedKey(id, 'poster.jpg'), Buffer.from('x'))
    }
    await removeStaleUploads(app.services)
    expect(await areThere(ids)).toEqual([true, false, true])
    for (const key of [uploadKey, (id: string) => derivedKey(id, 'poster.jpg')]) {
      expect(await Promise.all(ids.map((id) => storage.size(key(id))))).toEqual([1, null, 1])
    }
  })

  test('are avatars that nobody has worn for a day', async () => {
    const facts = { purpose: 'avatar' } as const
    const worn = await lain(aDay * 2, facts)
    await app.services.db
      .update(users)
      .set({ avatarUrl: `/storage/v1/images/${worn}/256.webp` })
      .where(sql`id = ${owner.id}`)
    const ids = [
      worn,
      await lain(aDay + tenMinutes, facts),
      await lain(aDay - tenMinutes, facts),
      // Worn by somebody else, which is none of theirs.
      await lain(aDay + tenMinutes, { ...facts, ownerId: other.id }),
    ]
    const { storage } = app.services
    for (const id of ids) await storage.put(imageKey(id, 96), Buffer.from('x'))
    await removeStaleUploads(app.services)
    expect(await areThere(ids)).toEqual([true, false, true, false])
    expect(await Promise.all(ids.map((id) => storage.size(imageKey(id, 96))))).toEqual([
      1,
      null,
      1,
      null,
    ])
  })

  test('are logos and covers that no course shows and no certificate has', async () => {
    const of = (purpose: 'course_logo' | 'course_cover', hours: number) =>
      lain(hours, { purpose, courseId: course.id })
    const [logo, cover, issued] = [
      await of('course_logo', aDay * 2),
      await of('course_cover', aDay * 2),
      await of('course_logo', aDay * 2),
    ]
    await app.services.db
      .insert(courseBrandings)
      .values({ courseId: course.id, logoId: logo, coverId: cover })
    const look = { colour: null, heading: '', words: '', signatory: '' }
    await app.services.db.insert(certificates).values({
      userId: other.id,
      courseId: course.id,
      courseTitle: 'A course',
      credential: '',
      learnerName: 'Lea',
      creatorName: 'Tea',
      look: { ...look, logoUrl: `/storage/v1/images/${issued}/256.webp` },
    })
    const ids = [
      logo,
      cover,
      issued,
      await of('course_logo', aDay + tenMinutes),
      await of('course_cover', aDay + tenMinutes),
      await of('course_cover', aDay - tenMinutes),
    ]
    await removeStaleUploads(app.services)
    expect(await areThere(ids)).toEqual([true, true, true, false, false, true])
  })

  test('are pictures of courses that none has had for a week, and not those that courses share', async () => {
    const { storage } = app.services
    const facts = { purpose: 'thumbnail' } as const
    const shared = await lain(aWeek * 2, facts)
    const copy = await makeCourse(app.services, owner)
    await query('update courses set thumbnail_id = $1 where id = any($2)', shared, [
      course.id,
      copy.id,
    ])
    const ids = [
      shared,
      await lain(aWeek + tenMinutes, facts),
      // Of an import, and then replaced.
      await lain(aWeek + tenMinutes, { ...facts, courseId: course.id }),
      await lain(aWeek - tenMinutes, facts),
    ]
    for (const id of ids) await storage.put(imageKey(id, 640), Buffer.from('x'))
    await removeStaleUploads(app.services)
    expect(await areThere(ids)).toEqual([true, false, false, true])
    expect(await Promise.all(ids.map((id) => storage.size(imageKey(id, 640))))).toEqual([
      1,
      null,
      null,
      1,
    ])
  })

  test('is no picture that a course takes at that moment', async () => {
    const { db } = app.services
    const id = await lain(aWeek + tenMinutes, { purpose: 'thumbnail' })
    let sweep: Promise<void> | undefined
    await db.transaction(async (transaction) => {
      expect(await holdThumbnail(transaction, owner.id, id)).toBe(true)
      await transaction.execute(
        sql`update courses set thumbnail_id = ${id} where id = ${course.id}`,
      )
      sweep = removeStaleUploads(app.services)
      await waitingFor(app.services, 1)
    })
    await sweep
    expect(await areThere([id])).toEqual([true])
  })

  test('is no video that a lesson shows from that moment on', async () => {
    const { db } = app.services
    const id = await lain(aWeek + tenMinutes, { courseId: course.id })
    let sweep: Promise<void> | undefined
    await db.transaction(async (transaction) => {
      await lockContent(transaction, { courseId: course.id, instructorId: owner.id })
      const known = await knownContent(transaction, course.id)
      expect(known.readyVideoIds.has(id)).toBe(true)
      sweep = removeStaleUploads(app.services)
      await waitingFor(app.services, 1)
      const { chapters } = courseContentSave.parse({
        courseId: course.id,
        contentVersion: 0,
        chapters: [
          {
            title: 'Tea',
            lessons: [{ title: 'Green', content: { type: 'doc', content: [] }, videoId: id }],
          },
        ],
      })
      const plan = planContent(chapters, known, await newIds(transaction, 2))
      if ('problem' in plan) throw new Error(plan.problem)
      await storeContent(transaction, course.id, plan)
    })
    await sweep
    expect(await areThere([id])).toEqual([true])
    const shown = await query('select video_id from lessons where course_id = $1', course.id)
    expect(shown).toEqual([{ video_id: id }])
  })

  test('are files of posts that stand in none for a day', async () => {
    const { storage } = app.services
    const of = (purpose: 'post_image' | 'post_video', hours: number) =>
      lain(hours, { purpose, courseId: course.id })
    const shown = await of('post_image', aDay * 2)
    const postId = await makePost(app.services, course)
    await app.services.db
      .insert(postAttachments)
      .values({ postId, orderIndex: 1, kind: 'image', mediaId: shown })
    const ids = [
      shown,
      await of('post_image', aDay + tenMinutes),
      await of('post_video', aDay + tenMinutes),
      await of('post_video', aDay - tenMinutes),
    ]
    for (const id of ids) await storage.put(postImageKey(id, 480), Buffer.from('x'))
    await removeStaleUploads(app.services)
    expect(await areThere(ids)).toEqual([true, false, false, true])
    expect(await Promise.all(ids.map((id) => storage.size(postImageKey(id, 480))))).toEqual([
      1,
      null,
      null,
      1,
    ])
  })

  test('are course files that nobody imports: after a week, or all of a person', async () => {
    const { db } = app.services
    const of = (hours: number, facts: Facts = {}) => lain(hours, { purpose: 'import', ...facts })
    const [waiting, running, failed] = [
      await of(aWeek * 2),
      await of(aWeek * 2),
      await of(aWeek * 2),
    ]
    for (const [fileId, status] of [
      [waiting, 'waiting'],
      [running, 'running'],
      [failed, 'failed'],
    ] as const) {
      const person = await makePerson(app.services)
      await db.insert(courseImports).values({
        userId: person.id,
        fileId,
        status,
        ...(status === 'failed' && { problem: 'It is no course.' }),
      })
    }
    const ids = [
      waiting,
      running,
      failed,
      await of(aWeek + tenMinutes),
      await of(aWeek - tenMinutes),
    ]
    await removeStaleUploads(app.services)
    expect(await areThere(ids)).toEqual([true, true, false, false, true])
    const theirs = await of(0, { ownerId: other.id })
    const unfinished = await of(0, { status: 'uploading' })
    const gone = await deleteUnusedCourseFiles(db, owner.id)
    expect(gone.toSorted()).toEqual([ids[4]!, unfinished].toSorted())
    expect(await areThere([waiting, running, theirs])).toEqual([true, true, true])
  })

  test('is what belongs to no row any more', async () => {
    const { storage } = app.services
    const keys = [
      uploadKey,
      (id: string) => imageKey(id, 96),
      (id: string) => postImageKey(id, 480),
    ]
    const kept = await media()
    for (const key of keys) await storage.put(key(kept), Buffer.from('x'))
    await storage.put('uploads/not-ours', Buffer.from('x'))
    await removeStaleUploads(app.services)
    expect(await Promise.all(keys.map((key) => storage.size(key(kept))))).toEqual([1, 1, 1])
    expect(await storage.size('uploads/not-ours')).toBe(1)
  })

  test('is the file of a picture that was left behind when its process died', async () => {
    const { storage } = app.services
    const ids = [
      await media({ purpose: 'avatar', ownerId: other.id }),
      await media({ purpose: 'thumbnail', status: 'uploading' }),
      await media(),
      await media({ purpose: 'import' }),
    ]
    for (const id of ids) await storage.put(uploadKey(id), Buffer.from('x'))
    const changedAt = vi
      .spyOn(storage, 'changedAt')
      .mockResolvedValue(new Date(Date.now() - 25 * 60 * 60 * 1000))
    onTestFinished(() => changedAt.mockRestore())
    await removeStaleUploads(app.services)
    const sizes = await Promise.all(ids.map((id) => storage.size(uploadKey(id))))
    expect(sizes).toEqual([null, 1, 1, 1])
    expect(await areThere(ids)).toEqual([true, true, true, true])
  })

  test('is so after a day, wherever it lies and however its id is written', async () => {
    const { storage } = app.services
    const places: [folder: string, name: string][] = [
      ['uploads', ''],
      ['images', '/96.webp'],
      ['post-images', '/480.webp'],
      ['videos', '/hls/main.m3u8'],
    ]
    const [old, young] = [randomUUID(), randomUUID()]
    const kept = (await media()).toUpperCase()
    const hour = 60 * 60 * 1000
    for (const [folder, name] of places) {
      for (const id of [old, young, kept]) {
        await storage.put(`${folder}/${id}${name}`, Buffer.from('x'))
      }
    }
    const changedAt = vi.spyOn(storage, 'changedAt').mockImplementation((key) => {
      const age = key.endsWith(young) ? 24 * hour - 60_000 : 24 * hour + 60_000
      return Promise.resolve(new Date(Date.now() - age))
    })
    onTestFinished(() => changedAt.mockRestore())
    await removeStaleUploads(app.services)
    const areLeft = (id: string) =>
      Promise.all(
        places.map(
          async ([folder, name]) => (await storage.size(`${folder}/${id}${name}`)) !== null,
        ),
      )
    expect(await areLeft(old)).toEqual([false, false, false, false])
    expect(await areLeft(young)).toEqual([true, true, true, true])
    expect(await areLeft(kept)).toEqual([true, true, true, true])
  })

  test('goes also where there are more than five hundred, and what is known among them stays', async () => {
    const { storage } = app.services
    const names = vi.spyOn(storage, 'names')
    const changedAt = vi.spyOn(storage, 'changedAt').mockResolvedValue(new Date(0))
    const remove = vi.spyOn(storage, 'remove').mockResolvedValue()
    onTestFinished(() => {
      for (const spy of [names, changedAt, remove]) spy.mockRestore()
    })
    const known = await media()
    const ids = Array.from({ length: 1001 }, () => randomUUID() as string)
    ids.splice(700, 0, known)
    names.mockImplementation((folder) => Promise.resolve(folder === 'images' ? ids : []))
    await removeStaleUploads(app.services)
    expect(remove.mock.calls.map(([key]) => key)).toEqual(
      ids.filter((id) => id !== known).map((id) => `images/${id}`),
    )
  })

  test('is counted in the log when there was something', async () => {
    const info = vi.spyOn(app.services.log, 'info')
    onTestFinished(() => info.mockRestore())
    await removeStaleUploads(app.services)
    info.mockClear()
    await removeStaleUploads(app.services)
    expect(info).not.toHaveBeenCalled()
    for (let count = 0; count < 2; count += 1)
      await lain(aWeek + tenMinutes, { status: 'uploading' })
    await removeStaleUploads(app.services)
    expect(info.mock.calls).toEqual([[{ uploads: 2 }, expect.any(String)]])
  })
})

describe('a file is reached', () => {
  const within = <Result>(work: (transaction: never) => Promise<Result>): Promise<Result> =>
    app.services.db.transaction((transaction) => work(transaction as never))

  test('while it is under way, by what ends it, once', async () => {
    const { db } = app.services
    const facts = { contentType: 'video/mp4', durationSeconds: 3, width: 4, height: 5 }
    const uploading = await media({ status: 'uploading' })
    expect(await markReady(db, uploading, facts)).toBe(true)
    const [row] = await query('select * from media_files where id = $1', uploading)
    expect(row).toMatchObject({ status: 'ready', content_type: 'video/mp4', duration_seconds: 3 })
    expect(await markReady(db, uploading, facts)).toBe(false)
    expect(await markFailed(db, uploading, 'Too late')).toBe(false)
    const failing = await media({ status: 'uploading' })
    expect(await markFailed(db, failing, 'Damaged')).toBe(true)
    expect(await markReady(db, failing, facts)).toBe(false)
    expect(await query('select status, problem from media_files where id = $1', failing)).toEqual([
      { status: 'failed', problem: 'Damaged' },
    ])
    expect(await markReady(db, randomUUID(), facts)).toBe(false)
  })

  test('before it is finished, by its owner', async () => {
    const { db } = app.services
    const [uploading, failed, ready] = [
      await media({ status: 'uploading' }),
      await media({ status: 'failed', problem: 'x' }),
      await media(),
    ]
    await media({ status: 'uploading', ownerId: other.id })
    expect(await countUnfinished(db, owner.id)).toBe(1)
    const mine = (await unfinishedFiles(db)).filter(({ id }) =>
      [uploading, failed, ready].includes(id),
    )
    expect(mine).toEqual([{ id: uploading, sizeBytes: 10 }])
    expect(await deleteUnfinished(db, other.id, uploading)).toBe(false)
    expect(await deleteUnfinished(db, owner.id, ready)).toBe(false)
    expect(await deleteUnfinished(db, owner.id, uploading)).toBe(true)
    expect(await deleteUnfinished(db, owner.id, failed)).toBe(true)
    expect(await areThere([uploading, failed, ready])).toEqual([false, false, true])
  })

  test('by a post of its course, of its owner, when it is ready', async () => {
    const image = { purpose: 'post_image', courseId: course.id } as const
    const good = [await media(image), await media({ ...image, purpose: 'post_video' })].toSorted()
    const bad = [
      await media({ ...image, ownerId: other.id }),
      await media({ ...image, courseId: foreign.id }),
      await media({ ...image, status: 'uploading' }),
      await media({ courseId: course.id }),
    ]
    const asked = { ownerId: owner.id, courseId: course.id, ids: [...good, ...bad] }
    const held = await within((transaction) => holdPostFiles(transaction, asked))
    expect(held.map(({ id }) => id).toSorted()).toEqual(good)
    const none = { ...asked, ids: [] }
    expect(await within((transaction) => holdPostFiles(transaction, none))).toEqual([])
    await within((transaction) => deletePostFiles(transaction, course.id, [...good, ...bad]))
    expect(await areThere([...good, ...bad])).toEqual([false, false, false, true, false, true])
  })

  test('by the look of its course, for what it is', async () => {
    const logo = await lain(1, { purpose: 'course_logo', courseId: course.id })
    const wanted = {
      id: logo,
      ownerId: owner.id,
      courseId: course.id,
      purpose: 'course_logo',
    } as const
    const holds = (change: Partial<Parameters<typeof holdCoursePicture>[1]> = {}) =>
      within((transaction) => holdCoursePicture(transaction, { ...wanted, ...change }))
    const unready = await media({ ...wanted, id: undefined, status: 'uploading' })
    expect([
      await holds({ ownerId: other.id }),
      await holds({ courseId: foreign.id }),
      await holds({ purpose: 'course_cover' }),
      await holds({ id: unready }),
      await holds({ id: randomUUID() }),
    ]).toEqual([false, false, false, false, false])
    const age = async (id: string) =>
      (
        await query(
          'select extract(epoch from now() - updated_at)::float8 as age from media_files where id = $1',
          id,
        )
      )[0].age
    expect(await age(logo)).toBeGreaterThan(3000)
    expect(await holds()).toBe(true)
    expect(await age(logo)).toBeLessThan(60)
    const [one, two] = [await lain(1), await lain(1)]
    await within((transaction) => touchFiles(transaction, [null, one]))
    expect([(await age(one)) < 60, (await age(two)) < 60]).toEqual([true, false])
    await within((transaction) => touchFiles(transaction, [null]))
  })

  test('by who takes courses over, and loses its name', async () => {
    const [ofCourse, thumbnail, own, unready, ofPost, theirs] = [
      await media({ courseId: course.id }),
      await media({ purpose: 'thumbnail' }),
      await media(),
      await media({ courseId: course.id, status: 'uploading' }),
      await media({ courseId: course.id, purpose: 'post_image' }),
      await media({ courseId: course.id, ownerId: other.id }),
    ]
    const to = await makePerson(app.services)
    await within((transaction) =>
      handOverFiles(transaction, {
        from: owner.id,
        to: to.id,
        courseIds: [course.id],
        thumbnailIds: [thumbnail],
      }),
    )
    const all = [ofCourse, thumbnail, own, unready, ofPost, theirs]
    const rows = await query(
      'select id, owner_id, filename from media_files where id = any($1)',
      all,
    )
    const who = new Map(rows.map((row) => [row.id, [row.owner_id, row.filename]]))
    expect(all.map((id) => who.get(id))).toEqual([
      [to.id, 'video'],
      [to.id, 'thumbnail'],
      [owner.id, 'a.mp4'],
      [owner.id, 'a.mp4'],
      [owner.id, 'a.mp4'],
      [other.id, 'a.mp4'],
    ])
  })

  test('with its course, and with its import', async () => {
    const [shared, alone] = [
      await makeMedia(app.services, owner, { purpose: 'thumbnail' }),
      await makeMedia(app.services, owner, { purpose: 'thumbnail' }),
    ]
    const second = await makeCourse(app.services, owner)
    const third = await makeCourse(app.services, owner)
    const shows = 'update courses set thumbnail_id = $2 where id = $1'
    await query(shows, course.id, alone)
    await query(shows, second.id, shared)
    await query(shows, third.id, shared)
    const ids = [
      await media({ courseId: course.id }),
      await media({ courseId: second.id, status: 'uploading' }),
      await media({ courseId: third.id }),
      alone,
      shared,
    ]
    await within((transaction) => deleteFilesOfCourses(transaction, [course.id, second.id]))
    expect(await areThere(ids)).toEqual([false, false, true, false, true])

    const file = await media({ purpose: 'import' })
    const video = await media()
    await within((transaction) => deleteCourseFile(transaction, other.id, file))
    await within((transaction) => deleteCourseFile(transaction, owner.id, video))
    expect(await areThere([file, video])).toEqual([true, true])
    await within((transaction) => deleteCourseFile(transaction, owner.id, file))
    expect(await areThere([file])).toEqual([false])
  })
})

test('what must be stored is what is ready, and what was made of it', async () => {
  const { pool, db } = app.services
  const [video, image, picture, unready, upload] = [
    await media(),
    await media({ purpose: 'post_image' }),
    await media({ purpose: 'thumbnail' }),
    await media({ status: 'uploading' }),
    await media({ purpose: 'import' }),
  ]
  const [done, bare, running] = [await media(), await media(), await media()]
  await db.insert(videoProcessings).values([
    { mediaId: done, status: 'done', heights: [360] },
    { mediaId: bare, status: 'done', heights: [] },
    { mediaId: running, status: 'running', hasPoster: true },
  ])
  const mine = new Set([video, image, picture, unready, upload, done, bare, running])
  const expected = (await expectedFiles(pool)).filter(({ mediaId }) => mine.has(mediaId))
  const keys = expected.map(({ key }) => key)
  expect(keys.toSorted()).toEqual(
    [
      `uploads/${video}`,
      `post-images/${image}`,
      `images/${picture}`,
      `uploads/${upload}`,
      `uploads/${done}`,
      `videos/${done}`,
      `uploads/${bare}`,
      `uploads/${running}`,
    ].toSorted(),
  )
  expect(missingAmong(expected, keys)).toEqual([])
  const there = [`uploads/${video}`, `videos/${done}/hls/main.m3u8`, `images/${picture}/96.webp`]
  const missing = missingAmong(expected, there).map(({ key }) => key)
  expect(missing.toSorted()).toEqual(
    keys.filter((key) => !there.some((one) => one.startsWith(key))).toSorted(),
  )
})
