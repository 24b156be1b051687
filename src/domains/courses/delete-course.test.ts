// Deleting a course: who may, what is asked, what goes with it, and who is told.
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import { eventsOf } from '../../../test/events-of.ts'
import {
  completeLessons,
  type CourseFacts,
  joinCourse,
  lessonsOf,
  makeCourse,
  makeMedia,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { publishToPerson } from '../../server/publish.ts'
import { uploadKey } from '../media/finish-upload.ts'
import { imageKey } from '../media/store-image.ts'
import { notifications } from '../notifications/tables.ts'
import { setFlagshipCourse } from '../site/flagship.ts'
import { courses } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

const remove = (courseId: string, title: unknown, cookie?: string) =>
  app.request(`/rest/v1/courses/${courseId}/deletion`, { body: { title }, cookie })

async function makeOwn(facts: CourseFacts = {}) {
  const owner = await someone()
  return { owner, course: await makeCourse(app.services, owner, { title: 'Rope Work', ...facts }) }
}

const rowsOf = (courseId: string) =>
  app.services.db.select({ id: courses.id }).from(courses).where(eq(courses.id, courseId))

const jobsAreDone = () =>
  expect
    .poll(
      async () =>
        (await app.services.pool.query('select 1 from graphile_worker._private_jobs')).rows,
    )
    .toEqual([])

describe('the title is typed', () => {
  test.each(['rope work', 'Rope', 'Rope Work 2', '⚡'])('%j is not it', async (typed) => {
    const { owner, course } = await makeOwn({ title: 'Rope Work ⚡' })
    const { status, body } = await remove(course.id, typed, owner.cookie)
    expect([status, body.code, body.message]).toEqual([
      409,
      'WRONG_TITLE',
      'This is not the title of the course. Please type it as it is shown.',
    ])
    expect(await rowsOf(course.id)).toHaveLength(1)
  })

  test.each(['', '   ', undefined, null, 5])('%j is no title', async (typed) => {
    const { owner, course } = await makeOwn()
    const { status, body } = await remove(course.id, typed, owner.cookie)
    expect([status, body.message]).toEqual([422, 'Course title is required'])
    expect(await rowsOf(course.id)).toHaveLength(1)
  })

  test.each([
    ['Rope Work ⚡', 'Rope Work'],
    ['Rope Work ⚡', ' Rope  Work ⚡ '],
    ['Cafe\u0301', 'Caf\u00e9'],
    ['⚡', '⚡'],
  ])('%j is confirmed by %j', async (title, typed) => {
    const { owner, course } = await makeOwn({ title })
    const { status, body } = await remove(course.id, typed, owner.cookie)
    expect([status, body]).toEqual([200, { id: course.id }])
    expect(await rowsOf(course.id)).toEqual([])
  })
})

describe('a course that is deleted', () => {
  test('first says to its instructor, and to nobody else, how many posts go', async () => {
    const { owner, course } = await makeOwn()
    const member = await someone()
    const other = await makeCourse(app.services, owner)
    for (const place of [course, course, course, other]) {
      await makePost(app.services, place, { by: member })
    }
    await app.services.pool.query(
      `update posts set status = 'hidden'
        where id = (select id from posts where course_id = $1 limit 1)`,
      [course.id],
    )
    const toldTo = async ({ cookie }: { cookie: string }) => {
      const path = `/rest/v1/courses/${course.slug}/dashboard`
      return (await app.request(path, { cookie })).body.postsCount
    }
    expect([await toldTo(owner), await toldTo(member)]).toEqual([3, null])
  })

  test('takes all that hangs on it along, and nothing else', async () => {
    const { owner, course } = await makeOwn()
    const other = await makeCourse(app.services, owner)
    const member = await someone()
    for (const one of [course, other]) {
      await joinCourse(app.services, member, one)
      await completeLessons(app.services, member, one, 1)
    }
    // Every table that refers to courses.
    const { rows: references } = await app.services.pool.query<{ table: string; column: string }>(
      `select c.conrelid::regclass::text as "table", a.attname as "column"
         from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        where c.contype = 'f' and c.confrelid = 'courses'::regclass`,
    )
    const rowsAbout = async (id: string) => {
      const counts: Record<string, number> = {}
      for (const { table, column } of references) {
        const { rowCount } = await app.services.pool.query(
          `select 1 from ${table} where ${column} = $1`,
          [id],
        )
        if (rowCount) counts[table] = rowCount
      }
      return counts
    }
    const ofOther = await rowsAbout(other.id)
    expect(await rowsAbout(course.id)).toEqual(ofOther)
    expect(ofOther).toMatchObject({ enrollments: 2, lessons: 1, lesson_completions: 1 })

    expect((await remove(course.id, 'Rope Work', owner.cookie)).status).toBe(200)
    expect(await rowsAbout(course.id)).toEqual({})
    expect(await rowsAbout(other.id)).toEqual(ofOther)

    for (const cookie of [undefined, owner.cookie, member.cookie]) {
      const page = await app.request(`/rest/v1/courses/${course.slug}`, { cookie })
      expect([page.status, page.body.message]).toEqual([404, 'Course not found'])
    }
    const mine = (await app.request('/rest/v1/dashboard', { cookie: member.cookie })).body
    expect(mine.enrolled.map(({ id }: { id: string }) => id)).toEqual([other.id])
  })

  test('its files go, after it went; pictures that another course shows stay', async () => {
    const { owner, course } = await makeOwn()
    const other = await makeCourse(app.services, owner)
    const { storage, pool } = app.services
    const video = await makeMedia(app.services, owner, { purpose: 'video', courseId: course.id })
    const unfinished = await makeMedia(app.services, owner, {
      purpose: 'video',
      courseId: course.id,
      status: 'uploading',
    })
    const picture = await makeMedia(app.services, owner, { purpose: 'thumbnail' })
    const [lesson] = await lessonsOf(app.services, course.id)
    await pool.query('update lessons set video_id = $1 where id = $2', [video, lesson!.id])
    await pool.query('update courses set thumbnail_id = $1 where id = any($2)', [
      picture,
      [course.id, other.id],
    ])
    for (const id of [video, unfinished]) await storage.put(uploadKey(id), Buffer.from('video'))
    await storage.put(imageKey(picture, 640), Buffer.from('picture'))

    expect((await remove(course.id, 'Rope Work', owner.cookie)).status).toBe(200)
    await jobsAreDone()
    expect(await storage.size(uploadKey(video))).toBeNull()
    expect(await storage.size(uploadKey(unfinished))).toBeNull()
    expect(await storage.size(imageKey(picture, 640))).toBe(7)

    const [kept] = await app.services.db.select().from(courses).where(eq(courses.id, other.id))
    expect(kept!.thumbnailId).toBe(picture)
    expect((await remove(other.id, kept!.title, owner.cookie)).status).toBe(200)
    await jobsAreDone()
    expect(await storage.size(imageKey(picture, 640))).toBeNull()
    const { rowCount } = await pool.query('select 1 from media_files where owner_id = $1', [
      owner.id,
    ])
    expect(rowCount).toBe(0)
  })

  test('leaves a picture to who shows it, also one that was its own', async () => {
    const { owner, course } = await makeOwn()
    const other = await makeCourse(app.services, owner)
    const { storage, pool } = app.services
    const uploaded = () =>
      makeMedia(app.services, owner, { purpose: 'thumbnail', courseId: course.id })
    const [shared, unused] = [await uploaded(), await uploaded()]
    for (const id of [shared, unused]) await storage.put(imageKey(id, 640), Buffer.from('picture'))
    for (const { id } of [course, other]) {
      const { status } = await app.request(`/rest/v1/courses/${id}`, {
        method: 'PATCH',
        body: { thumbnailId: shared },
        cookie: owner.cookie,
      })
      expect(status).toBe(200)
    }
    expect((await remove(course.id, 'Rope Work', owner.cookie)).status).toBe(200)
    await jobsAreDone()
    const [kept] = await app.services.db.select().from(courses).where(eq(courses.id, other.id))
    expect(kept!.thumbnailId).toBe(shared)
    expect(await storage.size(imageKey(shared, 640))).toBe(7)
    expect(await storage.size(imageKey(unused, 640))).toBeNull()
    const { rows } = await pool.query(
      'select id, course_id as "courseId" from media_files where owner_id = $1',
      [owner.id],
    )
    expect(rows).toEqual([{ id: shared, courseId: null }])
  })

  test('is over for the open pages of all its members', async () => {
    const { owner, course } = await makeOwn()
    const members = [owner, await someone(), await someone()]
    for (const member of members.slice(1)) await joinCourse(app.services, member, course)
    const stranger = await someone()
    const heard = await Promise.all(
      [...members, stranger].map(({ id }) => eventsOf(app.services, id)),
    )
    await remove(course.id, 'Rope Work', owner.cookie)
    const mark = { type: 'members' as const, courseId: course.id }
    for (const { id } of [...members, stranger]) await publishToPerson(app.services.db, id, mark)
    const untilMark = async (events: (typeof heard)[number]) => {
      const types: string[] = []
      for await (const event of events) {
        if (event.type === 'members') break
        if ('courseId' in event && event.courseId === course.id) types.push(event.type)
      }
      return types
    }
    const ended = ['accessEnded']
    expect(await Promise.all(heard.map(untilMark))).toEqual([ended, ended, ended, []])
  })

  test('its members are told, its creator is not', async () => {
    const { owner, course } = await makeOwn({ title: 'Rope Work ⚡' })
    const member = await someone()
    await joinCourse(app.services, member, course)
    await remove(course.id, 'Rope Work', owner.cookie)
    const noticesOf = (userId: string) =>
      app.services.db.select().from(notifications).where(eq(notifications.userId, userId))
    expect(await noticesOf(member.id)).toMatchObject([
      {
        title: 'A course was deleted',
        message: '“Rope Work” was deleted by its creator.',
        type: 'warning',
        read: false,
      },
    ])
    expect(await noticesOf(owner.id)).toEqual([])
  })

  test('leaves room for another one on the free plan, with the same address', async () => {
    const { owner, course } = await makeOwn({ title: 'Only One Of Its Name' })
    const form = {
      title: 'Only One Of Its Name',
      description: { type: 'doc', content: [{ type: 'paragraph', content: [text('x')] }] },
      category: 'Tech',
    }
    const create = () => app.request('/rest/v1/courses', { body: form, cookie: owner.cookie })
    expect((await create()).body.code).toBe('COURSE_LIMIT')
    await remove(course.id, 'Only One Of Its Name', owner.cookie)
    expect(await create()).toMatchObject({ status: 200, body: { slug: course.slug } })
  })
})

const text = (words: string) => ({ type: 'text', text: words })

describe('is refused', () => {
  test('to everybody but the instructor', async () => {
    const { course } = await makeOwn()
    const member = await someone()
    await joinCourse(app.services, member, course)
    const admin = await someone()
    await app.services.pool.query(`update users set role = 'admin' where id = $1`, [admin.id])
    const hidden = await makeOwn({ status: 'draft' })
    const statusFor = async (id: string, cookie?: string) =>
      (await remove(id, 'Rope Work', cookie)).status
    expect(await statusFor(course.id)).toBe(401)
    for (const { cookie } of [member, admin, await someone()]) {
      expect(await statusFor(course.id, cookie)).toBe(403)
    }
    expect(await statusFor(hidden.course.id, member.cookie)).toBe(404)
    expect(await rowsOf(course.id)).toHaveLength(1)
  })

  test('for the starter course, with the reason, before and after the press', async () => {
    const { owner, course } = await makeOwn()
    await setFlagshipCourse(app.services.db, course.id)
    const reason =
      'This is the starter course, which everybody who signs up joins. It cannot be deleted.'
    const { body: page } = await app.request(`/rest/v1/courses/${course.slug}/dashboard`, {
      cookie: owner.cookie,
    })
    expect(page.deletionObstacle).toBe(reason)
    const { status, body } = await remove(course.id, 'Rope Work', owner.cookie)
    expect([status, body.code, body.message]).toEqual([409, 'OBSTACLE', reason])
    expect(await rowsOf(course.id)).toHaveLength(1)
    const member = await someone()
    await joinCourse(app.services, member, course)
    const theirs = await app.request(`/rest/v1/courses/${course.slug}/dashboard`, {
      cookie: member.cookie,
    })
    expect(theirs.body.deletionObstacle).toBeNull()
  })
})

test('whoever gives the course away at this moment neither deletes, changes nor publishes it', async () => {
  const { owner, course } = await makeOwn({ status: 'draft' })
  const { cookie } = owner
  const address = `/rest/v1/courses/${course.id}`
  const give = 'update courses set instructor_id = $2 where id = $1'
  const answers = await behindChange(
    app.services,
    [give, course.id, (await someone()).id],
    [
      () => remove(course.id, 'Rope Work', cookie),
      () => app.request(address, { method: 'PATCH', body: { title: 'Mine still' }, cookie }),
      () => app.request(`${address}/publish`, { method: 'POST', cookie }),
    ],
  )
  for (const { status, body } of answers) {
    expect([status, body.message]).toEqual([404, 'Course not found'])
  }
  const [left] = await app.services.db.select().from(courses).where(eq(courses.id, course.id))
  expect(left).toMatchObject({ title: 'Rope Work', status: 'draft' })
})

test('twice at once, while people join, leave, complete and save: once, and nothing breaks', async () => {
  for (let round = 1; round <= 3; round++) {
    const { owner, course } = await makeOwn({
      chapters: [{ title: 'One', lessons: [{ title: 'A' }, { title: 'B' }, { title: 'C' }] }],
    })
    const members = await Promise.all(Array.from({ length: 6 }, someone))
    for (const person of members.slice(0, 4)) await joinCourse(app.services, person, course)
    const lessons = await lessonsOf(app.services, course.id)
    const send = (path: string, method: string, cookie: string, body?: unknown) =>
      app.request(path, { method, cookie, body })
    const completions = members
      .slice(0, 2)
      .flatMap(({ cookie }) =>
        lessons.map(({ id }) => send(`/rest/v1/lessons/${id}/completion`, 'PUT', cookie)),
      )
    const deletions = [1, 2].map(() => remove(course.id, 'Rope Work', owner.cookie))
    const others = [
      ...members
        .slice(2, 4)
        .map(({ cookie }) => send(`/rest/v1/enrollments/${course.id}`, 'DELETE', cookie)),
      ...members
        .slice(4)
        .map(({ cookie }) => send('/rest/v1/enrollments', 'POST', cookie, { courseId: course.id })),
      send(`/rest/v1/courses/${course.id}`, 'PATCH', owner.cookie, { title: `New ${round}` }),
    ]
    const answers = await Promise.all([...completions, ...deletions, ...others])
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    const outcomes = (await Promise.all(deletions)).map(({ status }) => status).toSorted()
    // The new title may have come first; then neither was confirmed.
    expect([
      [200, 404],
      [409, 409],
    ]).toContainEqual(outcomes)
    expect(await rowsOf(course.id)).toHaveLength(outcomes[0] === 200 ? 0 : 1)
  }
})
