// Who asks and what they may do is one statement for a call about a course, and never what it was a moment ago.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import {
  joinCourse,
  lessonsOf,
  makeCourse,
  makePerson,
  sessionCookieOf,
} from '../../test/factories.ts'
import { watchStatements } from '../../test/statements.ts'
import { beginVisit } from './visit.ts'

let app: TestApp
let course: Awaited<ReturnType<typeof makeCourse>>
let lesson: { id: string; slug: string }
let path: string

beforeAll(async () => {
  app = await startTestApp()
  course = await makeCourse(app.services, await makePerson(app.services))
  lesson = (await lessonsOf(app.services, course.id))[0]!
  path = `/rest/v1/courses/${course.slug}/lessons/${lesson.slug}`
})
afterAll(() => app?.stop())

async function someMember() {
  const person = await makePerson(app.services)
  await joinCourse(app.services, person, course)
  return { id: person.id, cookie: await sessionCookieOf(app.services, person.id) }
}

const run = (text: string, ...values: unknown[]) => app.services.pool.query(text, values)

describe('a call about a course takes one statement beside its own', () => {
  test.each([
    ['by its slug', () => path],
    ['by its id', () => path.replace(course.slug, course.id)],
    ['by a lesson', () => `/rest/v1/lessons/${lesson.id}`],
  ])('%s', async (_, pathOf) => {
    const { cookie } = await someMember()
    let status = 0
    const sent = await watchStatements(app).during(async () => {
      status = (await app.request(pathOf(), { cookie })).status
    })
    expect([status, sent.length]).toEqual([200, 2])
  })

  test('with an access token', async () => {
    const { cookie } = await someMember()
    const { body } = await app.request('/auth/v1/token', { cookie })
    const headers = { authorization: `Bearer ${body.token}` }
    expect((await app.request(path, { headers })).status).toBe(200)
    const sent = await watchStatements(app).during(() => app.request(path, { headers }))
    expect(sent).toHaveLength(2)
  })

  test('and one alone where it is refused', async () => {
    const stranger = await makePerson(app.services)
    const cookie = await sessionCookieOf(app.services, stranger.id)
    let status = 0
    const sent = await watchStatements(app).during(async () => {
      status = (await app.request(path, { cookie })).status
    })
    expect([status, sent.length]).toEqual([403, 1])
  })
})

test('the parts of a page that ask about a course at once ask together, and afterwards anew', async () => {
  const { id, cookie } = await someMember()
  const request = new Request(`${app.url}${path}`, { headers: { cookie } })
  const visit = beginVisit(app.services, request, '127.0.0.1')
  await visit.visitor()
  const reference = { slug: course.slug }
  const standing = async () => (await visit.visitorAt(reference)).course?.standing
  let answers: unknown[] = []
  const together = await watchStatements(app).during(async () => {
    answers = await Promise.all([standing(), standing(), standing()])
  })
  expect(answers).toEqual(['member', 'member', 'member'])
  expect(together).toHaveLength(1)
  await run('delete from enrollments where user_id = $1', id)
  expect(await standing()).toBe('signedIn')
})

describe('on the very next request', () => {
  type Member = Awaited<ReturnType<typeof someMember>>
  const ends: [string, (member: Member) => Promise<unknown>, number][] = [
    ['a session is gone', ({ id }) => run('delete from sessions where user_id = $1', id), 401],
    [
      'a session is over',
      ({ id }) => run('update sessions set expires_at = now() where user_id = $1', id),
      401,
    ],
    [
      'an account is suspended',
      ({ id }) => run('update users set suspended_at = now() where id = $1', id),
      403,
    ],
    ['a member is removed', ({ id }) => run('delete from enrollments where user_id = $1', id), 403],
  ]

  test.each(ends)('%s', async (_, end, status) => {
    const member = await someMember()
    const ask = async () => (await app.request(path, { cookie: member.cookie })).status
    expect(await ask()).toBe(200)
    await end(member)
    expect(await ask()).toBe(status)
  })

  test('a course that became a draft is nobody else’s, and its members’ still', async () => {
    const draft = await makeCourse(app.services, await makePerson(app.services))
    const stranger = await makePerson(app.services)
    const cookie = await sessionCookieOf(app.services, stranger.id)
    const member = await someMember()
    await joinCourse(app.services, member, draft)
    const outline = `/rest/v1/courses/${draft.slug}/outline`
    const asked = async () => [
      (await app.request(outline, { cookie })).status,
      (await app.request(outline, { cookie: member.cookie })).status,
    ]
    expect(await asked()).toEqual([403, 200])
    await run(`update courses set status = 'draft' where id = $1`, draft.id)
    expect(await asked()).toEqual([404, 200])
  })
})

test('who has not been welcomed is, by a call about a course', async () => {
  const { id, cookie } = await someMember()
  await run('update users set welcomed_at = null, username = null where id = $1', id)
  expect((await app.request(path, { cookie })).status).toBe(200)
  const { rows } = await run('select username, welcomed_at from users where id = $1', id)
  expect(rows).toEqual([{ username: expect.any(String), welcomed_at: expect.any(Date) }])
})

test('who asks at the same moment as others is none of them', async () => {
  const members = await Promise.all(Array.from({ length: 12 }, someMember))
  const strangers = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { id } = await makePerson(app.services)
      return { id, cookie: await sessionCookieOf(app.services, id) }
    }),
  )
  const people = members.flatMap((member, at) => [member, strangers[at]!])
  let found: unknown[] = []
  const sent = await watchStatements(app).during(async () => {
    found = await Promise.all(
      people.map(async ({ cookie }) => {
        const request = new Request(`${app.url}${path}`, { headers: { cookie } })
        const visit = beginVisit(app.services, request, '127.0.0.1')
        const { visitor, course: access } = await visit.visitorAt({ slug: course.slug })
        return { id: visitor?.id, standing: access?.standing }
      }),
    )
  })
  expect(found).toEqual(
    people.map(({ id }, at) => ({ id, standing: at % 2 === 0 ? 'member' : 'signedIn' })),
  )
  expect(sent).toHaveLength(1)
})
