import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { courses } from '../courses/tables.ts'
import { notifications } from '../notifications/tables.ts'
import { changedQuestions } from './answer-rules.ts'
import { revokeApplication } from './revoke-application.ts'
import { unansweredMessage } from './rules.ts'
import { courseApplicationAnswers, courseApplications } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const change = (courseId: string, values: Partial<typeof courses.$inferInsert>) =>
  app.services.db.update(courses).set(values).where(eq(courses.id, courseId))

const saveQuestions = async (courseId: string, cookie: string, questions: unknown[]) =>
  (
    await app.request(`/rest/v1/courses/${courseId}/application-questions`, {
      method: 'PUT',
      body: { questions },
      cookie,
    })
  ).body.questions as { id: string }[]

/** Published, with a required and an optional question. */
async function guardedCourse() {
  const instructor = await someone()
  const course = await makeCourse(app.services, instructor, { title: 'Guarded ⚡' })
  const [why, when] = await saveQuestions(course.id, instructor.cookie, [
    { question: 'Why?', required: true },
    { question: 'When?', required: false },
  ])
  await change(course.id, { applicationRequired: true })
  return { ...course, instructor, why: why!.id, when: when!.id }
}
type Guarded = Awaited<ReturnType<typeof guardedCourse>>

const apply = (courseId: string, { cookie }: { cookie: string }, answers: unknown) =>
  app.request('/rest/v1/course_applications', { body: { courseId, answers }, cookie })
const applyWell = (course: Guarded, person: Someone, answer = 'To learn') =>
  apply(course.id, person, [{ questionId: course.why, answer }])
const withdraw = (id: string, { cookie }: { cookie: string }) =>
  app.request(`/rest/v1/course_applications/${id}`, { method: 'DELETE', cookie })
const decide = (course: Guarded, applicationId: string, decision: string) =>
  app.request(`/rest/v1/courses/${course.id}/applications/${applicationId}/review`, {
    body: { decision },
    cookie: course.instructor.cookie,
  })
const mayApply = async (courseId: string, { cookie }: { cookie: string }) =>
  (
    await app.request('/rest/v1/rpc/can_apply_to_course', {
      body: { course_id_param: courseId },
      cookie,
    })
  ).body
const enroll = (courseId: string, { cookie }: { cookie: string }) =>
  app.request('/rest/v1/enrollments', { body: { courseId }, cookie })

const applicationsTo = (courseId: string) =>
  app.services.db.select().from(courseApplications).where(eq(courseApplications.courseId, courseId))
const noticesOf = (userId: string) =>
  app.services.db.select().from(notifications).where(eq(notifications.userId, userId))

describe('applying', () => {
  test('keeps the answers beside the questions as they were asked, and tells the instructor', async () => {
    const course = await guardedCourse()
    const learner = await someone('Ann Applicant')
    expect(await mayApply(course.id, learner)).toBe(true)
    const { status, body } = await apply(course.id, learner, [
      { questionId: course.when, answer: '' },
      { questionId: course.why, answer: '  To learn\r\nmore ' },
    ])
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(String),
      status: 'pending',
      submittedAt: expect.any(String),
      reviewedAt: null,
      reviewerNotes: null,
    })
    await saveQuestions(course.id, course.instructor.cookie, [
      { question: 'Something else?', required: false },
    ])
    const kept = await app.services.db
      .select()
      .from(courseApplicationAnswers)
      .where(eq(courseApplicationAnswers.applicationId, body.id))
      .orderBy(courseApplicationAnswers.orderIndex)
    expect(kept).toMatchObject([
      { question: 'Why?', required: true, answer: 'To learn\nmore', questionId: null },
      { question: 'When?', required: false, answer: '', questionId: null },
    ])
    expect(await mayApply(course.id, learner)).toBe(false)
    const page = await app.request(`/rest/v1/courses/${course.slug}`, { cookie: learner.cookie })
    expect(page.body.application).toEqual(body)
    expect(await noticesOf(course.instructor.id)).toMatchObject([
      {
        kind: 'application_received',
        message: 'Somebody applied to join your course “Guarded”.',
        href: `/course/${course.slug}/dashboard?tab=applications`,
      },
    ])
  })

  test('is refused where a question has other words than the person read', async () => {
    const course = await guardedCourse()
    const learner = await someone()
    const answer = { questionId: course.why, answer: 'Yes' }
    await saveQuestions(course.id, course.instructor.cookie, [
      { id: course.why, question: 'Do you agree to pay for the material?', required: true },
    ])
    const read = { ...answer, question: 'Why?' }
    const refused = await apply(course.id, learner, [read])
    expect([refused.status, refused.body.message]).toEqual([400, changedQuestions])
    expect(await applicationsTo(course.id)).toEqual([])
    const again = { ...answer, question: ' Do you agree  to pay for the material? ' }
    expect((await apply(course.id, learner, [again])).status).toBe(200)
  })

  test('twenty times at once is once', async () => {
    const course = await guardedCourse()
    const learner = await someone()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => applyWell(course, learner, `Try ${index}`)),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await applicationsTo(course.id)).toHaveLength(1)
    expect(await noticesOf(course.instructor.id)).toHaveLength(1)
    // As it is again while that one waits, even with answers that would not do.
    expect((await apply(course.id, learner, [])).body.id).toBe(answers[0]!.body.id)
  })

  test('is not for the instructor, members and who is approved, nor where no applications are taken', async () => {
    const course = await guardedCourse()
    const refusal = async (person: Someone) => {
      const { status, body } = await applyWell(course, person)
      expect([status, body.code, await mayApply(course.id, person)]).toEqual([
        409,
        'MAY_NOT_APPLY',
        false,
      ])
      return body.message
    }
    expect(await refusal(course.instructor)).toContain('This is your own course')
    const member = await someone()
    await joinCourse(app.services, member, course)
    expect(await refusal(member)).toContain('You are a member of this course')
    const approved = await someone()
    const { id } = (await applyWell(course, approved)).body
    expect((await decide(course, id, 'approved')).status).toBe(200)
    const leaving = `/rest/v1/enrollments/${course.id}`
    await app.request(leaving, { method: 'DELETE', cookie: approved.cookie })
    expect(await refusal(approved)).toContain('approved already')
    await change(course.id, { applicationRequired: false })
    expect(await refusal(await someone())).toContain('takes no applications')
    expect(await noticesOf(course.instructor.id)).not.toContainEqual(
      expect.objectContaining({ kind: 'new_member' }),
    )
  })

  test('needs every required answer, to questions of this course, once', async () => {
    const course = await guardedCourse()
    const other = await guardedCourse()
    const learner = await someone()
    const answer = (questionId: string, text: unknown) => ({ questionId, answer: text })
    for (const [answers, status, message] of [
      [[], 400, unansweredMessage],
      [[answer(course.when, 'Now')], 400, unansweredMessage],
      [[answer(course.why, ' \u2003\n ')], 400, unansweredMessage],
      [[answer(course.why, 'x'), answer(other.why, 'y')], 400, changedQuestions],
      [[answer(course.why, 'x'), answer(crypto.randomUUID(), 'y')], 400, changedQuestions],
      [
        [answer(course.why, 'x'), answer(course.why, 'y')],
        400,
        'Each question can be answered only once.',
      ],
      [
        [answer(course.why, 'x'.repeat(100_000))],
        422,
        'An answer can have at most 5,000 characters',
      ],
      [[answer('x', 'x')], 422, 'A question is not a valid id'],
      [[answer(course.why, null)], 422, 'An answer must be text'],
      ['x', 422, 'The answers must be a list'],
      [
        Array.from({ length: 21 }, () => answer(course.why, 'x')),
        422,
        'There can be at most 20 answers',
      ],
    ] as const) {
      const refused = await apply(course.id, learner, answers)
      expect([refused.status, refused.body.message]).toEqual([status, message])
    }
    expect(await applicationsTo(course.id)).toEqual([])
    const longest = await applyWell(course, learner, 'x'.repeat(5000))
    expect(longest.status).toBe(200)
  })

  test('needs an account, and a course that one may see', async () => {
    const course = await guardedCourse()
    const learner = await someone()
    expect((await applyWell(course, { ...learner, cookie: '' })).status).toBe(401)
    await change(course.id, { status: 'draft' })
    const admin = await someone()
    await app.services.pool.query(`update users set role = 'admin' where id = $1`, [admin.id])
    for (const person of [learner, admin]) {
      const { status, body } = await applyWell(course, person)
      expect([status, body.message]).toEqual([404, 'Course not found'])
      expect(await mayApply(course.id, person)).toBe(false)
    }
    expect((await apply(crypto.randomUUID(), learner, [])).status).toBe(404)
  })

  test('again is possible after a rejection or a withdrawal, a few times a day', async () => {
    const course = await guardedCourse()
    const learner = await someone()
    const first = (await applyWell(course, learner)).body
    await decide(course, first.id, 'rejected')
    expect(await mayApply(course.id, learner)).toBe(true)
    for (let again = 2; again <= 10; again += 1) {
      const { status, body } = await applyWell(course, learner, `Try ${again}`)
      expect(status).toBe(200)
      expect((await withdraw(body.id, learner)).body.status).toBe('withdrawn')
    }
    const { status, body } = await applyWell(course, learner)
    expect([status, body.code]).toEqual([409, 'MAY_NOT_APPLY'])
    expect(body.message).toBe(
      'You applied to this course 10 times in the last 24 hours. You can apply again in 24 hours.',
    )
    // The first, and the first after the rejection; not each after a withdrawal.
    expect(await noticesOf(course.instructor.id)).toHaveLength(2)
  })

  test('and edits of the questions at the same time leave answers to what was asked', async () => {
    const course = await guardedCourse()
    const learners = await Promise.all(Array.from({ length: 5 }, () => someone()))
    await Promise.all([
      ...learners.map((learner) => applyWell(course, learner)),
      saveQuestions(course.id, course.instructor.cookie, [{ question: 'New?', required: false }]),
    ])
    for (const { id } of await applicationsTo(course.id)) {
      const kept = await app.services.db
        .select()
        .from(courseApplicationAnswers)
        .where(eq(courseApplicationAnswers.applicationId, id))
      expect(kept.map(({ question }) => question).toSorted()).toEqual(['When?', 'Why?'])
    }
  })
})

describe('withdrawing', () => {
  test('is for the applicant, while nothing is decided; twice is harmless', async () => {
    const course = await guardedCourse()
    const learner = await someone()
    const { id } = (await applyWell(course, learner)).body
    for (const person of [course.instructor, await someone()]) {
      const { status, body } = await withdraw(id, person)
      expect([status, body.message]).toEqual([404, 'Application not found'])
    }
    for (const _time of ['first', 'second']) {
      expect(await withdraw(id, learner)).toMatchObject({
        status: 200,
        body: { id, status: 'withdrawn' },
      })
    }
    for (const decision of ['approved', 'rejected']) {
      expect((await decide(course, id, decision)).body.code).toBe('NOT_PENDING')
    }
    const second = (await applyWell(course, learner)).body
    await decide(course, second.id, 'rejected')
    const late = await withdraw(second.id, learner)
    expect([late.status, late.body.code]).toEqual([409, 'NOT_PENDING'])
  })

  test('and a review at once: one of them counts', async () => {
    const course = await guardedCourse()
    for (const _round of Array.from({ length: 5 })) {
      const learner = await someone()
      const { id } = (await applyWell(course, learner)).body
      const [withdrawn, reviewed] = await Promise.all([
        withdraw(id, learner),
        decide(course, id, 'approved'),
      ])
      expect([withdrawn.status, reviewed.status].toSorted()).toEqual([200, 409])
      const joined = (await enroll(course.id, learner)).status
      expect(joined).toBe(reviewed.status === 200 ? 200 : 403)
    }
  })
})

describe('the door', () => {
  test('opens to the approved, also after leaving, until the approval is revoked', async () => {
    const course = await guardedCourse()
    const learner = await someone()
    const mayEnroll = async () =>
      (
        await app.request('/rest/v1/rpc/can_enroll_in_course', {
          body: { course_id_param: course.id },
          cookie: learner.cookie,
        })
      ).body
    const isShut = async () => {
      expect((await enroll(course.id, learner)).body.code).toBe('APPLICATION_REQUIRED')
      expect(await mayEnroll()).toBe(false)
    }
    const leave = () =>
      app.request(`/rest/v1/enrollments/${course.id}`, {
        method: 'DELETE',
        cookie: learner.cookie,
      })
    await isShut()
    const { id } = (await applyWell(course, learner)).body
    await isShut()
    await decide(course, id, 'rejected')
    await isShut()
    const second = (await applyWell(course, learner)).body
    await decide(course, second.id, 'approved')
    await leave()
    expect(await mayEnroll()).toBe(true)
    expect((await enroll(course.id, learner)).status).toBe(200)
    await leave()
    await app.services.db.transaction((transaction) =>
      revokeApplication(transaction, { userId: learner.id, courseId: course.id }),
    )
    await isShut()
    expect(await mayApply(course.id, learner)).toBe(true)
  })

  test('opens to everybody when the course stops asking; who waits can still be decided on', async () => {
    const course = await guardedCourse()
    const learner = await someone()
    const { id } = (await applyWell(course, learner)).body
    await change(course.id, { applicationRequired: false })
    expect((await enroll(course.id, learner)).status).toBe(200)
    const { status, body } = await decide(course, id, 'approved')
    expect([status, body.status]).toEqual([200, 'approved'])
  })

  test('stays shut behind who joined without the application, and left', async () => {
    const course = await guardedCourse()
    const learner = await someone()
    const { id } = (await applyWell(course, learner)).body
    await change(course.id, { applicationRequired: false })
    expect((await enroll(course.id, learner)).status).toBe(200)
    const left = await app.request(`/rest/v1/enrollments/${course.id}`, {
      method: 'DELETE',
      cookie: learner.cookie,
    })
    expect(left.status).toBe(200)
    const { status, body } = await decide(course, id, 'approved')
    expect([status, body.code]).toEqual([409, 'NOT_PENDING'])
    expect(await applicationsTo(course.id)).toMatchObject([{ status: 'withdrawn' }])
    const { rows } = await app.services.pool.query(
      `select event from live_events where topic = $1 order by id desc limit 1`,
      [`person:${course.instructor.id}`],
    )
    expect(rows[0].event).toEqual({ type: 'applications', courseId: course.id })
  })

  test('is not told to apply again where no applications are taken any more', async () => {
    const course = await guardedCourse()
    const learner = await someone()
    const { id } = (await applyWell(course, learner)).body
    await change(course.id, { applicationRequired: false })
    expect((await decide(course, id, 'rejected')).status).toBe(200)
    const [notice] = await noticesOf(learner.id)
    expect(notice?.message).toContain('you can join it without one')
    expect(notice?.message).not.toContain('apply again')
  })

  test.each([
    ['rejected', 'was not approved. You joined it without one, and stay a member.'],
    ['approved', 'was approved. You are a member already.'],
  ])('that is %s tells who joined meanwhile that they are a member', async (decision, words) => {
    const course = await guardedCourse()
    const learner = await someone()
    const { id } = (await applyWell(course, learner)).body
    await change(course.id, { applicationRequired: false })
    expect((await enroll(course.id, learner)).status).toBe(200)
    // Others buy it by now: nothing must sound as if they had to, too.
    await change(course.id, { pricingType: 'one_time', priceAmount: 2900 })
    expect((await decide(course, id, decision)).status).toBe(200)
    const notice = (await noticesOf(learner.id)).find(
      ({ kind }) => kind === `application_${decision}`,
    )
    expect(notice?.message).toBe(`Your application to join “Guarded” ${words}`)
    expect(notice?.href).toBe(`/course/${course.slug}/dashboard`)
  })
})

test('an account goes with its applications, and the instructor’s tab hears of it', async () => {
  const course = await guardedCourse()
  const learner = await someone()
  await applyWell(course, learner)
  const leave = { confirmation: 'DELETE', password: learner.password }
  const preview = await app.request('/rest/v1/me/deletion', { cookie: learner.cookie })
  expect(preview.body.consequences).toContainEqual({
    text: 'Your application to a course is deleted, with the answers.',
    stays: false,
  })
  const { status } = await app.request('/rest/v1/me/deletion', {
    body: leave,
    cookie: learner.cookie,
  })
  expect(status).toBe(200)
  expect(await applicationsTo(course.id)).toEqual([])
  const { rows } = await app.services.pool.query(
    `select event from live_events where topic = $1 order by id desc limit 1`,
    [`person:${course.instructor.id}`],
  )
  expect(rows[0].event).toEqual({ type: 'applications', courseId: course.id })
})
