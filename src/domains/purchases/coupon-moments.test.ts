// How often a code is used by whom, how many a course has, and what a change of one may say.
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { makeSoldCourse } from '../../../test/sold-course.ts'
import { courses } from '../courses/tables.ts'
import { couponLimits } from './rules.ts'
import { coupons } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())

const db = () => app.services.db
const cookieOf = ({ id }: { id: string }) => sessionCookieOf(app.services, id)

async function scene() {
  const { creator, buyer, course } = await makeSoldCourse(app.services)
  const [own, cookie] = await Promise.all([cookieOf(creator), cookieOf(buyer)])
  const path = `/rest/v1/courses/${course.id}/coupons`
  return {
    course,
    make: (facts: object) => app.request(path, { body: facts, cookie: own }),
    update: (id: string, facts: object) =>
      app.request(`${path}/${id}`, { method: 'PATCH', body: facts, cookie: own }),
    list: () => app.request(path, { cookie: own }),
    quote: (code: string, by = cookie) =>
      app.request(`/rest/v1/courses/${course.slug}/coupon-quote`, { body: { code }, cookie: by }),
    buy: (coupon: string) =>
      app.request('/functions/v1/course-checkout', {
        body: { course_id: course.id, coupon },
        cookie,
      }),
  }
}

describe('a code', () => {
  test('that is for everybody once is not used by one of them twice', async () => {
    const { make, buy, quote } = await scene()
    const { body } = await make({ code: 'ONE-EACH', percentOff: 100 })
    expect([body.maxPerPerson, body.maxRedemptions]).toEqual([1, null])
    expect((await buy('ONE-EACH')).status).toBe(200)
    expect((await quote('ONE-EACH')).body.code).toBe('INVALID_COUPON')
    const other = await cookieOf(await makePerson(app.services))
    expect((await quote('ONE-EACH', other)).status).toBe(200)
  })

  test('is quoted for a course that can be bought, and for no other', async () => {
    const { course, make, quote } = await scene()
    await make({ code: 'HALF-PRICE', percentOff: 50 })
    const set = (facts: Partial<typeof courses.$inferInsert>) =>
      db().update(courses).set(facts).where(eq(courses.id, course.id))
    expect((await quote('HALF-PRICE')).status).toBe(200)
    await set({ pricingType: 'free' })
    expect((await quote('HALF-PRICE')).body.code).toBe('INVALID_COUPON')
    await set({ pricingType: 'one_time', status: 'draft' })
    const draft = await quote('HALF-PRICE')
    expect([draft.status, draft.body.message]).toEqual([404, 'Course not found'])
    const cookie = await cookieOf(await makePerson(app.services))
    const none = await app.request('/rest/v1/courses/no-such-course/coupon-quote', {
      body: { code: 'HALF-PRICE' },
      cookie,
    })
    expect([none.status, none.body.message]).toEqual([404, 'Course not found'])
  })
})

describe('a course', () => {
  test('has a hundred coupons, newest first, and not one more', async () => {
    const { course, make, list } = await scene()
    await db()
      .insert(coupons)
      .values(
        Array.from({ length: couponLimits.perCourse - 1 }, (_, place) => ({
          courseId: course.id,
          code: `NUMBER-${place}`,
          percentOff: 10,
        })),
      )
    expect((await make({ code: 'THE-LAST', percentOff: 10 })).status).toBe(200)
    const { status, body } = await make({ code: 'ONE-MORE', percentOff: 10 })
    expect([status, body.code]).toEqual([409, 'TOO_MANY_COUPONS'])
    const codes = (await list()).body.coupons.map(({ code }: { code: string }) => code)
    expect([codes.length, codes[0]]).toEqual([100, 'THE-LAST'])
  })

  test('that is deleted in that very moment gets none', async () => {
    const { course, make } = await scene()
    const [answer] = await behindChange(
      app.services,
      ['delete from courses where id = $1', course.id],
      [() => make({ code: 'TOO-LATE', percentOff: 10 })],
    )
    expect([answer!.status, answer!.body.message]).toEqual([404, 'Course not found'])
  })
})

describe('a change of a coupon', () => {
  test('that says nothing changes nothing', async () => {
    const { make, update } = await scene()
    const { body } = await make({ code: 'AS-IT-IS', percentOff: 10 })
    expect(await update(body.id, {})).toMatchObject({ status: 200, body })
  })

  test('ends it after its start, or lets it go on without end', async () => {
    const { make, update } = await scene()
    const startsAt = '2026-03-01T00:00:00.000Z'
    const { body } = await make({ code: 'A-SEASON', percentOff: 10, startsAt })
    expect((await update(body.id, { endsAt: startsAt })).status).toBe(409)
    const endsAt = '2026-03-01T00:00:00.001Z'
    expect((await update(body.id, { endsAt })).body).toMatchObject({ startsAt, endsAt })
    expect((await update(body.id, { endsAt: null })).body).toMatchObject({ endsAt: null })
    const open = await make({ code: 'NO-START', percentOff: 10 })
    expect((await update(open.body.id, { endsAt })).body).toMatchObject({ endsAt })
  })
})
