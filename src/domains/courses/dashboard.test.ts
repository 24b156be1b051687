// The dashboard: both lists, how far, and where to go on.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  completeLessons,
  joinCourse,
  lessonsOf,
  makeCourse,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { lessonCompletions } from '../lessons/tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

const dashboardOf = async ({ cookie }: { cookie: string }) =>
  (await app.request('/rest/v1/dashboard', { cookie })).body
const chapters = (...lessons: string[][]) =>
  lessons.map((titles, index) => ({
    title: `Chapter ${index + 1}`,
    lessons: titles.map((title) => ({ title })),
  }))

test('leads to the first lesson that is not completed, in the order of the course', async () => {
  const course = await makeCourse(app.services, await someone(), {
    chapters: chapters(['A', 'B'], [], ['C', 'D']),
  })
  const learner = await someone()
  await joinCourse(app.services, learner, course)
  const next = async () => (await dashboardOf(learner)).enrolled[0]

  expect(await next()).toMatchObject({
    progressPercent: 0,
    completedCount: 0,
    continueWith: { slug: 'a', title: 'A', position: 0 },
  })
  await completeLessons(app.services, learner, course, 1)
  const third = (await lessonsOf(app.services, course.id))[2]!
  await app.services.db
    .insert(lessonCompletions)
    .values({ userId: learner.id, lessonId: third.id, courseId: course.id })
  expect(await next()).toMatchObject({
    progressPercent: 50,
    continueWith: { slug: 'b', title: 'B', position: 0 },
  })
  await completeLessons(app.services, learner, course, 4)
  expect(await next()).toMatchObject({ progressPercent: 100, continueWith: null })
  // Somebody else's progress is theirs.
  const other = await someone()
  await joinCourse(app.services, other, course)
  expect((await dashboardOf(other)).enrolled[0].continueWith.slug).toBe('a')
})

test('leads to the lesson that was played last, at its second, as long as it is not completed', async () => {
  const course = await makeCourse(app.services, await someone(), {
    chapters: chapters(['A', 'B'], ['C', 'D']),
  })
  const learner = await someone()
  await joinCourse(app.services, learner, course)
  const lessons = await lessonsOf(app.services, course.id)
  const play = (index: number, seconds: number) =>
    app.request(`/rest/v1/lessons/${lessons[index]!.id}/position`, {
      method: 'PUT',
      body: { seconds },
      cookie: learner.cookie,
    })
  const complete = (index: number, method = 'PUT') =>
    app.request(`/rest/v1/lessons/${lessons[index]!.id}/completion`, { method, ...learner })
  /** In both places where 'Continue' is. */
  const next = async () => {
    const { continueWith } = (await dashboardOf(learner)).enrolled[0]
    const member = await app.request(`/rest/v1/courses/${course.slug}/dashboard`, learner)
    expect(member.body.continueWith).toEqual(continueWith)
    return continueWith
  }

  await play(2, 30.25)
  expect(await next()).toEqual({ slug: 'c', title: 'C', position: 30.25 })
  await play(1, 7)
  expect(await next()).toEqual({ slug: 'b', title: 'B', position: 7 })
  await complete(1)
  expect(await next()).toEqual({ slug: 'c', title: 'C', position: 30.25 })
  await complete(2)
  expect(await next()).toEqual({ slug: 'a', title: 'A', position: 0 })
  await complete(1, 'DELETE')
  expect(await next()).toEqual({ slug: 'b', title: 'B', position: 7 })

  for (const index of [0, 1, 3]) await complete(index)
  expect((await dashboardOf(learner)).enrolled[0].continueWith).toBeNull()
  const member = await app.request(`/rest/v1/courses/${course.slug}/dashboard`, learner)
  expect(member.body.continueWith).toEqual({ slug: 'a', title: 'A', position: 0 })
})

test('leads to what was played last, whenever the devices tell of it', async () => {
  const course = await makeCourse(app.services, await someone(), { chapters: chapters(['A', 'B']) })
  const learner = await someone()
  await joinCourse(app.services, learner, course)
  const lessons = await lessonsOf(app.services, course.id)
  const play = (index: number, seconds: number, secondsAgo = 0) =>
    app.request(`/rest/v1/lessons/${lessons[index]!.id}/position`, {
      method: 'PUT',
      body: { seconds, secondsAgo },
      cookie: learner.cookie,
    })
  const next = async () => (await dashboardOf(learner)).enrolled[0].continueWith

  await play(0, 20, 3600)
  await play(1, 30, 7200)
  expect(await next()).toEqual({ slug: 'a', title: 'A', position: 20 })
  await play(1, 31, 600)
  await play(0, 21, 3500)
  expect(await next()).toEqual({ slug: 'b', title: 'B', position: 31 })
})

test('a course without lessons leads nowhere', async () => {
  const course = await makeCourse(app.services, await someone(), { chapters: chapters([]) })
  const learner = await someone()
  await joinCourse(app.services, learner, course)
  expect((await dashboardOf(learner)).enrolled).toMatchObject([
    { lessonsCount: 0, progressPercent: 0, continueWith: null },
  ])
})

test('a hundred of each come newest first, with one statement as for one', async () => {
  const creator = await someone()
  const learner = await someone()
  const made = []
  for (let number = 1; number <= 100; number++) {
    const status = number % 2 ? 'draft' : 'published'
    const course = await makeCourse(app.services, creator, { status, chapters: chapters(['A']) })
    await joinCourse(app.services, learner, course, new Date(2026, 0, 1, 0, number))
    made.push({ id: course.id, status })
  }
  const newestFirst = made.toReversed()
  const watch = watchStatements(app)
  for (const [person, lists] of [
    [creator, { enrolled: 100, created: 100 }],
    [learner, { enrolled: 100, created: 0 }],
    [await someone(), { enrolled: 0, created: 0 }],
  ] as const) {
    let answer: { enrolled: { id: string }[]; created: { id: string; status: string }[] }
    const statements = await watch.during(async () => {
      answer = await dashboardOf(person)
    })
    const { enrolled, created } = answer!
    expect({ enrolled: enrolled.length, created: created.length }).toEqual(lists)
    if (lists.created > 0) {
      expect(created.map(({ id, status }) => ({ id, status }))).toEqual(newestFirst)
    }
    if (person === learner)
      expect(enrolled.map(({ id }) => id)).toEqual(newestFirst.map(({ id }) => id))
    // Who it is, and the dashboard.
    expect(statements).toHaveLength(2)
  }
})
