import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { behindChange } from '../../../test/behind-change.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { waitingFor } from '../../../test/behind-change.ts'
import {
  joinCourse,
  lessonsOf,
  makeCourse,
  makeMedia,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { makePurchase, makeSoldCourse } from '../../../test/sold-course.ts'
import { makeWholePerson, rowsAbout } from '../../../test/whole-person.ts'
import { removeAbandonedCourses } from '../courses/leave-courses.ts'
import { courses } from '../courses/tables.ts'
import { uploadKey } from '../media/finish-upload.ts'
import { imageKey } from '../media/store-image.ts'
import { videoAddress } from '../media/video-address.ts'
import { setFlagshipCourse } from '../site/flagship.ts'
import { departedUserId } from './departed-user.ts'
import { fateOf } from './leaving-rules.ts'
import { identities, sessions, users } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone(name?: string) {
  const person = await makePerson(app.services, name ? { name } : {})
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

type Body = {
  confirmation?: string
  password?: string
  membersCourses?: string
  giveUpEarnings?: boolean
  earningsGivenUp?: string
}

const leave = (cookie: string | undefined, body: Body = {}) =>
  app.request('/rest/v1/me/deletion', {
    body: { confirmation: 'DELETE', password: 'correct horse', ...body },
    cookie,
  })

const preview = async (cookie: string) =>
  (await app.request('/rest/v1/me/deletion', { cookie })).body

const isThere = async (id: string) =>
  (await app.services.db.select().from(users).where(eq(users.id, id))).length === 1

const courseById = async (id: string) =>
  (await app.services.db.select().from(courses).where(eq(courses.id, id)))[0]

/** Resolves when nothing waits in the queue any more. */
const jobsAreDone = () =>
  expect
    .poll(
      async () =>
        (await app.services.pool.query('select 1 from graphile_worker._private_jobs')).rows,
    )
    .toEqual([])

const mailsTo = async (address: string) =>
  (await app.services.mail.outbox!()).filter((mail) => mail.to === address)

/**
 * Tables, of the queue as well, with a row that says one of these words anywhere. What was mailed is with its
 * receivers, also where the catcher stands for their mailboxes.
 */
async function tablesThatSay(words: string[]): Promise<string[]> {
  const { pool } = app.services
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema', 'caught_mails')`,
  )
  const said: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query(
      `select 1 from ${name} t where to_jsonb(t)::text ilike any ($1) limit 1`,
      [words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)],
    )
    if (rows.length > 0) said.push(name)
  }
  return said
}

describe.each(['keep', 'delete'] as const)('a whole person leaves (courses: %s)', (choice) => {
  const name = `Lena-${choice}-Leaver`
  let person: Awaited<ReturnType<typeof makeWholePerson>>
  let member: Awaited<ReturnType<typeof someone>>
  let words: string[]

  const fileThere = async (key: string) => (await app.services.storage.size(key)) !== null

  beforeAll(async () => {
    member = await someone('Mia Member')
    person = await makeWholePerson(app.services, name, { teacher: await someone(), member })
    words = [person.id, person.email, person.person.phoneNumber!, name]
  })

  test('is told what happens first, with the own numbers', async () => {
    const told = await preview(person.cookie)
    expect(told).toMatchObject({
      email: person.email,
      obstacle: null,
      proof: 'password',
      proven: true,
      earningsToGiveUp: '$29.00',
      courses: [
        { id: person.shared.id, membersCount: 1 },
        { id: person.alone.id, membersCount: 0 },
      ],
    })
    const sentences = told.consequences.map(({ text }: { text: string }) => text)
    expect(sentences).toEqual(
      expect.arrayContaining([
        'You leave the course that you joined.',
        'Your progress goes: 1 completed lesson, and where you left videos.',
        expect.stringMatching(/^The 4 files that you uploaded \(1 MB\) are removed/),
        expect.stringMatching(/^Your course that nobody else is a member of is deleted/),
      ]),
    )
  })

  test('has to say what becomes of the course with a member', async () => {
    const { status, body } = await leave(person.cookie)
    expect([status, body.code, body.message]).toEqual([
      409,
      'OBSTACLE',
      'Others are members of a course of yours. Please say what shall become of it.',
    ])
    expect(await isThere(person.id)).toBe(true)
    expect(await courseById(person.alone.id)).toBeDefined()
  })

  test('is gone, and no row anywhere names them', async () => {
    const kept = await app.services.pool.query(
      'select name from users where id <> $1 order by id',
      [person.id],
    )
    expect((await tablesThatSay(words)).length).toBeGreaterThan(10)
    const { status, body } = await leave(person.cookie, {
      membersCourses: choice,
      giveUpEarnings: true,
    })
    expect([status, body]).toEqual([200, { deleted: true }])
    await jobsAreDone()
    const about = await rowsAbout(app.services, person.person)
    expect(Object.keys(about).filter((section) => about[section] !== 0)).toEqual([])
    // The titles of the test's courses hold the id; those of a kept one, and what its captions say, are
    // the person's choice to leave.
    await app.services.pool.query(`update video_captions set cues = '[]'`)
    await app.services.pool.query(`update courses set title = 'x', slug = id::text`)
    await app.services.pool.query(`delete from course_slugs`)
    await app.services.pool.query(`delete from notifications where user_id = $1`, [member.id])
    await app.services.pool.query(
      `update notifications
          set message = replace(message, $1, ''), href = replace(href, $2, '')`,
      [`“Joined by ${person.id}”`, person.joined.slug],
    )
    expect(await tablesThatSay(words)).toEqual([])
    const others = await app.services.pool.query(
      'select name from users where id <> $1 order by id',
      [departedUserId],
    )
    expect(others.rows).toEqual(kept.rows.filter((row) => row.name !== 'Deleted user'))
  })

  test('is counted out of the course of somebody else', async () => {
    expect(await courseById(person.joined.id)).toMatchObject({
      studentsCount: 0,
      reviewsCount: 0,
      rating: 0,
    })
  })

  test('is signed out everywhere, and the address is free again', async () => {
    expect((await app.request('/rest/v1/me', { cookie: person.cookie })).body).toBeNull()
    const { status } = await app.request('/auth/v1/sign-in/email', {
      body: { email: person.email, password: person.password },
    })
    expect(status).toBe(401)
    const again = await app.signUp({ name: 'Again', email: person.email })
    expect(again.id).not.toBe(person.id)
    expect((await preview(again.cookie)).courses).toEqual([])
  })

  test('gets one mail that says goodbye', async () => {
    const goodbyes = (await mailsTo(person.email)).filter(({ subject }) =>
      subject.includes('deleted'),
    )
    expect(goodbyes).toHaveLength(1)
    expect(goodbyes[0]!.text).toContain(`Goodbye, ${name}`)
  })

  test('the course without members is gone with its files', async () => {
    expect(await courseById(person.alone.id)).toBeUndefined()
    const { media } = person
    expect(await fileThere(uploadKey(media.aloneVideo))).toBe(false)
    expect(await fileThere(uploadKey(media.unfinished))).toBe(false)
    expect(await fileThere(imageKey(media.avatar, 256))).toBe(false)
  })

  test(`the course with a member: ${choice}`, async () => {
    const { media, shared } = person
    const course = await courseById(shared.id)
    const address = videoAddress({
      mediaId: media.sharedVideo,
      viewerId: member.id,
      secret: app.services.secret,
    })
    const video = () => app.request(`${address}/original`, member)
    if (choice === 'delete') {
      expect(course).toBeUndefined()
      expect((await video()).status).toBe(404)
      expect(await fileThere(uploadKey(media.sharedVideo))).toBe(false)
      expect(await fileThere(imageKey(media.sharedThumbnail, 640))).toBe(false)
      return
    }
    expect(course).toMatchObject({
      instructorId: departedUserId,
      status: 'draft',
      studentsCount: 1,
      thumbnailId: media.sharedThumbnail,
    })
    const page = await app.request(`/rest/v1/courses/${shared.id}/dashboard`, member)
    expect(page.status).toBe(200)
    expect(page.body.instructor).toMatchObject({ name: 'Deleted user', avatarUrl: null })
    expect((await video()).body).toBe(`bytes of ${media.sharedVideo}`)
    expect((await app.request(`/storage/v1/images/${media.sharedThumbnail}/640.webp`)).status).toBe(
      200,
    )
    const stranger = await someone()
    expect((await app.request(`/rest/v1/courses/${shared.id}`, stranger)).status).toBe(404)
    const join = { body: { courseId: shared.id }, cookie: stranger.cookie }
    expect((await app.request('/rest/v1/enrollments', join)).status).toBe(404)

    await removeAbandonedCourses(app.services)
    expect(await courseById(shared.id)).toBeDefined()
    expect((await leave(member.cookie)).status).toBe(200)
    await removeAbandonedCourses(app.services)
    await jobsAreDone()
    expect(await courseById(shared.id)).toBeUndefined()
    expect(await fileThere(uploadKey(media.sharedVideo))).toBe(false)
  })
})

test('says of a course whose only buyer has left it that it stays, and so it does', async () => {
  const sold = await makeSoldCourse(app.services)
  const { id } = sold.course
  const alone = await makeCourse(app.services, sold.creator)
  await makePurchase(app.services, sold)
  const cookie = await sessionCookieOf(app.services, sold.creator.id)
  const told = await preview(cookie)
  expect(told.courses).toMatchObject([
    { id, membersCount: 0, buyersCount: 1 },
    { id: alone.id, membersCount: 0, buyersCount: 0 },
  ])
  expect(told.courses.map(fateOf)).toEqual([
    'no members, stays for those who paid',
    'no members, deleted',
  ])
  expect((await leave(cookie, { giveUpEarnings: true })).status).toBe(200)
  expect(await courseById(id)).toMatchObject({ instructorId: departedUserId })
  expect(await courseById(alone.id)).toBeUndefined()
})

test('members are told what became of their course', async () => {
  const told = async (membersCourses: 'keep' | 'delete') => {
    const [creator, member] = [await someone(), await someone()]
    await joinCourse(
      app.services,
      member,
      await makeCourse(app.services, creator, { title: 'Knots' }),
    )
    expect((await leave(creator.cookie, { membersCourses })).status).toBe(200)
    const { rows } = await app.services.pool.query(
      'select title, message from notifications where user_id = $1',
      [member.id],
    )
    return rows
  }
  expect(await told('keep')).toEqual([
    {
      title: 'A creator has left',
      message: expect.stringContaining('The course stays open to you'),
    },
  ])
  expect(await told('delete')).toEqual([
    {
      title: 'A course was deleted',
      message: 'The creator of “Knots” has left and deleted it.',
    },
  ])
})

test('a course that stays keeps its picture, though one that goes has the same', async () => {
  const [creator, member] = [await someone(), await someone()]
  const alone = await makeCourse(app.services, creator)
  const shared = await makeCourse(app.services, creator)
  await joinCourse(app.services, member, shared)
  const pictures = [
    await makeMedia(app.services, creator, { purpose: 'thumbnail' }),
    // Uploaded in the form of the course that goes.
    await makeMedia(app.services, creator, { purpose: 'thumbnail', courseId: alone.id }),
  ]
  const other = await makeCourse(app.services, creator)
  await joinCourse(app.services, member, other)
  const { pool, storage } = app.services
  const show = 'update courses set thumbnail_id = $1 where id = any($2)'
  await pool.query(show, [pictures[0], [alone.id, shared.id]])
  await pool.query(show, [pictures[1], [other.id]])
  for (const id of pictures) await storage.put(imageKey(id, 640), Buffer.from('picture'))
  expect((await leave(creator.cookie, { membersCourses: 'keep' })).status).toBe(200)
  await jobsAreDone()
  expect(await courseById(alone.id)).toBeUndefined()
  expect((await courseById(shared.id))?.thumbnailId).toBe(pictures[0])
  expect((await courseById(other.id))?.thumbnailId).toBe(pictures[1])
  for (const id of pictures) expect(await storage.size(imageKey(id, 640))).toBe(7)
})

test('nobody can become the owner of what was left', async () => {
  for (const email of ['deleted-user.invalid', 'DELETED-USER.invalid']) {
    const { status } = await app.request('/auth/v1/sign-up/email', {
      body: { name: 'Heir', email, password: 'correct horse' },
    })
    expect(status).toBe(400)
  }
})

describe('is refused', () => {
  test('to strangers', async () => {
    const { status, body } = await leave(undefined)
    expect([status, body.message]).toEqual([401, 'User must be authenticated'])
    expect((await app.request('/rest/v1/me/deletion')).status).toBe(401)
  })

  test.each([
    [{ password: 'wrong' }, 403, 'The password is not correct. Please try again.'],
    [{ password: '' }, 400, 'Password is required'],
    [{ password: undefined }, 400, 'Password is required'],
    [{ password: 'x'.repeat(129) }, 422, 'Password can have at most 128 characters'],
    [{ confirmation: 'delete' }, 422, 'Type DELETE to confirm'],
    [{ confirmation: undefined }, 422, 'Type DELETE to confirm'],
    [
      { membersCourses: 'burn' },
      422,
      'Please say what should happen to your courses: keep or delete',
    ],
  ])('with %o', async (body, status, message) => {
    const person = await someone()
    const answer = await leave(person.cookie, body)
    expect([answer.status, answer.body.message]).toEqual([status, message])
    expect(await isThere(person.id)).toBe(true)
  })

  test('to somebody else who is signed in and knows the password', async () => {
    const owner = await makePerson(app.services, { password: 'only the owner knows' })
    const other = await someone()
    const { status } = await leave(other.cookie, { password: 'only the owner knows' })
    expect(status).toBe(403)
    expect([await isThere(owner.id), await isThere(other.id)]).toEqual([true, true])
  })

  test('after ten guesses, also to the right password, all at once or not', async () => {
    const person = await someone()
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => leave(person.cookie, { password: 'guess' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 10 }, () => 403),
      ...Array.from({ length: 5 }, () => 429),
    ])
    const { status, body } = await leave(person.cookie)
    expect([status, body.message]).toEqual([
      429,
      'Too many attempts. Please try again in 60 minutes.',
    ])
    const soon = [Date.now() + 59_000, `deletion-account:${person.id}`]
    await app.services.pool.query('update rate_limits set expire = $1 where key = $2', soon)
    expect((await leave(person.cookie)).body.message).toMatch(/ in 1 minute\.$/)
    expect(await isThere(person.id)).toBe(true)
  })

  test('to the only administrator', async () => {
    const [one, other] = [await someone(), await someone()]
    await app.services.pool.query(`update users set role = 'admin' where id = any ($1)`, [
      [one.id, other.id],
    ])
    // Both at once: exactly one may go.
    const answers = await Promise.all([leave(one.cookie), leave(other.cookie)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.message).toMatch(
      /^You are the only administrator\. Make somebody else one/,
    )
    const stays = (await isThere(one.id)) ? one : other
    expect((await preview(stays.cookie)).obstacle).toBe(refused?.body.message)
    await app.services.pool.query(`update users set role = 'user' where id = $1`, [stays.id])
  })

  test('to the owner of the course that everybody joins, and sign-ups go on', async () => {
    const house = await someone('House')
    const flagship = await makeCourse(app.services, house, { title: 'Start here' })
    await setFlagshipCourse(app.services.db, flagship.id)
    const { status, body } = await leave(house.cookie, { membersCourses: 'delete' })
    expect([status, body.message]).toEqual([
      409,
      expect.stringMatching(/^Everybody who signs up joins a course of yours/),
    ])
    expect((await preview(house.cookie)).obstacle).toBe(body.message)
    const newcomer = await app.signUp()
    const { body: me } = await app.request('/rest/v1/me', newcomer)
    expect(me.courses.map(({ title }: { title: string }) => title)).toContain('Start here')
    await app.services.pool.query(`delete from settings where key = 'flagship_course_id'`)
  })
})

describe('without a password', () => {
  const withoutPassword = async (minutesAgo: number) => {
    const person = await someone()
    await app.services.db.delete(identities).where(eq(identities.userId, person.id))
    await app.services.db
      .update(sessions)
      .set({ provenAt: new Date(Date.now() - minutesAgo * 60_000) })
      .where(eq(sessions.userId, person.id))
    return person
  }

  test('a log-in of the last ten minutes is enough', async () => {
    const person = await withoutPassword(9)
    expect(await preview(person.cookie)).toMatchObject({ proof: 'recent log-in', proven: true })
    expect((await leave(person.cookie, { password: '' })).status).toBe(200)
    expect(await isThere(person.id)).toBe(false)
  })

  test('an older one is not, whatever is typed', async () => {
    const person = await withoutPassword(11)
    expect(await preview(person.cookie)).toMatchObject({ proof: 'recent log-in', proven: false })
    const { status, body } = await leave(person.cookie)
    expect([status, body.code]).toEqual([403, 'LOG_IN_AGAIN'])
    expect(body.message).toMatch(/please log out, log in, and come back within 10 minutes/)
    expect(await isThere(person.id)).toBe(true)
  })

  test('an access token is no proof, however new its log-in', async () => {
    const person = await withoutPassword(0)
    const { body: access } = await app.request('/auth/v1/token', { cookie: person.cookie })
    const headers = { authorization: `Bearer ${access.token}` }
    const told = await app.request('/rest/v1/me/deletion', { headers })
    expect(told.body).toMatchObject({ proof: 'recent log-in', proven: false })
    const { status, body } = await app.request('/rest/v1/me/deletion', {
      body: { confirmation: 'DELETE', password: '' },
      headers,
    })
    expect([status, body.code]).toEqual([403, 'LOG_IN_AGAIN'])
    expect(await isThere(person.id)).toBe(true)
  })
})

describe('at once', () => {
  test('sent five times, it happens once', async () => {
    const person = await someone()
    const answers = await Promise.all(Array.from({ length: 5 }, () => leave(person.cookie)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toContain(200)
    expect(statuses.filter((status) => status !== 200 && status !== 401)).toEqual([])
    await jobsAreDone()
    expect(await mailsTo(person.email)).toHaveLength(1)
  })

  test('people join while the creator leaves: each is a member of a kept course, or is told it is gone', async () => {
    for (let round = 0; round < 5; round += 1) {
      const creator = await someone()
      const course = await makeCourse(app.services, creator)
      const learners = await Promise.all(Array.from({ length: 8 }, () => someone()))
      const join = (cookie: string) =>
        app.request('/rest/v1/enrollments', { body: { courseId: course.id }, cookie })
      const [left, ...joined] = await Promise.all([
        leave(creator.cookie, { membersCourses: 'keep' }),
        ...learners.map(({ cookie }) => join(cookie)),
      ])
      expect(left.status).toBe(200)
      const statuses = joined.map(({ status }) => status)
      expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([])
      const members = statuses.filter((status) => status === 200).length
      const after = await courseById(course.id)
      if (members === 0) expect(after).toBeUndefined()
      else expect(after).toMatchObject({ status: 'draft', studentsCount: members })
    }
  })

  test('the leaver joins, ticks and makes a course meanwhile: nothing of it stays, nothing fails', async () => {
    const teacher = await someone()
    for (let round = 0; round < 5; round += 1) {
      const person = await someone()
      const course = await makeCourse(app.services, teacher)
      const taken = await makeCourse(app.services, teacher)
      await joinCourse(app.services, person, taken)
      const [lesson] = await lessonsOf(app.services, taken.id)
      const { cookie } = person
      const answers = await Promise.all([
        leave(cookie, { membersCourses: 'keep' }),
        app.request('/rest/v1/enrollments', { body: { courseId: course.id }, cookie }),
        app.request(`/rest/v1/lessons/${lesson!.id}/completion`, {
          method: 'PUT',
          body: {},
          cookie,
        }),
        app.request(`/rest/v1/lessons/${lesson!.id}/position`, {
          method: 'PUT',
          body: { seconds: 3 },
          cookie,
        }),
        app.request('/rest/v1/courses', {
          body: {
            title: 'At the last moment',
            description: {
              type: 'doc',
              content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x' }] }],
            },
            category: 'Art',
          },
          cookie,
        }),
      ])
      expect(answers[0]!.status).toBe(200)
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
      expect(await isThere(person.id)).toBe(false)
      expect((await courseById(course.id))?.studentsCount).toBe(0)
      expect((await courseById(taken.id))?.studentsCount).toBe(0)
    }
  })

  test('members complete lessons and leave while their course is deleted', async () => {
    for (let round = 0; round < 3; round += 1) {
      const creator = await someone()
      const course = await makeCourse(app.services, creator, {
        chapters: [
          { title: 'All', lessons: Array.from({ length: 6 }, (_, at) => ({ title: `L${at}` })) },
        ],
      })
      const made = await lessonsOf(app.services, course.id)
      const learners = await Promise.all(Array.from({ length: 6 }, () => someone()))
      for (const learner of learners) await joinCourse(app.services, learner, course)
      const answers = await Promise.all([
        leave(creator.cookie, { membersCourses: 'delete' }),
        ...learners.map(({ cookie }, at) =>
          at < 2
            ? leave(cookie)
            : app.request(`/rest/v1/lessons/${made[at]!.id}/completion`, {
                method: 'PUT',
                body: {},
                cookie,
              }),
        ),
      ])
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
      expect(answers[0]!.status).toBe(200)
      expect(await courseById(course.id)).toBeUndefined()
    }
  })

  test('two who take each other’s courses leave together', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await someone(), await someone()]
      await joinCourse(app.services, one, await makeCourse(app.services, other))
      await joinCourse(app.services, other, await makeCourse(app.services, one))
      const answers = await Promise.all(
        [one, other].map(({ cookie }) => leave(cookie, { membersCourses: 'keep' })),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
    }
  })
})

describe('requests that wait for the deletion are answered as if they came after it', () => {
  /** Sends requests while rows are locked, deletes the rows when all of them wait, and answers for them. */
  async function whileDeleted(
    lock: string,
    deletions: string[],
    id: string,
    requests: (() => Promise<{ status: number; body: { message: string } }>)[],
  ) {
    const client = await app.services.pool.connect()
    await client.query('begin')
    await client.query(lock, [id])
    const answers = Promise.all(requests.map((request) => request()))
    await waitingFor(app.services, requests.length)
    for (const deletion of deletions) await client.query(deletion, [id])
    await client.query('commit')
    client.release()
    return (await answers).map(({ status, body }) => [status, body.message])
  }

  test('the leaver’s own', async () => {
    const [person, teacher] = [await someone(), await someone()]
    const course = await makeCourse(app.services, teacher)
    const taken = await makeCourse(app.services, teacher)
    await joinCourse(app.services, person, taken)
    const [lesson] = await lessonsOf(app.services, taken.id)
    const { cookie, id } = person
    const description = {
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x' }] }],
    }
    const answers = await whileDeleted(
      'select 1 from users where id = $1 for update',
      ['delete from users where id = $1'],
      id,
      [
        () => app.request('/rest/v1/enrollments', { body: { courseId: course.id }, cookie }),
        () =>
          app.request(`/rest/v1/lessons/${lesson!.id}/completion`, {
            method: 'PUT',
            body: {},
            cookie,
          }),
        () =>
          app.request('/rest/v1/courses', {
            body: { title: 'Too late', description, category: 'Art' },
            cookie,
          }),
        () => leave(cookie),
      ],
    )
    const unauthorized = [401, 'User must be authenticated']
    // A second deletion finds that what it wanted is done.
    expect(answers).toEqual([unauthorized, unauthorized, unauthorized, [200, undefined]])
    expect((await courseById(course.id))?.studentsCount).toBe(0)
  })

  test.each([
    ['deleted', 'delete from courses where id = $1'],
    ['left to its members', `update courses set status = 'draft' where id = $1`],
  ])('those who join a course that is being %s', async (_what, statement) => {
    const course = await makeCourse(app.services, await someone())
    const { cookie } = await someone()
    const answers = await whileDeleted(
      'select 1 from courses where id = $1 for no key update',
      [statement],
      course.id,
      [() => app.request('/rest/v1/enrollments', { body: { courseId: course.id }, cookie })],
    )
    expect(answers).toEqual([[404, 'Course not found']])
  })
})

test('a deletion that fails half-way changes nothing and removes no file', async () => {
  const person = await someone()
  const course = await makeCourse(app.services, person)
  const mediaId = await makeMedia(app.services, person, { purpose: 'video', courseId: course.id })
  await app.services.storage.put(uploadKey(mediaId), Buffer.from('video'))
  await app.services.pool.query(`
    create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end';
    create trigger refuse before delete on users for each row execute function refuse()`)
  try {
    expect((await leave(person.cookie)).status).toBe(500)
  } finally {
    await app.services.pool.query('drop trigger refuse on users; drop function refuse')
  }
  await jobsAreDone()
  expect(await courseById(course.id)).toBeDefined()
  expect(await app.services.storage.size(uploadKey(mediaId))).toBe(5)
  expect(await mailsTo(person.email)).toEqual([])
  expect((await leave(person.cookie)).status).toBe(200)
})

test('in a session that was ended while it was on its way nothing is deleted', async () => {
  const { id, cookie } = await someone()
  const holding = 'select 1 from users where id = $1 for update'
  const [answer] = await behindChange(app.services, [holding, id], [() => leave(cookie)], () =>
    app.services.pool.query('delete from sessions where user_id = $1', [id]),
  )
  expect(answer!.status).toBe(401)
  expect(await isThere(id)).toBe(true)
})
