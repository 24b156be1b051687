// How often somebody may write, like and vote: everything that counts, up to the limit and not beyond.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  makeComment,
  makeCourse,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { forgetLimits } from '../../../test/forget-limits.ts'

let app: TestApp
let course: { id: string }
let person: { id: string; cookie: string }
let postId: string
let commentId: string
let optionId: string

beforeAll(async () => {
  app = await startTestApp()
  const instructor = await makePerson(app.services)
  const made = await makeCourse(app.services, instructor)
  const { id } = await makePerson(app.services)
  person = { id, cookie: await sessionCookieOf(app.services, id) }
  await joinCourse(app.services, person, made)
  course = made
  postId = await makePost(app.services, made, { by: person })
  commentId = await makeComment(app.services, postId, { by: person })
  await app.services.pool.query('insert into polls (post_id) values ($1)', [postId])
  const { rows } = await app.services.pool.query(
    `insert into poll_options (post_id, text, order_index) values ($1, 'a', 1) returning id`,
    [postId],
  )
  optionId = rows[0].id
})
beforeEach(() => forgetLimits(app.services.pool))
afterAll(() => app?.stop())

/** As if so many calls had been made in this minute. */
const alreadyMade = (key: string, points: number, by: { id: string } = person) =>
  app.services.pool.query('insert into rate_limits (key, points, expire) values ($1, $2, $3)', [
    `${key}:${by.id}`,
    points,
    Date.now() + 59_000,
  ])

const send = (method: string, path: string, body?: object, { cookie } = person) =>
  app.request(`/rest/v1${path}`, { method, cookie, body })

const posting = 'You are posting very fast. Please wait 1 minute.'
const liking = 'You are liking very fast. Please wait a minute.'

test.each<[string, string, number, string, () => ReturnType<typeof send>]>([
  [
    'post',
    'post-account',
    20,
    posting,
    () => send('POST', '/posts', { courseId: course.id, content: 'Once more' }),
  ],
  [
    'edit of a post',
    'post-account',
    20,
    posting,
    () => send('PUT', `/posts/${postId}`, { content: 'Better' }),
  ],
  [
    'comment',
    'comment-account',
    60,
    posting,
    () => send('POST', '/comments', { postId, content: 'Once more' }),
  ],
  [
    'edit of a comment',
    'comment-account',
    60,
    posting,
    () => send('PUT', `/comments/${commentId}`, { content: 'Better' }),
  ],
  [
    'like of a post',
    'like-account',
    120,
    liking,
    () => send('PUT', `/posts/${postId}/like`, { liked: true }),
  ],
  [
    'like of a comment',
    'like-account',
    120,
    liking,
    () => send('PUT', `/comments/${commentId}/like`, { liked: true }),
  ],
  [
    'vote',
    'like-account',
    120,
    'You are voting very fast. Please wait a minute.',
    () => send('PUT', `/posts/${postId}/vote`, { optionId }),
  ],
])('the last %s that is allowed, and the next one', async (_what, key, most, message, call) => {
  await alreadyMade(key, most - 1)
  expect((await call()).status).toBe(200)
  const { status, body, headers } = await call()
  expect([status, body.code, body.message]).toEqual([429, 'TOO_MANY', message])
  const seconds = Number(headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(59)
})

test('administrators, who only read, are told that however often they try', async () => {
  const { id } = await makePerson(app.services)
  const admin = { id, cookie: await sessionCookieOf(app.services, id) }
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [id])
  await alreadyMade('post-account', 20, admin)
  await alreadyMade('like-account', 120, admin)
  for (const [method, path, body] of [
    ['POST', '/posts', { courseId: course.id, content: 'Hello' }],
    ['PUT', `/posts/${postId}`, { content: 'Hello' }],
    ['PUT', `/posts/${postId}/like`, { liked: true }],
    ['PUT', `/comments/${commentId}/like`, { liked: true }],
    ['PUT', `/posts/${postId}/vote`, { optionId }],
  ] as const) {
    const answer = await send(method, path, body, admin)
    expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'MEMBERS_ONLY'])
  }
})

test('who was too fast still reads and deletes', async () => {
  for (const [key, points] of [
    ['post-account', 20],
    ['comment-account', 60],
    ['like-account', 120],
  ] as const) {
    await alreadyMade(key, points)
  }
  expect((await send('GET', `/posts/${postId}/comments`)).status).toBe(200)
  expect((await send('DELETE', `/comments/${commentId}`)).status).toBe(200)
  expect((await send('DELETE', `/posts/${postId}`)).status).toBe(200)
})
