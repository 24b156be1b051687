// The nightly recount of the counters beside courses, and its metric.
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  makeCourse,
  makePerson,
  makeReview,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { setFlagshipCourse } from '../site/flagship.ts'
import { noteCounterChecks } from './note-counter-checks.ts'
import { countWrongOfCourses, recountCounters } from './recount-counters.ts'
import { counterChecks, courses } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  await app.services.db.delete(counterChecks)
})

async function makeClass() {
  const instructor = await makePerson(app.services)
  const course = await makeCourse(app.services, instructor)
  await joinCourse(app.services, instructor, course)
  await joinCourse(app.services, await makePerson(app.services), course)
  await makeReview(app.services, course, { rating: 4 })
  return course
}

const found = async () => {
  const rows = await app.services.db.select().from(counterChecks)
  return Object.fromEntries(rows.map(({ counter, differences }) => [counter, differences]))
}
const countersOf = async (id: string) => {
  const [course] = await app.services.db.select().from(courses).where(eq(courses.id, id))
  const { studentsCount, lessonsCount, reviewsCount, rating } = course!
  return { studentsCount, lessonsCount, reviewsCount, rating }
}
const nothing = { students_count: 0, lessons_count: 0, reviews_count: 0, rating: 0 }
const right = { studentsCount: 2, lessonsCount: 1, reviewsCount: 1, rating: 4 }

test('what is right stays as it is, in every course', async () => {
  const made = []
  for (let count = 0; count < 3; count += 1) made.push(await makeClass())
  // More than are looked at in one go.
  await app.services.pool.query(
    `insert into courses (slug, title, description, category, instructor_id)
     select 'empty-' || n, 'Empty', '{}', 'Tech', $1 from generate_series(1, 250) n`,
    [made[0]!.instructorId],
  )
  const versions = async () =>
    (await app.services.pool.query('select id, version from courses order by id')).rows
  const before = await versions()
  await recountCounters(app.services)
  expect(await found()).toEqual(nothing)
  expect(await versions()).toEqual(before)
  expect(await countersOf(made[0]!.id)).toEqual(right)
})

test('what is wrong is mended, counted, said in the log and in the metrics', async () => {
  const [one, two] = [await makeClass(), await makeClass()]
  const { db, log } = app.services
  await db.update(courses).set({ studentsCount: 7, rating: 5 }).where(eq(courses.id, one.id))
  await db
    .update(courses)
    .set({ studentsCount: 0, reviewsCount: 3, lessonsCount: 9 })
    .where(eq(courses.id, two.id))
  const warn = vi.spyOn(log, 'warn')
  await recountCounters(app.services)
  expect(await found()).toEqual({
    students_count: 2,
    lessons_count: 1,
    reviews_count: 1,
    rating: 1,
  })
  expect(await countersOf(one.id)).toEqual(right)
  expect(await countersOf(two.id)).toEqual(right)
  expect(warn.mock.calls.map(([facts]) => facts)).toContainEqual({
    counter: 'students_count',
    differences: 2,
    ids: expect.arrayContaining([one.id, two.id]),
  })
  warn.mockRestore()
  const metrics = async () => (await app.request('/metrics')).body as string
  expect(await metrics()).toContain('thunder_counter_differences{counter="students_count"} 2\n')
  await recountCounters(app.services)
  expect(await metrics()).toContain('thunder_counter_differences{counter="students_count"} 0\n')
})

test('people who join, leave and review meanwhile make no difference', async () => {
  const instructor = await makePerson(app.services)
  const course = await makeCourse(app.services, instructor)
  await setFlagshipCourse(app.services.db, course.id)
  const crowd = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { id } = await makePerson(app.services)
      return sessionCookieOf(app.services, id)
    }),
  )
  const comeAndGo = crowd.map(async (cookie, index) => {
    const joining = { body: { courseId: course.id }, cookie }
    expect((await app.request('/rest/v1/enrollments', joining)).status).toBe(200)
    const review = { rating: 1 + (index % 5), reviewText: 'So far' }
    const writing = { method: 'PUT', body: review, cookie }
    const written = await app.request(`/rest/v1/courses/${course.id}/review`, writing)
    expect(written.status).toBe(200)
    if (index % 2 === 0) {
      await app.request(`/rest/v1/enrollments/${course.id}`, { method: 'DELETE', cookie })
    }
  })
  const recounts = (async () => {
    for (let round = 0; round < 5; round += 1) await recountCounters(app.services)
  })()
  await Promise.all([...comeAndGo, recounts])
  const checks = await app.services.db.select().from(counterChecks)
  expect(checks.filter(({ differences }) => differences > 0)).toEqual([])
  expect(await countersOf(course.id)).toMatchObject({ studentsCount: 6, reviewsCount: 12 })
})

test('what is wrong is found without a change', async () => {
  const { db, pool } = app.services
  const creator = await makePerson(app.services)
  const [one, two] = [
    await makeCourse(app.services, creator),
    await makeCourse(app.services, creator),
  ]
  const none = { students_count: 0, lessons_count: 0, reviews_count: 0, rating: 0 }
  expect(await countWrongOfCourses(db)).toEqual(none)
  await pool.query('update courses set students_count = 3, rating = 2 where id = $1', [one.id])
  await pool.query(
    'update courses set students_count = 1, lessons_count = 9, reviews_count = 4 where id = $1',
    [two.id],
  )
  const wrong = { students_count: 2, lessons_count: 1, reviews_count: 1, rating: 1 }
  expect(await countWrongOfCourses(db)).toEqual(wrong)
  expect(await countWrongOfCourses(db)).toEqual(wrong)
  await pool.query(
    'update courses set students_count = 0, rating = 0, lessons_count = 1, reviews_count = 0 where id = any($1)',
    [[one.id, two.id]],
  )
})

test('a recount is noted for ninety days; of what was wrong some are named in the log', async () => {
  const { db, log } = app.services
  await db.delete(counterChecks)
  await db.insert(counterChecks).values([
    { counter: 'old', differences: 1, createdAt: sql`now() - interval '91 days'` },
    { counter: 'younger', differences: 2, createdAt: sql`now() - interval '89 days'` },
  ])
  const ids = Array.from({ length: 21 }, (_, at) => `id ${at}`)
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
  await noteCounterChecks(app.services, { right: [], wrong: ids })
  expect(warn.mock.calls).toEqual([
    [
      { counter: 'wrong', differences: 21, ids: ids.slice(0, 20) },
      'a counter was wrong and has been mended',
    ],
  ])
  warn.mockRestore()
  const rows = await db.select().from(counterChecks).orderBy(counterChecks.counter)
  expect(rows.map(({ counter, differences }) => [counter, differences])).toEqual([
    ['right', 0],
    ['wrong', 21],
    ['younger', 2],
  ])
})
