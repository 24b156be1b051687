// What administrators do when something changes at that moment, and all that is left of an act: rows, words, news and jobs.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { addDepartedUser, departedUserId } from '../accounts/departed-user.ts'
import { announce } from './announce.ts'
import type { Audience } from './announcement-rules.ts'
import { suspensions } from './tables.ts'
import { tellAnnouncement } from './tell-announcement.ts'

let app: TestApp
let admin: Someone
beforeAll(async () => {
  // Jobs wait, so that they can be looked at.
  app = await startTestApp({ JOBS: 'off' })
  await app.services.db.transaction(addDepartedUser)
})
afterAll(() => app?.stop())
beforeEach(async () => {
  await query('delete from graphile_worker._private_jobs')
  await query('delete from suspensions')
  admin = await someone('Ada Admin')
  await query(`update users set role = 'admin' where id = $1`, admin.id)
})

const query = async (statement: string, ...values: unknown[]) =>
  (await app.services.pool.query(statement, values)).rows

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const call = (path: string, body?: object, by = admin, method?: string) =>
  app.request(`/rest/v1${path}`, { body, cookie: by.cookie, method })
const act = (path: string, body?: object, method?: string) =>
  call(`/admin/${path}`, body, admin, method)

const suspendPerson = ({ id }: { id: string }) =>
  act(`people/${id}/suspension`, { reason: 'Because.' })
const suspendCourse = ({ id }: { id: string }) =>
  act(`courses/${id}/suspension`, { reason: 'Because.' })
const mark = (path: string, verified: unknown = true) =>
  act(`${path}/verified`, { verified: verified as boolean }, 'PUT')
const endSessions = ({ id }: { id: string }) => act(`people/${id}/end-sessions`, {})
const lift = (id: string, body = { note: 'Sorry.' }) => act(`suspensions/${id}/lift`, body)
const answer = (id: string, body: object) => act(`suspensions/${id}/answer`, body)
const facts = (over: object = {}) => ({
  announcementId: randomUUID() as string,
  title: 'New colours',
  message: 'Have a look.',
  href: '/about',
  audience: 'everybody' as Audience,
  ...over,
})

const said = ({ status, body }: Awaited<ReturnType<typeof act>>) => [status, body.message]
const noPerson = [404, 'There is no such person.']
const noCourse = [404, 'Course not found']
const noSuspension = [404, 'There is no such suspension.']

const suspended = (of: Partial<typeof suspensions.$inferInsert>) =>
  app.services.db
    .insert(suspensions)
    .values({ reason: 'Because.', ...of })
    .returning({ id: suspensions.id })
    .then(([made]) => made!.id)
const appealed = (of: Partial<typeof suspensions.$inferInsert>) =>
  suspended({ ...of, appeal: 'No.', appealedAt: new Date() })

const actsOf = (by = admin) =>
  query(
    `select action, subject_kind as kind, subject_id as id, subject_name as name, reason, details
       from administrative_acts where actor_id = $1 order by created_at, id`,
    by.id,
  )
const noticesOf = ({ id }: { id: string }) =>
  query('select title, message, href from notifications where user_id = $1 order by id', id)
const suspensionOf = async (id: string) =>
  (
    await query(
      `select reason, appeal, appeal_answer as answer, appeal_answered_at is not null as answered,
              suspended_by as by, lifted_by as "liftedBy", lifted_at is not null as lifted
         from suspensions where id = $1`,
      id,
    )
  )[0]
const idOf = async (column: 'user_id' | 'course_id', id: string) =>
  String(
    (await query(`select id from suspensions where ${column} = $1 and lifted_at is null`, id))[0]
      .id,
  )
const closing = async () =>
  (
    await query(
      `select payload->>'courseId' as id from graphile_worker._private_jobs j
         join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'closeCheckouts'`,
    )
  ).map(({ id }) => id)

describe('at the same moment', () => {
  test('who loses the role does nothing any more', async () => {
    const [person, marked] = [await someone(), await someone()]
    const course = await makeCourse(app.services, await someone())
    const announcement = facts()
    const [ofPerson, ofCourse, grant, refuse] = [
      await suspended({ userId: (await someone()).id }),
      await suspended({ courseId: (await makeCourse(app.services, await someone())).id }),
      await appealed({ userId: (await someone()).id }),
      await appealed({ courseId: (await makeCourse(app.services, await someone())).id }),
    ]
    const answers = await behindChange(
      app.services,
      [`update users set role = 'user' where id = $1`, admin.id],
      [
        () => suspendPerson(person),
        () => suspendCourse(course),
        () => mark(`people/${marked.id}`),
        () => mark(`courses/${course.id}`),
        () => endSessions(marked),
        () => lift(ofPerson),
        () => lift(ofCourse),
        () => answer(grant, { decision: 'grant' }),
        () => answer(refuse, { decision: 'refuse', answer: 'No.' }),
        () => act('announcements', announcement),
      ],
    )
    for (const one of answers) expect(said(one)).toEqual([403, 'Only administrators may do this.'])
    expect(await actsOf()).toEqual([])
    for (const id of [ofPerson, ofCourse, grant, refuse]) {
      expect(await suspensionOf(id)).toMatchObject({ lifted: false, answered: false })
    }
    expect(
      await query('select 1 from announcements where id = $1', announcement.announcementId),
    ).toEqual([])
  })

  test('a person who leaves is found no more', async () => {
    const people = await Promise.all([1, 2, 3, 4, 5].map(() => someone()))
    const [one, two, three, four, five] = people as [Someone, Someone, Someone, Someone, Someone]
    const [ofFour, ofFive] = [
      await suspended({ userId: four.id }),
      await appealed({ userId: five.id }),
    ]
    const answers = await behindChange(
      app.services,
      ['delete from users where id = any($1)', people.map(({ id }) => id)],
      [
        () => suspendPerson(one),
        () => mark(`people/${two.id}`),
        () => endSessions(three),
        () => lift(ofFour),
        () => answer(ofFive, { decision: 'grant' }),
      ],
    )
    expect(answers.map(said)).toEqual([
      noPerson,
      noPerson,
      noPerson,
      noSuspension,
      [409, 'Somebody has answered this appeal already.'],
    ])
    expect(await actsOf()).toEqual([])
  })

  test.each([
    ['is handed over', 'update courses set instructor_id = $2 where id = any($1) and $2 <> id'],
    ['goes', 'delete from courses where id = any($1) and $2::uuid <> id'],
  ])('a course that %s is found no more', async (_what, change) => {
    const courses = []
    for (let count = 0; count < 3; count += 1) {
      courses.push(await makeCourse(app.services, await someone()))
    }
    const [one, two, three] = courses
    const ofThree = await suspended({ courseId: three!.id })
    const answers = await behindChange(
      app.services,
      [change, courses.map(({ id }) => id), (await someone()).id],
      [() => suspendCourse(one!), () => mark(`courses/${two!.id}`), () => lift(ofThree)],
    )
    expect(answers.map(said)).toEqual([noCourse, noCourse, noSuspension])
    expect(await actsOf()).toEqual([])
  })
})

test('what there is not is said to be missing, and so is who stands for all that have left', async () => {
  const nothing = { id: randomUUID() }
  for (const person of [nothing, { id: departedUserId }]) {
    expect(said(await suspendPerson(person))).toEqual(noPerson)
    expect(said(await mark(`people/${person.id}`))).toEqual(noPerson)
    expect(said(await act(`people/${person.id}`))).toEqual(noPerson)
  }
  expect(said(await endSessions(nothing))).toEqual(noPerson)
  expect(said(await suspendCourse(nothing))).toEqual(noCourse)
  expect(said(await mark(`courses/${nothing.id}`))).toEqual(noCourse)
  expect(said(await lift(nothing.id))).toEqual(noSuspension)
  expect(said(await answer(nothing.id, { decision: 'grant' }))).toEqual(noSuspension)
  expect(await actsOf()).toEqual([])
})

test.each<[string, () => ReturnType<typeof act>, string]>([
  ['decision', () => answer(randomUUID(), { decision: 'maybe' }), 'Please choose what to do'],
  ['verified', () => mark(`people/${randomUUID()}`, 'yes'), 'Verified must be on or off'],
  ['verified', () => mark(`courses/${randomUUID()}`, 'yes'), 'Verified must be on or off'],
  ['filter', () => act('people?filter=odd'), 'There is no such filter'],
  ['filter', () => act('courses?filter=odd'), 'There is no such filter'],
  ['action', () => act('acts?action=odd'), 'There is no such act'],
  ['subjectKind', () => act('acts?subjectKind=odd'), 'There is no such kind of subject'],
  [
    'audience',
    () => act('announcements', facts({ audience: 'the moon' })),
    'Please choose who is told',
  ],
  [
    'off',
    () => act('features/reviews', { off: 'yes', reason: 'Spam' }, 'PUT'),
    'Off must be on or off',
  ],
  [
    'answer',
    () => answer(randomUUID(), { decision: 'refuse' }),
    'Please write why the appeal is refused: the person reads it',
  ],
])('a wrong %s is refused in words, which stand beside it', async (path, request, message) => {
  const { status, body } = await request()
  expect([status, body.message]).toEqual([422, message])
  expect(body.data.fields).toEqual([{ path, message }])
})

describe('of a suspended account is left', () => {
  test('why, by whom, what stopped with it, and the appeal that ended it', async () => {
    const person = await someone('Sam Seller')
    const [one, two] = [
      await makeCourse(app.services, person),
      await makeCourse(app.services, person),
    ]
    await makeCourse(app.services, person, { status: 'draft' })
    expect((await suspendPerson(person)).body).toEqual({ done: true })
    expect((await closing()).toSorted()).toEqual([one.id, two.id].toSorted())
    const account = await idOf('user_id', person.id)
    const ofCourse = await idOf('course_id', one.id)
    const open = { reason: 'Because.', appeal: null, answer: null, answered: false, by: admin.id }
    for (const id of [account, ofCourse]) {
      expect(await suspensionOf(id)).toEqual({ ...open, liftedBy: null, lifted: false })
    }

    const cookie = await sessionCookieOf(app.services, person.id)
    const appealing = await call(
      '/me/suspension/appeal',
      { appeal: 'I am sorry.' },
      { ...person, cookie },
    )
    expect(appealing.body).toEqual({ done: true })
    expect((await noticesOf(admin)).at(-1)).toEqual({
      title: 'Somebody appeals',
      message: 'An appeal against the suspension of an account waits for an answer.',
      href: '/admin/appeals',
    })
    // Granted without a word.
    expect((await answer(account, { decision: 'grant' })).body).toEqual({ done: true })
    expect(await suspensionOf(account)).toEqual({
      ...open,
      appeal: 'I am sorry.',
      answer: '',
      answered: true,
      liftedBy: admin.id,
      lifted: true,
    })
    expect(await suspensionOf(ofCourse)).toEqual({ ...open, liftedBy: admin.id, lifted: true })
    const subject = { kind: 'account', id: person.id, name: 'Sam Seller' }
    expect(await actsOf()).toEqual([
      {
        action: 'suspend_account',
        ...subject,
        reason: 'Because.',
        details: { courses: 2, sessions: 1 },
      },
      { action: 'grant_appeal', ...subject, reason: '', details: { courses: 2 } },
    ])
    expect(await noticesOf(person)).toEqual([
      {
        title: 'Your account is suspended',
        message: expect.stringContaining(' Your 2 published courses are not shown meanwhile;'),
        href: '/suspended',
      },
      {
        title: 'Your account is back',
        message:
          'Your appeal was granted. Your account is not suspended any more, and your courses are as before.',
        href: '/dashboard',
      },
    ])
  })

  test('what was lifted without an appeal, and without a word', async () => {
    const person = await someone('Sue Seller')
    expect((await suspendPerson(person)).status).toBe(200)
    const account = await idOf('user_id', person.id)
    expect((await lift(account, {} as never)).body).toEqual({ done: true })
    expect(await suspensionOf(account)).toMatchObject({
      answer: null,
      answered: false,
      liftedBy: admin.id,
    })
    expect((await actsOf()).at(-1)).toEqual({
      action: 'lift_account',
      kind: 'account',
      id: person.id,
      name: 'Sue Seller',
      reason: '',
      details: { courses: 0 },
    })
    expect(said(await lift(account))).toEqual([409, 'This suspension was lifted already.'])
  })

  test('a refusal in the log, with the answer', async () => {
    const person = await someone('Roy Refused')
    const id = await appealed({ userId: person.id })
    expect((await answer(id, { decision: 'refuse', answer: 'No.' })).body).toEqual({ done: true })
    expect(await suspensionOf(id)).toMatchObject({ answer: 'No.', answered: true, lifted: false })
    expect(await actsOf()).toEqual([
      {
        action: 'refuse_appeal',
        kind: 'account',
        id: person.id,
        name: 'Roy Refused',
        reason: 'No.',
        details: {},
      },
    ])
    expect(await noticesOf(person)).toMatchObject([{ href: '/suspended' }])
  })
})

describe('of a suspended course is left', () => {
  test('all that was said of it, from the appeal that is refused to the lifting', async () => {
    const owner = await someone()
    const course = await makeCourse(app.services, owner, { title: 'Knots ⚡' })
    const appealing = () =>
      call(`/courses/${course.slug}/suspension/appeal`, { appeal: 'It is mine.' }, owner)
    const seen = () => call(`/courses/${course.slug}/suspension`, undefined, owner)
    expect(said(await appealing())).toEqual([409, 'There is nothing to appeal against any more.'])
    expect((await seen()).body).toBeNull()
    expect((await suspendCourse(course)).body).toEqual({ done: true })
    expect(await closing()).toEqual([course.id])
    expect((await appealing()).body).toEqual({ done: true })
    expect(said(await appealing())).toEqual([
      409,
      'You have appealed already. There is one appeal against each suspension.',
    ])
    expect((await noticesOf(admin)).at(-1)).toMatchObject({
      message: 'An appeal against the suspension of a course waits for an answer.',
    })
    const id = await idOf('course_id', course.id)
    const { appeals } = (await act('appeals')).body
    expect(appeals).toEqual([
      {
        id,
        reason: 'Because.',
        createdAt: expect.any(String),
        isBecauseOfAccount: false,
        appeal: 'It is mine.',
        appealedAt: expect.any(String),
        appealAnswer: null,
        appealAnsweredAt: null,
        liftedAt: null,
        suspendedBy: 'Ada Admin',
        account: null,
        course: { id: course.id, title: 'Knots ⚡', creator: owner.name },
      },
    ])
    // While somebody else could refuse it, who suspended does not.
    await query(`update users set role = 'user' where role = 'admin' and id <> $1`, admin.id)
    await answer(id, { decision: 'refuse', answer: 'It is a copy.' })
    expect((await act('appeals')).body).toEqual({ appeals: [], nextCursor: null })
    await lift(id)
    const subject = { kind: 'course', id: course.id, name: 'Knots' }
    expect(await actsOf()).toEqual([
      {
        action: 'suspend_course',
        ...subject,
        reason: 'Because.',
        details: { wasPublished: true },
      },
      { action: 'refuse_appeal', ...subject, reason: 'It is a copy.', details: {} },
      {
        action: 'lift_course',
        ...subject,
        reason: 'Sorry.',
        details: { wasPublished: true, waitsForAccount: false },
      },
    ])
    const page = `/course/${course.slug}/suspension`
    expect(await noticesOf(owner)).toEqual([
      {
        title: 'Your course is suspended',
        message: expect.stringContaining('“Knots”. The reason: “Because.”'),
        href: page,
      },
      {
        title: 'Your appeal was refused',
        message: '“Knots” stays suspended. The administrators wrote: “It is a copy.”',
        href: page,
      },
      {
        title: 'Your course is back',
        message:
          '“Knots” is not suspended any more, and is published again. The administrators wrote: “Sorry.”',
        href: `/course/${course.slug}/dashboard`,
      },
    ])
  })

  test('that it waits for its creator, if it was published; a draft waits for nobody', async () => {
    const owner = await someone()
    const shown = await makeCourse(app.services, owner, { title: 'Shown' })
    const draft = await makeCourse(app.services, owner, { title: 'Draft', status: 'draft' })
    for (const course of [shown, draft]) await suspendCourse(course)
    await suspendPerson(owner)
    const [ofShown, ofDraft] = [
      await idOf('course_id', shown.id),
      await idOf('course_id', draft.id),
    ]
    for (const id of [ofShown, ofDraft]) expect((await lift(id)).status).toBe(200)
    expect((await actsOf()).slice(-2)).toMatchObject([
      { name: 'Shown', details: { wasPublished: true, waitsForAccount: true } },
      { name: 'Draft', details: { wasPublished: false, waitsForAccount: false } },
    ])
    const open = await idOf('course_id', shown.id)
    expect(await suspensionOf(open)).toMatchObject({ reason: 'Because.', by: admin.id })
    expect(said(await lift(open))[1]).toMatch(/because the account of its creator is/)
    expect(await query('select suspended_at as at from courses where id = $1', draft.id)).toEqual([
      { at: null },
    ])
    expect((await noticesOf(owner)).slice(-2).map(({ message }) => message)).toEqual([
      '“Shown” is not suspended any more. It is published again when your account is not suspended any more, either. The administrators wrote: “Sorry.”',
      '“Draft” is not suspended any more. The administrators wrote: “Sorry.”',
    ])
  })

  test('no news for the account of those who left, to which no mail can go', async () => {
    const course = await makeCourse(app.services, await someone())
    await query('update courses set instructor_id = $2 where id = $1', course.id, departedUserId)
    await suspendCourse(course)
    const id = await idOf('course_id', course.id)
    await query(`update suspensions set appeal = 'No.', appealed_at = now() where id = $1`, id)
    await answer(id, { decision: 'refuse', answer: 'No.' })
    expect((await lift(id)).status).toBe(200)
    expect(await noticesOf({ id: departedUserId })).toEqual([])
    expect(
      await query(`select 1 from graphile_worker.jobs where task_identifier = 'sendNoticeMail'`),
    ).toEqual([])
  })
})

test('marks and ended sessions stand in the log with whom they are about', async () => {
  const person = await someone('Vera Verified')
  const course = await makeCourse(app.services, person, { title: 'Knots ⚡' })
  for (const verified of [true, false]) {
    for (const path of [`people/${person.id}`, `courses/${course.id}`]) {
      expect((await mark(path, verified)).body).toEqual({ verified })
    }
  }
  expect((await endSessions(person)).body).toEqual({ ended: 1 })
  const account = { kind: 'account', id: person.id, name: 'Vera Verified', reason: '' }
  const about = { kind: 'course', id: course.id, name: 'Knots', reason: '' }
  expect(await actsOf()).toEqual([
    { action: 'verify_account', ...account, details: {} },
    { action: 'verify_course', ...about, details: {} },
    { action: 'unverify_account', ...account, details: {} },
    { action: 'unverify_course', ...about, details: {} },
    { action: 'end_sessions', ...account, details: { ended: 1 } },
  ])
})

describe('an announcement', () => {
  test('has a job of its own, and its progress is told to administrators, and to nobody else', async () => {
    const person = await someone()
    const bodies = [facts(), facts({ href: undefined })]
    for (const body of bodies) expect((await act('announcements', body)).status).toBe(200)
    const jobs = await query(
      `select key from graphile_worker.jobs where task_identifier = 'tellAnnouncement' order by id`,
    )
    expect(jobs).toEqual(
      bodies.map(({ announcementId }) => ({ key: `announcement ${announcementId}` })),
    )
    for (const body of bodies) await tellAnnouncement(body, app.services)
    expect(
      await query('select href from notifications where user_id = $1 order by id', person.id),
    ).toEqual([{ href: '/about' }, { href: null }])
    const told = ({ id }: { id: string }) =>
      query(
        `select event from live_events where topic = $1 and event->>'type' = 'announcement'`,
        `person:${id}`,
      )
    expect(await told(admin)).toEqual([1, 2].map(() => ({ event: { type: 'announcement' } })))
    expect(await told(person)).toEqual([])
  })

  test('is another one as soon as anything of it differs', async () => {
    const body = facts()
    expect((await act('announcements', body)).status).toBe(200)
    const others = [
      { title: 'Other colours' },
      { message: 'Look there.' },
      { href: '/pro' },
      { audience: 'creators' },
    ]
    for (const other of others) {
      const { status } = await act('announcements', { ...body, ...other })
      expect([other, status]).toEqual([other, 409])
    }
    expect(await actsOf()).toHaveLength(1)
  })

  test('is made on the command line by nobody, and has its number once more when it is sent twice', async () => {
    const by = (body: ReturnType<typeof facts>) =>
      app.services.db.transaction((transaction) =>
        announce(transaction, { ...body, actorId: null }),
      )
    const body = facts({ audience: 'creators' })
    await makeCourse(app.services, await someone())
    const made = await by(body)
    expect(made).toEqual({ announcementId: body.announcementId, people: expect.any(Number) })
    expect(made).not.toMatchObject({ people: 0 })
    expect(await by(body)).toEqual(made)
    // Of one that is in no log.
    const bare = facts()
    await query(
      `insert into announcements (id, title, message, href, audience) values ($1, $2, $3, $4, $5)`,
      bare.announcementId,
      bare.title,
      bare.message,
      bare.href,
      bare.audience,
    )
    expect(await by(bare)).toEqual({ announcementId: bare.announcementId, people: 0 })
  })
})

test('a feature that is switched off without a sentence for people has none', async () => {
  expect((await act('features/uploads', { off: true, reason: 'Full' }, 'PUT')).body).toEqual({
    done: true,
  })
  const { features } = (await act('features')).body
  expect(features.find(({ name }: { name: string }) => name === 'uploads')).toMatchObject({
    isOff: true,
    notice: '',
  })
})
