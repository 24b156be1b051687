// What a reader is given of the comments of a post: where a page ends, what a link leads to, and who sees what.
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
import { removeComment } from './remove-comment.ts'
import { setCommentHidden } from './hide-comment.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone(name: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

async function discussion() {
  const instructor = await someone('Ida Instructor')
  const course = await makeCourse(app.services, instructor)
  const [ann, bob] = [await someone('Ann'), await someone('Bob')]
  for (const person of [ann, bob]) await joinCourse(app.services, person, course)
  const postId = await makePost(app.services, course)
  return { instructor, course, ann, bob, postId }
}

const send = (by: Someone, method: string, path: string, body?: object) =>
  app.request(`/rest/v1${path}`, { method, cookie: by.cookie, body })
const read = async (by: Someone, postId: string, search = '') =>
  (await send(by, 'GET', `/posts/${postId}/comments${search}`)).body
const repliesTo = (by: Someone, commentId: string, search = '') =>
  send(by, 'GET', `/comments/${commentId}/replies${search}`)
const hide = ({ course }: { course: { id: string } }, commentId: string, hidden = true) =>
  app.services.db.transaction((transaction) =>
    setCommentHidden(transaction, { commentId, courseId: course.id, hidden }),
  )
const hidePost = (postId: string) =>
  app.services.pool.query(`update posts set status = 'hidden' where id = $1`, [postId])

const minute = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes))

/** So many below a post, or in a thread, a minute apart. Answers their ids. */
async function several(number: number, postId: string, by: Someone, parentId?: string) {
  const ids: string[] = []
  for (let index = 0; index < number; index += 1) {
    ids.push(
      await makeComment(app.services, postId, {
        by,
        parentId,
        content: `${parentId ? 'Reply' : 'Thread'} ${index + 1}`,
        at: minute(index),
      }),
    )
  }
  return ids
}

const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)

describe('a page', () => {
  test('of twenty threads is the only one; of twenty-one there is another', async () => {
    const { ann, bob, postId } = await discussion()
    const ids = await several(20, postId, ann)
    const whole = await read(bob, postId)
    expect([idsOf(whole.threads), whole.nextCursor]).toEqual([ids, null])
    const last = await makeComment(app.services, postId, { by: bob, at: minute(30) })
    const first = await read(bob, postId)
    expect(idsOf(first.threads)).toEqual(ids)
    const second = await read(bob, postId, `?cursor=${first.nextCursor}`)
    expect([idsOf(second.threads), second.nextCursor]).toEqual([[last], null])
    // What was asked for and stands on the page stands there once.
    expect((await read(bob, postId, `?with=${ids[19]}`)).linked).toBeNull()
    expect((await read(bob, postId, `?with=${last}`)).linked.id).toBe(last)
  })

  test('has three replies of each thread, and says where the others begin', async () => {
    const { ann, bob, postId } = await discussion()
    const [threadId, other] = (await several(2, postId, ann)) as [string, string]
    const ids = await several(3, postId, bob, threadId)
    const [three, none] = (await read(ann, postId)).threads
    expect([idsOf(three.replies), three.nextReplies, three.linkedReply]).toEqual([ids, null, null])
    expect([none.id, none.replies, none.nextReplies]).toEqual([other, [], null])
    const fourth = await makeComment(app.services, postId, {
      by: ann,
      parentId: threadId,
      at: minute(10),
    })
    const [four] = (await read(ann, postId, `?with=${ids[2]}`)).threads
    expect([idsOf(four.replies), four.linkedReply]).toEqual([ids, null])
    const [linked] = (await read(ann, postId, `?with=${fourth}`)).threads
    expect([idsOf(linked.replies), linked.linkedReply.id]).toEqual([ids, fourth])
    const { body } = await repliesTo(ann, threadId, `?cursor=${four.nextReplies}`)
    expect([idsOf(body.replies), body.nextCursor]).toEqual([[fourth], null])
  })

  test('of replies has twenty, from the first one where nothing else is said', async () => {
    const { ann, bob, postId } = await discussion()
    const [threadId] = (await several(1, postId, ann)) as [string]
    expect((await repliesTo(bob, threadId)).body).toEqual({ replies: [], nextCursor: null })
    const ids = await several(20, postId, bob, threadId)
    const whole = (await repliesTo(ann, threadId)).body
    expect([idsOf(whole.replies), whole.nextCursor]).toEqual([ids, null])
    const last = await makeComment(app.services, postId, {
      by: ann,
      parentId: threadId,
      at: minute(30),
    })
    const first = (await repliesTo(ann, threadId)).body
    expect(idsOf(first.replies)).toEqual(ids)
    const second = (await repliesTo(ann, threadId, `?cursor=${first.nextCursor}`)).body
    expect([idsOf(second.replies), second.nextCursor]).toEqual([[last], null])
  })

  test('of an empty discussion is empty, also with a link to what is gone', async () => {
    const { ann, postId } = await discussion()
    const empty = { threads: [], nextCursor: null, linked: null, commentsCount: 0 }
    expect(await read(ann, postId)).toEqual(empty)
    expect(await read(ann, postId, `?with=${crypto.randomUUID()}`)).toEqual(empty)
    expect(await read(ann, postId, `?only=${crypto.randomUUID()}`)).toEqual(empty)
  })

  test('of one thread alone has nothing but it, whichever of it was asked for', async () => {
    const { ann, bob, postId } = await discussion()
    const [threadId] = (await several(2, postId, ann)) as [string]
    const [first, second] = await several(2, postId, bob, threadId)
    for (const asked of [threadId, first, second]) {
      const { threads, nextCursor, linked, commentsCount } = await read(
        ann,
        postId,
        `?only=${asked}`,
      )
      expect([threads, nextCursor, commentsCount]).toEqual([[], null, 4])
      expect([linked.id, idsOf(linked.replies), linked.linkedReply]).toEqual([
        threadId,
        [first, second],
        null,
      ])
    }
  })
})

describe('a comment', () => {
  test('says all of itself, to each reader what it is to them', async () => {
    const { instructor, ann, bob, postId } = await discussion()
    await app.services.pool.query(
      `update users set verified = true, avatar_url = '/a.webp' where id = $1`,
      [ann.id],
    )
    const content = `Hello @${bob.username} and @${instructor.username}`
    const written = (await send(ann, 'POST', '/comments', { postId, content })).body
    const mentions = [bob, instructor]
      .map(({ username, name }) => ({ handle: username, name, username }))
      .toSorted((a, b) => (a.handle < b.handle ? -1 : 1))
    const expected = {
      id: expect.any(String),
      postId,
      parentId: null,
      threadId: null,
      author: {
        id: ann.id,
        name: 'Ann',
        username: ann.username,
        avatarUrl: '/a.webp',
        verified: true,
        isInstructor: false,
      },
      content,
      mentions,
      status: 'published',
      likesCount: 0,
      liked: false,
      isOwn: true,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: written.createdAt,
    }
    expect(written).toEqual(expected)
    await send(bob, 'PUT', `/comments/${written.id}/like`, { liked: true })
    const thread = {
      ...expected,
      likesCount: 1,
      repliesCount: 0,
      replies: [],
      nextReplies: null,
      linkedReply: null,
    }
    expect((await read(ann, postId)).threads).toEqual([thread])
    expect((await read(bob, postId)).threads).toEqual([{ ...thread, isOwn: false, liked: true }])
    const { body: answer } = await send(instructor, 'POST', '/comments', {
      postId,
      content: 'Welcome',
      parentId: written.id,
    })
    expect(answer).toMatchObject({
      author: { id: instructor.id, isInstructor: true },
      parentId: written.id,
      threadId: written.id,
      mentions: [],
      isOwn: true,
    })
  })

  test('is answered with itself when it is written or edited, however deep it stands', async () => {
    const { ann, bob, postId } = await discussion()
    const [threadId] = (await several(1, postId, ann)) as [string]
    const [first, , , , fifth] = await several(5, postId, bob, threadId)
    for (const id of [first, fifth]) {
      const { body } = await send(bob, 'PUT', `/comments/${id}`, { content: `Edited ${id}` })
      expect(body).toMatchObject({ id, content: `Edited ${id}`, threadId, isOwn: true })
    }
    const sixth = { postId, content: 'Sixth', parentId: fifth }
    expect((await send(ann, 'POST', '/comments', sixth)).body).toMatchObject({
      content: 'Sixth',
      parentId: fifth,
      threadId,
    })
  })

  test('whose place is kept says nothing of what it was', async () => {
    const at = await discussion()
    const { ann, bob, course, postId } = at
    const [threadId] = (await several(1, postId, ann)) as [string]
    const [reply] = (await several(1, postId, bob, threadId)) as [string]
    const below = await makeComment(app.services, postId, { by: ann, parentId: reply })
    for (const id of [threadId, reply]) {
      await send(ann, 'PUT', `/comments/${id}/like`, { liked: true })
    }
    const kept = {
      postId,
      status: 'hidden',
      author: null,
      content: '',
      mentions: [],
      likesCount: 0,
      liked: false,
      isOwn: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    }
    await hide(at, threadId)
    await hide(at, reply)
    const [thread] = (await read(ann, postId)).threads
    expect(thread).toEqual({
      ...kept,
      id: threadId,
      parentId: null,
      threadId: null,
      repliesCount: 1,
      replies: [
        { ...kept, id: reply, parentId: threadId, threadId },
        expect.objectContaining({ id: below, content: 'I think so.', isOwn: true }),
      ],
      nextReplies: null,
      linkedReply: null,
    })
    // With what it was kept for it goes out of sight.
    await hide(at, below)
    expect((await read(ann, postId)).threads).toEqual([])
    expect((await read(ann, postId, `?with=${reply}`)).linked).toBeNull()
    expect((await repliesTo(ann, threadId)).status).toBe(404)
    const removed = await app.services.db.transaction(async (transaction) => {
      const one = { commentId: reply, courseId: course.id }
      return [await removeComment(transaction, one), await removeComment(transaction, one)]
    })
    expect(removed).toEqual([true, false])
  })
})

describe('what is not there', () => {
  const gone = [404, 'This comment does not exist any more.']
  const saidTo = ({ status, body }: { status: number; body: { message?: string } }) => [
    status,
    body.message,
  ]

  test('below a hidden post is there for moderators only', async () => {
    const { instructor, ann, bob, postId } = await discussion()
    const admin = await someone('Ada Admin')
    await app.services.pool.query(`update users set role = 'admin' where id = $1`, [admin.id])
    const [threadId] = (await several(1, postId, ann)) as [string]
    const [reply] = (await several(1, postId, bob, threadId)) as [string]
    await hidePost(postId)
    for (const by of [ann, bob]) {
      expect(saidTo(await repliesTo(by, threadId))).toEqual(gone)
      expect(saidTo(await send(by, 'GET', `/posts/${postId}/comments`))).toEqual([
        404,
        'Post not found',
      ])
    }
    for (const by of [instructor, admin]) {
      expect(idsOf((await repliesTo(by, threadId)).body.replies)).toEqual([reply])
      expect(idsOf((await read(by, postId)).threads)).toEqual([threadId])
    }
  })

  test('is a reply, where replies are asked for, and whatever was deleted', async () => {
    const at = await discussion()
    const { ann, bob, instructor, postId } = at
    const [threadId, lonely] = (await several(2, postId, ann)) as [string, string]
    const [reply] = (await several(1, postId, bob, threadId)) as [string]
    expect(saidTo(await repliesTo(ann, reply))).toEqual(gone)
    await hide(at, lonely)
    expect(saidTo(await repliesTo(ann, lonely))).toEqual(gone)
    expect(saidTo(await send(bob, 'PUT', `/comments/${lonely}/like`, { liked: true }))).toEqual(
      gone,
    )
    expect(saidTo(await send(ann, 'PUT', `/comments/${lonely}`, { content: 'x' }))).toEqual(gone)
    expect(saidTo(await send(ann, 'DELETE', `/comments/${lonely}`))).toEqual(gone)
    // Who moderates deletes what is hidden; the others are counted as before.
    expect(saidTo(await send(instructor, 'DELETE', `/comments/${lonely}`))).toEqual([
      200,
      undefined,
    ])
    expect((await read(ann, postId)).commentsCount).toBe(2)
  })
})

test('what is hidden, shown again and deleted is said to whoever follows the course', async () => {
  const at = await discussion()
  const { ann, bob, course, postId, instructor } = at
  const [threadId] = (await several(1, postId, ann)) as [string]
  const [reply] = (await several(1, postId, bob, threadId)) as [string]
  await hide(at, threadId)
  await hide(at, threadId, false)
  await hide(at, reply)
  await send(instructor, 'DELETE', `/comments/${reply}`)
  const { rows } = await app.services.pool.query<{ event: object }>(
    'select event from live_events where topic = $1 order by id',
    [`course:${course.id}`],
  )
  const comment = { type: 'comment', courseId: course.id, postId }
  expect(rows.map(({ event }) => event)).toEqual([
    { ...comment, commentId: threadId, change: 'changed', commentsCount: 1 },
    { ...comment, commentId: threadId, change: 'created', commentsCount: 2 },
    { ...comment, commentId: reply, change: 'changed', commentsCount: 1 },
    { ...comment, commentId: reply, change: 'removed', commentsCount: 1 },
  ])
  const { rows: counts } = await app.services.pool.query(
    'select replies_count as replies from comments where id = $1',
    [threadId],
  )
  expect(counts).toEqual([{ replies: 0 }])
})
