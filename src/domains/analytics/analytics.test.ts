// The figures for creators: each equals a recount of the rows, whatever is folded and whoever writes meanwhile.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Act,
  creatorFromRows,
  factsFromRows,
  funnelFromRows,
  pointsFromRows,
} from '../../../test/analytics-from-rows.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  lessonsOf,
  makeComment,
  makeCourse,
  makeMedia,
  makePerson,
  makePost,
  makeReview,
  personalTokenOf,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { counterChecks } from '../courses/tables.ts'
import { deleteCourses, holdCourse } from '../courses/delete-course.ts'
import { creatorAccount, ownAccounts } from '../ledger/accounts.ts'
import { disputeEntries, type Entry, paymentEntries, refundEntries } from '../ledger/rules.ts'
import type { Scope } from '../tokens/rules.ts'
import { foldCourseDays } from './fold-course-days.ts'
import { recountAnalytics } from './recount-analytics.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const query = async <Row = Record<string, unknown>>(text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows as Row[]

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>
async function proCreator() {
  const creator = await someone()
  await query('insert into plan_grants (user_id) values ($1)', creator.id)
  return creator
}

const threeLessons = [
  { title: 'One', lessons: [{ title: 'A' }, { title: 'B' }] },
  { title: 'Two', lessons: [{ title: 'C' }] },
]
const courseOf = (creator: { id: string }, title: string) =>
  makeCourse(app.services, creator, { title, chapters: threeLessons })
type Course = Awaited<ReturnType<typeof courseOf>>

/** A moment so many days ago, UTC. */
const ago = (days: number, time = '12:00:00.000') => {
  const day = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  return new Date(`${day}T${time}Z`)
}

let acts: Act[] = []
const acted = (courseId: string, { id }: { id: string }, at: Date) =>
  acts.push({ courseId, userId: id, day: at.toISOString().slice(0, 10) })

async function complete(person: { id: string }, course: Course, lesson: string, at: Date) {
  const lessons = await lessonsOf(app.services, course.id)
  await query(
    `insert into lesson_completions (user_id, lesson_id, course_id, completed_at) values ($1, $2, $3, $4)`,
    person.id,
    lessons.find(({ title }) => title === lesson)!.id,
    course.id,
    at,
  )
  acted(course.id, person, at)
}

async function watch(person: { id: string }, course: Course, lesson: string, at: Date) {
  const lessons = await lessonsOf(app.services, course.id)
  await query(
    `insert into lesson_positions (user_id, lesson_id, course_id, seconds, updated_at)
     values ($1, $2, $3, 5, $4)
     on conflict (user_id, lesson_id) do update set updated_at = excluded.updated_at`,
    person.id,
    lessons.find(({ title }) => title === lesson)!.id,
    course.id,
    at,
  )
  acted(course.id, person, at)
}

/** Booked then; what follows of it can be booked on other days. */
async function sell(course: Course, buyer: { id: string }, gross: number, at: Date) {
  const { db } = app.services
  const fees = { platformFee: Math.round(gross / 20), providerFee: 30 }
  const { account, own } = await db.transaction(async (transaction) => ({
    account: await creatorAccount(transaction, course.instructorId),
    own: await ownAccounts(transaction),
  }))
  const [payment] = await query<{ id: string }>(
    `insert into payments (charge_id, kind, payer_id, creator_account_id, course_id, description, currency, gross,
                           fee_percent, platform_fee, provider_fee, paid_at, available_at)
     values ('ch_' || uuidv7(), 'course', $1, $2, $3, 'A course', 'usd', $4, 5, $5, 30, $6, $6) returning id`,
    buyer.id,
    account,
    course.id,
    gross,
    fees.platformFee,
    at,
  )
  const book = async (kind: string, entries: Entry[], when: Date) => {
    await query(
      `with t as (insert into ledger_transactions (kind, source, payment_id, occurred_at, created_at)
                  values ($1, $1 || ' ' || uuidv7(), $2, $3, $3) returning id)
       insert into ledger_entries (transaction_id, account_id, what, amount, currency)
       select t.id, e.account, e.what, e.amount, 'usd'
         from t, unnest($4::uuid[], $5::text[], $6::bigint[]) e (account, what, amount)`,
      kind,
      payment!.id,
      when,
      entries.map((entry) => (entry.account === 'creator' ? account : own.get(entry.account))),
      entries.map(({ what }) => what),
      entries.map(({ amount }) => amount),
    )
  }
  await book('payment', paymentEntries('course', { gross, ...fees }), at)
  return {
    refund: async (amount: number, when: Date) => {
      await query('update payments set refunded = refunded + $2 where id = $1', payment!.id, amount)
      await book('refund', refundEntries('course', { amount, platformFee: 0 }), when)
    },
    dispute: (amount: number, when: Date) =>
      book('dispute', disputeEntries('course', { amount, fee: 1500, platformFee: 0 }), when),
  }
}

const ask = async (creator: Someone, path: string) => {
  const { status, body } = await app.request(path, { cookie: creator.cookie })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const queryOf = (asked: Record<string, string | number | undefined>) =>
  new URLSearchParams(
    Object.entries(asked).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)]],
    ),
  )

const ranges = [undefined, 7, 30, 90, 365] as const

/** Every figure of both calls, for every range; of each course for two of them. */
async function expectRecounted(creator: Someone, courses: Course[]) {
  const facts = await factsFromRows(app.services.pool, creator.id, acts)
  for (const days of ranges) {
    const seen = await ask(creator, `/rest/v1/analytics?${queryOf({ days })}`)
    const figures = seen.courses.map(({ id, students, revenue }: never) => ({
      id,
      students,
      revenue,
    }))
    expect({
      students: seen.students,
      revenue: seen.revenue,
      otherRevenue: seen.otherRevenue,
      courses: figures.toSorted((one: Course, other: Course) => one.id.localeCompare(other.id)),
    }).toEqual(creatorFromRows(facts, { days }))
    const byRevenue = seen.courses.map(({ revenue }: { revenue: number }) => revenue)
    expect(byRevenue).toEqual(byRevenue.toSorted((one: number, other: number) => other - one))
    const each = days === undefined || days === 90 ? courses.map(({ id }) => id) : []
    for (const courseId of [undefined, ...each]) {
      const path = `/rest/v1/analytics/advanced?${queryOf({ days, courseId })}`
      const advanced = await ask(creator, path)
      const asked = { courseId, days }
      expect(advanced.points, path).toEqual(pointsFromRows(facts, asked, advanced.interval))
      if (days && days < 62) expect(advanced.interval).toBe('day')
      if (days && days > 62) expect(advanced.interval).toBe('week')
      if (!courseId) expect(advanced.funnel).toBe(null)
      else {
        const lessons = advanced.funnel.lessons.map(
          (lesson: { title: string; started: number | null; completed: number }) => ({
            title: lesson.title,
            started: lesson.started ?? 0,
            completed: lesson.completed,
          }),
        )
        expect(lessons).toEqual(funnelFromRows(facts, courseId))
      }
    }
  }
}

const unfolded = async () =>
  (await query<{ count: number }>('select count(*)::int from course_day_changes'))[0]!.count

/** The same before and after what changed is folded; the rows then say the same without any change. */
async function expectRight(creator: Someone, courses: Course[]) {
  await expectRecounted(creator, courses)
  await foldCourseDays(app.services)
  expect(await unfolded()).toBe(0)
  await expectRecounted(creator, courses)
  await app.services.db.delete(counterChecks)
  await recountAnalytics(app.services)
  const checks = await app.services.db.select().from(counterChecks)
  expect(checks.map(({ counter, differences }) => [counter, differences]).toSorted()).toEqual([
    ['course_days', 0],
    ['lesson_counts', 0],
  ])
  expect(await unfolded()).toBe(0)
}

test('every figure is what the rows say, through a whole life of courses', async () => {
  acts = []
  const creator = await proCreator()
  const [knots, sails, gone] = [
    await courseOf(creator, 'Knots'),
    await courseOf(creator, 'Sails'),
    await courseOf(creator, 'Gone'),
  ]
  const mine = [knots, sails]
  const [ada, bob, cy] = [await someone('Ada'), await someone('Bob'), await someone('Cy')]
  const stranger = await courseOf(await someone(), 'Of somebody else')
  await joinCourse(app.services, ada, stranger)
  await complete(ada, stranger, 'A', ago(1))
  await sell(stranger, ada, 9900, ago(1))

  // Around midnight, the borders of the ranges and of months, and the creator's own.
  await joinCourse(app.services, ada, knots, ago(6, '00:00:00.000'))
  await joinCourse(app.services, bob, knots, ago(7, '23:59:59.999'))
  await joinCourse(app.services, cy, knots, ago(800))
  await joinCourse(app.services, ada, sails, ago(29, '00:00:00.000'))
  await joinCourse(app.services, bob, sails, ago(30, '23:59:59.999'))
  await joinCourse(app.services, cy, gone, ago(3))
  await joinCourse(app.services, creator, knots, ago(2))
  await complete(creator, knots, 'A', ago(2))
  const monthEnd = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 1) - 1)
  await complete(ada, knots, 'A', monthEnd)
  await complete(bob, knots, 'A', new Date(monthEnd.getTime() + 1))
  await complete(ada, knots, 'B', monthEnd)
  await complete(cy, gone, 'A', ago(1))
  const video = await makeMedia(app.services, creator, { purpose: 'video', courseId: knots.id })
  await query(
    `update lessons set video_id = $1 where course_id = $2 and title = 'B'`,
    video,
    knots.id,
  )
  await watch(ada, knots, 'B', ago(5))
  await watch(ada, knots, 'B', ago(5, '23:59:59.999'))
  await watch(ada, knots, 'B', ago(4, '00:00:00.000'))
  await watch(bob, knots, 'B', ago(4))
  await watch(creator, knots, 'B', ago(4))
  const post = await makePost(app.services, knots, { at: ago(10) })
  const other = await makePost(app.services, knots, { by: ada, at: ago(9, '23:59:59.999') })
  acted(knots.id, ada, ago(9))
  const question = await makeComment(app.services, post, { by: bob, at: ago(8) })
  acted(knots.id, bob, ago(8))
  await makeComment(app.services, post, { by: ada, parentId: question, at: ago(8) })
  acted(knots.id, ada, ago(8))
  const [sale, second] = [
    await sell(knots, ada, 2900, ago(40, '23:59:59.999')),
    await sell(knots, bob, 2900, ago(29, '00:00:00.000')),
  ]
  await sell(sails, ada, 500, ago(6))
  const late = await sell(gone, cy, 4900, ago(3))
  await expectRight(creator, [...mine, gone])

  // And all of it taken back, in part or in full.
  await sale.refund(900, ago(1))
  await sale.refund(2000, ago(0, '00:00:00.000'))
  await second.dispute(2900, ago(0, '00:00:00.001'))
  await query(
    `delete from lesson_completions where user_id = $1 and course_id = $2`,
    ada.id,
    knots.id,
  )
  await complete(ada, knots, 'A', ago(0, '00:00:00.000'))
  await query(`update posts set status = 'hidden' where id = $1`, other)
  await query(`update comments set status = 'deleted', content = '' where id = $1`, question)
  await expectRecounted(creator, [...mine, gone])
  await query(`update posts set status = 'published' where id = $1`, other)
  await query('delete from posts where id = $1', post)
  await query(`delete from lessons where course_id = $1 and title = 'B'`, knots.id)
  const leaving = { method: 'DELETE', cookie: bob.cookie }
  expect((await app.request(`/rest/v1/enrollments/${knots.id}`, leaving)).status).toBe(200)
  // Not folded when the course goes.
  await complete(cy, gone, 'B', ago(0))
  await app.services.db.transaction((transaction) => deleteCourses(transaction, [gone.id]))
  await late.refund(4900, ago(0, '00:00:00.002'))
  for (const { cookie, password } of [ada, cy]) {
    const body = { confirmation: 'DELETE', password, membersCourses: 'keep' }
    const left = await app.request('/rest/v1/me/deletion', { cookie, body })
    expect(left.status, JSON.stringify(left.body)).toBe(200)
  }
  await expectRight(creator, mine)

  await query(
    'delete from enrollments where course_id = any($1)',
    mine.map(({ id }) => id),
  )
  await query('update courses set students_count = 0 where instructor_id = $1', creator.id)
  for (const table of ['lesson_completions', 'lesson_positions', 'posts', 'learner_days']) {
    await query(
      `delete from ${table} where course_id = any($1)`,
      mine.map(({ id }) => id),
    )
  }
  acts = []
  await expectRight(creator, mine)
  const sums = `select sum(abs(students_count) + abs(active) + abs(completions) + abs(posts) + abs(comments))::int as left
                  from course_days where course_id = any($1)`
  expect(
    await query(
      sums,
      mine.map(({ id }) => id),
    ),
  ).toEqual([{ left: 0 }])
})

test('an administrator who only looks is no learner', async () => {
  const creator = await proCreator()
  const course = await courseOf(creator, 'Looked at')
  const [first, second] = await lessonsOf(app.services, course.id)
  const video = await makeMedia(app.services, creator, { purpose: 'video', courseId: course.id })
  await query('update lessons set video_id = $1 where id = $2', video, first!.id)
  const [administrator, enrolled] = [await someone(), await someone()]
  for (const { id } of [administrator, enrolled])
    await query(`update users set role = 'admin' where id = $1`, id)
  await joinCourse(app.services, enrolled, course)
  const watched = { seconds: 10, played: [{ from: 0, to: 10 }], duration: 10, ended: true }
  const learn = async ({ cookie }: Someone) => {
    const asked = { method: 'PUT', cookie }
    const answers = [
      await app.request(`/rest/v1/lessons/${first!.id}/position`, { ...asked, body: watched }),
      await app.request(`/rest/v1/lessons/${second!.id}/completion`, asked),
    ]
    return answers.map(({ status, body }) => body.code ?? status)
  }
  const seen = async () => {
    const path = `/rest/v1/analytics/advanced?${queryOf({ courseId: course.id, days: 7 })}`
    const { points, funnel } = await ask(creator, path)
    const { active, completions } = points.at(-1)
    const sum = (key: 'started' | 'completed') =>
      funnel.lessons.reduce((total: number, one: Record<string, number>) => total + one[key]!, 0)
    return { active, completions, started: sum('started'), completed: sum('completed') }
  }
  const refused = await learn(administrator)
  expect(await seen()).toEqual({ active: 0, completions: 0, started: 0, completed: 0 })
  expect(refused).toEqual(['MEMBERS_ONLY', 'MEMBERS_ONLY'])
  // One who joined the course is a learner like others.
  expect(await learn(enrolled)).toEqual([200, 200])
  expect(await seen()).toEqual({ active: 1, completions: 2, started: 1, completed: 2 })
})

test('who reads while it is folded, on two nodes, reads the same', async () => {
  acts = []
  const creator = await proCreator()
  const courses = [await courseOf(creator, 'One'), await courseOf(creator, 'Two')]
  const learners = await Promise.all(Array.from({ length: 8 }, () => someone()))
  for (const course of courses) {
    for (const [index, learner] of learners.entries()) {
      await joinCourse(app.services, learner, course, ago(index))
      await complete(learner, course, 'A', ago(index))
    }
  }
  const path = '/rest/v1/analytics/advanced?days=30'
  const { points } = await ask(creator, path)
  const fold = { isOver: false }
  const reading = async () => {
    const reads = []
    while (!fold.isOver) reads.push((await ask(creator, path)).points)
    return [...reads, (await ask(creator, path)).points]
  }
  const readers = [reading(), reading()]
  // Again and again, so that it is folded while somebody reads.
  for (let turn = 0; turn < 8; turn++) {
    await query(
      `insert into course_day_changes (course_id, day, metric, amount)
       select $1, utc_day(now()) - n % 20, 'posts', case when n > 3000 then -1 else 1 end
         from generate_series(1, 6000) n`,
      courses[turn % 2]!.id,
    )
    await Promise.all([foldCourseDays(app.services), foldCourseDays(app.services)])
  }
  fold.isOver = true
  const reads = (await Promise.all(readers)).flat()
  expect(reads.length).toBeGreaterThan(3)
  for (const read of reads) expect(read).toEqual(points)
  await expectRight(creator, courses)
})

test('people learn while it is folded and a course is deleted', async () => {
  acts = []
  const creator = await proCreator()
  const courses = await Promise.all(
    ['One', 'Two', 'Three'].map((title) => courseOf(creator, title)),
  )
  const [kept, alsoKept, deleted] = courses as [Course, Course, Course]
  const learners = await Promise.all(Array.from({ length: 6 }, () => someone()))
  for (const course of courses) {
    for (const learner of learners) await joinCourse(app.services, learner, course)
  }
  const learning = { isOver: false }
  const folding = async () => {
    while (!learning.isOver) await foldCourseDays(app.services)
  }
  const folders = [folding(), folding()]
  const learn = async (learner: Someone) => {
    for (const course of [deleted, kept, alsoKept]) {
      for (const lesson of ['A', 'B', 'C']) {
        // The course may be gone by now.
        await complete(learner, course, lesson, ago(0)).catch(() => {})
      }
      await query(
        'delete from lesson_completions where user_id = $1 and course_id = $2',
        learner.id,
        course.id,
      )
      await complete(learner, course, 'A', ago(1)).catch(() => {})
    }
  }
  await Promise.all([
    ...learners.map(learn),
    app.services.db.transaction(async (transaction) => {
      // As whoever deletes a course does: who completes a lesson holds it, and then needs the course.
      await holdCourse(transaction, { courseId: deleted.id, instructorId: creator.id })
      await deleteCourses(transaction, [deleted.id])
    }),
    query(`delete from lessons where course_id = $1 and title = 'C'`, alsoKept.id),
  ])
  learning.isOver = true
  await Promise.all(folders)
  // Whether a completion came before the lesson went nobody knows; the days of learning are as the rows say.
  acts = (
    await query<{ course_id: string; user_id: string; day: string }>(
      'select course_id, user_id, day::text from learner_days',
    )
  ).map((row) => ({ courseId: row.course_id, userId: row.user_id, day: row.day }))
  await expectRight(creator, [kept, alsoKept])
})

test('what is wrong is mended by night, and noted', async () => {
  acts = []
  const creator = await proCreator()
  const course = await courseOf(creator, 'Wrong')
  const learner = await someone()
  await joinCourse(app.services, learner, course)
  await complete(learner, course, 'A', ago(1))
  await foldCourseDays(app.services)
  await query('update course_days set students_count = 7 where course_id = $1', course.id)
  await query('update lesson_counts set completed = 3 where course_id = $1', course.id)
  await query(
    `insert into course_days (course_id, day, posts) values ($1, '2020-02-29', 2)`,
    course.id,
  )
  await app.services.db.delete(counterChecks)
  await recountAnalytics(app.services)
  const found = await app.services.db.select().from(counterChecks)
  expect(found.map(({ counter, differences }) => [counter, differences]).toSorted()).toEqual([
    ['course_days', 1],
    ['lesson_counts', 1],
  ])
  await expectRight(creator, [course])
})

describe('a creator', () => {
  test('without a course reads zeros', async () => {
    const creator = await proCreator()
    expect(await ask(creator, '/rest/v1/analytics')).toEqual({
      currency: 'usd',
      students: 0,
      revenue: 0,
      activeCourses: 0,
      averageRating: null,
      courses: [],
      moreCourses: 0,
      otherRevenue: 0,
      isPro: true,
    })
    const { points, funnel, interval } = await ask(creator, '/rest/v1/analytics/advanced')
    const today = ago(0).toISOString().slice(0, 10)
    expect([points.length, points[0].from, funnel, interval]).toEqual([1, today, null, 'day'])
    expect((await ask(creator, '/rest/v1/analytics/advanced?days=90')).points.length).toBeLessThan(
      15,
    )
    expect((await ask(creator, '/rest/v1/analytics/advanced?days=30')).points).toHaveLength(30)
  })

  test('with one student reads one, and what the course is like', async () => {
    const creator = await someone()
    const course = await courseOf(creator, 'Only')
    const draft = await makeCourse(app.services, creator, { title: 'Draft', status: 'draft' })
    const student = await someone()
    await makeReview(app.services, course, { by: student, rating: 4 })
    const seen = await ask(creator, '/rest/v1/analytics?days=7')
    expect(seen).toMatchObject({ students: 1, activeCourses: 1, averageRating: 4, isPro: false })
    expect(seen.courses).toEqual([
      {
        id: course.id,
        slug: course.slug,
        title: 'Only',
        thumbnailUrl: null,
        category: 'Tech',
        status: 'published',
        pricingType: 'free',
        priceAmount: 0,
        students: 1,
        rating: 4,
        reviewsCount: 1,
        revenue: 0,
      },
      expect.objectContaining({ id: draft.id, status: 'draft', students: 0, rating: 0 }),
    ])
  })

  test('with very many courses is told that not all are listed', async () => {
    const creator = await someone()
    await query(
      `insert into courses (slug, title, description, category, instructor_id)
       select 'many-' || n, 'Many ' || n, '{}', 'Tech', $1 from generate_series(1, 203) n`,
      creator.id,
    )
    const { courses, moreCourses } = await ask(creator, '/rest/v1/analytics')
    expect([courses.length, moreCourses]).toEqual([200, 3])
  })

  test('has the advanced part and the files with Pro only, and of own courses only', async () => {
    const creator = await proCreator()
    const course = await courseOf(creator, 'Own')
    const foreign = await courseOf(await someone(), 'Foreign')
    const calls = ['analytics/advanced', 'analytics/export', 'students/export']
    const statuses = async (courseId: string) =>
      Promise.all(
        calls.map(async (call) => {
          const path = `/rest/v1/${call}?courseId=${courseId}`
          const { status, body } = await app.request(path, { cookie: creator.cookie })
          return [status, body.code]
        }),
      )
    expect(await statuses(course.id)).toEqual(calls.map(() => [200, undefined]))
    expect(await statuses(foreign.id)).toEqual(calls.map(() => [404, 'NOT_FOUND']))
    await query('update plan_grants set until = now() where user_id = $1', creator.id)
    expect(await statuses(course.id)).toEqual(calls.map(() => [403, 'PRO_ONLY']))
    expect((await ask(creator, '/rest/v1/analytics')).isPro).toBe(false)
  })
})

describe('as a file', () => {
  /** Its lines, without what says that it is UTF-8. */
  async function linesOf(
    by: Pick<Someone, 'cookie'> | { headers: Record<string, string> },
    path: string,
  ) {
    const { status, body, headers } = await app.request(path, by)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('cache-control')).toBe('private, no-store')
    const name = headers.get('content-disposition')
    return { name, lines: body.replace('\uFEFF', '').trimEnd().split('\r\n') as string[] }
  }

  test('days and courses add up to what the page says', async () => {
    acts = []
    const creator = await proCreator()
    const [course, gone] = [
      await courseOf(creator, 'Knots, and more'),
      await courseOf(creator, 'x'),
    ]
    const [ada, bob] = [await someone(), await someone()]
    await joinCourse(app.services, ada, course, ago(400))
    await joinCourse(app.services, bob, course, ago(2))
    await complete(bob, course, 'A', ago(2))
    const sale = await sell(course, ada, 2950, ago(80))
    await sale.refund(1000, ago(2))
    await sell(gone, bob, 500, ago(2))
    await app.services.db.transaction((transaction) => deleteCourses(transaction, [gone.id]))
    const all = await linesOf(creator, '/rest/v1/analytics/export')
    expect(all.name).toBe('attachment; filename="analytics.csv"')
    const day = (days: number) => ago(days).toISOString().slice(0, 10)
    expect(all.lines).toEqual([
      'Day (UTC),Course,New students,Active learners,Completed lessons,Posts,Comments,Sales,Revenue (USD)',
      `${day(400)},"Knots, and more",1,0,0,0,0,0,0.00`,
      `${day(80)},"Knots, and more",0,0,0,0,0,1,29.50`,
      `${day(2)},"Knots, and more",1,1,1,0,0,0,-10.00`,
      `${day(2)},(deleted course),0,0,0,0,0,1,5.00`,
    ])
    const one = await linesOf(creator, `/rest/v1/analytics/export?days=7&courseId=${course.id}`)
    expect(one.name).toBe(`attachment; filename="${course.slug}-analytics.csv"`)
    expect(one.lines.slice(1)).toEqual([all.lines[3]])
  })

  test('who learns there, with progress and what was paid, and nobody who has left', async () => {
    const creator = await proCreator()
    const [course, other] = [await courseOf(creator, 'Knots'), await courseOf(creator, 'Sails')]
    const [ada, bob, cy, gone] = [
      await someone('Ada'),
      await someone('=Bob'),
      await someone('Cy'),
      await someone('Gone'),
    ]
    await joinCourse(app.services, creator, course)
    for (const [index, person] of [ada, bob, cy].entries()) {
      await joinCourse(app.services, person, course, ago(9 - index))
    }
    await joinCourse(app.services, gone, course)
    await query('delete from enrollments where user_id = $1', gone.id)
    await joinCourse(app.services, ada, other, ago(1))
    await complete(ada, course, 'A', ago(3))
    await watch(ada, course, 'B', ago(2))
    const [{ id: account } = { id: '' }] = await query<{ id: string }>(
      `insert into ledger_accounts (kind, user_id) values ('creator', $1) returning id`,
      creator.id,
    )
    const bought = async (buyer: Someone, pricingType: string, amount: number) => {
      const [row] = await query<{ id: string }>(
        `insert into purchases (user_id, course_id, course_title, creator_account_id, pricing_type, amount, currency)
         values ($1, $2, 'Knots', $3, $4, $5, 'usd') returning id`,
        buyer.id,
        course.id,
        account,
        pricingType,
        amount,
      )
      return row!.id
    }
    const purchase = await bought(ada, 'one_time', 2000)
    await query(
      `with coupon as (insert into coupons (course_id, code, percent_off) values ($1, 'HALF', 50) returning id)
       insert into coupon_redemptions (coupon_id, user_id, purchase_id) select id, $2, $3 from coupon`,
      course.id,
      ada.id,
      purchase,
    )
    const sale = await sell(course, ada, 2000, ago(9))
    await sale.refund(550, ago(1))
    await bought(bob, 'monthly', 900)
    for (const days of [8, 1]) await sell(course, bob, 900, ago(days))
    const { name, lines } = await linesOf(creator, '/rest/v1/students/export')
    expect(name).toBe('attachment; filename="students.csv"')
    const day = (days: number) => ago(days).toISOString().slice(0, 10)
    const joined = (days: number) => ago(days).toISOString()
    const [head, ...rows] = lines
    expect(head).toBe(
      'Name,Email,Course,Joined,Completed lessons,Lessons,Progress (percent),Last active day (UTC),Paid (USD),How,Coupon',
    )
    expect(rows).toEqual([
      `Ada,${ada.email},Knots,${joined(9)},1,3,33,${day(2)},14.50,Bought,HALF`,
      `'=Bob,${bob.email},Knots,${joined(8)},0,3,0,,18.00,Monthly,`,
      `Cy,${cy.email},Knots,${joined(7)},0,3,0,,0.00,Free,`,
      `Ada,${ada.email},Sails,${joined(1)},0,3,0,,0.00,Free,`,
    ])
    const one = await linesOf(creator, `/rest/v1/students/export?courseId=${other.id}`)
    expect(one.name).toBe(`attachment; filename="${other.slug}-students.csv"`)
    expect(one.lines).toEqual([head, rows[3]])
  })

  test('what students paid is told to a token that may read sales, and to no other', async () => {
    const creator = await proCreator()
    const course = await courseOf(creator, 'Knots')
    const ada = await someone('Ada')
    await joinCourse(app.services, ada, course)
    await sell(course, ada, 2000, ago(1))
    const paidFor = async (...scopes: Scope[]) => {
      const token = await personalTokenOf(app.services, creator.id, { scopes })
      const headers = { authorization: `Bearer ${token}` }
      const { lines } = await linesOf({ headers }, '/rest/v1/students/export')
      return lines.map((line) => line.split(',').slice(-3))
    }
    const titles = ['Paid (USD)', 'How', 'Coupon']
    expect(await paidFor('members:read', 'sales:read')).toEqual([titles, ['20.00', 'Free', '']])
    expect(await paidFor('members:read')).toEqual([titles, ['', '', '']])
  })

  test('more students than are read at once, each one time', async () => {
    const creator = await proCreator()
    const course = await courseOf(creator, 'Many')
    await query(
      `with people as (
         insert into users (name, email) select 'S' || n, 's' || n || '@many.example' from generate_series(1, 2001) n
         returning id)
       insert into enrollments (user_id, course_id) select id, $1 from people`,
      course.id,
    )
    const { lines } = await linesOf(creator, '/rest/v1/students/export')
    expect([lines.length, new Set(lines).size]).toEqual([2002, 2002])
  })
})
