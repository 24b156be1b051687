import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { courses } from '../courses/tables.ts'
import { richTextFrom } from '../lessons/rich-text.ts'
import { defaultQuestions } from './rules.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

const path = (courseId: string) => `/rest/v1/courses/${courseId}/application-questions`
const questionsOf = async (courseId: string, cookie: string) =>
  (await app.request(path(courseId), { cookie })).body.questions
const save = (courseId: string, cookie: string, questions: unknown) =>
  app.request(path(courseId), { method: 'PUT', body: { questions }, cookie })
const update = (courseId: string, cookie: string, body: object) =>
  app.request(`/rest/v1/courses/${courseId}`, { method: 'PATCH', body, cookie })

/** A course of somebody's own. */
async function ownCourse(status: 'draft' | 'published' = 'draft') {
  const creator = await someone()
  const course = await makeCourse(app.services, creator, { status })
  return { ...course, cookie: creator.cookie }
}

describe('application questions', () => {
  test('there are none until some are saved', async () => {
    const { id, cookie } = await ownCourse()
    expect(await questionsOf(id, cookie)).toEqual([])
  })

  test('keep their ids when they are changed, moved and added to', async () => {
    const { id, cookie } = await ownCourse()
    const first = (
      await save(id, cookie, [{ question: ' Why? ' }, { question: 'When?', required: false }])
    ).body.questions
    expect(first).toMatchObject([
      { question: 'Why?', required: true },
      { question: 'When?', required: false },
    ])
    const [why, when] = first
    const second = await save(id, cookie, [
      { ...when, question: 'When exactly?' },
      { question: 'Where?' },
      { ...why, required: false },
    ])
    expect(second.body.questions).toEqual([
      { id: when.id, question: 'When exactly?', required: false },
      { id: expect.any(String), question: 'Where?', required: true },
      { id: why.id, question: 'Why?', required: false },
    ])
    expect(await questionsOf(id, cookie)).toEqual(second.body.questions)
    await save(id, cookie, [{ ...why, id: why.id.toUpperCase() }])
    expect(await questionsOf(id, cookie)).toEqual([why])
  })

  test('of another course, gone, or named twice become new ones', async () => {
    const { id, cookie } = await ownCourse()
    const other = await ownCourse()
    const [foreign] = (await save(other.id, other.cookie, [{ question: 'Theirs' }])).body.questions
    const [own] = (await save(id, cookie, [{ question: 'Mine' }])).body.questions
    const saved = await save(id, cookie, [
      { ...foreign, question: 'Taken' },
      own,
      { ...own, question: 'Again' },
      { id: crypto.randomUUID(), question: 'Gone' },
    ])
    expect(saved.status).toBe(200)
    const { questions } = saved.body
    expect(questions.map(({ question }: { question: string }) => question)).toEqual([
      'Taken',
      'Mine',
      'Again',
      'Gone',
    ])
    expect(questions[1].id).toBe(own.id)
    expect(new Set(questions.map((question: { id: string }) => question.id)).size).toBe(4)
    expect(await questionsOf(other.id, other.cookie)).toEqual([foreign])
  })

  test.each([
    [[], 'At least one question must remain.'],
    [
      [{ question: 'Why?' }, { question: ' ' }],
      'All questions must have content. Please fill in all questions or remove empty ones.',
    ],
    [[{ question: 'x'.repeat(301) }], 'A question can have at most 300 characters'],
    [
      Array.from({ length: 21 }, () => ({ question: 'Why?' })),
      'There can be at most 20 application questions',
    ],
    [[{ question: 'Why?', required: 'perhaps' }], 'Required must be true or false'],
    [[{ question: 'Why?', id: 'x' }], 'A question is not a valid id'],
    ['Why?', 'The questions must be a list'],
  ])('%j is refused in words', async (questions, message) => {
    const { id, cookie } = await ownCourse()
    const answer = await save(id, cookie, questions)
    expect([answer.status, answer.body.message]).toEqual([422, message])
    expect(await questionsOf(id, cookie)).toEqual([])
  })

  test('at most: 20 of 300 characters', async () => {
    const { id, cookie } = await ownCourse()
    const most = Array.from({ length: 20 }, () => ({ question: 'x'.repeat(300) }))
    expect((await save(id, cookie, most)).body.questions).toHaveLength(20)
  })

  test('are read by who may see the course, and saved by its instructor', async () => {
    const reader = await someone()
    for (const status of ['draft', 'published'] as const) {
      const course = await ownCourse(status)
      await save(course.id, course.cookie, [{ question: 'Why?' }])
      const seen = await app.request(path(course.id), { cookie: reader.cookie })
      expect(seen.status).toBe(status === 'draft' ? 404 : 200)
      const saved = await save(course.id, reader.cookie, [{ question: 'Mine' }])
      expect(saved.status).toBe(status === 'draft' ? 404 : 403)
      expect(await questionsOf(course.id, course.cookie)).toMatchObject([{ question: 'Why?' }])
    }
  })

  test('twenty saves at once leave the list of one of them', async () => {
    const { id, cookie } = await ownCourse()
    const rounds = Array.from({ length: 20 }, (_, index) => [`A ${index}`, `B ${index}`])
    const answers = await Promise.all(
      rounds.map((round) =>
        save(
          id,
          cookie,
          round.map((question) => ({ question })),
        ),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const left = (await questionsOf(id, cookie)).map((one: { question: string }) => one.question)
    expect(rounds).toContainEqual(left)
  })
})

describe('a course that requires applications', () => {
  const form = { title: 'Guarded', description: richTextFrom('Secret'), category: 'Art' }
  const create = async (more: object) => {
    const { cookie } = await someone()
    const answer = await app.request('/rest/v1/courses', { body: { ...form, ...more }, cookie })
    return { ...answer, cookie, id: answer.body.id as string }
  }

  test('asks the default questions unless it has its own', async () => {
    const plain = await create({ applicationRequired: true })
    expect(await questionsOf(plain.id, plain.cookie)).toMatchObject(defaultQuestions)
    const own = await create({
      applicationRequired: true,
      applicationQuestions: [{ question: 'Why?' }],
    })
    expect(await questionsOf(own.id, own.cookie)).toMatchObject([{ question: 'Why?' }])
    const later = await create({})
    expect(await questionsOf(later.id, later.cookie)).toEqual([])
    await update(later.id, later.cookie, { applicationRequired: true })
    expect(await questionsOf(later.id, later.cookie)).toMatchObject(defaultQuestions)
  })

  test('keeps its settings; empty instructions change nothing', async () => {
    const { id, cookie } = await create({})
    const values = async () => (await app.request(`/rest/v1/courses/${id}/form`, { cookie })).body
    expect(await values()).toMatchObject({
      applicationRequired: false,
      applicationInstructions: 'Write anything here that will be displayed to the applicant.',
    })
    await update(id, cookie, { applicationRequired: true, applicationInstructions: 'Be\r\nkind.' })
    await update(id, cookie, { applicationInstructions: ' ' })
    expect(await values()).toMatchObject({
      applicationRequired: true,
      applicationInstructions: 'Be\nkind.',
    })
    await update(id, cookie, { applicationRequired: false })
    expect(await values()).toMatchObject({ applicationRequired: false })
    expect(await questionsOf(id, cookie), 'for when it is switched on again').toHaveLength(3)
  })

  test.each([
    [
      { applicationQuestions: [{ question: '' }] },
      'All application questions must have content. Please fill in all questions or remove empty ones.',
    ],
    [
      { applicationInstructions: 'x'.repeat(2001) },
      'Application instructions can have at most 2,000 characters',
    ],
    [{ applicationRequired: 'yes' }, 'Require application must be on or off'],
  ])('refuses %j, and saves nothing of the form', async (part, message) => {
    const { id, cookie } = await create({})
    for (const answer of [
      await update(id, cookie, { title: 'Changed', ...part }),
      await create(part),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([422, message])
    }
    const { body } = await app.request(`/rest/v1/courses/${id}/form`, { cookie })
    expect(body.title).toBe('Guarded')
  })

  test('cannot be joined without one', async () => {
    const creator = await someone()
    const course = await makeCourse(app.services, creator)
    const change = { applicationRequired: true }
    await app.services.db.update(courses).set(change).where(eq(courses.id, course.id))
    const { cookie } = await someone()
    const body = { course_id_param: course.id }
    expect((await app.request('/rest/v1/rpc/can_enroll_in_course', { body, cookie })).body).toBe(
      false,
    )
    const joined = await app.request('/rest/v1/enrollments', {
      body: { courseId: course.id },
      cookie,
    })
    expect(joined.status).toBe(403)
    expect(joined.body).toMatchObject({
      code: 'APPLICATION_REQUIRED',
      message: 'This course can be joined only with an application that its instructor approved.',
    })
  })

  test('is nobody’s first course', async () => {
    const creator = await someone()
    const course = await makeCourse(app.services, creator, { publishedAt: new Date(2020, 1, 1) })
    const change = { applicationRequired: true }
    await app.services.db.update(courses).set(change).where(eq(courses.id, course.id))
    const newcomer = await app.signUp()
    const { body } = await app.request('/rest/v1/dashboard', { cookie: newcomer.cookie })
    expect(body.enrolled.map(({ id }: { id: string }) => id)).not.toContain(course.id)
  })

  test('can be published, and be required while it is published', async () => {
    const { id, cookie } = await ownCourse()
    const act = (verb: string) =>
      app.request(`/rest/v1/courses/${id}/${verb}`, { method: 'POST', cookie })
    await update(id, cookie, { applicationRequired: true })
    expect((await act('publish')).status).toBe(200)
    for (const applicationRequired of [false, true]) {
      expect((await update(id, cookie, { applicationRequired })).status).toBe(200)
      const { body } = await app.request(`/rest/v1/courses/${id}/form`, { cookie })
      expect(body).toMatchObject({ applicationRequired, status: 'published' })
    }
    expect(await questionsOf(id, cookie)).toMatchObject(defaultQuestions)
  })

  test('keeps its members’ places', async () => {
    const creator = await someone()
    const course = await makeCourse(app.services, creator)
    const member = await someone()
    await joinCourse(app.services, member, course)
    const change = { applicationRequired: true }
    await app.services.db.update(courses).set(change).where(eq(courses.id, course.id))
    const again = await app.request('/rest/v1/enrollments', {
      body: { courseId: course.id },
      cookie: member.cookie,
    })
    expect(again.status).toBe(200)
  })
})
