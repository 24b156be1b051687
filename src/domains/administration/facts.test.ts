// What administrators read of people, courses and what waits, in whole, and what people are told in each case.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  makeCase,
  makeCourse,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { makeFailingJob } from '../../../test/failing-job.ts'
import { announceToWords, progressWords } from './announcement-rules.ts'
import { recordAct } from './record-act.ts'
import { perPage, shownAtOnce } from './rules.ts'
import { isOpenWhileSuspended } from './suspension-pages.ts'
import {
  tellOfAccountSuspension,
  tellOfAppeal,
  tellOfCourseSuspension,
  tellOfLifting,
  tellOfRefusal,
} from './tell-of-suspension.ts'
import { suspensions } from './tables.ts'

let app: TestApp
let admin: Someone
beforeAll(async () => {
  app = await startTestApp()
  admin = await someone('Ada Admin')
  await query(`update users set role = 'admin' where id = $1`, admin.id)
})
afterAll(() => app?.stop())

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const query = async (statement: string, ...values: unknown[]) =>
  (await app.services.pool.query(statement, values)).rows

const read = async (path: string) => {
  const { status, body } = await app.request(`/rest/v1/admin/${path}`, { cookie: admin.cookie })
  expect([path, status]).toEqual([path, 200])
  return body
}

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

const suspend = (body: Partial<typeof suspensions.$inferInsert>) =>
  app.services.db
    .insert(suspensions)
    .values({ reason: 'Spam', suspendedBy: admin.id, ...body })
    .returning({ id: suspensions.id })
    .then(([made]) => made!.id)

describe('the facts', () => {
  test('about a person', async () => {
    const person = await someone('Fay Facts')
    const other = await someone()
    const made = []
    for (let count = 0; count < shownAtOnce + 1; count += 1) {
      made.unshift(await makeCourse(app.services, person, { title: `Course ${count}` }))
    }
    await query(`update courses set status = 'draft' where id = $1`, made[0]!.id)
    await query(
      `update courses set suspended_at = now(), status = 'draft' where id = $1`,
      made[1]!.id,
    )
    await joinCourse(app.services, person, await makeCourse(app.services, other))
    await query(
      `insert into sessions (token, user_id, expires_at, updated_at)
       values ($2, $1, now() - interval '1 day', '2020-01-01')`,
      person.id,
      randomUUID(),
    )
    await query(
      `update sessions set updated_at = '2026-11-20T23:30:00Z' where user_id = $1 and expires_at > now()`,
      person.id,
    )
    await query(`update users set verified = true, email_verified = true where id = $1`, person.id)
    const past = await suspend({ userId: person.id, liftedAt: new Date(), liftedBy: admin.id })
    const act = { actorId: admin.id, action: 'verify_account', reason: 'Known' } as const
    await recordAct(app.services.db, {
      ...act,
      subject: { kind: 'account', id: person.id, name: person.name },
    })
    await recordAct(app.services.db, {
      ...act,
      subject: { kind: 'account', id: other.id, name: other.name },
    })
    expect(await read(`people/${person.id}`)).toEqual({
      id: person.id,
      name: 'Fay Facts',
      username: person.username,
      email: person.email,
      avatarUrl: null,
      role: 'user',
      verified: true,
      emailVerified: true,
      plan: 'free',
      createdAt: timestamp,
      suspendedAt: null,
      lastSeen: '2026-11-20',
      sessionsCount: 1,
      enrollmentsCount: shownAtOnce + 2,
      coursesCount: shownAtOnce + 1,
      courses: made.slice(0, shownAtOnce).map(({ id }, at) => ({
        id,
        title: `Course ${shownAtOnce - at}`,
        status: at < 2 ? 'draft' : 'published',
        isSuspended: at === 1,
      })),
      suspensions: [
        {
          id: past,
          reason: 'Spam',
          createdAt: timestamp,
          isBecauseOfAccount: false,
          appeal: null,
          appealedAt: null,
          appealAnswer: null,
          appealAnsweredAt: null,
          liftedAt: timestamp,
          suspendedBy: 'Ada Admin',
          liftedBy: 'Ada Admin',
        },
      ],
      acts: [
        {
          id: expect.any(String),
          action: 'verify_account',
          subjectKind: 'account',
          subjectId: person.id,
          subjectName: 'Fay Facts',
          reason: 'Known',
          createdAt: timestamp,
          actor: { id: admin.id, name: 'Ada Admin', username: admin.username },
        },
      ],
    })
    const none = await app.request(`/rest/v1/admin/people/${randomUUID()}`, {
      cookie: admin.cookie,
    })
    expect(none.status).toBe(404)
  })

  test('about a course', async () => {
    const owner = await someone('Mona Maker')
    const course = await makeCourse(app.services, owner, { title: 'Knots of the sea' })
    const member = await someone()
    await joinCourse(app.services, member, course)
    await query(
      `update courses set pricing_type = 'monthly', price_amount = 900 where id = $1`,
      course.id,
    )
    for (const status of ['open', 'closed']) {
      const postId = await makePost(app.services, course, { by: member })
      const caseId = await makeCase(app.services, course, { postId, by: owner })
      await query(
        `update moderation_cases set status = $2,
                outcome = case when $2 = 'closed' then 'dismiss' end,
                closed_at = case when $2 = 'closed' then now() end where id = $1`,
        caseId,
        status,
      )
    }
    const open = await suspend({
      courseId: course.id,
      reason: 'A copy',
      appeal: 'It is mine',
      appealedAt: new Date(),
    })
    await query(
      `update courses set suspended_at = now(), status = 'draft' where id = $1`,
      course.id,
    )
    expect(await read(`courses/${course.id}`)).toEqual({
      id: course.id,
      slug: course.slug,
      title: 'Knots of the sea',
      status: 'draft',
      verified: false,
      studentsCount: 1,
      createdAt: timestamp,
      suspendedAt: timestamp,
      creator: { id: owner.id, name: 'Mona Maker', username: owner.username },
      pricingType: 'monthly',
      priceAmount: 900,
      lessonsCount: 1,
      publishedAt: timestamp,
      updatedAt: timestamp,
      openReports: 1,
      suspensions: [
        {
          id: open,
          reason: 'A copy',
          createdAt: timestamp,
          isBecauseOfAccount: false,
          appeal: 'It is mine',
          appealedAt: timestamp,
          appealAnswer: null,
          appealAnsweredAt: null,
          liftedAt: null,
          suspendedBy: 'Ada Admin',
          liftedBy: null,
        },
      ],
      acts: [],
    })
    const none = await app.request(`/rest/v1/admin/courses/${randomUUID()}`, {
      cookie: admin.cookie,
    })
    expect(none.status).toBe(404)
  })

  test('of what waits, counted, and what was done last', async () => {
    const before = await read('overview')
    const person = await someone()
    const course = await makeCourse(app.services, person)
    const postId = await makePost(app.services, course)
    await makeCase(app.services, course, { postId, by: admin })
    const account = await suspend({ userId: person.id, appeal: 'No', appealedAt: new Date() })
    await suspend({
      courseId: course.id,
      appeal: 'No',
      appealedAt: new Date(),
      appealAnswer: 'Yes',
      appealAnsweredAt: new Date(),
    })
    await query('update users set suspended_at = now() where id = $1', person.id)
    await query(
      `update courses set suspended_at = now(), status = 'draft' where id = $1`,
      course.id,
    )
    await query(
      `insert into support_requests (user_id, name, email, topic, subject, status)
       values ($1, 'A', 'a@example.com', 'other', 'One', 'waiting'),
              ($1, 'A', 'a@example.com', 'other', 'Two', 'answered')`,
      person.id,
    )
    await query(
      `insert into payment_events (id, type, object_id, occurred_at, source, status)
       values ('evt_1', 'invoice.paid', 'in_1', now(), 'webhook', 'failed'),
              ('evt_2', 'invoice.paid', 'in_2', now(), 'webhook', 'applied')`,
    )
    await makeFailingJob(app.services)
    for (let count = 0; count < shownAtOnce + 1; count += 1) {
      await recordAct(app.services.db, {
        actorId: admin.id,
        action: 'announce',
        subject: { kind: 'announcement', id: null, name: `News ${count}` },
      })
    }
    const { acts, ...counts } = await read('overview')
    const { acts: _acts, ...earlier } = before
    const more = Object.keys(counts).map((name) => [name, counts[name] - earlier[name]])
    expect(Object.fromEntries(more)).toEqual({
      openReports: 1,
      appeals: 1,
      supportRequests: 1,
      failedPaymentEvents: 1,
      failingJobs: 1,
      suspendedAccounts: 1,
      suspendedCourses: 1,
    })
    expect(acts.map(({ subjectName }: { subjectName: string }) => subjectName)).toEqual(
      Array.from({ length: shownAtOnce }, (_, at) => `News ${shownAtOnce - at}`),
    )
    const { appeals, nextCursor } = await read('appeals')
    expect(nextCursor).toBeNull()
    expect(appeals.at(-1)).toMatchObject({
      id: account,
      appeal: 'No',
      account: { id: person.id, name: person.name, username: person.username },
      course: null,
    })
    expect(JSON.stringify(appeals)).not.toContain('Yes')
  })
})

describe('lists', () => {
  test('have who is of a kind, and nobody else', async () => {
    const [plain, pro, past, suspended, verified] = await Promise.all(
      ['Plain', 'Pro', 'Past', 'Suspended', 'Verified'].map((name) => someone(`Kind ${name}`)),
    )
    await query('insert into plan_grants (user_id) values ($1)', pro!.id)
    await query(
      `insert into plan_grants (user_id, until) values ($1, now() - interval '1 day')`,
      past!.id,
    )
    await query('update users set suspended_at = now() where id = $1', suspended!.id)
    await query('update users set verified = true where id = $1', verified!.id)
    const found = async (filter: string) =>
      (await read(`people?search=kind&filter=${filter}`)).people
        .map(({ name }: { name: string }) => name)
        .toSorted()
    expect(await found('all')).toHaveLength(5)
    expect(await found('suspended')).toEqual(['Kind Suspended'])
    expect(await found('pro')).toEqual(['Kind Pro'])
    expect(await found('verified')).toEqual(['Kind Verified'])
    expect(await found('admins')).toEqual([])
    const { people } = await read('people?search=kind%20pro')
    expect(people).toEqual([
      {
        id: pro!.id,
        name: 'Kind Pro',
        username: pro!.username,
        email: pro!.email,
        avatarUrl: null,
        role: 'user',
        verified: false,
        plan: 'pro',
        createdAt: timestamp,
        suspendedAt: null,
      },
    ])
    expect(plain!.name).toBe('Kind Plain')
  })

  test('of courses go on page by page, and have who is of a kind', async () => {
    const owner = await someone('Lister')
    const made: string[] = []
    for (let count = 0; count < perPage + 1; count += 1) {
      made.unshift((await makeCourse(app.services, owner, { title: `Listed ${count}` })).id)
    }
    await query('update courses set verified = true where id = $1', made[0])
    await query(`update courses set suspended_at = now(), status = 'draft' where id = $1`, made[1])
    const idsOf = ({ courses }: { courses: { id: string }[] }) => courses.map(({ id }) => id)
    const first = await read('courses?search=listed')
    expect(idsOf(first)).toEqual(made.slice(0, perPage))
    expect(first.nextCursor).toBe(made[perPage - 1])
    const second = await read(`courses?search=listed&cursor=${first.nextCursor}`)
    expect([idsOf(second), second.nextCursor]).toEqual([made.slice(perPage), null])
    expect(idsOf(await read('courses?search=lister&filter=verified'))).toEqual([made[0]])
    expect(idsOf(await read('courses?search=lister&filter=suspended'))).toEqual([made[1]])
    expect(idsOf(await read('courses?search=lister&filter=draft'))).toEqual([made[1]])
    expect(idsOf(await read('courses?search=lister&filter=published'))).not.toContain(made[1])
    expect(idsOf(await read(`courses?search=${made[2]}`))).toEqual([made[2]])
    expect(idsOf(await read('courses?search=%25'))).toEqual([])
    const wrong = await app.request('/rest/v1/admin/courses?cursor=x', { cookie: admin.cookie })
    expect(wrong.status).toBe(400)
  })
})

describe('a person is told', () => {
  const told = async (tell: (userId: string) => Promise<unknown>) => {
    const { id } = await makePerson(app.services)
    await tell(id)
    const [notice] = await query(
      'select kind, title, message, href from notifications where user_id = $1',
      id,
    )
    return [notice.kind, notice.title, notice.message, notice.href]
  }
  const within = <Facts>(
    tell: (transaction: never, facts: Facts) => Promise<unknown>,
    facts: Facts,
  ) => app.services.db.transaction((transaction) => tell(transaction as never, facts))

  test('that the account is suspended, and what becomes of the courses', async () => {
    const of = (courses: number) =>
      told((userId) => within(tellOfAccountSuspension, { userId, reason: 'Spam.', courses }))
    const message = (middle: string) => [
      'account_suspended',
      'Your account is suspended',
      `The administrators of Thunder have suspended your account. The reason: “Spam.”${middle} Log in to appeal, to download your data, or to delete your account.`,
      '/suspended',
    ]
    expect(await of(0)).toEqual(message(''))
    expect(await of(1)).toEqual(
      message(' Your published course is not shown meanwhile; its members keep it.'),
    )
    expect(await of(2)).toEqual(
      message(' Your 2 published courses are not shown meanwhile; their members keep them.'),
    )
  })

  test('that a course is suspended', async () => {
    const course = { slug: 'knots', title: 'Knots', reason: 'A copy.' }
    expect(await told((userId) => within(tellOfCourseSuspension, { ...course, userId }))).toEqual([
      'course_suspended',
      'Your course is suspended',
      'The administrators have suspended “Knots”. The reason: “A copy.” Nobody new can find, join or buy it; its members keep it. You can change it, and appeal on its page.',
      '/course/knots/suspension',
    ])
    const [, , words] = await told((userId) =>
      within(tellOfCourseSuspension, { ...course, userId, accountIsSuspended: true }),
    )
    expect(words).toMatch(
      /its members keep it\. When your account is not suspended any more, you can change it, and appeal on its page\.$/,
    )
  })

  test('that it is over, why, and what is back', async () => {
    const course = { slug: 'knots', title: 'Knots', wasPublished: true }
    const of = (facts: object) =>
      told((userId) => within(tellOfLifting, { userId, note: '', ...facts }))
    expect(await of({})).toEqual([
      'suspension_lifted',
      'Your account is back',
      'Your account is not suspended any more, and your courses are as before.',
      '/dashboard',
    ])
    expect((await of({ note: 'Sorry.', onAppeal: true }))[2]).toBe(
      'Your appeal was granted. Your account is not suspended any more, and your courses are as before. The administrators wrote: “Sorry.”',
    )
    expect(await of({ course })).toEqual([
      'suspension_lifted',
      'Your course is back',
      '“Knots” is not suspended any more, and is published again.',
      '/course/knots/dashboard',
    ])
    expect((await of({ course: { ...course, wasPublished: false } }))[2]).toBe(
      '“Knots” is not suspended any more.',
    )
    expect((await of({ withoutLessons: 2 }))[2]).toBe(
      'Your account is not suspended any more. 2 of your courses have no lessons any more, so they are drafts now; the others are as before.',
    )
  })

  test('that an appeal was refused', async () => {
    const of = (facts: object) =>
      told((userId) => within(tellOfRefusal, { userId, answer: 'It is one.', ...facts }))
    expect(await of({})).toEqual([
      'appeal_refused',
      'Your appeal was refused',
      'Your account stays suspended. The administrators wrote: “It is one.”',
      '/suspended',
    ])
    const course = { slug: 'knots', title: 'Knots' }
    expect((await of({ course })).slice(2)).toEqual([
      '“Knots” stays suspended. The administrators wrote: “It is one.”',
      '/course/knots/suspension',
    ])
  })

  test('who administers and is not suspended: that somebody appeals', async () => {
    const away = await someone()
    await query(`update users set role = 'admin', suspended_at = now() where id = $1`, away.id)
    await app.services.db.transaction((transaction) => tellOfAppeal(transaction, 'a course'))
    const notices = await query(
      `select user_id, message, href from notifications where kind = 'appeal_received'`,
    )
    expect(notices).toEqual([
      {
        user_id: admin.id,
        message: 'An appeal against the suspension of a course waits for an answer.',
        href: '/admin/appeals',
      },
    ])
  })
})

test('how many are told, in words', () => {
  expect([0, 1, 2, 1234].map(announceToWords)).toEqual([
    'Announce to 0 people',
    'Announce to 1 person',
    'Announce to 2 people',
    'Announce to 1,234 people',
  ])
  const words = (toldCount: number, finishedAt: string | null = null) =>
    progressWords({ toldCount, people: 12_345, finishedAt })
  expect([words(0), words(1000)]).toEqual([
    '0 of about 12,345 told so far',
    '1,000 of about 12,345 told so far',
  ])
  expect([0, 1, 5000].map((count) => words(count, '2026-11-21'))).toEqual([
    'Told nobody',
    'Told 1 person',
    'Told 5,000 people',
  ])
})

test('a suspended person finds these pages open, and none below or above them', () => {
  const open = [
    '/suspended',
    '/support',
    '/support/0198f0a2',
    '/settings/delete-account',
    '/billing',
    '/billing/cancel',
    '/billing/courses/knots/cancel',
    '/billing/receipts',
    '/billing/receipts/0198f0a2/invoice',
  ]
  expect(open.filter(isOpenWhileSuspended)).toEqual(open)
  const closed = [
    '/',
    '/suspended/more',
    '/x/suspended',
    '/support/one/two',
    '/settings',
    '/billing/courses',
    '/billing/courses/a/b/cancel',
    '/billing/plans',
    '/billing/receipts/0198f0a2',
    '/billing/receipts/0198f0a2/invoice/more',
    '/dashboard',
  ]
  expect(closed.filter(isOpenWhileSuspended)).toEqual([])
})
