import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, lessonsOf, makeCourse } from '../../../test/factories.ts'
import { users } from '../accounts/tables.ts'
import { planGrants } from '../billing/tables.ts'
import { enrollments } from '../enrollment/tables.ts'

let app: TestApp
let owner: Person
let member: Person
let course: Awaited<ReturnType<typeof makeCourse>>
let address: string

beforeAll(async () => {
  app = await startTestApp()
  ;[owner, member] = await Promise.all([app.signUp(), app.signUp()])
  course = await makeCourse(app.services, owner)
  const values = { courseId: course.id, userId: member.id }
  await app.services.db.insert(enrollments).values(values).onConflictDoNothing()
  const [lesson] = await lessonsOf(app.services, course.id)
  address = `/rest/v1/courses/${course.slug}/lessons/${lesson!.slug}`
})
afterAll(() => app.stop())

const markFor = async ({ cookie }: Person) =>
  (await app.request(address, { cookie })).body.watermark

test('is the address of whoever watches, where the creator wants it', async () => {
  const change = (watermark: unknown, { cookie }: Person = owner) =>
    app.request(`/rest/v1/courses/${course.id}`, { method: 'PATCH', cookie, body: { watermark } })
  expect([await markFor(member), await markFor(owner)]).toEqual([null, null])
  expect((await change(true, member)).status).toBe(403)
  expect((await change('yes')).body.message).toBe('The watermark must be on or off')
  expect((await change(true)).status).toBe(200)
  expect([await markFor(member), await markFor(owner)]).toEqual([member.email, owner.email])

  // Who came by telephone has a stand-in that says nothing to anybody.
  const phone = await app.signUp({ name: 'Pia Phone' })
  await joinCourse(app.services, phone, course)
  const become = (email: string, username: string | null) =>
    app.services.db.update(users).set({ email, username }).where(eq(users.id, phone.id))
  await become(`${'x'.repeat(24)}@phone.invalid`, 'pia_phone')
  expect(await markFor(phone)).toBe('@pia_phone')
  await become(`${'x'.repeat(24)}@phone.invalid`, null)
  expect(await markFor(phone)).toBe('Pia Phone')

  // A copy is a second course.
  await app.services.db.insert(planGrants).values({ userId: owner.id, reason: 'A test' })
  const copy = await app.request(`/rest/v1/courses/${course.id}/duplicate`, {
    method: 'POST',
    cookie: owner.cookie,
  })
  const form = await app.request(`/rest/v1/courses/${copy.body.id}/form`, { cookie: owner.cookie })
  expect([copy.status, copy.body.message, form.body.watermark]).toEqual([200, undefined, true])
  expect((await change(false)).status).toBe(200)
  expect(await markFor(member)).toBeNull()
})
