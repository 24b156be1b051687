// Somebody who deletes the account leaves nothing in the communities, and every count is that of its rows.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  makeComment,
  makeCourse,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../../../test/factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function makeCaller() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

/** Everything whose kept count is not that of its rows. */
async function wrongCounts(): Promise<unknown[]> {
  const { rows } = await app.services.pool.query(
    `select 'post' as kind, p.id from posts p
      where likes_count <> (select count(*) from post_likes l where l.post_id = p.id)
         or comments_count <> (select count(*) from comments c
                                where c.post_id = p.id and c.status = 'published')
      union all
     select 'comment', c.id from comments c
      where likes_count <> (select count(*) from comment_likes l where l.comment_id = c.id)
         or replies_count <> (select count(*) from comments r
                               where r.thread_id = c.id and r.status = 'published')
      union all
     select 'answer', o.id from poll_options o
      where votes_count <> (select count(*) from poll_votes v where v.option_id = o.id)`,
  )
  return rows
}

test('posts, comments, likes and votes go with their author; answers of others stay', async () => {
  const { pool } = app.services
  const [leaver, other, instructor] = [await makeCaller(), await makeCaller(), await makeCaller()]
  const course = await makeCourse(app.services, instructor)
  await joinCourse(app.services, other, course)
  const own = await makePost(app.services, course, { by: leaver, content: 'leaver posts' })
  await makeComment(app.services, own, { by: other })
  const theirs = await makePost(app.services, course)
  const answered = await makeComment(app.services, theirs, { by: leaver, content: 'leaver asks' })
  const reply = await makeComment(app.services, theirs, { by: other, parentId: answered })
  const below = { by: leaver, content: 'leaver replies', parentId: reply }
  await makeComment(app.services, theirs, below)
  await makeComment(app.services, theirs, { by: leaver, content: 'leaver ends' })
  // Deleted already: the place that is kept for the answer is none of the leaver's comments.
  const taken = await makeComment(app.services, theirs, { by: leaver, content: 'leaver regrets' })
  const onIt = await makeComment(app.services, theirs, { by: other, parentId: taken })
  const removal = { method: 'DELETE', cookie: leaver.cookie }
  expect((await app.request(`/rest/v1/comments/${taken}`, removal)).status).toBe(200)
  await pool.query('insert into polls (post_id) values ($1)', [theirs])
  const { rows: options } = await pool.query<{ id: string }>(
    `insert into poll_options (post_id, text, order_index) values ($1, 'a', 1), ($1, 'b', 2)
     returning id`,
    [theirs],
  )
  const call = (person: { cookie: string }, path: string, body: object) =>
    app.request(`/rest/v1${path}`, { method: 'PUT', cookie: person.cookie, body })
  for (const person of [leaver, other]) {
    for (const path of [`/posts/${theirs}/like`, `/posts/${own}/like`, `/comments/${reply}/like`]) {
      expect((await call(person, path, { liked: true })).status).toBe(200)
    }
    const vote = { optionId: options[0]!.id }
    expect((await call(person, `/posts/${theirs}/vote`, vote)).status).toBe(200)
  }
  expect(await wrongCounts()).toEqual([])

  const preview = await app.request('/rest/v1/me/deletion', { cookie: leaver.cookie })
  const texts = preview.body.consequences.map(({ text }: { text: string }) => text)
  expect(texts).toContain('Your post is deleted, with its comments and likes.')
  expect(texts).toContain('Your 3 comments are deleted. Replies by others stay.')
  expect(texts).toContain('Your likes and your votes in polls are taken back.')
  const deletion = { confirmation: 'DELETE', password: leaver.password }
  const { status } = await app.request('/rest/v1/me/deletion', {
    method: 'POST',
    cookie: leaver.cookie,
    body: deletion,
  })
  expect(status).toBe(200)

  expect(await wrongCounts()).toEqual([])
  const { rows: left } = await pool.query(
    `select likes_count as likes, comments_count as comments from posts where course_id = $1`,
    [course.id],
  )
  expect(left).toEqual([{ likes: 1, comments: 2 }])
  const { rows: said } = await pool.query(
    `select id, content, status, user_id as "userId" from comments where course_id = $1 order by id`,
    [course.id],
  )
  expect(said).toEqual([
    { id: answered, content: '', status: 'deleted', userId: null },
    { id: reply, content: 'I think so.', status: 'published', userId: other.id },
    { id: taken, content: '', status: 'deleted', userId: null },
    { id: onIt, content: 'I think so.', status: 'published', userId: other.id },
  ])
  const { rows: votes } = await pool.query(
    'select votes_count as votes from poll_options where post_id = $1 order by order_index',
    [theirs],
  )
  expect(votes).toEqual([{ votes: 1 }, { votes: 0 }])
})

test('an account that goes while its owner likes posts leaves right counts', async () => {
  const [leaver, instructor] = [await makeCaller(), await makeCaller()]
  const course = await makeCourse(app.services, instructor)
  await joinCourse(app.services, leaver, course)
  const ids: string[] = []
  for (let index = 0; index < 10; index++) ids.push(await makePost(app.services, course))
  const like = (postId: string) =>
    app.request(`/rest/v1/posts/${postId}/like`, {
      method: 'PUT',
      cookie: leaver.cookie,
      body: { liked: true },
    })
  const [gone, ...answers] = await Promise.all([
    app.request('/rest/v1/me/deletion', {
      method: 'POST',
      cookie: leaver.cookie,
      body: { confirmation: 'DELETE', password: leaver.password },
    }),
    ...ids.map(like),
    ...ids.map(like),
  ])
  expect(gone.status).toBe(200)
  for (const { status } of answers) expect([200, 401, 403, 404]).toContain(status)
  expect(await wrongCounts()).toEqual([])
})
