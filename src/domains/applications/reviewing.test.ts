import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange, waitingFor } from '../../../test/behind-change.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { holdDecision } from '../../../test/held-decision.ts'
import { watchStatements } from '../../../test/statements.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import { enrollments } from '../enrollment/tables.ts'
import { notifications } from '../notifications/tables.ts'
import { carryOutDecision, resumeDecisions } from './carry-out-decision.ts'
import { courseApplicationDecisions, courseApplications } from './tables.ts'

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

/** Published, with one question. */
async function guardedCourse() {
  const instructor = await someone()
  const course = await makeCourse(app.services, instructor, { title: 'Guarded' })
  const { body } = await app.request(`/rest/v1/courses/${course.id}/application-questions`, {
    method: 'PUT',
    body: { questions: [{ question: 'Why?' }] },
    cookie: instructor.cookie,
  })
  await change(course.id, { applicationRequired: true })
  return { ...course, instructor, questionId: body.questions[0].id as string }
}
type Guarded = Awaited<ReturnType<typeof guardedCourse>>

/** Somebody new applies. */
async function applicant(course: Guarded, { name = 'Ann', answer = 'To learn' } = {}) {
  const person = await someone(name)
  const { status, body } = await app.request('/rest/v1/course_applications', {
    body: { courseId: course.id, answers: [{ questionId: course.questionId, answer }] },
    cookie: person.cookie,
  })
  expect(status).toBe(200)
  return { ...person, applicationId: body.id as string }
}

async function applicants(course: Guarded, count: number) {
  const made = []
  while (made.length < count) made.push(await applicant(course, { name: `A${made.length}` }))
  return made
}

const list = (course: Guarded, query = '', by: Someone = course.instructor) =>
  app.request(`/rest/v1/courses/${course.id}/applications${query}`, { cookie: by.cookie })
const review = (course: Guarded, applicationId: string, body: object, by = course.instructor) =>
  app.request(`/rest/v1/courses/${course.id}/applications/${applicationId}/review`, {
    body,
    cookie: by.cookie,
  })
const decideNow = (course: Guarded, applicationIds: string[], decision: string, more = {}) =>
  app.request(`/rest/v1/courses/${course.id}/application-decisions`, {
    body: { applicationIds, decision, ...more },
    cookie: course.instructor.cookie,
  })
/** The same, and it is carried out when the test does so. */
async function decide(...asked: Parameters<typeof decideNow>) {
  const answer = await decideNow(...asked)
  if (answer.status === 200) await holdDecision(app.services, answer.body.decisionId)
  return answer
}
const undo = (course: Guarded, decisionId: string) =>
  app.request(`/rest/v1/courses/${course.id}/application-decisions/${decisionId}`, {
    method: 'DELETE',
    cookie: course.instructor.cookie,
  })
/** Its ten seconds are over. */
const makeDue = (decisionId: string) =>
  app.services.db
    .update(courseApplicationDecisions)
    .set({ applyAt: new Date(Date.now() - 1000) })
    .where(eq(courseApplicationDecisions.id, decisionId))
const carryOut = (decisionId: string) => carryOutDecision({ decisionId }, app.services)

const statusOf = async (applicationId: string) => {
  const [row] = await app.services.db
    .select()
    .from(courseApplications)
    .where(eq(courseApplications.id, applicationId))
  return row!.status
}
const isMember = async (course: Guarded, { id }: { id: string }) => {
  const rows = await app.services.db
    .select()
    .from(enrollments)
    .where(and(eq(enrollments.courseId, course.id), eq(enrollments.userId, id)))
  return rows.length === 1
}
const noticesOf = async (userId: string, kind?: string) =>
  (
    await app.services.db.select().from(notifications).where(eq(notifications.userId, userId))
  ).filter((notice) => !kind || notice.kind === kind)
const eventsOf = async (userId: string) => {
  const { rows } = await app.services.pool.query<{ type: string }>(
    `select event ->> 'type' as type from live_events where topic = $1 order by id`,
    [`person:${userId}`],
  )
  return rows.map(({ type }) => type)
}

/** Runs `waiting` while the course is locked; lets it go on when `meanwhile` is done. */
async function behind<Result>(
  course: Guarded,
  waiting: () => Promise<Result>,
  meanwhile: () => Promise<unknown>,
): Promise<Result> {
  const client = await app.services.pool.connect()
  await client.query('begin')
  await client.query('select id from courses where id = $1 for no key update', [course.id])
  const result = waiting()
  await waitingFor(app.services, 1)
  await meanwhile()
  await client.query('commit')
  client.release()
  return result
}

describe('a review', () => {
  test('lets an approved person into a free course at once, and tells them', async () => {
    const course = await guardedCourse()
    const ann = await applicant(course)
    const { status, body } = await review(course, ann.applicationId, {
      decision: 'approved',
      notes: ' Welcome! ',
      shareNotes: true,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: ann.applicationId,
      status: 'approved',
      reviewedAt: expect.any(String),
      reviewerNotes: 'Welcome!',
      notesShared: true,
      dueDecision: null,
      user: { id: ann.id, name: 'Ann', email: ann.email, username: ann.username },
      answers: [{ question: 'Why?', required: true, answer: 'To learn' }],
    })
    expect(await isMember(course, ann)).toBe(true)
    const told = await noticesOf(ann.id)
    expect(told).toMatchObject([
      {
        kind: 'application_approved',
        href: `/course/${course.slug}/dashboard`,
        message: expect.stringContaining('The instructor writes: “Welcome!”'),
      },
    ])
    expect(await eventsOf(ann.id)).toContain('application')
    expect(await eventsOf(course.instructor.id)).toEqual(
      expect.arrayContaining(['applications', 'joined']),
    )
    expect(await noticesOf(course.instructor.id, 'new_member'), 'they know').toEqual([])
  })

  test('of a paid course leads to buying it', async () => {
    const course = await guardedCourse()
    const ann = await applicant(course)
    await change(course.id, { pricingType: 'one_time', priceAmount: 2900 })
    expect((await review(course, ann.applicationId, { decision: 'approved' })).status).toBe(200)
    expect(await isMember(course, ann)).toBe(false)
    expect(await noticesOf(ann.id)).toMatchObject([
      {
        href: `/course/${course.slug}`,
        message: expect.stringContaining('You can buy the course'),
      },
    ])
    const joined = await app.request('/rest/v1/enrollments', {
      body: { courseId: course.id },
      cookie: ann.cookie,
    })
    expect(joined.body.code).toBe('PAYMENT_REQUIRED')
  })

  test('may reject; notes stay the instructor’s unless they are shared', async () => {
    const course = await guardedCourse()
    const [kept, shared] = [await applicant(course), await applicant(course)]
    const pageOf = async ({ cookie }: Someone) =>
      (await app.request(`/rest/v1/courses/${course.slug}`, { cookie })).body.application
    await review(course, kept.applicationId, { decision: 'rejected', notes: 'secret note' })
    await review(course, shared.applicationId, {
      decision: 'rejected',
      notes: 'open note',
      shareNotes: true,
    })
    expect(await pageOf(kept)).toMatchObject({ status: 'rejected', reviewerNotes: null })
    expect(await pageOf(shared)).toMatchObject({ status: 'rejected', reviewerNotes: 'open note' })
    const [secretNotice] = await noticesOf(kept.id, 'application_rejected')
    expect(secretNotice!.message).not.toContain('note')
    const [openNotice] = await noticesOf(shared.id, 'application_rejected')
    expect(openNotice!.message).toContain('“open note”')
    expect(await isMember(course, kept)).toBe(false)
  })

  test('happens once, also when two come at once', async () => {
    const course = await guardedCourse()
    const ann = await applicant(course)
    const both = await Promise.all(
      ['approved', 'rejected', 'approved', 'rejected'].map((decision) =>
        review(course, ann.applicationId, { decision }),
      ),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    const { body } = both.find(({ status }) => status === 409)!
    expect(body).toMatchObject({
      code: 'NOT_PENDING',
      message: 'Only pending applications can be reviewed.',
    })
    expect(await noticesOf(ann.id)).toHaveLength(1)
  })

  test('is for the instructor of this course', async () => {
    const course = await guardedCourse()
    const other = await guardedCourse()
    const ann = await applicant(course)
    for (const stranger of [ann, other.instructor, await someone()]) {
      const by = { ...stranger, cookie: stranger.cookie }
      expect((await review(course, ann.applicationId, { decision: 'approved' }, by)).status).toBe(
        403,
      )
      expect((await list(course, '', by)).status).toBe(403)
    }
    const elsewhere = await review(other, ann.applicationId, { decision: 'approved' })
    expect([elsewhere.status, elsewhere.body.message]).toEqual([404, 'Application not found'])
    for (const [body, message] of [
      [{ decision: 'perhaps' }, 'Choose approved or rejected'],
      [
        { decision: 'approved', notes: 'x'.repeat(2001) },
        'Notes can have at most 2,000 characters',
      ],
      [{ decision: 'approved', shareNotes: 'x' }, 'Sharing must be true or false'],
    ] as const) {
      const refused = await review(course, ann.applicationId, body)
      expect([refused.status, refused.body.message]).toEqual([422, message])
    }
    expect(await statusOf(ann.applicationId)).toBe('pending')
  })

  test('for a full course leaves the application pending', async () => {
    const course = await guardedCourse()
    const [ann, bob] = [await applicant(course), await applicant(course)]
    await change(course.id, { studentsCount: 24 })
    const both = await Promise.all(
      [ann, bob].map(({ applicationId }) =>
        review(course, applicationId, { decision: 'approved' }),
      ),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403])
    const refused = both[0]!.status === 403 ? ann : bob
    expect(both.find(({ status }) => status === 403)!.body.code).toBe('COURSE_FULL')
    expect(await statusOf(refused.applicationId)).toBe('pending')
    expect(await noticesOf(refused.id)).toEqual([])
  })
})

describe('the list', () => {
  test('comes a page at a time: pending ones oldest first, others by when they were decided', async () => {
    const course = await guardedCourse()
    const people = await app.services.db
      .insert(users)
      .values(
        Array.from({ length: 43 }, (_, index) => ({ name: 'A', email: `${index}@list.example` })),
      )
      .returning({ id: users.id })
    // All in one moment: the ids decide.
    await app.services.db.insert(courseApplications).values(
      people.map(({ id }, index) => ({
        courseId: course.id,
        userId: id,
        submittedAt: new Date(Date.now() - (index < 25 ? 1_000_000 : 1000)),
      })),
    )
    const seen: { id: string; submittedAt: string }[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''
      const { body } = await list(course, query)
      seen.push(...body.applications)
      expect(body.applications.length).toBe(cursor === null || body.nextCursor ? 20 : 3)
      cursor = body.nextCursor
    } while (cursor)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(43)
    const times = seen.map(({ submittedAt }) => submittedAt)
    expect(times).toEqual(times.toSorted())

    const ids = [seen[7]!.id, seen[3]!.id, seen[30]!.id]
    for (const id of ids) await review(course, id, { decision: 'rejected' })
    const asked = await watchStatements(app).during(() => list(course, '?search=a'))
    const ours = asked.filter((text) => text.includes('course_applications'))
    expect(ours, 'however many there are').toHaveLength(2)
    const rejected = (await list(course, '?status=rejected')).body
    expect(rejected.applications.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed())
    expect(rejected.counts).toEqual({ pending: 40, approved: 0, rejected: 3, all: 43 })
    const all = (await list(course, '?status=all')).body
    expect(all.applications[0].submittedAt >= all.applications[19].submittedAt).toBe(true)
    const rest = (await list(course, `?status=all&cursor=${all.nextCursor}`)).body
    expect(rest.applications).toHaveLength(20)
  })

  test('finds names, addresses and answers, literally', async () => {
    const course = await guardedCourse()
    const ann = await applicant(course, { name: 'Ann Percent', answer: '100% sure' })
    const bob = await applicant(course, { name: 'Bob_Under', answer: 'No idea \\ at all' })
    const found = async (search: string) =>
      (await list(course, `?search=${encodeURIComponent(search)}`)).body.applications.map(
        ({ user }: { user: { id: string } }) => user.id,
      )
    expect(await found('ann p')).toEqual([ann.id])
    expect(await found(bob.email.toUpperCase())).toEqual([bob.id])
    expect(await found('SURE')).toEqual([ann.id])
    expect(await found('%')).toEqual([ann.id])
    expect(await found('_')).toEqual([bob.id])
    expect(await found('\\')).toEqual([bob.id])
    expect(await found('nobody')).toEqual([])
  })

  test.each(['x', '1', '.', '1.x', `9999999999999999999.${crypto.randomUUID()}`, '-1.%00'])(
    'refuses the cursor %j in words',
    async (cursor) => {
      const course = await guardedCourse()
      const { status, body } = await list(course, `?cursor=${encodeURIComponent(cursor)}`)
      expect([status, body.message]).toEqual([
        400,
        'This page of applications does not exist. Start from the first one.',
      ])
    },
  )

  test('takes the greatest cursor', async () => {
    const course = await guardedCourse()
    const last = `?cursor=9999999999999999.${crypto.randomUUID()}`
    expect((await list(course, last)).body.applications).toEqual([])
  })
})

describe('a decision about many', () => {
  test('waits for ten seconds, in which it can be taken back', async () => {
    const course = await guardedCourse()
    const [ann, bob, cleo] = await applicants(course, 3)
    await review(course, cleo!.applicationId, { decision: 'rejected' })
    const ids = [ann!, bob!, cleo!].map(({ applicationId }) => applicationId)
    const asked = Date.now()
    const { status, body } = await decideNow(course, ids, 'approved')
    expect(status).toBe(200)
    expect(body.count).toBe(2)
    // The database cuts its time to whole milliseconds.
    const decided = Date.parse(body.applyAt) - 10_000
    expect(decided).toBeGreaterThanOrEqual(asked - 1)
    expect(decided).toBeLessThanOrEqual(Date.now())
    // However long this test takes, the time is not over.
    const applyAt = await holdDecision(app.services, body.decisionId)
    const looked = Date.now()
    const due = (await list(course)).body.applications
    const shown = {
      id: body.decisionId,
      decision: 'approved',
      applyAt: applyAt.toISOString(),
      millisecondsLeft: expect.any(Number),
    }
    expect(due.map((one: { dueDecision: unknown }) => one.dueDecision)).toEqual([shown, shown])
    const { millisecondsLeft } = due[0].dueDecision
    expect(millisecondsLeft).toBeGreaterThanOrEqual(applyAt.getTime() - Date.now())
    expect(millisecondsLeft).toBeLessThanOrEqual(applyAt.getTime() - looked + 1)
    await expect(carryOut(body.decisionId)).rejects.toThrow('can still be taken back')
    expect((await undo(course, body.decisionId)).body).toEqual({ undone: 2 })
    expect((await undo(course, body.decisionId)).body, 'again').toEqual({ undone: 0 })
    await carryOut(body.decisionId)
    expect(await statusOf(ann!.applicationId)).toBe('pending')
    expect((await list(course)).body.applications[0].dueDecision).toBeNull()
  })

  test('is carried out by the queue, with its notes, once', async () => {
    const course = await guardedCourse()
    const [ann, bob] = await applicants(course, 2)
    const { body } = await decideNow(course, [ann!.applicationId, bob!.applicationId], 'approved', {
      notes: 'Come in',
      shareNotes: true,
    })
    await makeDue(body.decisionId)
    const key = `application-decision:${body.decisionId}`
    const queued = await app.services.pool.query(
      `select run_at = $2::timestamptz as "inTime" from graphile_worker.jobs where key = $1`,
      [key, body.applyAt],
    )
    expect(queued.rows).toEqual([{ inTime: true }])
    // What a node does when it starts: the job comes when it is due.
    await resumeDecisions(app.services)
    await expect.poll(() => statusOf(bob!.applicationId)).toBe('approved')
    await carryOut(body.decisionId)
    for (const person of [ann!, bob!]) {
      expect(await isMember(course, person)).toBe(true)
      expect(await noticesOf(person.id)).toMatchObject([
        { message: expect.stringContaining('“Come in”') },
      ])
    }
    const late = await undo(course, body.decisionId)
    expect([late.status, late.body.code]).toEqual([409, 'CARRIED_OUT'])
  })

  test('leaves the rest pending when the course is full, and says how many', async () => {
    const course = await guardedCourse()
    const people = await applicants(course, 4)
    await change(course.id, { studentsCount: 23 })
    const ids = people.map(({ applicationId }) => applicationId)
    const { body } = await decide(course, ids, 'approved')
    await makeDue(body.decisionId)
    await carryOut(body.decisionId)
    await carryOut(body.decisionId)
    expect(await Promise.all(ids.map(statusOf))).toEqual([
      'approved',
      'approved',
      'pending',
      'pending',
    ])
    expect(await noticesOf(course.instructor.id, 'applications_not_admitted')).toMatchObject([
      { message: expect.stringContaining('2 applications to “Guarded” could not be approved') },
    ])
    expect((await list(course)).body.applications[0].dueDecision).toBeNull()
  })

  test('skips who withdrew, and gives way to a later decision about one', async () => {
    const course = await guardedCourse()
    const [ann, bob, cleo] = await applicants(course, 3)
    const ids = [ann!, bob!, cleo!].map(({ applicationId }) => applicationId)
    const first = (await decide(course, ids, 'approved')).body
    await app.request(`/rest/v1/course_applications/${ids[0]}`, {
      method: 'DELETE',
      cookie: ann!.cookie,
    })
    await review(course, ids[1]!, { decision: 'rejected' })
    const second = (await decide(course, [ids[2]!], 'rejected')).body
    for (const { decisionId } of [first, second]) await makeDue(decisionId)
    await carryOut(first.decisionId)
    expect(await Promise.all(ids.map(statusOf))).toEqual(['withdrawn', 'rejected', 'pending'])
    await carryOut(second.decisionId)
    expect(await statusOf(ids[2]!)).toBe('rejected')
    const none = await decide(course, ids, 'approved')
    expect([none.status, none.body.message]).toEqual([
      409,
      'None of these applications is pending any more.',
    ])
  })

  test('goes on after a crash in its middle, two runs at a time', async () => {
    const course = await guardedCourse()
    const people = await applicants(course, 4)
    const ids = people.map(({ applicationId }) => applicationId)
    const { decisionId } = (await decide(course, ids, 'approved')).body
    await makeDue(decisionId)
    // What the first run had done when its process ended.
    await app.services.db
      .update(courseApplications)
      .set({ status: 'approved', decisionId: null })
      .where(eq(courseApplications.id, ids[0]!))
    await Promise.all([carryOut(decisionId), carryOut(decisionId)])
    expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => 'approved'))
    expect((await noticesOf(people[1]!.id)).length).toBe(1)
    const [row] = await app.services.db.select().from(courses).where(eq(courses.id, course.id))
    expect(row!.studentsCount).toBe(3)
  })

  test('is not undone by who asked in time and had to wait until it was due', async () => {
    const course = await guardedCourse()
    const ann = await applicant(course)
    const { decisionId } = (await decide(course, [ann.applicationId], 'rejected')).body
    const undoing = await behind(
      course,
      () => undo(course, decisionId),
      () => makeDue(decisionId),
    )
    expect([undoing.status, undoing.body.code]).toEqual([409, 'CARRIED_OUT'])
    await carryOut(decisionId)
    expect(await statusOf(ann.applicationId)).toBe('rejected')
  })

  test('passes by an application that got another decision while it was carried out', async () => {
    const course = await guardedCourse()
    const [ann, bob] = await applicants(course, 2)
    const first = (await decide(course, [ann!.applicationId], 'approved')).body
    const second = (await decide(course, [bob!.applicationId], 'rejected')).body
    await makeDue(first.decisionId)
    await behind(
      course,
      () => carryOut(first.decisionId),
      () =>
        app.services.db
          .update(courseApplications)
          .set({ decisionId: second.decisionId })
          .where(eq(courseApplications.id, ann!.applicationId)),
    )
    expect(await statusOf(ann!.applicationId)).toBe('pending')
  })

  test('is not for who gives the course away at this moment, nor is taking it back', async () => {
    const [course, stranger] = [await guardedCourse(), await someone()]
    const [ann, bob] = await applicants(course, 2)
    const { decisionId } = (await decide(course, [ann!.applicationId], 'rejected')).body
    const give = 'update courses set instructor_id = $2 where id = $1'
    const answers = await behindChange(
      app.services,
      [give, course.id, stranger.id],
      [() => decide(course, [bob!.applicationId], 'rejected'), () => undo(course, decisionId)],
    )
    for (const { status, body } of answers) {
      expect([status, body.message]).toEqual([404, 'Course not found'])
    }
    const rows = await app.services.db
      .select({ id: courseApplications.id, decisionId: courseApplications.decisionId })
      .from(courseApplications)
      .where(eq(courseApplications.courseId, course.id))
    expect(new Map(rows.map((row) => [row.id, row.decisionId]))).toEqual(
      new Map([
        [ann!.applicationId, decisionId],
        [bob!.applicationId, null],
      ]),
    )
  })

  test('is about this course only, and about some', async () => {
    const [course, other] = [await guardedCourse(), await guardedCourse()]
    const [ann, bob] = [await applicant(course), await applicant(other)]
    const { body } = await decide(course, [ann.applicationId, bob.applicationId], 'rejected')
    expect(body.count).toBe(1)
    expect((await undo(other, body.decisionId)).body).toEqual({ undone: 0 })
    expect((await undo(course, body.decisionId)).body).toEqual({ undone: 1 })
    for (const [ids, message] of [
      [[], 'Choose at least one application.'],
      [
        Array.from({ length: 201 }, () => ann.applicationId),
        'At most 200 applications can be decided at once',
      ],
      [['x'], 'An application is not a valid id'],
    ] as const) {
      const refused = await decide(course, [...ids], 'approved')
      expect([refused.status, refused.body.message]).toEqual([422, message])
    }
  })
})

test('who deletes the account at the moment of a decision never waits for it forever', async () => {
  for (const decision of ['approved', 'rejected']) {
    const course = await guardedCourse()
    const [ann, bob] = [await applicant(course), await applicant(course)]
    const { decisionId } = (await decide(course, [bob.applicationId], decision)).body
    await makeDue(decisionId)
    const leave = (person: Someone) =>
      app.request('/rest/v1/me/deletion', {
        body: { confirmation: 'DELETE', password: person.password, membersCourses: 'delete' },
        cookie: person.cookie,
      })
    const [annLeft, bobLeft, reviewed] = await Promise.all([
      leave(ann),
      leave(bob),
      review(course, ann.applicationId, { decision }),
      carryOut(decisionId),
    ])
    expect([annLeft.status, bobLeft.status]).toEqual([200, 200])
    expect([200, 404]).toContain(reviewed.status)
    const [row] = await app.services.db.select().from(courses).where(eq(courses.id, course.id))
    expect(row!.studentsCount).toBe(0)
  }
})

test('whoever leaves a course behind leaves no notes and nobody waiting', async () => {
  const course = await guardedCourse()
  const member = await someone()
  await joinCourse(app.services, member, course)
  const [ann, bob] = [await applicant(course), await applicant(course)]
  await review(course, ann.applicationId, { decision: 'rejected', notes: 'My own words' })
  await decide(course, [bob.applicationId], 'rejected', { notes: 'My own words' })
  const { status } = await app.request('/rest/v1/me/deletion', {
    body: {
      confirmation: 'DELETE',
      password: course.instructor.password,
      membersCourses: 'keep',
    },
    cookie: course.instructor.cookie,
  })
  expect(status).toBe(200)
  const rows = await app.services.db
    .select()
    .from(courseApplications)
    .where(eq(courseApplications.courseId, course.id))
  expect(rows).toMatchObject([{ userId: ann.id, status: 'rejected', reviewerNotes: '' }])
  const decisions = await app.services.db
    .select()
    .from(courseApplicationDecisions)
    .where(eq(courseApplicationDecisions.courseId, course.id))
  expect(decisions).toEqual([])
})
