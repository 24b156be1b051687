import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange, waitingFor } from '../../../test/behind-change.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { eventsOf } from '../../../test/events-of.ts'
import { users } from '../accounts/tables.ts'
import { courseApplications } from '../applications/tables.ts'
import { courses } from '../courses/tables.ts'
import { setFlagshipCourse } from '../site/flagship.ts'
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
const people = (count: number) => Promise.all(Array.from({ length: count }, someone))

const enroll = (courseId: string, cookie: string) =>
  app.request('/rest/v1/enrollments', { body: { courseId }, cookie })

const mayEnroll = async (courseId: string, cookie: string) =>
  (
    await app.request('/rest/v1/rpc/can_enroll_in_course', {
      body: { course_id_param: courseId },
      cookie,
    })
  ).body

const studentsOf = async (courseId: string) => {
  const [course] = await app.services.db.select().from(courses).where(eq(courses.id, courseId))
  const rows = await app.services.db
    .select()
    .from(enrollments)
    .where(eq(enrollments.courseId, courseId))
  const learners = rows.filter((row) => row.userId !== course!.instructorId)
  return { counted: course!.studentsCount, enrolled: learners.length }
}

describe('joining', () => {
  test('the own course while the own account is being deleted ends in no deadlock', async () => {
    const creator = await someone()
    const course = await makeCourse(app.services, creator)
    await app.services.db.delete(enrollments).where(eq(enrollments.courseId, course.id))
    let deletion: Promise<{ status: number }> | undefined
    const [joined] = await behindChange(
      app.services,
      ['select 1 from courses where id = $1 for update', course.id],
      [() => enroll(course.id, creator.cookie)],
      async () => {
        const body = { confirmation: 'DELETE', password: creator.password }
        deletion = app.request('/rest/v1/me/deletion', { body, cookie: creator.cookie })
        await waitingFor(app.services, 2)
      },
    )
    expect([joined!.status, (await deletion)!.status]).toEqual([200, 200])
  })

  test('twice is once, with the same answer', async () => {
    const course = await makeCourse(app.services, await someone())
    const { cookie } = await someone()
    expect(await mayEnroll(course.id, cookie)).toBe(true)
    const first = await enroll(course.id, cookie)
    expect(first).toMatchObject({ status: 200, body: { courseId: course.id, slug: course.slug } })
    expect((await enroll(course.id, cookie)).body).toEqual(first.body)
    expect(await studentsOf(course.id)).toEqual({ counted: 1, enrolled: 1 })
    expect(await mayEnroll(course.id, cookie)).toBe(false)
  })

  test('20 times at once is once', async () => {
    const course = await makeCourse(app.services, await someone())
    const { cookie } = await someone()
    const answers = await Promise.all(Array.from({ length: 20 }, () => enroll(course.id, cookie)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await studentsOf(course.id)).toEqual({ counted: 1, enrolled: 1 })
  })

  test('is the only way to be counted: nobody calls the count itself', async () => {
    const course = await makeCourse(app.services, await someone())
    const { cookie } = await someone()
    const { status } = await app.request('/rest/v1/rpc/increment_students_count', {
      body: { course_id: course.id },
      cookie,
    })
    expect(status).toBe(404)
    expect(await studentsOf(course.id)).toEqual({ counted: 0, enrolled: 0 })
  })

  test('opens the course', async () => {
    const course = await makeCourse(app.services, await someone())
    const { cookie } = await someone()
    const dashboard = () => app.request(`/rest/v1/courses/${course.slug}/dashboard`, { cookie })
    expect((await dashboard()).status).toBe(403)
    await enroll(course.id, cookie)
    expect((await dashboard()).body).toMatchObject({ standing: 'member', studentsCount: 1 })
    const mine = await app.request('/rest/v1/dashboard', { cookie })
    expect(mine.body.enrolled).toMatchObject([{ id: course.id, progressPercent: 0 }])
  })

  test('tells the instructor, once', async () => {
    const instructor = await someone()
    const course = await makeCourse(app.services, instructor)
    const heard: unknown[] = []
    const window = await eventsOf(app.services, instructor.id)
    const listening = (async () => {
      for await (const event of window) {
        heard.push(event)
        if (heard.length === 4) break
      }
    })()
    const [one, two] = await people(2)
    await enroll(course.id, one!.cookie)
    await enroll(course.id, one!.cookie)
    await enroll(course.id, two!.cookie)
    await listening
    expect(heard).toEqual([
      { type: 'joined', courseId: course.id },
      { type: 'notification' },
      { type: 'joined', courseId: course.id },
      { type: 'notification' },
    ])
  })

  test('an own course counts no student', async () => {
    const instructor = await someone()
    const course = await makeCourse(app.services, instructor)
    expect(await mayEnroll(course.id, instructor.cookie)).toBe(false)
    expect((await enroll(course.id, instructor.cookie)).status).toBe(200)
    expect(await studentsOf(course.id)).toEqual({ counted: 0, enrolled: 0 })
  })
})

test('people join while the course is renamed', async () => {
  const instructor = await someone()
  const course = await makeCourse(app.services, instructor)
  const rename = (round: number) =>
    app.request(`/rest/v1/courses/${course.id}`, {
      method: 'PATCH',
      body: { title: `Name ${round} of ${course.slug}` },
      cookie: instructor.cookie,
    })
  const crowd = await people(24)
  const answers = await Promise.all(
    crowd.flatMap(({ cookie }, round) => [enroll(course.id, cookie), rename(round)]),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(await studentsOf(course.id)).toEqual({ counted: 24, enrolled: 24 })
})

describe('what cannot be joined', () => {
  test('a draft, not even by an administrator', async () => {
    const course = await makeCourse(app.services, await someone(), { status: 'draft' })
    const admin = await someone()
    await app.services.db.update(users).set({ role: 'admin' }).where(eq(users.id, admin.id))
    for (const { cookie } of [await someone(), admin]) {
      expect(await mayEnroll(course.id, cookie)).toBe(false)
      const { status, body } = await enroll(course.id, cookie)
      expect(status).toBe(404)
      expect(body.message).toBe('Course not found')
    }
  })

  test('an unknown course', async () => {
    const { id, cookie } = await someone()
    expect(await mayEnroll(id, cookie)).toBe(false)
    expect((await enroll(id, cookie)).body.message).toBe('Course not found')
    expect((await enroll('x', cookie)).body.message).toBe('The course is not a valid id')
  })

  test('a course that costs something', async () => {
    const course = await makeCourse(app.services, await someone())
    await app.services.db
      .update(courses)
      .set({ pricingType: 'one_time', priceAmount: 2900 })
      .where(eq(courses.id, course.id))
    const { cookie } = await someone()
    expect(await mayEnroll(course.id, cookie)).toBe(false)
    const { status, body } = await enroll(course.id, cookie)
    expect(status).toBe(402)
    expect(body.code).toBe('PAYMENT_REQUIRED')
    expect(await studentsOf(course.id)).toEqual({ counted: 0, enrolled: 0 })
  })

  test('a course that asks for applications, until one is approved', async () => {
    const course = await makeCourse(app.services, await someone())
    const own = eq(courses.id, course.id)
    await app.services.db.update(courses).set({ applicationRequired: true }).where(own)
    const { id, cookie } = await someone()
    expect(await mayEnroll(course.id, cookie)).toBe(false)
    expect((await enroll(course.id, cookie)).body.code).toBe('APPLICATION_REQUIRED')
    await app.services.db
      .insert(courseApplications)
      .values({ courseId: course.id, userId: id, status: 'approved', reviewedAt: new Date() })
    expect(await mayEnroll(course.id, cookie)).toBe(true)
    expect((await enroll(course.id, cookie)).status).toBe(200)
  })

  test('a draft, but by who bought it', async () => {
    const instructor = await someone()
    const course = await makeCourse(app.services, instructor, { status: 'draft' })
    const { id, cookie } = await someone()
    await app.services.pool.query(
      `with account as (insert into ledger_accounts (kind, user_id) values ('creator', $1)
                        returning id)
       insert into purchases (user_id, course_id, course_title, creator_account_id, pricing_type,
                              amount, currency)
       select $2, $3, 'Bought', id, 'one_time', 2900, 'usd' from account`,
      [instructor.id, id, course.id],
    )
    expect(await mayEnroll(course.id, cookie)).toBe(true)
    expect((await enroll(course.id, cookie)).body).toEqual({
      courseId: course.id,
      slug: course.slug,
    })
    expect(await studentsOf(course.id)).toEqual({ counted: 1, enrolled: 1 })
  })

  test('a course that is deleted at this moment, by its instructor neither', async () => {
    const instructor = await someone()
    const course = await makeCourse(app.services, instructor)
    const joining = await behindChange(
      app.services,
      ['delete from courses where id = $1', course.id],
      [await someone(), instructor].map(
        ({ cookie }) =>
          () =>
            enroll(course.id, cookie),
      ),
    )
    for (const { status, body } of joining) {
      expect([status, body.message]).toEqual([404, 'Course not found'])
    }
  })

  test('anything, for a stranger', async () => {
    const course = await makeCourse(app.services, await someone())
    expect((await enroll(course.id, '')).status).toBe(401)
  })
})

describe('25 students on the free plan', () => {
  test('exactly, of 50 who come at once', async () => {
    const instructor = await someone()
    const course = await makeCourse(app.services, instructor)
    const crowd = await people(50)
    const answers = await Promise.all(crowd.map(({ cookie }) => enroll(course.id, cookie)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(25)
    const refused = answers.filter(({ status }) => status === 403)
    expect(refused).toHaveLength(25)
    expect(refused[0]!.body).toMatchObject({
      code: 'COURSE_FULL',
      message:
        'This course has reached its maximum enrollment limit (25 students for free instructors)',
    })
    expect(await studentsOf(course.id)).toEqual({ counted: 25, enrolled: 25 })

    const late = await someone()
    expect(await mayEnroll(course.id, late.cookie)).toBe(false)
    const member = crowd[answers.findIndex(({ status }) => status === 200)]!
    expect((await enroll(course.id, member.cookie)).status, 'a member comes again').toBe(200)
  })

  test('do not bind who has Pro, as long as they have it', async () => {
    const instructor = await someone()
    const course = await makeCourse(app.services, instructor)
    const own = eq(courses.id, course.id)
    await app.services.db.update(courses).set({ studentsCount: 25 }).where(own)
    const { cookie } = await someone()
    const grant = (statement: string) => app.services.pool.query(statement, [instructor.id])
    expect(await mayEnroll(course.id, cookie)).toBe(false)
    await grant('insert into plan_grants (user_id) values ($1)')
    expect(await mayEnroll(course.id, cookie)).toBe(true)
    expect((await enroll(course.id, cookie)).status).toBe(200)
    await grant('delete from plan_grants where user_id = $1')
    expect((await enroll(course.id, (await someone()).cookie)).body.code).toBe('COURSE_FULL')
  })

  test('do not bind the flagship course', async () => {
    const course = await makeCourse(app.services, await someone())
    await setFlagshipCourse(app.services.db, course.id)
    for (const person of await people(26)) await joinCourse(app.services, person, course)
    const { cookie } = await someone()
    expect(await mayEnroll(course.id, cookie)).toBe(true)
    expect((await enroll(course.id, cookie)).status).toBe(200)
    expect(await studentsOf(course.id)).toEqual({ counted: 27, enrolled: 27 })
  })
})
