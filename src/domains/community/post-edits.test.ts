// What of a post can be changed, what of it counts as an edit, and who hears of it.
import { ORPCError } from '@orpc/client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  makeCourse,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { forgetLimits } from '../../../test/forget-limits.ts'
import type { PostEditInput } from './schema.ts'
import { editOverOwn } from './ui/edit-over-own.ts'

let app: TestApp
let instructor: Someone
let member: Someone
let other: Someone
let course: Awaited<ReturnType<typeof makeCourse>>

beforeAll(async () => {
  app = await startTestApp()
  ;[instructor, member, other] = [await someone(), await someone(), await someone()]
  await query('insert into plan_grants (user_id) values ($1)', instructor.id)
})
beforeEach(async () => {
  await forgetLimits(app.services.pool)
  course = await makeCourse(app.services, instructor)
  await joinCourse(app.services, member, course)
})
afterAll(() => app?.stop())

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const query = async <Row = { id: string }>(text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows as Row[]

const send = (by: Someone, method: string, path: string, body?: object) =>
  app.request(`/rest/v1${path}`, { method, cookie: by.cookie, body })
const write = async (by: Someone, more: object = {}) => {
  const { status, body } = await send(by, 'POST', '/posts', {
    courseId: course.id,
    content: 'Hello',
    ...more,
  })
  expect([status, body.message]).toEqual([200, undefined])
  return body
}
const edit = (by: Someone, postId: string, more: object = {}) =>
  send(by, 'PUT', `/posts/${postId}`, { content: 'Hello', ...more })
const read = async (by: Someone, postId: string) => (await send(by, 'GET', `/posts/${postId}`)).body
const said = ({ status, body }: { status: number; body: { message?: string } }) => [
  status,
  body.message,
]

const channelOf = async ({ id }: { id: string }, name = 'Wins') =>
  (
    await query(
      'insert into community_channels (course_id, name, order_index) values ($1, $2, 1) returning id',
      id,
      name,
    )
  )[0]!.id

const fileOf = async (by: Someone, purpose = 'post_image') =>
  (
    await query(
      `insert into media_files (owner_id, course_id, purpose, status, filename, content_type, size_bytes)
       values ($1, $2, $3, 'ready', 'a', 'x/y', 10) returning id`,
      by.id,
      course.id,
      purpose,
    )
  )[0]!.id

const heard = async () =>
  (
    await query<{ change: string }>(
      `select event ->> 'change' as change from live_events
        where topic = $1 and event ->> 'type' = 'post' order by id`,
      `course:${course.id}`,
    )
  ).map(({ change }) => change)
const noticesOf = (person: Someone) =>
  query(
    'select kind from notifications where user_id = $1 and href like $2',
    person.id,
    `/course/${course.slug}%`,
  )
const inFuture = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const later = (more: object = {}) => write(instructor, { scheduledFor: inFuture(60), ...more })

describe('a channel', () => {
  test('is changed without that being an edit, and nobody is named anew by it', async () => {
    const [wins, foreign] = [
      await channelOf(course),
      await channelOf(await makeCourse(app.services, other)),
    ]
    const content = `Hello @${other.username}`
    const post = await write(member, { content })
    // Joins after the post was written.
    await joinCourse(app.services, other, course)
    const moved = await edit(member, post.id, { content, channelId: wins })
    expect(moved.body).toEqual({ ...post, channel: { id: wins, name: 'Wins' } })
    expect((await noticesOf(other)).length).toBe(0)
    expect(await heard()).toEqual(['created', 'changed'])
    const refused = await edit(member, post.id, { content: 'Else', channelId: foreign })
    expect(said(refused)).toEqual([
      400,
      'This channel does not exist any more. Please choose again.',
    ])
    expect(await read(member, post.id)).toEqual(moved.body)
    // Where it stands already it may stay.
    const same = await edit(member, post.id, { content, channelId: wins })
    expect(same.body).toEqual(moved.body)
    expect(await heard()).toEqual(['created', 'changed'])
    expect((await edit(member, post.id, { content })).body).toEqual(post)
    expect(await heard()).toEqual(['created', 'changed', 'changed'])
  })
})

describe('attachments', () => {
  const pages = ['https://vimeo.com/123456', 'https://vimeo.com/654321']

  test('others, and in another order, are an edit; the same are none', async () => {
    const [image, film] = [await fileOf(member), await fileOf(member, 'post_video')]
    const [one, two] = [{ mediaId: image }, { url: pages[0]! }]
    const post = await write(member, { attachments: [one, two] })
    expect(post.attachments).toMatchObject([
      { kind: 'image', mediaId: image },
      { kind: 'link', url: pages[0] },
    ])
    const shouted = { mediaId: image.toUpperCase() }
    expect((await edit(member, post.id, { attachments: [shouted, two] })).body).toEqual(post)
    expect(await heard()).toEqual(['created'])

    const turned = (await edit(member, post.id, { attachments: [two, one] })).body
    expect(turned.attachments).toEqual(post.attachments.toReversed())
    expect(turned.updatedAt > turned.createdAt).toBe(true)
    const more = (await edit(member, post.id, { attachments: [two, one, { mediaId: film }] })).body
    expect(more.attachments[2]).toMatchObject({ kind: 'video', mediaId: film, filename: 'a' })
    expect(more.updatedAt > turned.updatedAt).toBe(true)
    const alone = (await edit(member, post.id, { attachments: [{ url: pages[1] }] })).body
    expect(alone.attachments).toEqual([{ kind: 'link', url: pages[1] }])
    const none = (await edit(member, post.id)).body
    expect(none.attachments).toEqual([])
    expect(await heard()).toEqual(['created', ...Array(4).fill('changed')])
    // What is left out goes with its bytes.
    expect(await query('select id from media_files where id = any ($1)', [image, film])).toEqual([])
  })

  test('that cannot be kept leave the post as it was', async () => {
    const [kept, foreign] = [await fileOf(member), await fileOf(other)]
    const post = await write(member, { attachments: [{ mediaId: kept }] })
    const elsewhere = await fileOf(member)
    await write(member, { attachments: [{ mediaId: elsewhere.toUpperCase() }] })
    const page = { url: pages[0] }
    for (const [attachments, message] of [
      [
        [{ mediaId: foreign }],
        'One of the attachments is no longer there, or its upload is not finished. Please remove it and add it again.',
      ],
      [
        [{ mediaId: elsewhere }],
        'One of the attachments stands in another post already. Please add it again.',
      ],
      [[page, page], 'The same attachment stands there twice. Please remove one of them.'],
      [
        [page, { url: 'https://example.com/a.mp4' }],
        'Please use a link from YouTube, Vimeo, Loom or Wistia.',
      ],
      [[{ url: 'no address' }], 'Please use a link from YouTube, Vimeo, Loom or Wistia.'],
    ] as const) {
      const refused = await edit(member, post.id, { content: 'Else', attachments })
      expect([...said(refused), refused.body.code]).toEqual([400, message, 'BAD_REQUEST'])
    }
    expect(await read(member, post.id)).toEqual(post)
    // What was just uploaded for another post is still there.
    expect((await query('select id from media_files where id = $1', foreign)).length).toBe(1)
  })
})

describe('one that was changed since it was read', () => {
  const changed =
    'This post was changed since you opened it. Copy what you wrote, load the page again, and put both together.'

  test('is not overwritten, with its new pictures', async () => {
    const [post, picture] = [await write(member), await fileOf(member)]
    const known = post.updatedAt
    const attachments = [{ mediaId: picture }]
    const newer = (await edit(member, post.id, { known, content: 'Newer', attachments })).body
    expect(newer).toMatchObject({ content: 'Newer', attachments })
    for (const stale of [
      { content: 'Else' },
      { content: 'Newer' },
      { content: 'Else', attachments },
    ]) {
      const refused = await edit(member, post.id, { known, ...stale })
      expect([...said(refused), refused.body.code]).toEqual([409, changed, 'CONFLICT'])
    }
    expect(await read(member, post.id)).toEqual(newer)
    expect((await query('select id from media_files where id = $1', picture)).length).toBe(1)
    // Who knows what it says by now, or asks for nothing of that kind, changes it.
    const both = await edit(member, post.id, {
      known: newer.updatedAt,
      content: 'Both',
      attachments,
    })
    expect(both.body).toMatchObject({ content: 'Both', attachments })
    expect((await edit(member, post.id, { content: 'All' })).body.content).toBe('All')
  })

  test('by this very edit, whose answer was lost, is saved', async () => {
    const [post, wins] = [await write(member), await channelOf(course)]
    const sent = { known: post.updatedAt, content: 'Newer', channelId: wins }
    const saved = (await edit(member, post.id, sent)).body
    expect((await edit(member, post.id, sent)).body).toEqual(saved)
  })

  /** The page of the author, with what becomes of its calls. */
  function pageOf(author: Someone) {
    const page = {
      loses: null as 'calls' | 'answers' | null,
      save: (change: PostEditInput) =>
        editOverOwn(change, async ({ postId, ...more }) => {
          if (page.loses === 'calls') throw new TypeError('Failed to fetch')
          const { status, body } = await edit(author, postId, more)
          if (page.loses === 'answers') throw new TypeError('Failed to fetch')
          if (status !== 200) throw new ORPCError(body.code, { status, message: body.message })
          return body
        }),
    }
    return page
  }

  test('by edits whose answers were lost is edited further, with its new pictures', async () => {
    const [post, picture, page] = [await later(), await fileOf(instructor), pageOf(instructor)]
    const known = post.updatedAt
    const opened = { postId: post.id, known, attachments: [{ mediaId: picture }] }
    for (const [loses, content] of [
      ['calls', 'Newe'],
      ['answers', 'Newr'],
    ] as const) {
      page.loses = loses
      const sent = page.save({ ...opened, content, scheduledFor: inFuture(90) })
      await expect(sent).rejects.toThrow('Failed to fetch')
    }
    page.loses = null
    expect(await page.save({ ...opened, content: 'Newer' })).toMatchObject({
      content: 'Newer',
      attachments: [{ mediaId: picture }],
    })
    // What is heard of is known by its answer.
    const late = page.save({ ...opened, content: 'Newest' })
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT', message: changed })
  })

  test('elsewhere since the answer of an edit was lost is not overwritten either', async () => {
    const [post, page] = [await write(member), pageOf(member)]
    const opened = { postId: post.id, known: post.updatedAt }
    page.loses = 'answers'
    await expect(page.save({ ...opened, content: 'Newr' })).rejects.toThrow('Failed to fetch')
    page.loses = null
    await edit(member, post.id, { content: 'On the phone' })
    const late = page.save({ ...opened, content: 'Newer' })
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT', message: changed })
    expect((await read(member, post.id)).content).toBe('On the phone')
  })

  test('by a time that came is edited', async () => {
    const post = await write(instructor, { scheduledFor: inFuture(60) })
    await send(instructor, 'POST', `/posts/${post.id}/publication`)
    const late = { known: post.updatedAt, content: 'Mended' }
    expect((await edit(instructor, post.id, late)).body).toMatchObject({
      content: 'Mended',
      status: 'published',
    })
    const refused = await edit(instructor, post.id, { ...late, content: 'Once more' })
    expect(said(refused)).toEqual([409, changed])
  })
})

describe('a post that waits', () => {
  test('is edited without anybody hearing of it', async () => {
    const post = await later()
    const content = `Hello @${member.username}`
    const changed = (await edit(instructor, post.id, { content })).body
    expect(changed).toMatchObject({
      content,
      mentions: [],
      status: 'scheduled',
      scheduledFor: post.scheduledFor,
    })
    expect(await noticesOf(member)).toEqual([])
    expect(await heard()).toEqual([])
  })

  test('is not there for anybody else', async () => {
    const post = await later()
    expect(said(await edit(member, post.id))).toEqual([404, 'Post not found'])
    expect(said(await send(member, 'DELETE', `/posts/${post.id}`))).toEqual([404, 'Post not found'])
    expect(said(await send(member, 'PUT', `/posts/${post.id}/like`, { liked: true }))).toEqual([
      404,
      'Post not found',
    ])
    expect((await read(instructor, post.id)).content).toBe('Hello')
  })

  test('gets another time alone, which is no edit, and keeps the one it has', async () => {
    const post = await later()
    const scheduledFor = inFuture(120)
    const put = (await edit(instructor, post.id, { scheduledFor })).body
    expect(put).toEqual({ ...post, scheduledFor })
    const distant = await edit(instructor, post.id, { scheduledFor: inFuture(366 * 1440) })
    expect(said(distant)).toEqual([400, 'A post can be scheduled for at most 365 days ahead'])
    // Its time has come while it is edited: that is none of the editor's business.
    const [due] = await query<{ at: Date }>(
      `update posts set scheduled_for = date_trunc('milliseconds', now() - interval '1 minute')
        where id = $1 returning scheduled_for as at`,
      post.id,
    )
    const same = await edit(instructor, post.id, {
      content: 'Else',
      scheduledFor: due!.at.toISOString(),
    })
    expect(same.body).toMatchObject({ content: 'Else', scheduledFor: due!.at.toISOString() })
  })

  test('with a poll is published before that closes', async () => {
    const closesAt = inFuture(180)
    const post = await later({ poll: { options: ['a', 'b'], closesAt } })
    expect(post.poll).toMatchObject({ closesAt, isClosed: false, votesCount: 0 })
    const early = 'The poll would be closed before the post is published.'
    expect(said(await edit(instructor, post.id, { scheduledFor: closesAt }))).toEqual([400, early])
    expect((await read(instructor, post.id)).scheduledFor).toBe(post.scheduledFor)
    const scheduledFor = inFuture(179)
    expect((await edit(instructor, post.id, { scheduledFor })).body).toMatchObject({ scheduledFor })
  })

  test('and is announced finds its place among the others of its day', async () => {
    const announced = { isAnnouncement: true }
    const posts = [
      await later(announced),
      await later({ ...announced, scheduledFor: inFuture(90) }),
      await later({ ...announced, scheduledFor: inFuture(100) }),
    ]
    // Without one of them there are two: it does not stand in its own way.
    const moved = await edit(instructor, posts[0].id, { scheduledFor: inFuture(70) })
    expect(moved.status).toBe(200)
    // What waits and is not announced takes nobody's place.
    await later()
    const published = await send(instructor, 'POST', `/posts/${posts[0].id}/publication`)
    expect([published.status, published.body.status]).toEqual([200, 'published'])
    const fourth = await send(instructor, 'POST', '/posts', {
      courseId: course.id,
      content: 'Once more',
      ...announced,
    })
    expect([...said(fourth), fourth.body.code]).toEqual([
      409,
      'You can announce up to 3 posts in 24 hours. Please post it without an announcement, or another day.',
      'CONFLICT',
    ])
    const away = await later({ ...announced, scheduledFor: inFuture(4 * 1440) })
    const back = await edit(instructor, away.id, { scheduledFor: inFuture(80) })
    expect([back.status, back.body.code]).toEqual([409, 'CONFLICT'])
    const now = await send(instructor, 'POST', `/posts/${away.id}/publication`)
    expect([now.status, now.body.code]).toEqual([409, 'CONFLICT'])
    expect((await read(instructor, away.id)).scheduledFor).toBe(away.scheduledFor)
    // What is not announced is published whenever one likes.
    const plain = await later()
    const shown = await send(instructor, 'POST', `/posts/${plain.id}/publication`)
    expect([shown.status, shown.body.status]).toEqual([200, 'published'])
  })

  test('and then is there has no time to be put off to', async () => {
    const post = await write(instructor)
    expect((await edit(instructor, post.id, { scheduledFor: inFuture(60) })).body).toEqual(post)
    expect(
      await query('select 1 from graphile_worker.jobs where key = $1', `scheduled-post:${post.id}`),
    ).toEqual([])
  })

  test('of an instructor before this one is no longer published', async () => {
    const id = await makePost(app.services, course, { by: member })
    await query(
      `update posts set status = 'scheduled', scheduled_for = now() + interval '1 hour' where id = $1`,
      id,
    )
    const published = await send(instructor, 'POST', `/posts/${id}/publication`)
    expect(said(published)).toEqual([404, 'This post does not wait to be published any more.'])
    expect((await send(instructor, 'GET', `/courses/${course.id}/scheduled-posts`)).body).toEqual({
      posts: [],
    })
  })
})
