// What stands around every page: who it is, the plan, the courses in the menu and the count on the bell.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

test('nobody is null', async () => {
  expect((await app.request('/rest/v1/me')).body).toBeNull()
})

test('a newcomer has the free plan, no courses and no news', async () => {
  const person = await makePerson(app.services)
  const cookie = await sessionCookieOf(app.services, person.id)
  const { body } = await app.request('/rest/v1/me', { cookie })
  expect(body).toMatchObject({ id: person.id, plan: 'free', courses: [], unreadNotifications: 0 })
})

test('somebody is told who they are, and when they are suspended', async () => {
  const { pool } = app.services
  const person = await makePerson(app.services, { name: 'Ann Lee' })
  const cookie = await sessionCookieOf(app.services, person.id)
  const me = async () => (await app.request('/rest/v1/me', { cookie })).body
  const known = {
    id: person.id,
    name: 'Ann Lee',
    email: person.email,
    username: person.username,
    avatarUrl: null,
    plan: 'free',
    role: 'user',
    suspended: false,
    unreadNotifications: 0,
    courses: [],
    hasMoreCourses: false,
  }
  expect(await me()).toEqual(known)
  await pool.query(`update users set role = 'admin', avatar_url = '/x.webp' where id = $1`, [
    person.id,
  ])
  expect(await me()).toEqual({ ...known, role: 'admin', avatarUrl: '/x.webp' })
  await pool.query('update users set suspended_at = now() where id = $1', [person.id])
  expect(await me()).toMatchObject({ id: person.id, suspended: true })
})

test('all of it is one statement beside who it is, the newest 50 courses first', async () => {
  const { pool } = app.services
  const person = await makePerson(app.services)
  const cookie = await sessionCookieOf(app.services, person.id)
  const teacher = await makePerson(app.services)
  const joined = []
  for (let number = 1; number <= 51; number += 1) {
    const course = await makeCourse(app.services, teacher, { title: `Course ${number}` })
    await joinCourse(app.services, person, course)
    await pool.query(
      `update enrollments set enrolled_at = now() - make_interval(days => $1) where course_id = $2`,
      [number, course.id],
    )
    joined.push({ slug: course.slug, title: `Course ${number}` })
  }
  await pool.query(`insert into plan_grants (user_id) values ($1)`, [person.id])
  await pool.query(
    `insert into notifications (user_id, title, message, type, href)
     select $1, 'News', 'Something new', 'course_update', '/' from generate_series(1, 12)`,
    [person.id],
  )
  let answer: Awaited<ReturnType<TestApp['request']>> | undefined
  const sent = await watchStatements(app).during(async () => {
    answer = await app.request('/rest/v1/me', { cookie })
  })
  expect(answer?.body).toMatchObject({ plan: 'pro', unreadNotifications: 10 })
  expect(answer?.body.courses).toEqual(joined.slice(0, 50))
  expect(answer?.body.hasMoreCourses).toBe(true)
  expect(sent).toHaveLength(2)
  await pool.query(
    `delete from enrollments where user_id = $1 and course_id = (select id from courses where slug = $2)`,
    [person.id, joined[50]!.slug],
  )
  const { body } = await app.request('/rest/v1/me', { cookie })
  expect(body.courses).toEqual(joined.slice(0, 50))
  expect(body.hasMoreCourses).toBe(false)
})
