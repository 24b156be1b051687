// The chapters beside a lesson, with one's own ticks; where to go on; and whom a tick is told to.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { eventsOf } from '../../../test/events-of.ts'
import {
  joinCourse,
  lessonsOf,
  makeCourse,
  makeMedia,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { personTopic } from '../../server/publish.ts'

interface Caller {
  id: string
  cookie: string
}

let app: TestApp
let instructor: Caller
let learner: Caller
let course: { id: string; slug: string; instructorId: string }
let lessons: { id: string; slug: string; title: string }[]

async function someone(): Promise<Caller> {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

const query = async (statement: string, ...values: unknown[]) =>
  (await app.services.pool.query(statement, values)).rows

beforeAll(async () => {
  app = await startTestApp()
  instructor = await someone()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  course = await makeCourse(app.services, instructor, {
    title: 'Tea',
    chapters: [
      { title: 'Leaves', lessons: [{ title: 'Green' }, { title: 'Black' }] },
      { title: 'Nothing yet', lessons: [] },
      { title: 'Water', lessons: [{ title: 'Temperature' }, { title: 'Hardness' }] },
    ],
  })
  lessons = await lessonsOf(app.services, course.id)
  learner = await someone()
  await joinCourse(app.services, learner, course)
})

const read = async (page: 'outline' | 'dashboard', { cookie }: Caller = learner) => {
  const { status, body } = await app.request(`/rest/v1/courses/${course.slug}/${page}`, { cookie })
  expect(status).toBe(200)
  return body
}
const outlineOf = (who?: Caller) => read('outline', who)
/** What the course's own page says beside the outline. */
const progress = async () => {
  const { completedCount, lessonsCount, progressPercent, continueWith } = await read('dashboard')
  return { completedCount, lessonsCount, progressPercent, continueWith }
}

const tick = (at: number, method = 'PUT', who: Caller = learner) =>
  app.request(`/rest/v1/lessons/${lessons[at]!.id}/completion`, { method, cookie: who.cookie })

/** As if it was played so many seconds ago. */
const played = (at: number, seconds: number, ago: number, who: Caller = learner) =>
  query(
    `insert into lesson_positions (user_id, lesson_id, course_id, seconds, watched, updated_at)
     values ($1, $2, $3, $4, '{}', now() - make_interval(secs => $5))`,
    who.id,
    lessons[at]!.id,
    course.id,
    seconds,
    ago,
  )

describe('the outline', () => {
  test('has every chapter and lesson in their order, with what is in it', async () => {
    const video = await makeMedia(app.services, instructor, {
      purpose: 'video',
      courseId: course.id,
    })
    await query('update media_files set duration_seconds = 61 where id = $1', video)
    await query('update lessons set video_id = $2 where id = $1', lessons[0]!.id, video)
    await query(
      `update lessons set video_url = 'https://example.com/a.mp4', is_preview = true where id = $1`,
      lessons[2]!.id,
    )
    await played(0, 12.5, 0)
    await played(1, 40, 0, instructor)
    await tick(1)
    await tick(3, 'PUT', instructor)
    const lesson = (at: number, more: object = {}) => ({
      id: lessons[at]!.id,
      title: lessons[at]!.title,
      slug: lessons[at]!.slug,
      hasVideo: false,
      isPreview: false,
      minutes: null,
      completed: false,
      ...more,
    })
    const { chapters, ...rest } = await outlineOf()
    expect(rest).toEqual({ completedCount: 1, lessonsCount: 4, canEdit: false })
    expect(await progress()).toEqual({
      completedCount: 1,
      lessonsCount: 4,
      progressPercent: 25,
      continueWith: { slug: 'green', title: 'Green', position: 12.5 },
    })
    expect(chapters).toEqual([
      {
        id: expect.any(String),
        title: 'Leaves',
        lessons: [
          lesson(0, { hasVideo: true, minutes: expect.any(Number) }),
          lesson(1, { completed: true }),
        ],
      },
      { id: expect.any(String), title: 'Nothing yet', lessons: [] },
      {
        id: expect.any(String),
        title: 'Water',
        lessons: [lesson(2, { hasVideo: true, isPreview: true }), lesson(3)],
      },
    ])
    expect((await outlineOf(instructor)).canEdit).toBe(true)
  })

  test('leads to what was played last of what is left, then to the first of it, then to the beginning', async () => {
    const next = async () => (await progress()).continueWith
    expect(await next()).toEqual({ slug: 'green', title: 'Green', position: 0 })
    await played(1, 5, 100)
    await played(2, 30, 10)
    expect(await next()).toEqual({ slug: 'temperature', title: 'Temperature', position: 30 })
    await tick(2)
    expect(await next()).toEqual({ slug: 'black', title: 'Black', position: 5 })
    await tick(1)
    expect(await next()).toEqual({ slug: 'green', title: 'Green', position: 0 })
    await tick(0)
    expect((await next()).slug).toBe('hardness')
    await played(0, 50, 0)
    await tick(3)
    expect(await next()).toEqual({ slug: 'green', title: 'Green', position: 0 })
    expect(await progress()).toMatchObject({ completedCount: 4, progressPercent: 100 })
  })

  test('of a course without lessons leads nowhere', async () => {
    await query('delete from lessons where course_id = $1', course.id)
    const { chapters, ...rest } = await outlineOf()
    expect(chapters).toHaveLength(3)
    expect(rest).toEqual({ completedCount: 0, lessonsCount: 0, canEdit: false })
    expect(await progress()).toEqual({
      completedCount: 0,
      lessonsCount: 0,
      progressPercent: 0,
      continueWith: null,
    })
  })
})

test('a tick is told once to one’s own pages, and so is its end', async () => {
  const heard = await eventsOf(app.services, learner.id)
  const state = { completedCount: 1, lessonsCount: 4, progressPercent: 25 }
  for (let time = 0; time < 2; time += 1) {
    expect((await tick(0)).body).toEqual({ ...state, completedAt: expect.any(String) })
  }
  for (let time = 0; time < 2; time += 1) {
    const { body } = await tick(0, 'DELETE')
    expect(body).toEqual({
      completedCount: 0,
      lessonsCount: 4,
      progressPercent: 0,
      completedAt: null,
    })
  }
  await tick(1)
  const told = { type: 'progress', courseId: course.id }
  const said = []
  for (let count = 0; count < 3; count += 1) said.push((await heard.next()).value)
  await heard.return()
  expect(said).toEqual([told, told, told])
  const left = await query(
    `select count(*)::int as told from live_events
      where topic = $1 and event->>'type' = 'progress'`,
    personTopic(learner.id),
  )
  expect(left).toEqual([{ told: 3 }])
})

test('nothing is found by the id of a lesson elsewhere, or of none', async () => {
  const elsewhere = await makeCourse(app.services, instructor, { title: 'Coffee' })
  const [foreign] = await lessonsOf(app.services, elsewhere.id)
  for (const [method, path, body] of [
    ['GET', ''],
    ['PUT', '/completion', {}],
    ['DELETE', '/completion'],
    ['PUT', '/position', { seconds: 1 }],
    ['PUT', '/stream', {}],
    ['GET', '/notes'],
    ['POST', '/notes', { text: 'A note', seconds: null }],
  ] as const) {
    const at = (id: string) =>
      app.request(`/rest/v1/lessons/${id}${path}`, { method, body, cookie: learner.cookie })
    expect([method, path, (await at(foreign!.id)).status]).toEqual([method, path, 403])
    const none = await at(course.id)
    expect([method, path, none.status, none.body.message]).toEqual([
      method,
      path,
      404,
      'Lesson not found',
    ])
  }
})
