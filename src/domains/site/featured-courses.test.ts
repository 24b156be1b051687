import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { courses } from '../courses/tables.ts'
import { featuredVersion } from '../search/featured-courses.ts'

let app: TestApp
let owner: { id: string; name: string; cookie: string }
const made: { id: string; instructorId: string }[] = []

beforeAll(async () => {
  app = await startTestApp()
  const person = await makePerson(app.services, { name: 'Grace' })
  owner = { ...person, cookie: await sessionCookieOf(app.services, person.id) }
})
afterAll(() => app?.stop())

async function featured(): Promise<string[]> {
  const { status, body } = await app.request('/rest/v1/featured-courses')
  expect(status).toBe(200)
  return body.courses.map(({ title }: { title: string }) => title)
}

const version = () => featuredVersion(app.services.pool)

test('an empty catalogue features nothing', async () => {
  expect(await featured()).toEqual([])
})

test('the six with the most students, and no draft, are featured', async () => {
  for (let number = 1; number <= 8; number++) {
    const title = `Course ${number}`
    const course = await makeCourse(app.services, owner, {
      title,
      status: number === 8 ? 'draft' : 'published',
    })
    made.push(course)
    await app.services.db
      .update(courses)
      .set({ studentsCount: number === 8 ? 20 : 10 - number })
      .where(eq(courses.id, course.id))
  }
  const expected = [1, 2, 3, 4, 5, 6].map((number) => `Course ${number}`)
  expect(await featured()).toEqual(expected)
  const { body } = await app.request('/rest/v1/featured-courses', { cookie: owner.cookie })
  expect(body.courses).toHaveLength(6)
  expect(Object.keys(body)).toEqual(['courses'])
})

test('whatever changes there changes the version of the kept home page', async () => {
  const seen = new Set([await version()])
  expect(await version()).toBe([...seen][0])
  const isNew = async () => {
    const now = await version()
    expect(seen.has(now)).toBe(false)
    seen.add(now)
  }

  const best = made[0]!
  const title = 'Course 1, revised'
  await app.request(`/rest/v1/courses/${best.id}`, {
    method: 'PATCH',
    body: { title },
    cookie: owner.cookie,
  })
  expect((await featured())[0]).toBe(title)
  await isNew()

  const learner = await makePerson(app.services, { name: 'Ada' })
  await joinCourse(app.services, learner, best)
  await isNew()

  const name = { name: 'Grace H.', username: 'grace-h', bio: '', website: '', social: {} }
  const { body: me } = await app.request('/rest/v1/me/profile', { cookie: owner.cookie })
  const renamed = await app.request('/rest/v1/me/profile', {
    method: 'PATCH',
    body: { ...name, version: me.version },
    cookie: owner.cookie,
  })
  expect(renamed.status).toBe(200)
  await isNew()

  await app.request(`/rest/v1/courses/${best.id}/unpublish`, {
    method: 'POST',
    cookie: owner.cookie,
  })
  expect((await featured())[0]).toBe('Course 2')
  await isNew()
})
