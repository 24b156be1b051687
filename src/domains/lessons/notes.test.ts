// Notes beside a lesson: of their writer, and of nobody else.
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  lessonsOf,
  makeCourse,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'

interface Caller {
  id: string
  cookie: string
}

let app: TestApp
let course: { id: string; slug: string; instructorId: string }
let lesson: { id: string }
let other: { id: string }
let instructor: Caller
let administrator: Caller
let learner: Caller

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

beforeAll(async () => {
  app = await startTestApp()
  instructor = await someone()
  administrator = await someone()
  await app.services.db.execute(sql`update users set role = 'admin' where id = ${administrator.id}`)
  course = await makeCourse(app.services, instructor, {
    chapters: [{ title: 'One', lessons: [{ title: 'A' }, { title: 'B' }] }],
  })
  const [first, second] = await lessonsOf(app.services, course.id)
  lesson = first!
  other = second!
})
afterAll(() => app?.stop())
beforeEach(async () => {
  learner = await someone()
  await joinCourse(app.services, learner, course)
})

const path = (id = '', at = lesson) => `/rest/v1/lessons/${at.id}/notes${id && `/${id}`}`
const list = async (who = learner, at = lesson) =>
  (await app.request(path('', at), { cookie: who.cookie })).body
const add = (body: Record<string, unknown>, who = learner) =>
  app.request(path(), { body, cookie: who.cookie })
const change = (id: string, body: unknown, who = learner, at = lesson) =>
  app.request(path(id, at), { method: 'PATCH', body, cookie: who.cookie })
const remove = (id: string, who = learner, at = lesson, body: object = {}) =>
  app.request(path(id, at), { method: 'DELETE', body, cookie: who.cookie })

describe('a note', () => {
  test('is kept, changed and removed', async () => {
    const { status, body } = await add({ text: '  Two\r\nlines \0', seconds: 12.5 })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(String),
      text: 'Two\nlines',
      seconds: 12.5,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await list()).toEqual([body])
    expect(await list(learner, other)).toEqual([])
    const changed = await change(body.id, { text: 'One line' })
    expect(changed.body).toMatchObject({ text: 'One line', seconds: 12.5 })
    expect((await change(body.id, { seconds: null })).body).toMatchObject({
      text: 'One line',
      seconds: null,
      createdAt: body.createdAt,
    })
    for (const _time of ['once', 'twice']) {
      expect((await remove(body.id)).body).toEqual({ removed: true })
    }
    expect(await list()).toEqual([])
  })

  test('stands in the order of the video, without a moment at the end', async () => {
    for (const [text, seconds] of [
      ['whole', null],
      ['late', 90],
      ['early', 3],
      ['also whole', undefined],
      ['as early', 3],
    ] as const) {
      await add({ text, seconds })
    }
    expect((await list()).map(({ text }: { text: string }) => text)).toEqual([
      'early',
      'as early',
      'late',
      'whole',
      'also whole',
    ])
  })

  test('is text and nothing else', async () => {
    const text = '<script>alert(1)</script>'
    expect((await add({ text })).body.text).toBe(text)
  })

  test.each([
    [{ text: '   ' }, 'Please write something first'],
    [{}, 'A note must be text'],
    [{ text: 'x'.repeat(2001) }, 'A note can have at most 2,000 characters'],
    [{ text: 'x', seconds: -1 }, 'The time of a note must be a number of seconds, 0 to 86,400'],
    [{ text: 'x', seconds: 'x' }, 'The time of a note must be a number of seconds, 0 to 86,400'],
  ])('%j is none', async (note, message) => {
    const { status, body } = await add(note)
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toContain(message)
    expect(await list()).toEqual([])
  })

  test('an empty change is none', async () => {
    const { id } = (await add({ text: 'x' })).body
    expect((await change(id, {})).status).toBe(422)
    expect((await change('7', { text: 'y' })).status).toBe(422)
  })

  test('that says something else by now is changed by nobody who has not read that', async () => {
    const { id } = (await add({ text: 'Short', seconds: 4 })).body
    const onPhone = await change(id, { text: 'Rewritten at length', textBefore: 'Short' })
    expect(onPhone.status).toBe(200)
    const late = await change(id, { text: 'Short and', seconds: null, textBefore: 'Short' })
    expect([late.status, late.body.code, late.body.data]).toEqual([
      409,
      'NOTE_CHANGED',
      { note: onPhone.body },
    ])
    expect((await change(id, { seconds: 9, textBefore: 'Short' })).status).toBe(409)
    expect(await list()).toEqual([onPhone.body])
    // An answer that was lost: it says already what it shall.
    const again = await change(id, { text: 'Rewritten at length', textBefore: 'Short' })
    expect(again.status).toBe(200)
    const both = await change(id, { text: 'Both', textBefore: ' Rewritten at length\r\n' })
    expect(both.body).toMatchObject({ text: 'Both', seconds: 4 })
    // Programs that do not say what they have read change it as before.
    expect((await change(id, { text: 'As before' })).status).toBe(200)
    expect((await change(id, { textBefore: 'As before' })).status).toBe(422)
  })

  test('that says something else by now is removed by nobody who has not read that', async () => {
    const { id } = (await add({ text: 'Buy a rope' })).body
    const onPhone = (await change(id, { text: 'Buy a rope, and this long list' })).body
    const late = await remove(id, learner, lesson, { textBefore: 'Buy a rope' })
    expect([late.status, late.body.code, late.body.data]).toEqual([
      409,
      'NOTE_CHANGED',
      { note: onPhone },
    ])
    expect(await list()).toContainEqual(onPhone)
    expect((await remove(id, learner, lesson, { textBefore: onPhone.text })).status).toBe(200)
    expect(await list()).not.toContainEqual(onPhone)
    // Twice, and without a word of what it said, as before.
    expect((await remove(id, learner, lesson, { textBefore: onPhone.text })).status).toBe(200)
    expect((await remove(id)).status).toBe(200)
  })

  test('keeps what a change leaves out as it is by now', async () => {
    const { id } = (await add({ text: 'Short', seconds: 7 })).body
    await change(id, { seconds: null })
    const longer = await change(id, { text: 'Short and more', textBefore: 'Short' })
    expect(longer.body).toMatchObject({ text: 'Short and more', seconds: null })
  })

  test('of two changes at once one is refused, and shown the other', async () => {
    const { id } = (await add({ text: 'First' })).body
    const answers = await Promise.all(
      ['On the laptop', 'On the phone'].map((text) => change(id, { text, textBefore: 'First' })),
    )
    const [saved] = answers.filter(({ status }) => status === 200)
    const [refused] = answers.filter(({ status }) => status === 409)
    expect(refused!.body.data.note).toEqual(saved!.body)
    expect(await list()).toEqual([saved!.body])
  })

  test('is one of 500 at most, also when two come at once', async () => {
    await app.services.db.execute(sql`
      insert into lesson_notes (user_id, lesson_id, course_id, text)
      select ${learner.id}, ${lesson.id}, ${course.id}, 'Note ' || n from generate_series(1, 499) n`)
    const answers = await Promise.all(['one', 'two', 'three'].map((text) => add({ text })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const refused = answers.find(({ status }) => status === 409)!
    expect(refused.body.message).toBe(
      'A lesson can have at most 500 notes. Please delete one first.',
    )
    expect(await list()).toHaveLength(500)
  })
})

describe('the notes of somebody else', () => {
  test('are nobody’s to read, change or remove', async () => {
    const { id } = (await add({ text: 'Just between us' })).body
    const member = await someone()
    await joinCourse(app.services, member, course)
    for (const person of [member, instructor, administrator]) {
      expect(await list(person)).toEqual([])
      const changed = await change(id, { text: 'Mine now' }, person)
      expect([changed.status, changed.body.message]).toEqual([404, 'Note not found'])
      await remove(id, person)
    }
    expect(await list()).toMatchObject([{ id, text: 'Just between us' }])
  })

  test('are not found beside another lesson', async () => {
    const { id } = (await add({ text: 'Here' })).body
    expect((await change(id, { text: 'There' }, learner, other)).status).toBe(404)
    await remove(id, learner, other)
    expect(await list()).toMatchObject([{ text: 'Here' }])
  })

  test('are closed to those who are not in the course, and wait for those who come back', async () => {
    const { id } = (await add({ text: 'For later' })).body
    await app.request(`/rest/v1/enrollments/${course.id}`, { method: 'DELETE', ...learner })
    expect((await app.request(path(), learner)).status).toBe(403)
    expect((await add({ text: 'x' })).status).toBe(403)
    expect((await change(id, { text: 'x' })).status).toBe(403)
    expect((await remove(id)).status).toBe(403)
    expect((await app.request(path())).status).toBe(401)
    await joinCourse(app.services, learner, course)
    expect(await list()).toMatchObject([{ id, text: 'For later' }])
  })
})
