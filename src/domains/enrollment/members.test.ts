// The members of a course: who sees what of whom, paging and search, removal, and the file of members.
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  completeLessons,
  joinCourse,
  lessonsOf,
  makeCourse,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { users } from '../accounts/tables.ts'
import { courseApplications } from '../applications/tables.ts'
import { planGrants } from '../billing/tables.ts'
import { courses } from '../courses/tables.ts'
import { setFlagshipCourse } from '../site/flagship.ts'
import { enrollments } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone(facts: Parameters<typeof makePerson>[1] = {}) {
  const person = await makePerson(app.services, facts)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

async function makeClass(names: string[] = []) {
  const instructor = await someone({ name: 'Ina Structor' })
  const course = await makeCourse(app.services, instructor, {
    chapters: [{ title: 'Chapter 1', lessons: ['A', 'B', 'C'].map((title) => ({ title })) }],
  })
  // Whoever creates a course is in it.
  await joinCourse(app.services, instructor, course, new Date('2026-01-01'))
  const members: Someone[] = []
  for (const [index, name] of names.entries()) {
    const member = await someone({ name })
    await joinCourse(app.services, member, course, new Date(Date.UTC(2026, 1, 1 + index)))
    members.push(member)
  }
  return { instructor, course, members }
}

/** Members in bulk, all of them at the same moment. */
async function fill(courseId: string, count: number) {
  const { pool } = app.services
  await pool.query(
    `with people as (
       insert into users (name, email, username)
       select 'Bulk ' || n, n || '-' || $1 || '@bulk.example', 'bulk-' || n || '-' || right($1, 12)
         from generate_series(1, $2::int) n returning id),
     joined as (insert into enrollments (user_id, course_id) select id, $1::uuid from people returning 1)
     update courses set students_count = students_count + (select count(*) from joined)
      where id = $1::uuid`,
    [courseId, count],
  )
}

const listOf = (slug: string, cookie: string | undefined, query: Record<string, string> = {}) =>
  app.request(`/rest/v1/courses/${slug}/members?${new URLSearchParams(query)}`, { cookie })

const remove = (courseId: string, userId: string, cookie: string | undefined, reason?: string) =>
  app.request(`/rest/v1/courses/${courseId}/members/${userId}`, {
    method: 'DELETE',
    body: reason === undefined ? {} : { reason },
    cookie,
  })

const namesOf = (body: { members: { name: string }[] }) => body.members.map(({ name }) => name)

async function countsOf(courseId: string) {
  const { db } = app.services
  const [course] = await db.select().from(courses).where(eq(courses.id, courseId))
  const rows = await db.select().from(enrollments).where(eq(enrollments.courseId, courseId))
  const learners = rows.filter((row) => row.userId !== course!.instructorId)
  return { counted: course!.studentsCount, enrolled: learners.length }
}

const noticesOf = async (userId: string) => {
  const { rows } = await app.services.pool.query(
    'select kind, title, message, type, read, href from notifications where user_id = $1 order by created_at, id',
    [userId],
  )
  return rows
}

describe('the list', () => {
  test('counts no instructor where the one who made the course has left', async () => {
    const { course, members, instructor } = await makeClass(['Ann', 'Bob'])
    await app.services.db.delete(enrollments).where(eq(enrollments.userId, instructor.id))
    const { body } = await listOf(course.slug, members[0]!.cookie)
    expect(body).toMatchObject({ studentsCount: 2, total: 2 })
  })

  test('shows who joined last first, with progress and email for the instructor', async () => {
    const { instructor, course, members } = await makeClass(['Ann', 'Bob'])
    await completeLessons(app.services, members[0]!, course, 2, new Date('2026-03-01T10:00:00Z'))
    const { status, body } = await listOf(course.slug, instructor.cookie)
    expect(status).toBe(200)
    expect(body).toEqual({
      studentsCount: 2,
      total: 3,
      nextCursor: null,
      members: [
        expect.objectContaining({
          name: 'Bob',
          email: members[1]!.email,
          joinedAt: '2026-02-02T00:00:00.000Z',
          isInstructor: false,
          progress: { completedCount: 0, lessonsCount: 3, percent: 0, lastActiveAt: null },
        }),
        {
          id: members[0]!.id,
          name: 'Ann',
          username: members[0]!.username,
          avatarUrl: null,
          verified: false,
          email: members[0]!.email,
          joinedAt: '2026-02-01T00:00:00.000Z',
          isInstructor: false,
          progress: {
            completedCount: 2,
            lessonsCount: 3,
            percent: 67,
            lastActiveAt: '2026-03-01T10:00:00.000Z',
          },
        },
        expect.objectContaining({ name: 'Ina Structor', isInstructor: true, progress: null }),
      ],
    })
    expect((await listOf(course.id, instructor.cookie)).body, 'by its id').toEqual(body)
  })

  test('tells a member or an administrator neither emails nor progress', async () => {
    const { course, members } = await makeClass(['Ann', 'Bob'])
    const admin = await someone()
    await app.services.db.update(users).set({ role: 'admin' }).where(eq(users.id, admin.id))
    for (const { cookie } of [members[1]!, admin]) {
      const { status, body } = await listOf(course.slug, cookie)
      expect([status, namesOf(body)]).toEqual([200, ['Bob', 'Ann', 'Ina Structor']])
      for (const member of body.members) {
        expect(member).toMatchObject({ email: null, progress: null })
      }
      const byAddress = await listOf(course.slug, cookie, { search: members[0]!.email })
      expect(byAddress.body.members, 'emails cannot be guessed by searching').toEqual([])
    }
  })

  test('is not for strangers', async () => {
    const { course } = await makeClass()
    const { cookie } = await someone()
    expect((await listOf(course.slug, undefined)).status).toBe(401)
    expect((await listOf(course.slug, cookie)).status).toBe(403)
  })

  test('finds parts of names as they are written, and of emails for the instructor', async () => {
    const { instructor, course, members } = await makeClass(['Zoë 100%', 'Çelik_x', 'Bob'])
    const find = async (search: string) =>
      namesOf((await listOf(course.slug, instructor.cookie, { search })).body)
    expect(await find('ZOË')).toEqual(['Zoë 100%'])
    expect(await find('%')).toEqual(['Zoë 100%'])
    expect(await find('_')).toEqual(['Çelik_x'])
    expect(await find('\\')).toEqual([])
    expect(await find(members[2]!.email.toUpperCase().slice(0, 20))).toEqual(['Bob'])
    expect(await find('nobody has this')).toEqual([])
    const tooLong = await listOf(course.slug, instructor.cookie, { search: 'x'.repeat(201) })
    expect([tooLong.status, tooLong.body.message]).toEqual([
      422,
      'Search text can have at most 200 characters',
    ])
  })

  test('finds also who joined long before a thousand others, whatever part is asked for', async () => {
    const names = ['Zora Quandt', '王小明', 'Ann', 'Quirin']
    const { instructor, course, members } = await makeClass(names)
    const stranger = await someone({ name: 'Zora Quandt of no course' })
    await fill(course.id, 1100)
    const find = async (search: string, by = members[2]!.cookie, query = {}) =>
      namesOf((await listOf(course.slug, by, { search, ...query })).body)
    expect(await find('zORA qUAN')).toEqual(['Zora Quandt'])
    expect(await find('小明')).toEqual(['王小明'])
    expect(await find('王')).toEqual(['王小明'])
    expect(await find('qu')).toEqual(['Quirin', 'Zora Quandt'])
    expect(await find('Z')).toEqual(['Zora Quandt'])
    expect(await find('Quandt Zora')).toEqual([])
    const address = members[0]!.email.slice(4, 30)
    expect(await find(address)).toEqual([])
    expect(await find(address, instructor.cookie)).toEqual(['Zora Quandt'])
    expect(await find(stranger.email, instructor.cookie)).toEqual([])

    const first = (await listOf(course.slug, instructor.cookie, { search: 'Bulk 1' })).body
    expect(first.members).toHaveLength(25)
    const cursor = first.nextCursor
    const afterwards = await find('Quirin', instructor.cookie, { cursor })
    expect(afterwards, 'a search goes on from a place, too').toEqual(['Quirin'])
  })

  test('is searched by an index of parts of names and addresses', async () => {
    const client = await app.services.pool.connect()
    await client.query('begin; set local enable_seqscan = off')
    const { rows } = await client.query(
      `explain select id from users u
        where text_pieces(u.name || ' ' || u.email) @> array(select unnest(text_pieces('zora')))`,
    )
    await client.query('rollback')
    client.release()
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('users_name_pieces')
  })

  test('comes in pages in which everybody is once, with as few statements', async () => {
    const { instructor, course } = await makeClass()
    await fill(course.id, 60)
    const statements = watchStatements(app)
    const seen: string[] = []
    const sizes: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: Record<string, string> = cursor === '' ? {} : { cursor }
      const page = {
        body: null as never as { members: { id: string }[]; nextCursor: string | null },
      }
      const sent = await statements.during(async () => {
        page.body = (await listOf(course.slug, instructor.cookie, query)).body
      })
      // Who asks with what they may do, and three for the page.
      expect(sent.length).toBeLessThanOrEqual(4)
      sizes.push(page.body.members.length)
      seen.push(...page.body.members.map(({ id }) => id))
      cursor = page.body.nextCursor
    }
    expect(sizes).toEqual([25, 25, 11])
    expect(new Set(seen).size).toBe(61)
    for (const bad of ['x', '1_2', '99999999999999999_', `1_${'-'.repeat(36)}`, '-1_x']) {
      expect((await listOf(course.slug, instructor.cookie, { cursor: bad })).status).toBe(422)
    }
  })
})

describe('a removed member', () => {
  test('is out at once, told why, and counted no more', async () => {
    const { instructor, course, members } = await makeClass(['Ann', 'Bob'])
    const [ann] = members
    const [lesson] = await lessonsOf(app.services, course.id)
    const readLesson = () =>
      app.request(`/rest/v1/courses/${course.slug}/lessons/${lesson!.slug}`, {
        cookie: ann!.cookie,
      })
    expect((await readLesson()).status).toBe(200)
    const { status, body } = await remove(course.id, ann!.id, instructor.cookie, ' No\nadverts ')
    expect([status, body]).toEqual([200, { userId: ann!.id, removed: true }])
    expect((await readLesson()).status).toBe(403)
    expect((await listOf(course.slug, ann!.cookie)).status).toBe(403)
    expect(await countsOf(course.id)).toEqual({ counted: 1, enrolled: 1 })
    expect(await noticesOf(ann!.id)).toEqual([
      {
        kind: 'member_removed',
        title: 'Removed from Course',
        message: `You have been removed from the course “${await titleOf(course.id)}”. The instructor wrote: “No\nadverts”`,
        type: 'warning',
        read: false,
        href: `/course/${course.slug}`,
      },
    ])
    const again = await remove(course.id, ann!.id, instructor.cookie)
    expect([again.status, again.body.removed]).toEqual([200, false])
    expect(await noticesOf(ann!.id)).toHaveLength(1)
    expect(await countsOf(course.id)).toEqual({ counted: 1, enrolled: 1 })
  })

  test('keeps what was completed, and may join a course without applications again', async () => {
    const { instructor, course, members } = await makeClass(['Ann'])
    const [ann] = members
    await completeLessons(app.services, ann!, course, 2)
    await remove(course.id, ann!.id, instructor.cookie)
    const joined = await app.request('/rest/v1/enrollments', {
      body: { courseId: course.id },
      cookie: ann!.cookie,
    })
    expect(joined.status).toBe(200)
    const { body } = await listOf(course.slug, instructor.cookie)
    expect(body.members[0]).toMatchObject({ name: 'Ann', progress: { completedCount: 2 } })
  })

  test('has no approval any more', async () => {
    const { instructor, course, members } = await makeClass(['Ann'])
    const [ann] = members
    const { db } = app.services
    await db.update(courses).set({ applicationRequired: true }).where(eq(courses.id, course.id))
    await db
      .insert(courseApplications)
      .values({ userId: ann!.id, courseId: course.id, status: 'approved' })
    await remove(course.id, ann!.id, instructor.cookie)
    const rows = await db.select().from(courseApplications)
    expect(rows.filter((row) => row.userId === ann!.id).map((row) => row.status)).toEqual([
      'revoked',
    ])
    const joined = await app.request('/rest/v1/enrollments', {
      body: { courseId: course.id },
      cookie: ann!.cookie,
    })
    expect([joined.status, joined.body.code]).toEqual([403, 'APPLICATION_REQUIRED'])
  })

  test('hears of a long reason in words', async () => {
    const { instructor, course, members } = await makeClass(['Ann'])
    const { status, body } = await remove(
      course.id,
      members[0]!.id,
      instructor.cookie,
      'x'.repeat(2001),
    )
    expect([status, body.message]).toEqual([422, 'The reason can have at most 2,000 characters'])
  })
})

describe('nobody removes', () => {
  test('the instructor, not even the instructor', async () => {
    const { instructor, course } = await makeClass()
    const { status, body } = await remove(course.id, instructor.id, instructor.cookie)
    expect([status, body.code, body.message]).toEqual([
      403,
      'CREATOR_STAYS',
      'As the course creator, you cannot remove yourself from this course.',
    ])
    const { body: list } = await listOf(course.slug, instructor.cookie)
    expect(namesOf(list)).toEqual(['Ina Structor'])
  })

  test('anybody from a course of somebody else', async () => {
    const { course, members } = await makeClass(['Ann', 'Bob'])
    const other = await makeClass()
    for (const [cookie, status] of [
      [undefined, 401],
      [(await someone()).cookie, 403],
      [members[1]!.cookie, 403],
      [other.instructor.cookie, 403],
    ] as const) {
      expect((await remove(course.id, members[0]!.id, cookie)).status).toBe(status)
    }
    // Whoever is in another course is nobody to remove from the own one.
    const { body } = await remove(other.course.id, members[0]!.id, other.instructor.cookie)
    expect(body.removed).toBe(false)
    const nobody = await remove(course.id, crypto.randomUUID(), other.instructor.cookie)
    expect(nobody.status).toBe(403)
    expect(await countsOf(course.id)).toEqual({ counted: 2, enrolled: 2 })
  })
})

test('50 removals at once, some asked for twice, while others join', async () => {
  const { instructor, course } = await makeClass()
  await setFlagshipCourse(app.services.db, course.id)
  await fill(course.id, 50)
  const rows = await app.services.db
    .select()
    .from(enrollments)
    .where(eq(enrollments.courseId, course.id))
  const leavers = rows.map(({ userId }) => userId).filter((id) => id !== instructor.id)
  const newcomers = await Promise.all(Array.from({ length: 5 }, () => someone()))
  const answers = await Promise.all([
    ...[...leavers, ...leavers.slice(0, 10)].map((id) => remove(course.id, id, instructor.cookie)),
    ...newcomers.map(({ cookie }) =>
      app.request('/rest/v1/enrollments', { body: { courseId: course.id }, cookie }),
    ),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(answers.filter(({ body }) => body.removed === true)).toHaveLength(50)
  expect(await countsOf(course.id)).toEqual({ counted: 5, enrolled: 5 })
})

test('who joins and is removed at the same moment is in or out, and counted so', async () => {
  const { instructor, course } = await makeClass()
  const { id, cookie } = await someone()
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all([
      app.request('/rest/v1/enrollments', { body: { courseId: course.id }, cookie }),
      remove(course.id, id, instructor.cookie),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { counted, enrolled } = await countsOf(course.id)
    expect(counted).toBe(enrolled)
  }
})

test('joining tells both, and is the activity of the first', async () => {
  const { instructor, course } = await makeClass()
  const [ann, bob] = [await someone({ name: 'Ann' }), await someone({ name: 'Bob' })]
  for (const { cookie } of [ann, ann, bob]) {
    await app.request('/rest/v1/enrollments', { body: { courseId: course.id }, cookie })
  }
  const title = await titleOf(course.id)
  const dashboard = `/course/${course.slug}/dashboard`
  expect(await noticesOf(ann.id)).toMatchObject([
    { kind: 'joined', message: expect.stringContaining(`“${title}”`), href: dashboard },
  ])
  const told = await noticesOf(instructor.id)
  expect(told.map(({ kind, href }) => [kind, href])).toEqual([
    ['new_member', `${dashboard}?tab=members`],
    ['new_member', `${dashboard}?tab=members`],
  ])
  const { rows } = await app.services.pool.query(
    `select user_id from user_activities where course_id = $1 and activity_type = 'first_enrollment'`,
    [course.id],
  )
  expect(rows).toEqual([{ user_id: ann.id }])
})

describe('the file of members', () => {
  const file = (courseId: string, cookie: string) =>
    fetch(`${app.url}/rest/v1/courses/${courseId}/members/export`, { headers: { cookie } })

  test('is a benefit of Pro', async () => {
    const { instructor, course } = await makeClass(['Ann'])
    const refused = await file(course.id, instructor.cookie)
    expect([refused.status, (await refused.json()).message]).toEqual([
      403,
      'Exporting members is a Pro benefit.',
    ])
    const until = new Date(Date.now() - 1000)
    await app.services.db.insert(planGrants).values({ userId: instructor.id, until })
    expect((await file(course.id, instructor.cookie)).status, 'Pro that is over').toBe(403)
  })

  test('has everybody once, and no formulas', async () => {
    const { instructor, course } = await makeClass(['=cmd|"calc"', 'Bob, the "first"'])
    await app.services.db.insert(planGrants).values({ userId: instructor.id })
    await completeLessons(app.services, { id: (await firstMember(course.id)).userId }, course, 2)
    const response = await file(course.id, instructor.cookie)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="${course.slug}-members.csv"`,
    )
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(Array.from(bytes.slice(0, 3)), 'says that it is UTF-8').toEqual([0xef, 0xbb, 0xbf])
    const lines = new TextDecoder().decode(bytes).split('\r\n')
    expect(lines).toEqual([
      'Name,Email,Joined,Completed lessons,Lessons,Progress (percent)',
      expect.stringMatching(
        /^"'=cmd\|""calc""",[^,]+@example\.com,2026-02-01T00:00:00\.000Z,2,3,67$/,
      ),
      expect.stringMatching(/^"Bob, the ""first""",[^,]+,2026-02-02T00:00:00\.000Z,0,3,0$/),
      '',
    ])
    const members = await someone()
    expect((await file(course.id, members.cookie)).status).toBe(403)
  })

  test('goes on over many rows', async () => {
    const { instructor, course } = await makeClass()
    await app.services.db.insert(planGrants).values({ userId: instructor.id })
    await fill(course.id, 2500)
    const text = await (await file(course.id, instructor.cookie)).text()
    const addresses = text.split('\r\n').flatMap((line) => line.split(',')[1] ?? [])
    expect(new Set(addresses).size).toBe(2501)
    expect(addresses).toHaveLength(2501)
  })
})

async function firstMember(courseId: string) {
  const rows = await app.services.db
    .select()
    .from(enrollments)
    .where(eq(enrollments.courseId, courseId))
    .orderBy(enrollments.enrolledAt)
  return rows[1]!
}

async function titleOf(courseId: string) {
  const [course] = await app.services.db.select().from(courses).where(eq(courses.id, courseId))
  return course!.title
}
