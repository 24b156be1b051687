// What the instructor reads of the applications to a course: all of each, in order, and of no other course.
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { holdDecision } from '../../../test/held-decision.ts'
import { courses } from '../courses/tables.ts'

let app: TestApp
let instructor: Someone
beforeAll(async () => {
  app = await startTestApp()
  instructor = await someone()
})
afterAll(() => app?.stop())

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

async function guardedCourse() {
  const course = await makeCourse(app.services, instructor)
  await app.services.db
    .update(courses)
    .set({ applicationRequired: true })
    .where(eq(courses.id, course.id))
  return course
}
type Course = Awaited<ReturnType<typeof guardedCourse>>

/** Of one moment each `perMoment`, the later ones earlier; answers their ids in the order in which they were made. */
async function made(course: Course, status: string, count: number, perMoment = 1) {
  const rows = await query(
    `with people as (
       insert into users (name, email)
       select 'Applicant', gen_random_uuid() || '@list.example' from generate_series(1, $3)
       returning id)
     insert into course_applications (course_id, user_id, status, submitted_at, reviewed_at)
     select $1, id, $2, timestamptz '2026-03-01' + at, case when $2 <> 'pending' then timestamptz '2026-04-01' - at end
       from (select id, (row_number() over () - 1) / $4 * interval '1 microsecond' as at from people) numbered
     returning id`,
    course.id,
    status,
    count,
    perMoment,
  )
  return rows.map(({ id }) => id as string)
}

const list = async (course: Course, filters: Record<string, string> = {}) =>
  (
    await app.request(
      `/rest/v1/courses/${course.id}/applications?${new URLSearchParams(filters)}`,
      {
        cookie: instructor.cookie,
      },
    )
  ).body

async function pagesOf(course: Course, filters: Record<string, string>) {
  const pages: string[][] = []
  let cursor: string | null = null
  do {
    const { applications, nextCursor } = await list(course, {
      ...filters,
      ...(cursor ? { cursor } : {}),
    })
    pages.push(applications.map(({ id }: { id: string }) => id))
    cursor = nextCursor
  } while (cursor)
  return pages
}

test('each is there with the person, the answers as they were asked, and what is about to happen', async () => {
  const course = await guardedCourse()
  const { cookie } = instructor
  const path = `/rest/v1/courses/${course.id}/application-questions`
  const { body: asked } = await app.request(path, {
    method: 'PUT',
    body: { questions: [{ question: 'Zebras?' }, { question: 'Apes?', required: false }] },
    cookie,
  })
  const ann = await someone('Ann')
  const form = await app.request(path, { cookie: ann.cookie })
  expect(form.body).toEqual({
    questions: asked.questions,
    instructions: 'Write anything here that will be displayed to the applicant.',
  })
  const [zebras, apes] = asked.questions
  const { body: sent } = await app.request('/rest/v1/course_applications', {
    body: {
      courseId: course.id,
      answers: [
        { questionId: apes.id, answer: 'One' },
        { questionId: zebras.id, answer: 'Two' },
      ],
    },
    cookie: ann.cookie,
  })
  const pending = {
    id: sent.id,
    status: 'pending',
    submittedAt: sent.submittedAt,
    reviewedAt: null,
    reviewerNotes: '',
    notesShared: false,
    dueDecision: null,
    user: { id: ann.id, name: 'Ann', username: ann.username, email: ann.email, avatarUrl: null },
    answers: [
      { id: expect.any(String), question: 'Zebras?', required: true, answer: 'Two' },
      { id: expect.any(String), question: 'Apes?', required: false, answer: 'One' },
    ],
  }
  const page = {
    applications: [pending],
    nextCursor: null,
    counts: { pending: 1, approved: 0, rejected: 0, all: 1 },
  }
  expect(await list(course)).toEqual(page)
  const { body: due } = await app.request(`/rest/v1/courses/${course.id}/application-decisions`, {
    body: { applicationIds: [sent.id], decision: 'rejected' },
    cookie,
  })
  const applyAt = await holdDecision(app.services, due.decisionId)
  const dueDecision = {
    id: due.decisionId,
    decision: 'rejected',
    applyAt: applyAt.toISOString(),
    millisecondsLeft: expect.any(Number),
  }
  expect(await list(course)).toEqual({ ...page, applications: [{ ...pending, dueDecision }] })
  const reviewed = await app.request(
    `/rest/v1/courses/${course.id}/applications/${sent.id}/review`,
    { body: { decision: 'rejected', notes: 'Too few' }, cookie },
  )
  expect(reviewed.body).toEqual({
    ...pending,
    status: 'rejected',
    reviewedAt: expect.any(String),
    reviewerNotes: 'Too few',
  })
})

test('leads to no profile of an applicant who is suspended, as none is shown', async () => {
  const course = await guardedCourse()
  const ann = await someone('Ann')
  await query(
    `insert into course_applications (course_id, user_id, status) values ($1, $2, 'pending')`,
    course.id,
    ann.id,
  )
  await query('update users set suspended_at = now() where id = $1', ann.id)
  const { applications } = await list(course)
  expect(applications).toMatchObject([{ user: { name: 'Ann', username: null, email: ann.email } }])
})

test('twenty are a page; of one moment the ids decide, whichever way the list goes', async () => {
  const course = await guardedCourse()
  const other = await guardedCourse()
  await made(other, 'pending', 3)
  const pending = await made(course, 'pending', 20, 7)
  expect(await pagesOf(course, {})).toEqual([pending])
  const more = await made(course, 'pending', 23, 8)
  const all = await query(
    'select id from course_applications where course_id = $1 order by submitted_at, id',
    course.id,
  )
  const oldestFirst = all.map(({ id }) => id)
  expect(oldestFirst.toSorted()).toEqual([...pending, ...more].toSorted())
  expect(await pagesOf(course, { status: 'pending' })).toEqual([
    oldestFirst.slice(0, 20),
    oldestFirst.slice(20, 40),
    oldestFirst.slice(40),
  ])
  const newestFirst = oldestFirst.toReversed()
  expect(await pagesOf(course, { status: 'all' })).toEqual([
    newestFirst.slice(0, 20),
    newestFirst.slice(20, 40),
    newestFirst.slice(40),
  ])
})

test.each(['approved', 'rejected'])(
  'those %s come by when that was, the last first',
  async (status) => {
    const course = await guardedCourse()
    await made(course, status === 'approved' ? 'rejected' : 'approved', 2)
    await made(course, 'withdrawn', 1)
    await made(course, 'pending', 4)
    await made(course, status, 22, 6)
    const rows = await query(
      `select id from course_applications where course_id = $1 and status = $2 order by reviewed_at desc, id desc`,
      course.id,
      status,
    )
    const ids = rows.map(({ id }) => id)
    expect(await pagesOf(course, { status })).toEqual([ids.slice(0, 20), ids.slice(20)])
    const { counts } = await list(course)
    expect(counts).toEqual({ pending: 4, approved: 2, rejected: 2, [status]: 22, all: 29 })
    expect((await list(course, { search: 'no such applicant' })).counts).toEqual(counts)
  },
)

test('a search finds nobody of another course, nor by the answers of somebody else', async () => {
  const course = await guardedCourse()
  const other = await guardedCourse()
  const [here] = await made(course, 'pending', 2)
  const [there] = await made(other, 'pending', 1)
  await query(
    `insert into course_application_answers (application_id, question, required, order_index, answer)
     select unnest($1::uuid[]), 'Why?', true, 1, 'Because of giraffes'`,
    [here, there],
  )
  expect(await pagesOf(course, { search: 'giraffes' })).toEqual([[here]])
  expect(await pagesOf(course, { search: 'giraffes', status: 'approved' })).toEqual([[]])
  expect(await pagesOf(course, { search: ' ' })).toEqual([[here, expect.any(String)]])
  for (const [filters, status] of [
    [{ search: 'x'.repeat(200) }, 200],
    [{ search: 'x'.repeat(201) }, 422],
    [{ cursor: 'x'.repeat(200) }, 400],
    [{ cursor: 'x'.repeat(201) }, 422],
    [{ status: 'withdrawn' }, 422],
  ] as const) {
    const path = `/rest/v1/courses/${course.id}/applications?${new URLSearchParams(filters)}`
    expect((await app.request(path, { cookie: instructor.cookie })).status).toBe(status)
  }
})

test('the dashboard counts those that wait, for the instructor, also after the course stops asking', async () => {
  const course = await guardedCourse()
  await made(course, 'pending', 2)
  await made(course, 'approved', 1)
  await made(await guardedCourse(), 'pending', 1)
  const member = await someone()
  await joinCourse(app.services, member, course)
  const waiting = async ({ cookie }: Someone) =>
    (await app.request(`/rest/v1/courses/${course.slug}/dashboard`, { cookie })).body
      .pendingApplications
  expect([await waiting(instructor), await waiting(member)]).toEqual([2, null])
  await query('update courses set application_required = false where id = $1', course.id)
  expect([await waiting(instructor), await waiting(member)]).toEqual([2, null])
  await query(`update course_applications set status = 'rejected' where course_id = $1`, course.id)
  expect(await waiting(instructor)).toBeNull()
})
