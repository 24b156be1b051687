// Who hears of an application and of what becomes of it, and whose applications stay as they are meanwhile.
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { holdDecision } from '../../../test/held-decision.ts'
import { mailTo } from '../../../test/mailbox.ts'
import { limits } from '../courses/rules.ts'
import { courses } from '../courses/tables.ts'
import { carryOutDecision, resumeDecisions } from './carry-out-decision.ts'
import { revokeApplication } from './revoke-application.ts'
import { courseApplicationDecisions, courseApplications } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

/** Published, without questions; a program of the instructor hears of applications. */
async function guardedCourse(instructor?: Someone) {
  const creator = instructor ?? (await someone())
  const course = await makeCourse(app.services, creator, { title: 'Knots ⚡' })
  await app.services.db
    .update(courses)
    .set({ applicationRequired: true })
    .where(eq(courses.id, course.id))
  // It rests, so that nothing is sent.
  await query(
    `insert into webhook_endpoints (user_id, url, events, sealed_secret, rests_until)
     values ($1, 'https://hooks.example', '{application.submitted,application.decided}', '', now() + interval '10 minutes')`,
    creator.id,
  )
  return { ...course, instructor: creator }
}
type Guarded = Awaited<ReturnType<typeof guardedCourse>>

const apply = (course: { id: string }, { cookie }: Someone) =>
  app.request('/rest/v1/course_applications', {
    body: { courseId: course.id, answers: [] },
    cookie,
  })
async function applicant(course: Guarded, person?: Someone) {
  const who = person ?? (await someone())
  const { status, body } = await apply(course, who)
  expect(status).toBe(200)
  return { ...who, applicationId: body.id as string }
}
async function applicants(course: Guarded, count: number) {
  const made = []
  while (made.length < count) made.push(await applicant(course))
  return made
}
const review = (course: Guarded, applicationId: string, body: object) =>
  app.request(`/rest/v1/courses/${course.id}/applications/${applicationId}/review`, {
    body,
    cookie: course.instructor.cookie,
  })
async function decide(course: Guarded, people: { applicationId: string }[], more: object) {
  const { status, body } = await app.request(
    `/rest/v1/courses/${course.id}/application-decisions`,
    {
      body: { applicationIds: people.map(({ applicationId }) => applicationId), ...more },
      cookie: course.instructor.cookie,
    },
  )
  expect(status).toBe(200)
  await holdDecision(app.services, body.decisionId)
  return body.decisionId as string
}
async function carryOut(decisionId: string) {
  await app.services.db
    .update(courseApplicationDecisions)
    .set({ applyAt: new Date(Date.now() - 1000) })
    .where(eq(courseApplicationDecisions.id, decisionId))
  await carryOutDecision({ decisionId }, app.services)
}

const noticesOf = ({ id }: Someone) =>
  query('select kind, title, message, href from notifications where user_id = $1 order by id', id)
/** What open pages of this person have heard since the last question. */
const heard = new Map<string, number>()
async function eventsOf({ id }: Someone) {
  const rows = await query(
    'select id::int, event from live_events where topic = $1 and id > $2 order by id',
    `person:${id}`,
    heard.get(id) ?? 0,
  )
  heard.set(id, rows.at(-1)?.id ?? heard.get(id) ?? 0)
  return rows.map(({ event }) => event)
}
const keptFor = async ({ instructor }: Guarded) =>
  query(
    `select m.type, m.about_id as "aboutId", m.data from webhook_messages m
       join webhook_endpoints e on e.id = m.endpoint_id where e.user_id = $1 order by m.id`,
    instructor.id,
  )
const statusesOf = (people: { applicationId: string }[]) =>
  Promise.all(
    people.map(async ({ applicationId }) => {
      const [row] = await query(
        'select status from course_applications where id = $1',
        applicationId,
      )
      return row.status
    }),
  )

describe('whoever applies', () => {
  test('is heard of by the instructor: open pages, programs and a notice', async () => {
    const course = await guardedCourse()
    const other = await guardedCourse()
    const ann = await applicant(course, await someone('Ann'))
    expect(await eventsOf(course.instructor)).toEqual([
      { type: 'applications', courseId: course.id },
      { type: 'notification' },
    ])
    expect(await noticesOf(course.instructor)).toEqual([
      {
        kind: 'application_received',
        title: 'New Application',
        message: 'Somebody applied to join your course “Knots”.',
        href: `/course/${course.slug}/dashboard?tab=applications`,
      },
    ])
    expect(await keptFor(course)).toEqual([
      {
        type: 'application.submitted',
        aboutId: ann.id,
        data: {
          course: { id: course.id, slug: course.slug, title: 'Knots ⚡' },
          person: { id: ann.id, name: 'Ann', username: ann.username },
          application: { id: ann.applicationId },
        },
      },
    ])
    expect([await eventsOf(ann), await noticesOf(ann)]).toEqual([[], []])
    expect([await eventsOf(other.instructor), await keptFor(other)]).toEqual([[], []])
  })

  test('is not held up by what others, earlier days and other courses brought', async () => {
    const course = await guardedCourse()
    const other = await guardedCourse(course.instructor)
    const [ann, bob] = [await someone(), await someone()]
    const tenOf = (person: Someone, where: Guarded, hoursAgo: number) =>
      query(
        `insert into course_applications (course_id, user_id, status, submitted_at)
         select $1, $2, 'withdrawn', now() - make_interval(hours => $3) from generate_series(1, 10)`,
        where.id,
        person.id,
        hoursAgo,
      )
    await tenOf(bob, course, 0)
    await tenOf(ann, other, 0)
    await tenOf(ann, course, 25)
    const { applicationId } = await applicant(course, ann)
    expect(await noticesOf(course.instructor)).toHaveLength(1)
    await review(course, applicationId, { decision: 'rejected' })
    await query(
      `update course_applications set submitted_at = now() - interval '23 hours'
        where user_id = $1 and course_id = $2 and status = 'withdrawn'`,
      ann.id,
      course.id,
    )
    expect((await apply(course, ann)).body.message).toContain('again in 60 minutes.')
    expect((await apply(course, bob)).body.message).toContain('again in 24 hours.')
  })

  test('and withdraws, leaves the others waiting, and the instructor’s pages hear of it', async () => {
    const course = await guardedCourse()
    const other = await guardedCourse()
    const [ann, bob] = await applicants(course, 2)
    const elsewhere = await applicant(other, ann)
    const decisionId = await decide(course, [ann!, bob!], { decision: 'approved' })
    await eventsOf(course.instructor)
    const withdrawn = await app.request(`/rest/v1/course_applications/${ann!.applicationId}`, {
      method: 'DELETE',
      cookie: ann!.cookie,
    })
    expect(withdrawn.body).toEqual({
      id: ann!.applicationId,
      status: 'withdrawn',
      submittedAt: expect.any(String),
      reviewedAt: null,
      reviewerNotes: null,
    })
    expect(await statusesOf([ann!, bob!, elsewhere])).toEqual(['withdrawn', 'pending', 'pending'])
    expect(await eventsOf(course.instructor)).toEqual([
      { type: 'applications', courseId: course.id },
    ])
    const waiting = await query(
      'select id from course_applications where decision_id = $1',
      decisionId,
    )
    expect(waiting).toEqual([{ id: bob!.applicationId }])
    expect(
      (await app.request(`/rest/v1/courses/${course.slug}`, { cookie: ann!.cookie })).body,
    ).toMatchObject({ application: { id: ann!.applicationId, status: 'withdrawn' } })
  })

  test('sees the latest of several, of one moment the last', async () => {
    const course = await guardedCourse()
    const ann = await someone()
    const rows = await query(
      `insert into course_applications (course_id, user_id, status, submitted_at, notes_shared, reviewer_notes)
       select $1, $2, status, now() - make_interval(hours => hours), true, status || ' ' || hours
         from (values ('rejected', 3), ('revoked', 1), ('rejected', 1), ('withdrawn', 2)) of (status, hours)
       returning id, reviewer_notes as notes`,
      course.id,
      ann.id,
    )
    const { body } = await app.request(`/rest/v1/courses/${course.slug}`, { cookie: ann.cookie })
    expect(body.application).toMatchObject({ id: rows[2].id, reviewerNotes: 'rejected 1' })
  })
})

describe('a decision', () => {
  test('to approve reaches the applicant, and the instructor’s pages and programs', async () => {
    const course = await guardedCourse()
    const [ann, bob] = await applicants(course, 2)
    for (const person of [ann!, bob!, course.instructor]) await eventsOf(person)
    const { body } = await review(course, ann!.applicationId, {
      decision: 'approved',
      notes: 'Welcome!',
      shareNotes: true,
    })
    expect(body).toMatchObject({ reviewerNotes: 'Welcome!', notesShared: true })
    expect(await eventsOf(ann!)).toEqual(
      expect.arrayContaining([{ type: 'application', courseId: course.id }]),
    )
    expect(await noticesOf(ann!)).toEqual([
      {
        kind: 'application_approved',
        title: 'Application Approved',
        message:
          'Your application to join “Knots” was approved. You are a member now, and all its lessons are open to you. The instructor writes: “Welcome!”',
        href: `/course/${course.slug}/dashboard`,
      },
    ])
    expect(await eventsOf(course.instructor)).toContainEqual({
      type: 'applications',
      courseId: course.id,
    })
    expect((await keptFor(course)).at(-1)).toMatchObject({
      type: 'application.decided',
      aboutId: ann!.id,
      data: {
        course: { id: course.id },
        person: { id: ann!.id },
        application: { id: ann!.applicationId, decision: 'approved' },
      },
    })
    expect(await statusesOf([ann!, bob!])).toEqual(['approved', 'pending'])
    expect([await eventsOf(bob!), await noticesOf(bob!)]).toEqual([[], []])
  })

  test('to reject does so, too, and shares no notes where there are none', async () => {
    const course = await guardedCourse()
    const ann = await applicant(course)
    const { body } = await review(course, ann.applicationId, {
      decision: 'rejected',
      shareNotes: true,
    })
    expect(body).toMatchObject({ reviewerNotes: '', notesShared: false })
    expect(await eventsOf(ann)).toEqual([
      { type: 'application', courseId: course.id },
      { type: 'notification' },
    ])
    expect(await noticesOf(ann)).toEqual([
      {
        kind: 'application_rejected',
        title: 'Application Not Approved',
        message:
          'Your application to join “Knots” was not approved. You may apply again with updated information.',
        href: `/course/${course.slug}`,
      },
    ])
    expect((await keptFor(course)).map(({ type, data }) => [type, data.application])).toEqual([
      ['application.submitted', { id: ann.applicationId }],
      ['application.decided', { id: ann.applicationId, decision: 'rejected' }],
    ])
  })

  test('about a paid course says where it is bought', async () => {
    const course = await guardedCourse()
    const ann = await applicant(course)
    await query(
      `update courses set pricing_type = 'one_time', price_amount = 2900 where id = $1`,
      course.id,
    )
    await review(course, ann.applicationId, { decision: 'approved', notes: 'Mine alone' })
    expect(await noticesOf(ann)).toMatchObject([
      {
        message: 'Your application to join “Knots” was approved. You can buy the course now.',
        href: `/course/${course.slug}`,
      },
    ])
  })

  test('about a full one says that it is full', async () => {
    const course = await guardedCourse()
    const [ann, bob] = await applicants(course, 2)
    await query(
      `update courses set pricing_type = 'one_time', price_amount = 2900, students_count = $2
        where id = $1`,
      course.id,
      limits.freePlanStudents,
    )
    await review(course, ann!.applicationId, { decision: 'approved' })
    expect(await noticesOf(ann!)).toMatchObject([
      {
        message:
          'Your application to join “Knots” was approved. You can buy the course as soon as there is room: it is full at the moment.',
        href: `/course/${course.slug}`,
      },
    ])
    await query('update courses set students_count = $2 where id = $1', course.id, 24)
    await review(course, bob!.applicationId, { decision: 'approved' })
    expect((await noticesOf(bob!))[0].message).toContain('You can buy the course now.')
  })

  test('about a draft leads to no page that is not there, and promises nothing that cannot be had', async () => {
    const course = await guardedCourse()
    const [ann, bob] = await applicants(course, 2)
    await query(
      `update courses set status = 'draft', pricing_type = 'one_time', price_amount = 2900
        where id = $1`,
      course.id,
    )
    await review(course, ann!.applicationId, { decision: 'approved' })
    await review(course, bob!.applicationId, { decision: 'rejected' })
    expect(await noticesOf(ann!)).toMatchObject([
      {
        message:
          'Your application to join “Knots” was approved. You can buy the course as soon as it is published again.',
        href: null,
      },
    ])
    expect(await noticesOf(bob!)).toMatchObject([
      { message: 'Your application to join “Knots” was not approved.', href: null },
    ])
  })

  test('lets nobody new into a course that is suspended, and rejects all the same', async () => {
    const course = await guardedCourse()
    const [ann, bob] = await applicants(course, 2)
    await query(
      `update courses set suspended_at = now(), status = 'draft' where id = $1`,
      course.id,
    )
    const refused = await review(course, ann!.applicationId, { decision: 'approved' })
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'This course is suspended, so nobody new can join it. The application waits.',
    ])
    expect((await review(course, bob!.applicationId, { decision: 'rejected' })).status).toBe(200)
    expect(await statusesOf([ann!, bob!])).toEqual(['pending', 'rejected'])

    await eventsOf(course.instructor)
    await carryOut(await decide(course, [ann!], { decision: 'approved' }))
    expect(await statusesOf([ann!])).toEqual(['pending'])
    expect((await noticesOf(course.instructor)).at(-1)).toEqual({
      kind: 'applications_not_admitted',
      title: 'Your Course Is Suspended',
      message:
        '1 application to “Knots” could not be approved: the course is suspended, so nobody new can join it. It is still pending.',
      href: `/course/${course.slug}/dashboard?tab=applications`,
    })
    // Decided, and left as it was.
    expect(await eventsOf(course.instructor)).toEqual([
      { type: 'applications', courseId: course.id },
      { type: 'applications', courseId: course.id },
      { type: 'notification' },
    ])
  })

  test('about many takes who waited longest first, until the course is full', async () => {
    const course = await guardedCourse()
    const people = await applicants(course, 3)
    // The last two have waited since one moment, longer than the first.
    await query(
      `update course_applications set submitted_at = '2026-01-01' where id = any($1)`,
      people.slice(1).map(({ applicationId }) => applicationId),
    )
    await query('update courses set students_count = 24 where id = $1', course.id)
    const decisionId = await decide(course, people, { decision: 'approved' })
    await eventsOf(course.instructor)
    await carryOut(decisionId)
    expect(await statusesOf(people)).toEqual(['pending', 'approved', 'pending'])
    expect((await noticesOf(course.instructor)).at(-1)).toEqual({
      kind: 'applications_not_admitted',
      title: 'Your Course Is Full',
      message:
        '2 applications to “Knots” could not be approved: the course has reached its maximum of 25 students. They are still pending.',
      href: `/course/${course.slug}/dashboard?tab=applications`,
    })
    expect(
      await query('select 1 from course_applications where decision_id = $1', decisionId),
    ).toEqual([])
    await carryOut(decisionId)
    expect((await noticesOf(course.instructor)).at(-2)!.kind).toBe('application_received')
  })

  test('about many is kept with its notes, which are shared where there are some', async () => {
    const course = await guardedCourse()
    const people = await applicants(course, 3)
    const kept = []
    for (const [at, more] of [
      { notes: ' Sorry ', shareNotes: true },
      { shareNotes: true },
      { notes: 'Mine' },
    ].entries()) {
      await eventsOf(course.instructor)
      const id = await decide(course, [people[at]!], { decision: 'rejected', ...more })
      expect(await eventsOf(course.instructor)).toEqual([
        { type: 'applications', courseId: course.id },
      ])
      kept.push(...(await query('select * from course_application_decisions where id = $1', id)))
      await carryOut(id)
    }
    expect(kept.map((row) => [row.decision, row.reviewer_notes, row.notes_shared])).toEqual([
      ['rejected', 'Sorry', true],
      ['rejected', '', false],
      ['rejected', 'Mine', false],
    ])
    const rows = await app.services.db
      .select()
      .from(courseApplications)
      .where(eq(courseApplications.courseId, course.id))
      .orderBy(courseApplications.id)
    expect(rows.map((row) => [row.status, row.reviewerNotes, row.notesShared])).toEqual([
      ['rejected', 'Sorry', true],
      ['rejected', '', false],
      ['rejected', 'Mine', false],
    ])
    expect((await noticesOf(people[0]!))[0]!.message).toContain('“Sorry”')
    expect((await noticesOf(people[2]!))[0]!.message).not.toContain('Mine')
  })

  test('that is taken back leaves another one as it is, and pages hear of it', async () => {
    const course = await guardedCourse()
    const [ann, bob] = await applicants(course, 2)
    const [first, second] = [
      await decide(course, [ann!], { decision: 'approved' }),
      await decide(course, [bob!], { decision: 'approved' }),
    ]
    await eventsOf(course.instructor)
    const undone = await app.request(
      `/rest/v1/courses/${course.id}/application-decisions/${first}`,
      { method: 'DELETE', cookie: course.instructor.cookie },
    )
    expect(undone.body).toEqual({ undone: 1 })
    expect(await eventsOf(course.instructor)).toEqual([
      { type: 'applications', courseId: course.id },
    ])
    const left = await query(
      'select id from course_application_decisions where course_id = $1',
      course.id,
    )
    expect(left).toEqual([{ id: second }])
    const [row] = await query(
      'select decision_id from course_applications where id = $1',
      bob!.applicationId,
    )
    expect(row.decision_id).toBe(second)
  })
})

test('decisions that are carried out are forgotten after a day, and are not begun again', async () => {
  const course = await guardedCourse()
  const other = await guardedCourse()
  const [ann, bob] = await applicants(course, 2)
  const decision = async (
    where: Guarded,
    hoursAgo: number,
    waiting?: { applicationId: string },
  ) => {
    const [row] = await query(
      `insert into course_application_decisions (course_id, decision, apply_at)
       values ($1, 'rejected', now() - make_interval(hours => $2)) returning id`,
      where.id,
      hoursAgo,
    )
    if (waiting) {
      await query(
        'update course_applications set decision_id = $1 where id = $2',
        row.id,
        waiting.applicationId,
      )
    }
    return row.id as string
  }
  const old = await decision(course, 25)
  const oldElsewhere = await decision(other, 25)
  const oldWithWaiting = await decision(course, 26, ann)
  const younger = await decision(course, 23)
  await carryOut(await decide(course, [bob!], { decision: 'rejected' }))
  const left = async () =>
    (
      await query('select id from course_application_decisions where id = any($1) order by id', [
        old,
        oldElsewhere,
        oldWithWaiting,
        younger,
      ])
    ).map(({ id }) => id)
  expect(await left()).toEqual([oldElsewhere, oldWithWaiting, younger])

  await app.services.db.transaction(async (transaction) => {
    const { db } = app.services
    await resumeDecisions({
      db: Object.assign(Object.create(db), { execute: transaction.execute.bind(transaction) }),
    })
    const { rows } = await transaction.execute<{ key: string }>(
      sql`select key from graphile_worker.jobs where key like 'application-decision:%' order by key`,
    )
    const keys = rows.map(({ key }) => key)
    expect(keys).toContain(`application-decision:${oldWithWaiting}`)
    expect(keys).not.toContain(`application-decision:${younger}`)
    expect(keys).not.toContain(`application-decision:${oldElsewhere}`)
  })
})

test('an approval that is taken back is the one of this person in this course', async () => {
  const course = await guardedCourse()
  const other = await guardedCourse()
  const [ann, bob] = [await someone(), await someone()]
  const made = async (where: Guarded, person: Someone, status: string) => {
    const [row] = await query(
      'insert into course_applications (course_id, user_id, status) values ($1, $2, $3) returning id',
      where.id,
      person.id,
      status,
    )
    return { applicationId: row.id as string }
  }
  const all = [
    await made(course, ann, 'rejected'),
    await made(course, ann, 'approved'),
    await made(course, bob, 'approved'),
    await made(other, ann, 'approved'),
  ]
  await app.services.db.transaction((transaction) =>
    revokeApplication(transaction, { userId: ann.id, courseId: course.id }),
  )
  expect(await statusesOf(all)).toEqual(['rejected', 'revoked', 'approved', 'approved'])
})

describe('whoever waits for an answer hears that none comes', () => {
  const ended = {
    kind: 'course_deleted',
    title: 'Your application has ended',
    message: '“Knots” is no longer there, so your application has ended.',
    href: null,
  }
  const deleteCourse = ({ id, instructor }: Guarded) =>
    app.request(`/rest/v1/courses/${id}/deletion`, {
      body: { title: 'Knots' },
      cookie: instructor.cookie,
    })
  const leave = ({ instructor }: Guarded, membersCourses: 'keep' | 'delete') =>
    app.request('/rest/v1/me/deletion', {
      body: { confirmation: 'DELETE', password: instructor.password, membersCourses },
      cookie: instructor.cookie,
    })

  test.each([
    ['the course is deleted', deleteCourse],
    ['its creator leaves it to its members', (course: Guarded) => leave(course, 'keep')],
    ['its creator leaves and deletes it', (course: Guarded) => leave(course, 'delete')],
  ])('when %s, once and by mail', async (_when, end) => {
    const course = await guardedCourse()
    const other = await guardedCourse()
    const [ann, bob] = [await applicant(course), await applicant(course)]
    const [joined, rejected, elsewhere] = [
      await applicant(course),
      await applicant(course),
      await applicant(other),
    ]
    // Who has joined meanwhile hears of the course as a member.
    await joinCourse(app.services, joined, course)
    await review(course, rejected.applicationId, { decision: 'rejected' })
    await query('delete from notifications')
    expect((await end(course)).status).toBe(200)
    for (const person of [ann, bob]) {
      expect(await noticesOf(person)).toEqual([ended])
      await mailTo(app, person.email, /^Your application has ended$/)
    }
    expect(await noticesOf(joined)).toHaveLength(1)
    for (const person of [joined, rejected, elsewhere]) {
      expect(await noticesOf(person)).not.toContainEqual(ended)
    }
    expect(await statusesOf([elsewhere])).toEqual(['pending'])
  })
})

describe('at the moment in which', () => {
  test('the applicant’s account goes, neither the application nor a decision is left', async () => {
    const course = await guardedCourse()
    const [ann, bob] = [await applicant(course), await someone()]
    const answers = await behindChange(
      app.services,
      ['delete from users where id = any($1)', [ann.id, bob.id]],
      [() => review(course, ann.applicationId, { decision: 'rejected' }), () => apply(course, bob)],
    )
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [404, 'Application not found'],
      [404, 'Course not found'],
    ])
  })

  test('the course is given away, its former instructor decides and asks nothing there', async () => {
    const [course, heir] = [await guardedCourse(), await someone()]
    const [ann, bob] = [await applicant(course), await someone()]
    const { cookie } = course.instructor
    const questions = `/rest/v1/courses/${course.id}/application-questions`
    const answers = await behindChange(
      app.services,
      ['update courses set instructor_id = $2 where id = $1', course.id, heir.id],
      [
        () => review(course, ann.applicationId, { decision: 'approved' }),
        () => apply(course, bob),
        () =>
          app.request(questions, {
            method: 'PUT',
            body: { questions: [{ question: 'Mine?' }] },
            cookie,
          }),
      ],
    )
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [404, 'Application not found'],
      [404, 'Course not found'],
      [404, 'Course not found'],
    ])
    expect(await statusesOf([ann])).toEqual(['pending'])
    expect((await app.request(questions, { cookie: bob.cookie })).body.questions).toEqual([])
  })
})
