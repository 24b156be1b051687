// The word filter and the limit of links: as the instructor sets them, and as members meet them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  makeComment,
  makeCourse,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { refusalOfText } from './refusal-of-text.ts'

let app: TestApp
let instructor: Someone
let member: Someone
beforeAll(async () => {
  app = await startTestApp()
  instructor = await someone()
  member = await someone()
})
afterAll(() => app?.stop())

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>
type Course = Awaited<ReturnType<typeof makeCourse>>

async function courseWithMember(): Promise<Course> {
  const course = await makeCourse(app.services, instructor)
  await joinCourse(app.services, member, course)
  return course
}

const none = { blockedWords: [], firstPosts: 0, firstPostsLinks: 0 }
const pathOf = (course: { id: string }) => `/rest/v1/courses/${course.id}/community-settings`
const read = async (course: Course) =>
  (await app.request(pathOf(course), { cookie: instructor.cookie })).body
const save = (course: Course, settings: Record<string, unknown>, by = instructor) =>
  app.request(pathOf(course), {
    method: 'PUT',
    body: { ...none, ...settings },
    cookie: by.cookie,
  })
const write = async (course: Course, content: string, by = member) => {
  const { status, body } = await app.request('/rest/v1/posts', {
    body: { courseId: course.id, content },
    cookie: by.cookie,
  })
  return status === 200 ? body.id : [status, body.message]
}

describe('the settings', () => {
  test('are nothing at first, and what was saved afterwards', async () => {
    const course = await courseWithMember()
    expect(await read(course)).toEqual(none)
    const words = [
      ' Casino ',
      'casino',
      '',
      'ＣＡＳＩＮＯ',
      'Buy \n NOW',
      ' ',
      '\u200b',
      "'; drop --",
    ]
    const kept = ['casino', 'buy now', "'; drop --"]
    const saved = await save(course, { blockedWords: words, firstPosts: 3, firstPostsLinks: 1 })
    expect([saved.status, saved.body]).toEqual([
      200,
      { blockedWords: kept, firstPosts: 3, firstPostsLinks: 1 },
    ])
    expect(await read(course)).toEqual(saved.body)
    expect((await save(course, none)).body).toEqual(none)
    expect(await read(course)).toEqual(none)
    expect((await save(course, none, member)).status).toBe(403)
  })

  test('that were changed elsewhere stay where this does not change them', async () => {
    const course = await courseWithMember()
    const begun = (await save(course, { blockedWords: ['one', 'two'] })).body
    await save(course, { blockedWords: ['two', 'casino'], firstPosts: 5, firstPostsLinks: 2 })
    const words = await save(course, { ...begun, blockedWords: ['one', 'two', 'new'], begun })
    expect(words.body).toEqual({
      blockedWords: ['two', 'new', 'casino'],
      firstPosts: 5,
      firstPostsLinks: 2,
    })
    const limit = await save(course, { ...begun, firstPosts: 1, begun })
    expect(limit.body).toEqual({
      blockedWords: ['two', 'new', 'casino'],
      firstPosts: 1,
      firstPostsLinks: 0,
    })
    const many = Array.from({ length: 199 }, (_, index) => `word ${index}`)
    const tooMany = await save(course, { ...begun, blockedWords: many, begun })
    expect([tooMany.status, tooMany.body.message]).toEqual([
      400,
      'There can be at most 200 blocked words',
    ])
    const all = await save(course, { blockedWords: ['three'] })
    expect(all.body).toEqual({ ...none, blockedWords: ['three'] })
  })

  test('have limits, in words', async () => {
    const course = await courseWithMember()
    const many = (count: number) => Array.from({ length: count }, (_, index) => `word ${index}`)
    expect((await save(course, { blockedWords: [...many(200), ...many(200)] })).status).toBe(200)
    for (const [settings, message] of [
      [{ blockedWords: many(201) }, 'There can be at most 200 blocked words'],
      [{ blockedWords: ['x'.repeat(51)] }, 'A blocked word can have at most 50 characters'],
      [{ blockedWords: 'casino' }, 'The blocked words must be a list'],
      [{ blockedWords: [7] }, 'A blocked word must be text'],
      [{ firstPosts: -1 }, 'The number of first posts cannot be negative'],
      [{ firstPosts: 21 }, 'At most the first 20 posts can be limited'],
      [{ firstPosts: 1.5 }, 'Please give a whole number of posts'],
      [{ firstPostsLinks: 11 }, 'The limit can be at most 10 links'],
      [{ firstPostsLinks: -1 }, 'The number of links cannot be negative'],
      [{ firstPostsLinks: 0.5 }, 'Please give a whole number of links'],
    ] as const) {
      const { status, body } = await save(course, settings)
      expect([status, body.message]).toEqual([422, message])
    }
    expect((await read(course)).blockedWords).toHaveLength(200)
    const most = { blockedWords: ['x'.repeat(50)], firstPosts: 20, firstPostsLinks: 10 }
    expect((await save(course, most)).body).toEqual(most)
    expect(await read(course)).toEqual(most)
    const other = await courseWithMember()
    expect(await read(other), 'of another course').toEqual(none)
  })
})

describe('what is written', () => {
  test('has no blocked word, in this course, but from the instructor', async () => {
    const course = await courseWithMember()
    const other = await courseWithMember()
    await save(course, { blockedWords: ['casino', 'buy now'] })
    const refused = [
      422,
      'Your text contains a word that is not allowed in this community: “casino”.',
    ]
    expect(await write(course, 'Come to my CASINO!')).toEqual(refused)
    expect(await write(other, 'Come to my CASINO!')).toEqual(expect.any(String))
    expect(await write(course, 'My CASINO is open', instructor)).toEqual(expect.any(String))
    const postId = await write(course, 'Casinos are something else')
    expect(postId).toEqual(expect.any(String))
    const edited = await app.request(`/rest/v1/posts/${postId}`, {
      method: 'PUT',
      body: { content: 'casino' },
      cookie: member.cookie,
    })
    expect([edited.status, edited.body.message]).toEqual(refused)
    const comment = await app.request('/rest/v1/comments', {
      body: { postId, content: 'a casino' },
      cookie: member.cookie,
    })
    expect([comment.status, comment.body.message]).toEqual(refused)
  })

  test('has few links in the first posts and comments of a member', async () => {
    const course = await courseWithMember()
    await save(course, { firstPosts: 3, firstPostsLinks: 1 })
    const two = 'See https://a.example and www.b.example'
    const refused = [422, 'In your first 3 posts here, you can use at most 1 link.']
    expect(await write(course, two)).toEqual(refused)
    expect(await write(course, two, instructor)).toEqual(expect.any(String))
    const first = await write(course, 'See https://a.example')
    // What was hidden, or written elsewhere, makes nobody known here.
    const hidden = await makePost(app.services, course, { by: member })
    await app.services.pool.query(`update posts set status = 'hidden' where id = $1`, [hidden])
    await makePost(app.services, await courseWithMember(), { by: member })
    await makeComment(app.services, first, { by: member })
    expect(await write(course, two)).toEqual(refused)
    const third = await makePost(app.services, course, { by: member })
    expect(await write(course, two)).toEqual(expect.any(String))
    const edited = await app.request(`/rest/v1/posts/${third}`, {
      method: 'PUT',
      body: { content: two },
      cookie: member.cookie,
    })
    expect([edited.status, edited.body.message]).toEqual(refused)
  })

  test('is asked about with one statement, and with none for the instructor', async () => {
    const course = await courseWithMember()
    const statements = watchStatements(app)
    const asked = (by: Someone) =>
      statements.during(() =>
        app.services.db.transaction((transaction) =>
          refusalOfText(transaction, {
            courseId: course.id,
            instructorId: instructor.id,
            userId: by.id,
            text: 'Hello',
          }),
        ),
      )
    const withoutFrame = (texts: string[]) => texts.filter((text) => !/^(begin|commit)/i.test(text))
    expect(withoutFrame(await asked(member))).toHaveLength(1)
    expect(withoutFrame(await asked(instructor))).toHaveLength(0)
  })
})
