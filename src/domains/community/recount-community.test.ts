// The nightly recount of likes, comments, replies and votes.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeComment, makeCourse, makePerson, makePost } from '../../../test/factories.ts'
import { somebodyWaits } from '../../../test/waiting.ts'
import { countWrongInCommunity, recountCommunity } from './recount-community.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const found = async () => {
  const { rows } = await app.services.pool.query<{ counter: string; differences: number }>(
    'select distinct on (counter) counter, differences from counter_checks order by counter, id desc',
  )
  return Object.fromEntries(rows.map(({ counter, differences }) => [counter, differences]))
}

test('what is right stays, what is wrong is mended and counted', async () => {
  const { pool } = app.services
  const instructor = await makePerson(app.services)
  const course = await makeCourse(app.services, instructor)
  const postId = await makePost(app.services, course)
  const commentId = await makeComment(app.services, postId, { by: instructor })
  await makeComment(app.services, postId, { by: instructor, parentId: commentId })
  await pool.query('insert into polls (post_id) values ($1)', [postId])
  await pool.query(
    `insert into poll_options (post_id, text, order_index) values ($1, 'a', 1), ($1, 'b', 2)`,
    [postId],
  )
  // More than are looked at in one go.
  await pool.query(
    `insert into posts (course_id, user_id, content)
     select $1, $2, 'Hello' from generate_series(1, 5100)`,
    [course.id, instructor.id],
  )
  const kept = async () =>
    (
      await pool.query(
        `select p.likes_count as likes, p.comments_count as comments, c.replies_count as replies,
                c.likes_count as "commentLikes", o.votes_count as votes
           from posts p join comments c on c.post_id = p.id and c.thread_id is null
           join poll_options o on o.post_id = p.id and o.order_index = 1 where p.id = $1`,
        [postId],
      )
    ).rows[0]
  const right = { likes: 0, comments: 2, replies: 1, commentLikes: 0, votes: 0 }
  const nothing = {
    posts_likes_count: 0,
    posts_comments_count: 0,
    comments_likes_count: 0,
    comments_replies_count: 0,
    poll_options_votes_count: 0,
  }
  await recountCommunity(app.services)
  expect(await found()).toEqual(nothing)
  expect(await countWrongInCommunity(app.services.db)).toEqual(nothing)
  expect(await kept()).toEqual(right)

  await pool.query(
    `update posts set likes_count = 7 where id = $1 or id = (select id from posts order by id desc limit 1)`,
    [postId],
  )
  await pool.query('update posts set comments_count = 9 where id = $1', [postId])
  await pool.query('update comments set replies_count = 5, likes_count = 3 where id = $1', [
    commentId,
  ])
  await pool.query('update poll_options set votes_count = 4 where order_index = 1')
  const wrong = {
    posts_likes_count: 2,
    posts_comments_count: 1,
    comments_likes_count: 1,
    comments_replies_count: 1,
    poll_options_votes_count: 1,
  }
  // Whoever only counts mends nothing.
  expect(await countWrongInCommunity(app.services.db)).toEqual(wrong)
  await recountCommunity(app.services)
  expect(await found()).toEqual(wrong)
  expect(await kept()).toEqual(right)
  expect(await countWrongInCommunity(app.services.db)).toEqual(nothing)
  await recountCommunity(app.services)
  expect(await found()).toEqual(nothing)
})

test('what somebody mends at that moment is neither mended nor counted', async () => {
  const { pool } = app.services
  const instructor = await makePerson(app.services)
  const postId = await makePost(app.services, await makeCourse(app.services, instructor))
  await pool.query('update posts set likes_count = 7 where id = $1', [postId])
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    await holder.query('update posts set likes_count = 0 where id = $1', [postId])
    const recounting = recountCommunity(app.services)
    await somebodyWaits(app)
    await holder.query('commit')
    await recounting
  } finally {
    // Closed, so that nobody waits for it where something above has failed.
    holder.release(true)
  }
  expect((await found()).posts_likes_count).toBe(0)
})
