import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '../src/domains/accounts/tables.ts'
import { startTestApp, type TestApp } from '../test/app.ts'
import { makePerson } from '../test/factories.ts'
import { seedDemo } from './demo.ts'
import { seedFlagship } from './seed-flagship.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await seedFlagship(app.services)
})
afterAll(() => app?.stop())

test('where somebody is already, no accounts are made whose password everybody knows', async () => {
  const { db } = app.services
  const { id } = await makePerson(app.services)
  const before = await db.$count(users)
  await expect(seedDemo(app.services)).rejects.toThrow(
    'This Thunder has people: name an empty DATA_DIR or DATABASE_URL.',
  )
  expect(await db.$count(users)).toBe(before)
  await db.delete(users).where(eq(users.id, id))
})

test('the demo looks lived in, breaks no limit of students, and is made once', async () => {
  const logins = await seedDemo(app.services)
  expect(await seedDemo(app.services)).toEqual(logins)
  const { body } = await app.request('/rest/v1/courses?show=100')
  expect(body.courses).toHaveLength(32)
  const { rows } = await app.services.db.execute<
    Record<'most' | 'wrong' | 'reviewed' | 'miscounted' | 'odd', number>
  >(sql`
    select max(c.students_count) filter (where c.slug <> 'thunder-bootcamp')::int as most,
           count(*) filter (where c.students_count <> (
             select count(*) from enrollments e where e.course_id = c.id and e.user_id <> c.instructor_id
           ))::int as wrong,
           count(*) filter (where c.reviews_count > 0)::int as reviewed,
           count(*) filter (where (c.reviews_count, c.rating) is distinct from (
             select (count(*)::int, coalesce(trunc(avg(r.rating), 2), 0))
               from course_reviews r where r.course_id = c.id
           ))::int as miscounted,
           (select count(*)::int from course_reviews r
             where r.created_at > now() or r.answer is not null and r.answered_at < r.created_at) as odd
      from courses c`)
  expect(rows[0]).toMatchObject({ wrong: 0, miscounted: 0, odd: 0 })
  expect(rows[0]!.reviewed).toBeGreaterThan(20)
  expect(rows[0]!.most).toBeGreaterThan(5)
  expect(rows[0]!.most).toBeLessThanOrEqual(25)
  for (const { email, password } of logins) {
    const { status, headers } = await app.request('/auth/v1/sign-in/email', {
      body: { email, password },
    })
    expect(status).toBe(200)
    const cookie = headers.getSetCookie()[0]!.split(';')[0]!
    const dashboard = (await app.request('/rest/v1/dashboard', { cookie })).body
    expect(dashboard.enrolled.length).toBeGreaterThan(2)
  }
})

test('who signs up beside the demo is not in the way of its logins', async () => {
  await makePerson(app.services)
  expect(await seedDemo(app.services)).toHaveLength(4)
})
