import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  lessonsOf,
  makeCourse,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { eventsOf } from '../../../test/events-of.ts'

let app: TestApp
let course: { id: string; slug: string; instructorId: string }
let other: { id: string; slug: string; instructorId: string }
let instructor: { id: string; cookie: string }
let stranger: { id: string; cookie: string }
let lessons: { id: string; slug: string; title: string }[]

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

async function learner() {
  const person = await someone()
  await joinCourse(app.services, person, course)
  return person
}

beforeAll(async () => {
  app = await startTestApp()
  instructor = await someone()
  stranger = await someone()
  course = await makeCourse(app.services, instructor, {
    title: 'Tea',
    chapters: [
      {
        title: 'Leaves',
        lessons: [
          {
            title: 'Green',
            content: 'Grassy.',
            links: [
              { title: 'Map', url: 'https://example.com/map', description: 'Where it grows' },
              { title: 'Shop', url: 'https://example.com/shop' },
            ],
          },
          { title: 'Black' },
        ],
      },
      { title: 'Nothing yet', lessons: [] },
      { title: 'Water', lessons: [{ title: 'Temperature' }] },
    ],
  })
  other = await makeCourse(app.services, instructor, { title: 'Coffee' })
  lessons = await lessonsOf(app.services, course.id)
})
afterAll(() => app?.stop())

const lesson = (slug: string, cookie?: string, courseSlug = course.slug) =>
  app.request(`/rest/v1/courses/${courseSlug}/lessons/${slug}`, { cookie })

const complete = (id: string, cookie: string, method = 'PUT') =>
  app.request(`/rest/v1/lessons/${id}/completion`, { method, cookie })

const savePosition = (id: string, seconds: unknown, cookie: string) =>
  app.request(`/rest/v1/lessons/${id}/position`, { method: 'PUT', body: { seconds }, cookie })

describe('a lesson', () => {
  test('shows everything about itself and its place in the course', async () => {
    const { cookie } = await learner()
    const { status, body } = await lesson('green', cookie)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: lessons[0]!.id,
      slug: 'green',
      title: 'Green',
      number: 1,
      lessonsCount: 3,
      minutes: null,
      chapterTitle: 'Leaves',
      content: {
        type: 'doc',
        content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Grassy.' }] }],
      },
      video: null,
      resources: [
        {
          id: expect.any(String),
          title: 'Map',
          url: 'https://example.com/map',
          description: 'Where it grows',
        },
        { id: expect.any(String), title: 'Shop', url: 'https://example.com/shop', description: '' },
      ],
      completedAt: null,
      position: 0,
      watermark: null,
      streamLimit: 2,
      keepsProgress: true,
      previous: null,
      next: { slug: 'black', title: 'Black' },
      course: { id: course.id, slug: 'tea', title: 'Tea', branding: null },
    })
  })

  test('is counted through all chapters', async () => {
    const { body } = await lesson('temperature', instructor.cookie)
    expect(body).toMatchObject({
      number: 3,
      chapterTitle: 'Water',
      previous: { slug: 'black', title: 'Black' },
      next: null,
      resources: [],
    })
  })

  test('is found by its id', async () => {
    const { body } = await app.request(`/rest/v1/lessons/${lessons[1]!.id}`, {
      cookie: instructor.cookie,
    })
    expect(body).toEqual({ courseSlug: 'tea', lessonSlug: 'black' })
  })

  test('is refused by its id to who is not in the course, with where one joins; of a draft, without', async () => {
    const asked = (id: string) => app.request(`/rest/v1/lessons/${id}`, { cookie: stranger.cookie })
    const { status, body } = await asked(lessons[1]!.id)
    expect([status, body.message]).toEqual([403, 'Join this course to see this.'])
    expect(body.data).toEqual({ courseSlug: 'tea' })
    const draft = await makeCourse(app.services, instructor, {
      status: 'draft',
      chapters: [{ title: 'One', lessons: [{ title: 'Hidden' }] }],
    })
    const [hidden] = await lessonsOf(app.services, draft.id)
    const unknown = await asked(crypto.randomUUID())
    const { status: hiddenStatus, body: hiddenBody } = await asked(hidden!.id)
    expect([hiddenStatus, hiddenBody]).toEqual([404, unknown.body])
    expect(hiddenBody.data).toBeUndefined()
  })

  test('is not found under another course', async () => {
    for (const [slug, courseSlug] of [
      ['green', other.slug],
      ['unknown', course.slug],
    ]) {
      const { status, body } = await lesson(slug!, instructor.cookie, courseSlug)
      expect(status).toBe(404)
      expect(body.message).toBe('Lesson not found')
    }
  })

  test('is for members', async () => {
    expect((await lesson('green')).status).toBe(401)
    const refused = await lesson('green', stranger.cookie)
    expect(refused.status).toBe(403)
    expect(refused.body.message).toBe('Join this course to see this.')
    const byId = await app.request(`/rest/v1/lessons/${lessons[0]!.id}`, {
      cookie: stranger.cookie,
    })
    expect(byId.status).toBe(403)
  })
})

test('a lesson that was deleted meanwhile takes nothing', async () => {
  const { cookie } = await learner()
  const gone = `/rest/v1/lessons/${crypto.randomUUID()}`
  const calls: [string, { method: string; body?: object }][] = [
    ['', { method: 'GET' }],
    ['/completion', { method: 'PUT' }],
    ['/completion', { method: 'DELETE' }],
    ['/position', { method: 'PUT', body: { seconds: 3 } }],
    ['/position', { method: 'PUT', body: { seconds: 3, duration: 3, ended: true } }],
    ['/stream', { method: 'PUT', body: {} }],
    ['/notes', { method: 'POST', body: { text: 'Hello' } }],
    [`/notes/${crypto.randomUUID()}`, { method: 'PATCH', body: { text: 'Hello' } }],
  ]
  for (const [path, call] of calls) {
    const { status } = await app.request(gone + path, { ...call, cookie })
    expect(status, `${call.method} ${path}`).toBe(404)
  }
})

describe('completing', () => {
  test('counts, keeps the first time, and can be taken back', async () => {
    const { cookie } = await learner()
    const first = await complete(lessons[0]!.id, cookie)
    expect(first.body).toEqual({
      completedAt: expect.any(String),
      completedCount: 1,
      lessonsCount: 3,
      progressPercent: 33,
    })
    expect((await complete(lessons[0]!.id, cookie)).body, 'twice').toEqual(first.body)
    expect((await lesson('green', cookie)).body.completedAt).toBe(first.body.completedAt)
    await complete(lessons[1]!.id, cookie)
    expect((await complete(lessons[2]!.id, cookie)).body).toMatchObject({
      completedCount: 3,
      progressPercent: 100,
    })
    const dashboard = await app.request('/rest/v1/dashboard', { cookie })
    expect(dashboard.body.enrolled).toMatchObject([
      { slug: 'tea', completedCount: 3, progressPercent: 100 },
    ])
    for (const time of ['once', 'twice']) {
      expect((await complete(lessons[1]!.id, cookie, 'DELETE')).body, time).toEqual({
        completedAt: null,
        completedCount: 2,
        lessonsCount: 3,
        progressPercent: 67,
      })
    }
    const member = await app.request('/rest/v1/courses/tea/dashboard', { cookie })
    expect(member.body.continueWith).toEqual({ slug: 'black', title: 'Black', position: 0 })
    expect(
      member.body.chapters.map((chapter: { lessons: { completed: boolean }[] }) =>
        chapter.lessons.map(({ completed }) => completed),
      ),
    ).toEqual([[true, false], [], [true]])
  })

  test('20 times at once is once', async () => {
    const { cookie } = await learner()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => complete(lessons[0]!.id, cookie)),
    )
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers[0]!.body.completedCount).toBe(1)
  })

  test('is everybody’s own', async () => {
    const [one, two] = await Promise.all([learner(), learner()])
    await complete(lessons[0]!.id, one.cookie)
    expect((await lesson('green', two.cookie)).body.completedAt).toBeNull()
  })

  test('is for members', async () => {
    expect((await complete(lessons[0]!.id, '')).status).toBe(401)
    expect((await complete(lessons[0]!.id, stranger.cookie)).status).toBe(403)
    expect((await savePosition(lessons[0]!.id, 3, stranger.cookie)).status).toBe(403)
  })

  test('a course that is named beside the lesson opens nothing', async () => {
    const person = await someone()
    await joinCourse(app.services, person, other)
    for (const [method, path] of [
      ['PUT', 'completion'],
      ['DELETE', 'completion'],
      ['PUT', 'position'],
    ]) {
      const { status, body } = await app.request(`/rest/v1/lessons/${lessons[0]!.id}/${path}`, {
        method,
        body: { courseId: other.id, seconds: 3 },
        cookie: person.cookie,
      })
      expect(status).toBe(403)
      expect(body.message).toBe('Join this course to see this.')
    }
    const found = await app.request(`/rest/v1/lessons/${lessons[0]!.id}?courseId=${other.id}`, {
      cookie: person.cookie,
    })
    expect(found.body.message).toBe('Join this course to see this.')
  })

  test('tells the person’s other windows', async () => {
    const { id, cookie } = await learner()
    const window = await eventsOf(app.services, id)
    const event = window.next()
    await complete(lessons[0]!.id, cookie)
    expect((await event).value).toEqual({ type: 'progress', courseId: course.id })
    await window.return(undefined)
  })
})

describe('an administrator who only looks', () => {
  test('makes no progress, is told so, and takes back what was completed as a member', async () => {
    const { id, cookie } = await learner()
    await complete(lessons[0]!.id, cookie)
    const { services } = app
    await services.pool.query(`update users set role = 'admin' where id = $1`, [id])
    expect((await lesson('green', cookie)).body.keepsProgress).toBe(true)
    await services.pool.query('delete from enrollments where user_id = $1', [id])
    const answers = [
      await complete(lessons[1]!.id, cookie),
      await savePosition(lessons[0]!.id, 7.25, cookie),
    ]
    for (const { status, body } of answers) {
      expect([status, body.code, body.message]).toEqual([
        403,
        'MEMBERS_ONLY',
        'Only members of this course can make progress in it.',
      ])
    }
    expect((await lesson('green', cookie)).body).toMatchObject({
      keepsProgress: false,
      completedAt: expect.any(String),
      position: 0,
    })
    expect((await complete(lessons[0]!.id, cookie, 'DELETE')).body).toMatchObject({
      completedAt: null,
      completedCount: 0,
    })
  })
})

describe('the position in a video', () => {
  test('is remembered, and the latest wins', async () => {
    const { cookie } = await learner()
    expect((await savePosition(lessons[0]!.id, 7.25, cookie)).body).toMatchObject({ seconds: 7.25 })
    expect((await lesson('green', cookie)).body.position).toBe(7.25)
    await savePosition(lessons[0]!.id, 3, cookie)
    expect((await lesson('green', cookie)).body.position).toBe(3)
    expect((await lesson('black', cookie)).body.position).toBe(0)
  })

  test.each([-1, 86_401, '7s', null, {}])('%j is none', async (seconds) => {
    const { cookie } = await learner()
    expect((await savePosition(lessons[0]!.id, seconds, cookie)).status).toBe(422)
  })
})
