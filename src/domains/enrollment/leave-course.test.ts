// Leaving a course, and coming back.
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  completeLessons,
  joinCourse,
  makeCourse,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { eventsOf } from '../../../test/events-of.ts'
import { makePurchase } from '../../../test/sold-course.ts'
import { courses } from '../courses/tables.ts'
import { enrollments } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

const join = (courseId: string, cookie: string) =>
  app.request('/rest/v1/enrollments', { body: { courseId }, cookie })
const leave = (courseId: string, cookie?: string) =>
  app.request(`/rest/v1/enrollments/${courseId}`, { method: 'DELETE', cookie })

async function studentsOf(courseId: string) {
  const [course] = await app.services.db.select().from(courses).where(eq(courses.id, courseId))
  const rows = await app.services.db
    .select()
    .from(enrollments)
    .where(eq(enrollments.courseId, courseId))
  const learners = rows.filter((row) => row.userId !== course!.instructorId)
  return { counted: course!.studentsCount, enrolled: learners.length }
}

/** A course with one other member in it, and somebody who is about to leave. */
async function makeLeaving() {
  const instructor = await someone()
  const course = await makeCourse(app.services, instructor, {
    chapters: [{ title: 'Chapter 1', lessons: ['A', 'B', 'C'].map((title) => ({ title })) }],
  })
  const leaver = await someone()
  await joinCourse(app.services, await someone(), course)
  await joinCourse(app.services, leaver, course)
  return { instructor, course, leaver }
}

describe('a member who leaves', () => {
  test('is out, and counted no more', async () => {
    const { course, leaver } = await makeLeaving()
    const { status, body } = await leave(course.id, leaver.cookie)
    expect([status, body]).toEqual([200, { courseId: course.id, slug: course.slug }])
    expect(await studentsOf(course.id)).toEqual({ counted: 1, enrolled: 1 })
    const { cookie } = leaver
    expect(
      (await app.request(`/rest/v1/courses/${course.slug}/dashboard`, { cookie })).status,
    ).toBe(403)
    expect((await app.request('/rest/v1/dashboard', { cookie })).body.enrolled).toEqual([])
    const page = await app.request(`/rest/v1/courses/${course.slug}`, { cookie })
    expect(page.body).toMatchObject({ standing: 'signedIn', studentsCount: 1 })
  })

  test('twice, or twenty times at once, has left once', async () => {
    const { course, leaver } = await makeLeaving()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => leave(course.id, leaver.cookie)),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect((await leave(course.id, leaver.cookie)).status).toBe(200)
    expect(await studentsOf(course.id)).toEqual({ counted: 1, enrolled: 1 })
  })

  test('finds what was completed when coming back', async () => {
    const { course, leaver } = await makeLeaving()
    await completeLessons(app.services, leaver, course, 2)
    await leave(course.id, leaver.cookie)
    expect((await join(course.id, leaver.cookie)).status).toBe(200)
    const { body } = await app.request(`/rest/v1/courses/${course.slug}/dashboard`, {
      cookie: leaver.cookie,
    })
    expect(body).toMatchObject({ completedCount: 2, progressPercent: 67, studentsCount: 2 })
    expect(body.continueWith.title).toBe('C')
  })

  test('and comes back, and again, is news to the instructor once a day', async () => {
    const { course, instructor } = await makeLeaving()
    const { id, cookie } = await someone()
    const told = async () => {
      const { rows } = await app.services.pool.query(
        `select 1 from notifications where user_id = $1 and kind = 'new_member'`,
        [instructor.id],
      )
      return rows.length
    }
    for (let time = 0; time < 3; time += 1) {
      expect((await join(course.id, cookie)).status).toBe(200)
      expect(await told()).toBe(1)
      expect((await leave(course.id, cookie)).status).toBe(200)
    }
    await app.services.pool.query('update rate_limits set expire = 0 where key = $1', [
      `member-notice:${id} ${course.id}`,
    ])
    await join(course.id, cookie)
    expect(await told()).toBe(2)
  })

  test('makes room for somebody else', async () => {
    const instructor = await someone()
    const course = await makeCourse(app.services, instructor)
    const crowd = await Promise.all(Array.from({ length: 25 }, someone))
    for (const person of crowd) await joinCourse(app.services, person, course)
    const late = await someone()
    expect((await join(course.id, late.cookie)).status).toBe(403)
    await leave(course.id, crowd[0]!.cookie)
    expect((await join(course.id, late.cookie)).status).toBe(200)
    expect(await studentsOf(course.id)).toEqual({ counted: 25, enrolled: 25 })
  })

  test('may leave a course that became a draft; then it is gone for them', async () => {
    const { course, instructor, leaver } = await makeLeaving()
    await app.request(`/rest/v1/courses/${course.id}/unpublish`, {
      method: 'POST',
      cookie: instructor.cookie,
    })
    expect((await leave(course.id, leaver.cookie)).status).toBe(200)
    const again = await leave(course.id, leaver.cookie)
    expect([again.status, again.body.message]).toEqual([404, 'Course not found'])
  })

  test.each(['completed a lesson', 'bought it'])(
    'a course that became a draft, twice, has left once: who %s',
    async (what) => {
      const { course, instructor, leaver } = await makeLeaving()
      if (what === 'bought it') {
        await makePurchase(app.services, { creator: instructor, buyer: leaver, course })
      } else await completeLessons(app.services, leaver, course, 1)
      await app.services.db
        .update(courses)
        .set({ status: 'draft' })
        .where(eq(courses.id, course.id))
      for (const _time of ['first', 'second']) {
        const { status, body } = await leave(course.id, leaver.cookie)
        expect([status, body]).toEqual([200, { courseId: course.id, slug: course.slug }])
      }
      expect(await studentsOf(course.id)).toEqual({ counted: 1, enrolled: 1 })
    },
  )

  test('is missed by the open pages of the instructor, once', async () => {
    const { course, instructor, leaver } = await makeLeaving()
    const heard: unknown[] = []
    const window = await eventsOf(app.services, instructor.id)
    const listening = (async () => {
      for await (const event of window) {
        heard.push(event)
        if (heard.length === 2) break
      }
    })()
    await leave(course.id, leaver.cookie)
    await leave(course.id, leaver.cookie)
    await join(course.id, leaver.cookie)
    await listening
    expect(heard.map((event) => (event as { type: string }).type)).toEqual(['left', 'joined'])
  })
})

test('the instructor stays', async () => {
  const { course, instructor } = await makeLeaving()
  const { status, body } = await leave(course.id, instructor.cookie)
  expect([status, body.code, body.message]).toEqual([
    403,
    'CREATOR_STAYS',
    'As the course creator, you cannot remove yourself from this course.',
  ])
  const mine = await app.request('/rest/v1/dashboard', { cookie: instructor.cookie })
  expect(mine.body.enrolled).toHaveLength(1)
})

test('who is not in it leaves nothing', async () => {
  const { course } = await makeLeaving()
  const { cookie } = await someone()
  expect((await leave(course.id, cookie)).status).toBe(200)
  expect(await studentsOf(course.id)).toEqual({ counted: 2, enrolled: 2 })
  expect((await leave(crypto.randomUUID(), cookie)).status).toBe(404)
  expect((await leave('x', cookie)).status).toBe(422)
  expect((await leave(course.id)).status).toBe(401)
})

test('many leave while others join: the count is the number of rows', async () => {
  const { course } = await makeLeaving()
  const leavers = await Promise.all(Array.from({ length: 10 }, someone))
  for (const person of leavers) await joinCourse(app.services, person, course)
  const newcomers = await Promise.all(Array.from({ length: 10 }, someone))
  const answers = await Promise.all([
    ...leavers.map(({ cookie }) => leave(course.id, cookie)),
    ...newcomers.map(({ cookie }) => join(course.id, cookie)),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(await studentsOf(course.id)).toEqual({ counted: 12, enrolled: 12 })
})
