// The feed of a course: what stands in it, in which order, and what it costs.
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
import { feedCursor, readFeedCursor } from './feed-cursor.ts'
import type { Post } from './schema.ts'

type Course = Awaited<ReturnType<typeof makeCourse>>
interface Caller {
  id: string
  cookie: string
}

let app: TestApp
let instructor: Caller
let member: Caller
let administrator: Caller

beforeAll(async () => {
  app = await startTestApp()
  ;[instructor, member, administrator] = await Promise.all([
    makeCaller(),
    makeCaller(),
    makeCaller(),
  ])
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [administrator.id])
})
afterAll(() => app?.stop())

async function makeCaller(): Promise<Caller> {
  const { id } = await makePerson(app.services)
  return { id, cookie: await sessionCookieOf(app.services, id) }
}

async function newCourse(): Promise<Course> {
  const course = await makeCourse(app.services, instructor)
  await joinCourse(app.services, member, course)
  return course
}

const feedOf = (course: Course, query = '', { cookie }: Caller = member) =>
  app.request(`/rest/v1/courses/${course.slug}/posts${query}`, { cookie })

const textsOf = (body: { posts: Post[] }) => body.posts.map(({ content }) => content)

/** Minutes after a point in time. */
const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes))

const setLikes = (postId: string, likes: number) =>
  app.services.pool.query('update posts set likes_count = $2 where id = $1', [postId, likes])

const pin = (postId: string) =>
  app.request(`/rest/v1/posts/${postId}/pin`, {
    method: 'PUT',
    cookie: instructor.cookie,
    body: { isPinned: true },
  })

/** All pages, from the first to the last. */
async function allPages(course: Course, query: string): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { status, body } = await feedOf(course, `?${query}${cursor && `&cursor=${cursor}`}`)
    expect(status).toBe(200)
    pages.push(textsOf(body))
    cursor = body.nextCursor
  }
  return pages
}

describe('the order', () => {
  let course: Course
  const total = 45
  const likesOf = (index: number) => (index * 7) % 5
  const all = Array.from({ length: total }, (_, index) => index)
  const names = (indexes: number[]) => indexes.map((index) => `post ${index}`)
  const byLikes = all.toSorted((a, b) => likesOf(b) - likesOf(a) || b - a)

  beforeAll(async () => {
    course = await newCourse()
    // Some of one moment: then the id decides.
    for (const index of all) {
      const id = await makePost(app.services, course, {
        by: index % 2 ? member : instructor,
        content: `post ${index}`,
        at: at(index - (index % 3)),
      })
      await setLikes(id, likesOf(index))
    }
  })

  test.each([
    ['newest', all.toReversed()],
    ['helpful', all.toReversed()],
    ['oldest', all],
    ['highest', byLikes],
    ['lowest', byLikes.toReversed()],
  ])('%s: every post once, 20 on a page', async (sort, order) => {
    const pages = await allPages(course, `sort=${sort}`)
    expect(pages.map(({ length }) => length)).toEqual([20, 20, 5])
    const likes = (texts: string[]) => texts.map((text) => likesOf(Number(text.slice(5))))
    expect(pages.flat().toSorted()).toEqual(names(order).toSorted())
    if (sort === 'newest' || sort === 'oldest' || sort === 'helpful') {
      expect(pages.flat()).toEqual(names(order))
    } else {
      expect(likes(pages.flat())).toEqual(likes(names(order)))
    }
  })

  test('newest comes first when nothing is said', async () => {
    expect(textsOf((await feedOf(course)).body)).toEqual(names(all.toReversed().slice(0, 20)))
  })

  test('a page stays where it was while posts are written and deleted', async () => {
    const growing = await newCourse()
    const ids: string[] = []
    for (const index of all) {
      ids.push(await makePost(app.services, growing, { content: `post ${index}`, at: at(index) }))
    }
    const first = (await feedOf(growing)).body
    await makePost(app.services, growing, { content: 'new' })
    await app.services.pool.query('delete from posts where id = any ($1)', [[ids[25], ids[24]]])
    const second = (await feedOf(growing, `?cursor=${first.nextCursor}`)).body
    expect(textsOf(second)).toEqual(
      names(all.toReversed().filter((index) => index < 24)).slice(0, 20),
    )
  })

  test.each(['x', '1.2.3', '1.1', `1.1.${'g'.repeat(36)}`, '-1.5.x', '', "1' or true"])(
    'a cursor that is none (%s) is answered with a sentence',
    async (cursor) => {
      const { status, body } = await feedOf(course, `?cursor=${encodeURIComponent(cursor)}`)
      expect([status, body.message]).toEqual([400, 'This is not a place in the list'])
    },
  )

  test('a cursor is read as it was written', () => {
    const place = { likes: 7, at: '1700000000123456', id: crypto.randomUUID() }
    expect(readFeedCursor(feedCursor(place))).toEqual(place)
    expect(readFeedCursor(`9999999999.1.${place.id}`)).toBeNull()
  })
})

test('pinned posts come first, in every order, on the first page only', async () => {
  const course = await newCourse()
  const ids: string[] = []
  for (let index = 0; index < 25; index++) {
    ids.push(await makePost(app.services, course, { content: `post ${index}`, at: at(index) }))
  }
  // The older post is pinned last: it is the first of them.
  expect((await pin(ids[20]!)).status).toBe(200)
  expect((await pin(ids[3]!)).status).toBe(200)
  for (const sort of ['newest', 'oldest', 'highest', 'lowest', 'helpful']) {
    const pages = await allPages(course, `sort=${sort}`)
    expect(pages[0]!.slice(0, 2)).toEqual(['post 3', 'post 20'])
    expect(pages.map(({ length }) => length)).toEqual([22, 3])
    expect(new Set(pages.flat()).size).toBe(25)
  }
})

test('twenty posts are one page; of twenty-one the last has a page of its own', async () => {
  const course = await newCourse()
  for (let index = 0; index < 20; index++) {
    await makePost(app.services, course, { content: `post ${index}`, at: at(index) })
  }
  expect((await allPages(course, 'sort=newest')).map(({ length }) => length)).toEqual([20])
  await makePost(app.services, course, { content: 'post 20', at: at(20) })
  const pages = await allPages(course, 'sort=newest')
  expect(pages.map(({ length }) => length)).toEqual([20, 1])
  expect(pages[1]).toEqual(['post 0'])
})

test('a channel has its own posts; one of another course has none', async () => {
  const course = await newCourse()
  const other = await newCourse()
  const channelIn = async ({ id }: Course) => {
    const { rows } = await app.services.pool.query<{ id: string }>(
      `insert into community_channels (course_id, name, order_index) values ($1, 'Wins', 1) returning id`,
      [id],
    )
    return rows[0]!.id
  }
  const [channelId, foreignId] = [await channelIn(course), await channelIn(other)]
  for (let index = 0; index < 22; index++) {
    await makePost(app.services, course, { content: `in ${index}`, channelId, at: at(index) })
  }
  await makePost(app.services, course, { content: 'out' })
  await makePost(app.services, other, { content: 'foreign', channelId: foreignId })
  for (const sort of ['newest', 'oldest', 'highest', 'lowest']) {
    const pages = await allPages(course, `sort=${sort}&channelId=${channelId}`)
    expect(pages.flat().toSorted()).toEqual(
      Array.from({ length: 22 }, (_, index) => `in ${index}`).toSorted(),
    )
  }
  const { body } = await feedOf(course, `?channelId=${channelId}`)
  expect(body.channels).toEqual([{ id: channelId, name: 'Wins' }])
  expect(body.posts[0].channel).toEqual({ id: channelId, name: 'Wins' })
  expect((await feedOf(course, `?channelId=${foreignId}`)).body.posts).toEqual([])
})

test('what is hidden or waits is in nobody’s feed', async () => {
  const course = await newCourse()
  await makePost(app.services, course, { content: 'shown' })
  for (const status of ['hidden', 'scheduled']) {
    const id = await makePost(app.services, course, { content: status })
    await app.services.pool.query('update posts set status = $2, is_pinned = true where id = $1', [
      id,
      status,
    ])
  }
  for (const caller of [member, instructor, administrator]) {
    expect(textsOf((await feedOf(course, '', caller)).body)).toEqual(['shown'])
  }
})

test('says of every post what the viewer sees of it, and what they may do', async () => {
  const course = await newCourse()
  const mine = await makePost(app.services, course, { by: member, content: 'mine', at: at(1) })
  await makePost(app.services, course, { content: 'theirs', at: at(2) })
  await makeComment(app.services, mine, { by: instructor })
  await app.request(`/rest/v1/posts/${mine}/like`, {
    method: 'PUT',
    cookie: member.cookie,
    body: { liked: true },
  })
  const { body } = await feedOf(course)
  expect(body.course).toEqual({ id: course.id, slug: course.slug, title: expect.any(String) })
  expect(body.videoMaxMb).toBe(app.services.config.videoMaxMb)
  const facts = { attachments: [], mentions: [], poll: null, channel: null, isPinned: false }
  expect(body.posts).toMatchObject([
    { ...facts, content: 'theirs', isOwn: false, liked: false, author: { isInstructor: true } },
    {
      ...facts,
      content: 'mine',
      isOwn: true,
      liked: true,
      likesCount: 1,
      commentsCount: 1,
      author: { id: member.id, isInstructor: false, verified: false },
      createdAt: at(1).toISOString(),
      updatedAt: at(1).toISOString(),
    },
  ])
  const rightsOf = async (caller: Caller) => (await feedOf(course, '', caller)).body.rights
  const none = { canPost: false, canManage: false, canModerate: false, hasAdvanced: false }
  expect(await rightsOf(member)).toEqual({ ...none, canPost: true, openCases: null })
  expect(await rightsOf(administrator)).toEqual({ ...none, canModerate: true, openCases: 0 })
  await app.services.pool.query('insert into plan_grants (user_id) values ($1)', [instructor.id])
  await app.services.pool.query(
    `insert into moderation_cases (course_id, subject, post_id, content, about_instructor)
     values ($1, 'post', $2, 'mine', false), ($1, 'comment', $2, 'theirs', true)`,
    [course.id, mine],
  )
  const all = { canPost: true, canManage: true, canModerate: true, hasAdvanced: true }
  expect(await rightsOf(instructor)).toEqual({ ...all, openCases: 1 })
  expect((await rightsOf(administrator)).openCases).toBe(2)
})

test('a stranger and who has not joined are told so', async () => {
  const course = await newCourse()
  const path = `/rest/v1/courses/${course.slug}/posts`
  expect((await app.request(path)).status).toBe(401)
  const outsider = await makeCaller()
  const { status, body } = await feedOf(course, '', outsider)
  expect([status, body.message]).toEqual([403, 'Join this course to see this.'])
})

test('takes two statements, with no post as with many', async () => {
  const course = await newCourse()
  const statements = watchStatements(app)
  await feedOf(course)
  expect(await statements.during(() => feedOf(course))).toHaveLength(2)
  for (let index = 0; index < 25; index++) {
    const id = await makePost(app.services, course, { content: `post ${index}` })
    await makeComment(app.services, id, { by: member })
  }
  expect(await statements.during(() => feedOf(course))).toHaveLength(2)
  expect(await statements.during(() => feedOf(course, '?sort=lowest'))).toHaveLength(2)
})
