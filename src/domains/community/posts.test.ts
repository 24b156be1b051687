// Posts over HTTP: who writes, edits, deletes, pins and likes what, and what is never counted twice.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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
import { removePost } from './remove-post.ts'
import { setPostHidden } from './hide-post.ts'
import type { Feed } from './schema.ts'

type Course = Awaited<ReturnType<typeof makeCourse>>
interface Caller {
  id: string
  username: string
  cookie: string
}

let app: TestApp
let instructor: Caller
let member: Caller
let other: Caller
let administrator: Caller
let course: Course

beforeAll(async () => {
  app = await startTestApp()
  ;[instructor, member, other, administrator] = await Promise.all([
    makeCaller(),
    makeCaller(),
    makeCaller(),
    makeCaller(),
  ])
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [administrator.id])
})
beforeEach(async () => {
  await app.services.pool.query('delete from rate_limits')
  course = await makeCourse(app.services, instructor)
  await joinCourse(app.services, member, course)
  await joinCourse(app.services, other, course)
})
afterAll(() => app?.stop())

async function makeCaller(): Promise<Caller> {
  const { id, username } = await makePerson(app.services)
  return { id, username, cookie: await sessionCookieOf(app.services, id) }
}

/** Without a password, which would take long to store. */
async function manyMembers(number: number): Promise<Caller[]> {
  const { rows } = await app.services.pool.query<{ id: string; username: string }>(
    `insert into users (name, email, username)
     select 'Person', uuidv4() || '@example.com', uuidv4()::text from generate_series(1, $1)
     returning id, username`,
    [number],
  )
  await app.services.pool.query(
    'insert into enrollments (user_id, course_id) select unnest($1::uuid[]), $2',
    [rows.map(({ id }) => id), course.id],
  )
  return Promise.all(
    rows.map(async (row) => ({ ...row, cookie: await sessionCookieOf(app.services, row.id) })),
  )
}

const send = (caller: Caller, method: string, path: string, body?: unknown) =>
  app.request(`/rest/v1${path}`, { method, cookie: caller.cookie, body })

const write = (caller: Caller, content: unknown, more: object = {}) =>
  send(caller, 'POST', '/posts', { courseId: course.id, content, ...more })
const edit = (caller: Caller, postId: string, content: unknown, more: object = {}) =>
  send(caller, 'PUT', `/posts/${postId}`, { content, ...more })
const read = (caller: Caller, postId: string) => send(caller, 'GET', `/posts/${postId}`)
const remove = (caller: Caller, postId: string) => send(caller, 'DELETE', `/posts/${postId}`)
const pin = (caller: Caller, postId: string, isPinned = true) =>
  send(caller, 'PUT', `/posts/${postId}/pin`, { isPinned })
const like = (caller: Caller, postId: string, liked = true) =>
  send(caller, 'PUT', `/posts/${postId}/like`, { liked })
const leave = (caller: Caller) => send(caller, 'DELETE', `/enrollments/${course.id}`)

async function feed(caller = member): Promise<Feed> {
  return (await send(caller, 'GET', `/courses/${course.slug}/posts`)).body
}

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [
  status,
  body.code,
]

/** Everybody of a number of people, at once. */
const all = <Made>(number: number, make: (index: number) => Promise<Made>): Promise<Made[]> =>
  Promise.all(Array.from({ length: number }, (_, index) => make(index)))

async function countsOf(postId: string) {
  const { rows } = await app.services.pool.query<{ kept: number; counted: number }>(
    `select likes_count as kept,
            (select count(*)::int from post_likes where post_id = posts.id) as counted
       from posts where id = $1`,
    [postId],
  )
  return rows[0]
}

describe('who is suspended', () => {
  test('is named still, but neither posts, comments, mentions, the search nor the members lead there', async () => {
    const gone = await makeCaller()
    await joinCourse(app.services, gone, course)
    const { id: postId } = (await write(gone, 'Hello from afar')).body
    const naming = (await write(member, `Well done @${gone.username}`)).body.id
    const reply = { postId, content: `Thank you @${gone.username}` }
    expect((await send(member, 'POST', '/comments', reply)).status).toBe(200)
    await makeComment(app.services, postId, { by: gone })
    const ledTo = async () => {
      const { threads } = (await send(other, 'GET', `/posts/${postId}/comments`)).body
      const found = await send(other, 'GET', `/courses/${course.slug}/posts/search?search=afar`)
      const { members } = (await send(other, 'GET', `/courses/${course.slug}/members`)).body
      return [
        (await read(other, postId)).body.author,
        ...(await read(other, naming)).body.mentions,
        ...threads[0].mentions,
        threads[1].author,
        found.body.found[0].author,
        members.find(({ id }: { id: string }) => id === gone.id),
      ].map(({ name, username }) => [typeof name, username])
    }
    expect(await ledTo()).toEqual(Array.from({ length: 6 }, () => ['string', gone.username]))
    const suspend = 'update users set suspended_at = now() where id = $1'
    await app.services.pool.query(suspend, [gone.id])
    expect(await ledTo()).toEqual(Array.from({ length: 6 }, () => ['string', null]))
  })
})

describe('writing', () => {
  test('a member’s post is there for everybody, as it was written', async () => {
    const text = `  <script>alert(1)</script> "said 'he' “so”"\r\n\r\nhttps://example.com & 👋🏽  `
    const { status, body } = await write(member, text)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      content: `<script>alert(1)</script> "said 'he' “so”"\n\nhttps://example.com & 👋🏽`,
      author: { id: member.id, username: member.username },
      isOwn: true,
      likesCount: 0,
      status: 'published',
    })
    expect(body.updatedAt).toBe(body.createdAt)
    const [post] = (await feed(other)).posts
    expect(post).toEqual({ ...body, isOwn: false })
    expect((await read(administrator, body.id)).body.content).toBe(body.content)
    const { rows } = await app.services.pool.query(
      'select activity_type from user_activities where user_id = $1 and course_id = $2',
      [member.id, course.id],
    )
    expect(rows).toContainEqual({ activity_type: 'post_created' })
  })

  test.each([
    ['', 'Please write something'],
    [' \n\t ', 'Please write something'],
    ['x'.repeat(10_001), 'Post can have at most 10,000 characters'],
    ['x'.repeat(50_000), 'Post can have at most 10,000 characters'],
    [null, 'Post must be text'],
  ])('%# what is no post is answered with a sentence', async (content, message) => {
    const { status, body } = await write(member, content)
    expect([status, body.message]).toEqual([422, message])
    expect((await feed()).posts).toEqual([])
  })

  test('10,000 characters are a post', async () => {
    expect((await write(member, 'x'.repeat(10_000))).body.content).toHaveLength(10_000)
  })

  test('more attachments than a post can have, and other hosts, are refused with a sentence', async () => {
    const link = (index: number) => ({
      url: `https://www.youtube.com/watch?v=dQw4w9Wg${index + 100}`,
    })
    const many = await write(member, 'Look', {
      attachments: Array.from({ length: 40 }, (_, i) => link(i)),
    })
    expect([many.status, many.body.message]).toEqual([
      422,
      'A post can have at most 10 attachments',
    ])
    const foreign = await write(member, 'Look', {
      attachments: [link(0), { url: 'https://videos.example/1' }],
    })
    expect(foreign.status).toBe(400)
    const nobodys = await write(member, 'Look', { attachments: [{ mediaId: crypto.randomUUID() }] })
    expect(nobodys.status).toBe(400)
    // What was refused late leaves nothing behind.
    expect((await feed()).posts).toEqual([])
    expect(
      (await write(member, 'Look', { attachments: [link(0), link(1)] })).body.attachments,
    ).toHaveLength(2)
  })

  test('administrators, strangers and those who left do not write', async () => {
    expect(codeOf(await write(administrator, 'Hello'))).toEqual([403, 'MEMBERS_ONLY'])
    expect((await write(await makeCaller(), 'Hello')).status).toBe(403)
    expect((await leave(other)).status).toBe(200)
    expect((await write(other, 'Hello')).status).toBe(403)
    expect((await feed()).posts).toEqual([])
  })

  test('polls, times and announcements are not for members', async () => {
    for (const more of [
      { poll: { options: ['a', 'b'] } },
      { scheduledFor: new Date(Date.now() + 3_600_000).toISOString() },
      { isAnnouncement: true },
    ]) {
      expect(codeOf(await write(member, 'Hello', more))).toEqual([403, 'INSTRUCTOR_ONLY'])
      expect(codeOf(await write(instructor, 'Hello', more))).toEqual([403, 'PRO_ONLY'])
    }
    expect((await feed()).posts).toEqual([])
  })

  test('the rules of the community hold for new and for edited posts', async () => {
    await app.services.pool.query(
      `insert into community_settings (course_id, blocked_words) values ($1, '{casino}')`,
      [course.id],
    )
    expect(codeOf(await write(member, 'My CASINO is good'))).toEqual([422, 'NOT_ALLOWED'])
    const { body } = await write(member, 'My house is good')
    const edited = await edit(member, body.id, 'My casino is good')
    expect(codeOf(edited)).toEqual([422, 'NOT_ALLOWED'])
    expect((await read(member, body.id)).body.content).toBe('My house is good')
    expect((await write(instructor, 'No casino here, please')).status).toBe(200)
  })

  test('the 21st post within 10 minutes has to wait', async () => {
    const answers = await all(25, (index) => write(member, `post ${index}`))
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...Array(20).fill(200), ...Array(5).fill(429)])
    expect(answers.find(({ status }) => status === 429)?.body).toMatchObject({
      code: 'TOO_MANY',
      message: 'You are posting very fast. Please wait 10 minutes.',
    })
    expect((await write(other, 'Not me')).status).toBe(200)
  })

  test('who follows the course hears of posts, edits, pins and deletions', async () => {
    const { body } = await write(member, 'first')
    await edit(member, body.id, 'second')
    await pin(instructor, body.id)
    await like(other, body.id)
    await remove(member, body.id)
    const { rows } = await app.services.pool.query<{ event: Record<string, unknown> }>(
      `select event from live_events where topic = $1 and event ->> 'postId' = $2 order by id`,
      [`course:${course.id}`, body.id],
    )
    expect(rows.map(({ event }) => event.change ?? event.likesCount)).toEqual([
      'created',
      'changed',
      'changed',
      1,
      'removed',
    ])
  })
})

describe('editing', () => {
  test('says so, when something changed', async () => {
    const { body: post } = await write(member, 'Frist')
    const same = await edit(member, post.id, 'Frist')
    expect(same.body).toEqual(post)
    const { status, body } = await edit(member, post.id, 'First <b>')
    expect([status, body.content]).toEqual([200, 'First <b>'])
    expect(body.updatedAt > body.createdAt).toBe(true)
    expect(body.createdAt).toBe(post.createdAt)
    for (const change of [() => like(other, post.id), () => pin(instructor, post.id)])
      await change()
    expect((await read(other, post.id)).body).toMatchObject({
      content: 'First <b>',
      updatedAt: body.updatedAt,
      isPinned: true,
      likesCount: 1,
    })
    const blank = await edit(member, post.id, '  ')
    expect([blank.status, blank.body.message]).toEqual([422, 'Please write something'])
    expect((await edit(member, post.id, 'x'.repeat(50_000))).status).toBe(422)
  })

  test('is for the author alone, while they are a member', async () => {
    const { body: post } = await write(member, 'Mine')
    for (const caller of [other, instructor]) {
      const answer = await edit(caller, post.id, 'Theirs')
      expect(codeOf(answer)).toEqual([403, 'NOT_YOURS'])
      expect(answer.body.message).toBe('Only the author of a post can edit it.')
    }
    expect(codeOf(await edit(administrator, post.id, 'Theirs'))).toEqual([403, 'MEMBERS_ONLY'])
    await leave(member)
    expect((await edit(member, post.id, 'Gone')).status).toBe(403)
    expect((await read(other, post.id)).body.content).toBe('Mine')
  })

  test('ends when moderators hide the post, until they bring it back', async () => {
    const { body: post } = await write(member, 'Mine')
    await pin(instructor, post.id)
    const one = { postId: post.id, courseId: course.id }
    const hide = (hidden: boolean) =>
      app.services.db.transaction((transaction) => setPostHidden(transaction, { ...one, hidden }))
    expect([await hide(true), await hide(true)]).toEqual([true, false])
    for (const answer of [
      await edit(member, post.id, 'Still mine'),
      await read(member, post.id),
      await like(other, post.id),
      await remove(member, post.id),
      await pin(instructor, post.id),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([404, 'Post not found'])
    }
    expect((await read(instructor, post.id)).body).toMatchObject({
      status: 'hidden',
      isPinned: false,
    })
    expect((await feed(instructor)).posts).toEqual([])
    expect([await hide(false), await hide(false)]).toEqual([true, false])
    expect((await feed(other)).posts).toMatchObject([
      { content: 'Mine', updatedAt: post.updatedAt },
    ])
  })
})

describe('deleting', () => {
  test('by its author, the instructor and administrators; with all that hangs on it', async () => {
    for (const caller of [member, instructor, administrator]) {
      const { body: post } = await write(member, 'Mine', {
        attachments: [{ url: 'https://vimeo.com/123456' }],
      })
      const commentId = await makeComment(app.services, post.id, { by: other })
      await makeComment(app.services, post.id, { by: member, parentId: commentId })
      await like(other, post.id)
      const refused = await remove(other, post.id)
      expect(codeOf(refused)).toEqual([403, 'NOT_YOURS'])
      expect((await remove(caller, post.id)).body).toEqual({ removed: true })
      expect((await remove(caller, post.id)).status).toBe(404)
      expect((await read(member, post.id)).status).toBe(404)
    }
    for (const table of ['posts', 'comments']) {
      const { rows } = await app.services.pool.query(
        `select 1 from ${table} where course_id = $1`,
        [course.id],
      )
      expect(rows).toEqual([])
    }
  })

  test('by several at once it goes once', async () => {
    const { body: post } = await write(member, 'Mine')
    const answers = await all(4, (index) => remove(index % 2 ? member : instructor, post.id))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    for (const { status } of answers) expect([200, 404]).toContain(status)
  })

  test('a course’s id does not reach a post of another one', async () => {
    const foreign = await makeCourse(app.services, other)
    const postId = await makePost(app.services, foreign)
    const one = { postId, courseId: course.id }
    const done = await app.services.db.transaction(async (transaction) => [
      await removePost(transaction, one),
      await setPostHidden(transaction, { ...one, hidden: true }),
    ])
    expect(done).toEqual([false, false])
    for (const answer of [
      await read(member, postId),
      await edit(member, postId, 'Mine now'),
      await remove(instructor, postId),
      await pin(instructor, postId),
      await like(member, postId),
    ]) {
      expect(answer.status).toBe(403)
    }
    expect((await read(other, postId)).body).toMatchObject({ likesCount: 0, isPinned: false })
  })
})

describe('pinning', () => {
  test('is for the instructor', async () => {
    const { body: post } = await write(member, 'Mine')
    for (const caller of [member, other, administrator]) {
      expect((await pin(caller, post.id)).status).toBe(403)
    }
    expect((await pin(instructor, post.id)).body).toEqual({ isPinned: true })
    expect((await pin(instructor, post.id)).body).toEqual({ isPinned: true })
    expect((await feed()).posts[0]?.isPinned).toBe(true)
    expect((await pin(instructor, post.id, false)).body).toEqual({ isPinned: false })
  })

  test('stops at ten, also of twelve at once', async () => {
    const ids = await all(12, (index) => makePost(app.services, course, { content: `${index}` }))
    const answers = await Promise.all(ids.map((id) => pin(instructor, id)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(codeOf)).toEqual([
      [409, 'TOO_MANY_PINNED'],
      [409, 'TOO_MANY_PINNED'],
    ])
    const pinned = (await feed()).posts.filter(({ isPinned }) => isPinned)
    expect(pinned).toHaveLength(10)
    await pin(instructor, pinned[0]!.id, false)
    const [free] = ids.filter((id) => !pinned.some((post) => post.id === id))
    expect((await pin(instructor, free!)).status).toBe(200)
  })
})

describe('liking', () => {
  test('twice is once, by one person at fifty moments, and by fifty people at one', async () => {
    const { body: post } = await write(member, 'Like me')
    const twice = await all(50, () => like(member, post.id))
    for (const { body } of twice) expect(body).toEqual({ liked: true, likesCount: 1 })
    const people = await manyMembers(50)
    const counts = await Promise.all(people.map((person) => like(person, post.id)))
    expect(counts.map(({ body }) => body.likesCount).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 2),
    )
    expect(await countsOf(post.id)).toEqual({ kept: 51, counted: 51 })
    // Back and forth at once: whatever comes last, the count is that of the rows.
    await Promise.all(
      people.flatMap((person) => [like(person, post.id, false), like(person, post.id, true)]),
    )
    const mixed = await countsOf(post.id)
    expect(mixed?.kept).toBe(mixed?.counted)
    await Promise.all(people.map((person) => like(person, post.id, false)))
    expect((await like(member, post.id, false)).body).toEqual({ liked: false, likesCount: 0 })
    expect((await like(member, post.id, false)).body).toEqual({ liked: false, likesCount: 0 })
    expect(await countsOf(post.id)).toEqual({ kept: 0, counted: 0 })
  })

  test('is not for administrators, nor for who has left', async () => {
    const { body: post } = await write(member, 'Like me')
    expect(codeOf(await like(administrator, post.id))).toEqual([403, 'MEMBERS_ONLY'])
    expect((await like(instructor, post.id)).body.likesCount).toBe(1)
    expect((await like(other, post.id)).body.likesCount).toBe(2)
    await leave(other)
    expect((await like(other, post.id, false)).status).toBe(403)
    expect(await countsOf(post.id)).toEqual({ kept: 2, counted: 2 })
  })

  test('200 times a second is answered with words, and counted right', async () => {
    const { body: post } = await write(member, 'Like me')
    const answers = await all(200, (index) => like(member, post.id, index % 2 === 0))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(80)
    expect(refused[0]?.body.message).toBe('You are liking very fast. Please wait a minute.')
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120)
    const counts = await countsOf(post.id)
    expect(counts?.kept).toBe(counts?.counted)
    expect((await like(other, post.id)).status).toBe(200)
  })

  test('takes the guard, the limit and one statement', async () => {
    const { body: post } = await write(member, 'Like me')
    await like(member, post.id)
    const statements = watchStatements(app)
    await like(member, post.id, false)
    const sent = await statements.during(() => like(member, post.id))
    expect(sent.filter((text) => !text.includes('rate_limits'))).toHaveLength(2)
  })
})
