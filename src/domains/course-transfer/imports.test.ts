// The rows of imports: whose they are, which are under way, and what can become of them.
import { randomUUID } from 'node:crypto'
import { sql, TransactionRollbackError } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson } from '../../../test/factories.ts'
import { mediaFiles } from '../media/tables.ts'
import {
  beginImport,
  deleteImport,
  enqueueImport,
  hasImportUnderWay,
  importsOf,
  importsLeftBehind,
  isOwnCourseFile,
  noteImport,
  ownImport,
  renewImport,
} from './queries.ts'
import { courseImports } from './tables.ts'

let app: TestApp
let owner: { id: string }
let other: { id: string }
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  owner = await makePerson(app.services)
  other = await makePerson(app.services)
})

const query = async (statement: string, ...values: unknown[]) =>
  (await app.services.pool.query(statement, values)).rows
const within = <Result>(work: (transaction: never) => Promise<Result>): Promise<Result> =>
  app.services.db.transaction((transaction) => work(transaction as never))

const file = async (facts: Partial<typeof mediaFiles.$inferInsert> = {}) => {
  const [row] = await app.services.db
    .insert(mediaFiles)
    .values({
      ownerId: owner.id,
      purpose: 'import',
      status: 'ready',
      filename: 'course.zip',
      sizeBytes: 10,
      ...facts,
    })
    .returning({ id: mediaFiles.id })
  return row!.id
}

const made = async (facts: Partial<typeof courseImports.$inferInsert> = {}) => {
  const [row] = await app.services.db
    .insert(courseImports)
    .values({ userId: owner.id, ...facts })
    .returning({ id: courseImports.id })
  return row!.id
}

const stored = async (id: string) =>
  (
    await query(
      `select status, progress_percent as percent, problem, finished_at is not null as "isOver"
         from course_imports where id = $1`,
      id,
    )
  )[0]

const jobsOf = async (id: string) =>
  (await query('select 1 from graphile_worker.jobs where key = $1', `course-import:${id}`)).length

test('a person sees the last ten of their own, newest first, with what became of them', async () => {
  const { db } = app.services
  const course = await makeCourse(app.services, owner, { title: 'Bread' })
  const fileId = await file({ filename: 'bread.zip' })
  const failed = await made({ status: 'failed', problem: 'No.', fileId })
  const gone = await made({ status: 'failed', problem: 'No.' })
  const done = await made({ status: 'done', courseId: course.id, progressPercent: 100 })
  await made({ userId: other.id })
  const shown = {
    status: 'failed',
    progressPercent: 0,
    problem: 'No.',
    canRetry: true,
    filename: 'bread.zip',
    course: null,
    createdAt: expect.any(Date),
  }
  expect(await importsOf(db, owner.id)).toEqual([
    {
      ...shown,
      id: done,
      status: 'done',
      progressPercent: 100,
      problem: null,
      canRetry: false,
      filename: null,
      course: { id: course.id, slug: course.slug, title: 'Bread' },
    },
    { ...shown, id: gone, canRetry: false, filename: null },
    { ...shown, id: failed },
  ])
  expect(await ownImport(db, owner.id, failed)).toEqual({ ...shown, id: failed })
  expect(await ownImport(db, other.id, failed)).toBeNull()
  const later: string[] = []
  for (let count = 0; count < 10; count += 1) later.unshift(await made({ status: 'failed' }))
  expect((await importsOf(db, owner.id)).map(({ id }) => id)).toEqual(later)
})

test('what can be imported is an uploaded course file of one’s own', async () => {
  const { db } = app.services
  const is = async (facts: Parameters<typeof file>[0]) =>
    isOwnCourseFile(db, owner.id, await file(facts))
  expect(await is({})).toBe(true)
  expect(await is({ ownerId: other.id })).toBe(false)
  expect(await is({ purpose: 'video' })).toBe(false)
  expect(await is({ status: 'uploading' })).toBe(false)
  expect(await isOwnCourseFile(db, owner.id, randomUUID())).toBe(false)
})

test('what waits or runs is under way, of its person', async () => {
  const { db } = app.services
  const is = () => hasImportUnderWay(db, owner.id)
  const [done, failed] = [await made({ status: 'done' }), await made({ status: 'failed' })]
  await made({ userId: other.id })
  expect(await is()).toBe(false)
  const waiting = await made()
  expect(await is()).toBe(true)
  await query(`update course_imports set status = 'running' where id = $1`, waiting)
  expect(await is()).toBe(true)
  const ids = (await importsLeftBehind(db)).map(({ id }) => id)
  expect([waiting, done, failed].map((id) => ids.includes(id))).toEqual([true, false, false])
})

test('one that a job will go on with is not left behind', async () => {
  const { db } = app.services
  const importId = await made({ userId: other.id, status: 'running' })
  const isLeft = async () => (await importsLeftBehind(db)).some(({ id }) => id === importId)
  expect(await isLeft()).toBe(true)
  await db
    .transaction(async (transaction) => {
      await enqueueImport(transaction, importId)
      const left = async () =>
        (await importsLeftBehind(transaction)).some(({ id }) => id === importId)
      const set = (change: string) =>
        transaction.execute(
          sql`update graphile_worker._private_jobs set ${sql.raw(change)} where key = ${`course-import:${importId}`}`,
        )
      expect(await left()).toBe(false)
      await set(`attempts = max_attempts, locked_at = now(), locked_by = 'another'`)
      expect(await left()).toBe(false)
      await set('locked_at = null, locked_by = null')
      expect(await left()).toBe(true)
      transaction.rollback()
    })
    .catch((error: unknown) => {
      if (!(error instanceof TransactionRollbackError)) throw error
    })
})

test('what has failed can be tried again by its person, while its file is there', async () => {
  const fileId = await file()
  const failed = await made({ status: 'failed', problem: 'No.', progressPercent: 40, fileId })
  await query('update course_imports set finished_at = now() where id = $1', failed)
  const renew = (id: string, userId = owner.id) =>
    within((transaction) => renewImport(transaction, userId, id))
  const without = await made({ status: 'failed', problem: 'No.' })
  const done = await made({ status: 'done', fileId: await file() })
  expect(await renew(failed, other.id)).toBe(false)
  expect([await renew(without), await renew(done), await renew(randomUUID())]).toEqual([
    false,
    false,
    false,
  ])
  expect(await jobsOf(failed)).toBe(0)
  // Before its job begins.
  const twice = await within(async (transaction) => [
    await renewImport(transaction, owner.id, failed),
    await renewImport(transaction, owner.id, failed),
  ])
  expect(twice).toEqual([true, false])
})

test('what is begun, noted and ended is so once, and never after it was removed', async () => {
  const { db } = app.services
  const fileId = await file()
  const id = await made({ fileId, problem: 'x', progressPercent: 30 })
  expect(await noteImport(db, id, { progressPercent: 5 })).toBe(false)
  expect(await beginImport(db, id)).toEqual({ userId: owner.id, fileId })
  expect(await stored(id)).toEqual({ status: 'running', percent: 0, problem: null, isOver: false })
  // Begun anew by whoever comes after a process that died.
  expect(await beginImport(db, id)).toEqual({ userId: owner.id, fileId })
  expect(await noteImport(db, id, { progressPercent: 50 })).toBe(true)
  expect(await stored(id)).toMatchObject({ percent: 50, isOver: false })
  expect(await noteImport(db, id, { status: 'failed', problem: 'No.' })).toBe(true)
  expect(await stored(id)).toEqual({ status: 'failed', percent: 50, problem: 'No.', isOver: true })
  expect(await noteImport(db, id, { status: 'done' })).toBe(false)
  expect(await beginImport(db, id)).toBeNull()

  const second = await made({ fileId: null })
  expect(await beginImport(db, second)).toEqual({ userId: owner.id, fileId: null })
  expect(await noteImport(db, second, { status: 'done', progressPercent: 100 })).toBe(true)
  expect(await stored(second)).toMatchObject({ status: 'done', isOver: true })

  expect(await within((transaction) => deleteImport(transaction, other.id, id))).toBeNull()
  expect(await within((transaction) => deleteImport(transaction, owner.id, id))).toEqual({ fileId })
  expect(await within((transaction) => deleteImport(transaction, owner.id, id))).toBeNull()
  expect(await noteImport(db, id, { progressPercent: 1 })).toBe(false)
})
