import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../test/app.ts'
import { lessonsOf, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { exportedRows } from '../../server/personal-data.ts'
import { analyticsData } from './personal-data.ts'
import { activityLabel, isHighlight } from './rules.ts'

let app: TestApp

const person = async (name: string): Promise<Person> => {
  const made = await makePerson(app.services, { name })
  return { ...made, cookie: await sessionCookieOf(app.services, made.id) }
}

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

interface Line {
  id: string
  activityType: string
  lessonTitle: string | null
  user: { name: string }
  course: { title: string }
}
const linesOf = async ({ cookie }: Person, path: string) => {
  const { status, body } = await app.request(path, { cookie })
  expect(status).toBe(200)
  return body.activities as Line[]
}
const short = (lines: Line[]) =>
  lines.map(({ activityType, user, course, lessonTitle }) =>
    [activityType, user.name, course.title, lessonTitle].filter(Boolean).join(' · '),
  )
const mine = '/rest/v1/user-activities'

test('what people do is told to them and to the creator, newest first, each thing once', async () => {
  const creator = await person('Cora')
  const [ada, bob] = [await person('Ada'), await person('Bob')]
  const course = await makeCourse(app.services, creator, {
    title: 'Knots',
    chapters: [{ title: 'One', lessons: [{ title: 'Bowline' }, { title: 'Hitch' }] }],
  })
  for (const { cookie } of [ada, bob]) {
    const body = { courseId: course.id }
    expect((await app.request('/rest/v1/enrollments', { cookie, body })).status).toBe(200)
  }
  const [lesson] = await lessonsOf(app.services, course.id)
  const completion = `/rest/v1/lessons/${lesson!.id}/completion`
  for (const method of ['PUT', 'PUT', 'DELETE', 'PUT']) {
    await app.request(completion, { method, cookie: ada.cookie })
  }
  const all = [
    'lesson_completed · Ada · Knots · Bowline',
    'first_enrollment · Ada · Knots',
    'course_created · Cora · Knots',
  ]
  expect(short(await linesOf(creator, mine))).toEqual(all)
  expect(short(await linesOf(creator, `/rest/v1/courses/${course.id}/activity`))).toEqual(all)
  expect(short(await linesOf(ada, mine))).toEqual(all.slice(0, 2))
  expect(await linesOf(bob, mine)).toEqual([])

  // A person's own course is told once, although it is both.
  const ids = (await linesOf(creator, mine)).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)

  // Who leaves and comes back is no first student again, and the lesson's title goes with the lesson.
  await app.request(`/rest/v1/enrollments/${course.id}`, { method: 'DELETE', cookie: ada.cookie })
  await app.request(`/rest/v1/enrollments/${course.id}`, { method: 'DELETE', cookie: bob.cookie })
  await app.request('/rest/v1/enrollments', { cookie: bob.cookie, body: { courseId: course.id } })
  await app.services.pool.query('delete from lessons where id = $1', [lesson!.id])
  expect(short(await linesOf(creator, mine))).toEqual([
    'lesson_completed · Ada · Knots',
    ...all.slice(1),
  ])
})

test('who was removed reads nothing new of the course: no lesson, and no draft', async () => {
  const [creator, bob] = [await person('Eve'), await person('Bob')]
  const course = await makeCourse(app.services, creator, { title: 'Knots' })
  const kept = await makeCourse(app.services, creator, { title: 'Sails' })
  for (const { id } of [course, kept]) {
    await app.request('/rest/v1/enrollments', { cookie: bob.cookie, body: { courseId: id } })
    const [lesson] = await lessonsOf(app.services, id)
    const completion = `/rest/v1/lessons/${lesson!.id}/completion`
    expect((await app.request(completion, { method: 'PUT', cookie: bob.cookie })).status).toBe(200)
    await app.services.pool.query(`update lessons set title = 'Secret' where id = $1`, [lesson!.id])
  }
  const change = (set: string) =>
    app.services.pool.query(`update courses set ${set} where id = $1`, [course.id])
  const downloaded = async () => {
    const titles: unknown[] = []
    for (const table of Object.values(analyticsData.tables)) {
      const about = { id: bob.id, email: '', phoneNumber: null }
      for await (const rows of exportedRows(app.services.db, table, about)) {
        titles.push(...rows.map(({ courseTitle }) => courseTitle))
      }
    }
    return titles.toSorted()
  }
  const ofKept = ['lesson_completed · Bob · Sails · Secret', 'first_enrollment · Bob · Sails']
  const ofCourse = ['lesson_completed · Bob · Knots · Secret', 'first_enrollment · Bob · Knots']
  await change(`status = 'draft'`)
  expect(short(await linesOf(bob, mine))).toEqual([...ofKept, ...ofCourse])

  const removal = `/rest/v1/courses/${course.id}/members/${bob.id}`
  const removed = await app.request(removal, { method: 'DELETE', cookie: creator.cookie })
  expect(removed.status).toBe(200)
  await change(`title = 'Secret'`)
  expect(short(await linesOf(bob, mine))).toEqual(ofKept)
  expect((await downloaded()).filter(Boolean)).toEqual(['Sails', 'Sails', 'Sails'])
  expect(short(await linesOf(creator, mine))).toContain('lesson_completed · Bob · Secret · Secret')

  await change(`status = 'published', title = 'Knots'`)
  expect(short(await linesOf(bob, mine))).toEqual([
    ...ofKept,
    'lesson_completed · Bob · Knots',
    'first_enrollment · Bob · Knots',
  ])
  expect((await downloaded()).filter((title) => title === 'Knots')).toHaveLength(3)
})

test('of the last days only, at most 50, and 10 for a course', async () => {
  const creator = await person('Dora')
  const course = await makeCourse(app.services, creator)
  await app.services.pool.query(
    `insert into user_activities (user_id, course_id, activity_type, created_at)
     select $1, $2, 'post_created', now() - n * interval '2 days' from generate_series(1, 200) n`,
    [creator.id, course.id],
  )
  const counted = async (query: string) => (await linesOf(creator, mine + query)).length
  expect(await counted('')).toBe(50)
  expect(await counted('?days=7')).toBe(4)
  expect(await counted('?days=30')).toBe(15)
  await app.services.pool.query(
    `update user_activities set created_at = now() - n * interval '20 days'
       from (select id, row_number() over (order by created_at desc) n from user_activities where user_id = $1) numbered
      where user_activities.id = numbered.id`,
    [creator.id],
  )
  expect(await counted('?days=30')).toBe(1)
  expect(await counted('?days=90')).toBe(4)
  expect(await counted('?days=365')).toBe(18)
  expect(await linesOf(creator, `/rest/v1/courses/${course.id}/activity`)).toHaveLength(10)
  // As the figures beside them count days: the seventh began at midnight (UTC).
  await app.services.pool.query('delete from user_activities')
  await app.services.pool.query(
    `insert into user_activities (user_id, course_id, activity_type, created_at)
     select $1, $2, 'post_created', (utc_day(now()) - 6)::timestamp at time zone 'UTC' - n * interval '1 microsecond'
       from generate_series(0, 1) n`,
    [creator.id, course.id],
  )
  expect(await counted('?days=7')).toBe(1)
  expect(await counted('?days=30')).toBe(2)
  const wrong = await app.request(`${mine}?days=8`, { cookie: creator.cookie })
  expect([wrong.status, wrong.body.message]).toEqual([422, 'Choose the last 7, 30, 90 or 365 days'])
})

test('activities have words, also those that nobody knows; two are celebrated', () => {
  const types = [
    'course_created',
    'first_enrollment',
    'lesson_completed',
    'post_created',
    'toString',
  ]
  expect(types.map(activityLabel)).toEqual([
    'Course created',
    'First student joined',
    'Lesson completed',
    'Post created',
    'Activity recorded',
  ])
  expect(types.filter(isHighlight)).toEqual(['course_created', 'first_enrollment'])
})
