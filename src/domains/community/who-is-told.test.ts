// Who hears of what is written: people by notices, programs of the creator by their events, open pages live.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { waitingFor } from '../../../test/behind-change.ts'
import {
  joinCourse,
  makeCase,
  makeComment,
  makeCourse,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { jobsDone, mailsTo } from '../../../test/mailbox.ts'
import { sendDigests } from '../notifications/digest.ts'
import { announcePost, announceToMembers } from './announce-post.ts'
import { setPostHidden } from './hide-post.ts'
import { leaveCommunity } from './leave-community.ts'
import { publishScheduledPost } from './publish-scheduled.ts'
import { takeBackAnnouncement } from './take-back-announcement.ts'

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

const query = async <Row = Record<string, unknown>>(text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows as Row[]

async function makeClass() {
  const instructor = await someone('Ida')
  const course = await makeCourse(app.services, instructor, { title: 'Knots ⚡' })
  const [ann, bob] = [await someone('Ann'), await someone('Bob')]
  for (const person of [ann, bob]) await joinCourse(app.services, person, course)
  await query('delete from notifications')
  return { instructor, course, ann, bob }
}

const send = async (by: Someone, method: string, path: string, body?: object) => {
  const { status, body: answer } = await app.request(`/rest/v1${path}`, {
    method,
    cookie: by.cookie,
    body,
  })
  expect([status, answer.message]).toEqual([200, undefined])
  return answer
}
const comment = (by: Someone, postId: string, content: string, parentId?: string) =>
  send(by, 'POST', '/comments', { postId, content, parentId })

const told = async (person: Someone) =>
  (
    await query<{ kind: string }>(
      'select kind from notifications where user_id = $1 order by id',
      person.id,
    )
  ).map(({ kind }) => kind)

const heardIn = async (course: { id: string }, after = 0) =>
  (
    await query<{ event: object }>(
      'select event from live_events where topic = $1 and id > $2 order by id',
      `course:${course.id}`,
      after,
    )
  ).map(({ event }) => event)
const lastEvent = async () =>
  (await query<{ id: number }>('select coalesce(max(id), 0)::int as id from live_events'))[0]!.id

test('nobody hears of what they wrote themselves', async () => {
  const { course, ann, bob } = await makeClass()
  const postId = await makePost(app.services, course, { by: ann })
  const own = await comment(ann, postId, `To myself, @${ann.username}`)
  await comment(ann, postId, 'And once more', own.id)
  expect(await told(ann)).toEqual([])
  // Others, once for one reason each.
  await comment(bob, postId, `To you, @${ann.username}`, own.id)
  expect(await told(ann)).toEqual(['comment_replied'])
  await comment(bob, postId, 'To your post')
  expect(await told(ann)).toEqual(['comment_replied', 'comment_written'])
  await comment(bob, postId, `To you, @${ann.username}`)
  expect(await told(ann)).toEqual(['comment_replied', 'comment_written', 'mentioned'])
  expect(await told(bob)).toEqual([])
})

test('the author of a post who has left hears of no comment', async () => {
  const { course, ann, bob } = await makeClass()
  const postId = await makePost(app.services, course, { by: ann })
  await query('delete from enrollments where user_id = $1', ann.id)
  await comment(bob, postId, 'Are you there?')
  expect(await told(ann)).toEqual([])
})

test('who looks at a post again is told of what comes after', async () => {
  const { course, ann, bob } = await makeClass()
  const postId = await makePost(app.services, course, { by: ann })
  const other = await makePost(app.services, course, { by: ann })
  const place = `/course/${course.slug}/dashboard?tab=discussion&post=${postId}`
  for (const text of ['First', 'Second']) await comment(bob, postId, text)
  expect(await told(ann)).toEqual(['comment_written'])
  await comment(bob, other, 'Elsewhere')
  await send(ann, 'POST', '/notifications/read', { about: place })
  for (const text of ['Third', 'Fourth']) await comment(bob, postId, text)
  await comment(bob, other, 'Elsewhere again')
  expect(
    await query('select read, href from notifications where user_id = $1 order by id', ann.id),
  ).toEqual([
    { read: true, href: expect.stringContaining(place) },
    { read: false, href: expect.stringContaining(other) },
    { read: false, href: expect.stringContaining(place) },
  ])
})

test('an edit tells whom it names for the first time, and leads there', async () => {
  const { course, ann, bob } = await makeClass()
  const { id: postId } = await send(ann, 'POST', '/posts', { courseId: course.id, content: 'Hi' })
  await send(ann, 'PUT', `/posts/${postId}`, {
    content: `Hi @${bob.username} and @${ann.username}`,
  })
  const { id } = await comment(ann, postId, 'And')
  await send(ann, 'PUT', `/comments/${id}`, {
    content: `And @${bob.username} and @${ann.username}`,
  })
  const place = `/course/${course.slug}/dashboard?tab=discussion&post=${postId}`
  const message = 'Somebody mentioned you in the discussion of “Knots”.'
  expect(
    await query(
      'select kind, message, href from notifications where user_id = $1 order by id',
      bob.id,
    ),
  ).toEqual([
    { kind: 'mentioned', message, href: place },
    { kind: 'mentioned', message, href: `${place}&comment=${id}` },
  ])
  expect(await told(ann)).toEqual([])
  const { mentions } = await send(bob, 'GET', `/posts/${postId}`)
  expect(mentions).toEqual(
    expect.arrayContaining([
      { handle: bob.username, name: 'Bob', username: bob.username },
      { handle: ann.username, name: 'Ann', username: ann.username },
    ]),
  )
})

test('programs of the creator are told of posts and comments when they are there', async () => {
  const { course, instructor, ann } = await makeClass()
  // It rests, so nothing is sent: what is kept for it is all that matters here.
  const [endpoint] = await query<{ id: string }>(
    `insert into webhook_endpoints (user_id, url, events, sealed_secret, rests_until)
     values ($1, 'https://example.com/hook', '{post.created,comment.created}', 'sealed',
             now() + interval '10 minutes') returning id`,
    instructor.id,
  )
  const { id: postId } = await send(ann, 'POST', '/posts', { courseId: course.id, content: 'Hi' })
  const first = await comment(instructor, postId, 'Welcome')
  const second = await comment(ann, postId, 'Thank you', first.id)
  const [later] = await query<{ id: string }>(
    `insert into posts (course_id, user_id, content, status, scheduled_for, is_announcement)
     values ($1, $2, 'Later', 'scheduled', now(), true) returning id`,
    course.id,
    instructor.id,
  )
  const kept = () =>
    query(
      'select type, about_id as by, data from webhook_messages where endpoint_id = $1 order by id',
      endpoint!.id,
    )
  expect(await kept()).toHaveLength(3)
  await publishScheduledPost({ postId: later!.id }, app.services)
  const about = (person: Someone) => ({
    course: { id: course.id, slug: course.slug, title: 'Knots ⚡' },
    person: { id: person.id, name: person.name, username: person.username },
  })
  const post = { id: postId, content: 'Hi', isAnnouncement: false }
  const announced = { id: later!.id, content: 'Later', isAnnouncement: true }
  expect(await kept()).toEqual([
    { type: 'post.created', by: ann.id, data: { ...about(ann), post } },
    {
      type: 'comment.created',
      by: instructor.id,
      data: {
        ...about(instructor),
        comment: { id: first.id, postId, parentId: null, content: 'Welcome' },
      },
    },
    {
      type: 'comment.created',
      by: ann.id,
      data: {
        ...about(ann),
        comment: { id: second.id, postId, parentId: first.id, content: 'Thank you' },
      },
    },
    { type: 'post.created', by: instructor.id, data: { ...about(instructor), post: announced } },
  ])
})

test('open pages hear of posts that are pinned, hidden and shown again, each once', async () => {
  const { course, instructor, ann } = await makeClass()
  const { id: postId } = await send(ann, 'POST', '/posts', { courseId: course.id, content: 'Hi' })
  const since = await lastEvent()
  const pin = (isPinned: boolean) => send(instructor, 'PUT', `/posts/${postId}/pin`, { isPinned })
  const hide = (hidden: boolean) =>
    app.services.db.transaction((transaction) =>
      setPostHidden(transaction, { postId, courseId: course.id, hidden }),
    )
  for (const isPinned of [true, true, false, false]) await pin(isPinned)
  for (const hidden of [true, true, false, false]) await hide(hidden)
  await send(instructor, 'DELETE', `/posts/${postId}`)
  const about = { type: 'post', courseId: course.id, postId }
  expect(await heardIn(course, since)).toEqual([
    { ...about, change: 'changed' },
    { ...about, change: 'changed' },
    { ...about, change: 'removed' },
    { ...about, change: 'changed' },
    { ...about, change: 'removed' },
  ])
})

test('an announcement that was hidden before its turn is told of when it is shown', async () => {
  const { course, instructor, ann } = await makeClass()
  const postId = await makePost(app.services, course, { content: 'News' })
  await query(`update posts set status = 'hidden' where id = $1`, postId)
  await announceToMembers({ postId }, app.services)
  expect(await told(ann)).toEqual([])
  await query(`update posts set status = 'published' where id = $1`, postId)
  await announceToMembers({ postId }, app.services)
  await announceToMembers({ postId }, app.services)
  await announceToMembers({ postId: crypto.randomUUID() }, app.services)
  expect(await told(ann)).toEqual(['course_announcement'])
  expect(await told(instructor)).toEqual([])
})

test('two announcements of one moment are both told of', async () => {
  const { course, ann, instructor } = await makeClass()
  const ids = [await makePost(app.services, course), await makePost(app.services, course)]
  await app.services.db.transaction(async (transaction) => {
    for (const postId of ids) await announcePost(transaction, { postId, courseId: course.id })
  })
  await expect.poll(() => told(ann)).toEqual(['course_announcement', 'course_announcement'])
  expect(await told(instructor)).toEqual([])
})

describe('the words of an announcement', () => {
  type Class = Awaited<ReturnType<typeof makeClass>>

  async function announce({ instructor, course }: Class, content: string) {
    await query(
      'insert into plan_grants (user_id) values ($1) on conflict do nothing',
      instructor.id,
    )
    const draft = { courseId: course.id, content, isAnnouncement: true }
    const { id } = await send(instructor, 'POST', '/posts', draft)
    await jobsDone(app)
    return id as string
  }
  const bellOf = async (person: Someone) =>
    ((await send(person, 'GET', '/notifications')).notifications as { message: string }[]).map(
      ({ message }) => message,
    )
  const bellsRung = async (person: Someone) =>
    (
      await query(
        `select 1 from live_events where topic = $1 and event = '{"type": "notification"}'`,
        `person:${person.id}`,
      )
    ).length
  const hide = async ({ course, ann }: Class, postId: string) => {
    const administrator = await someone('Ada')
    await query(`update users set role = 'admin' where id = $1`, administrator.id)
    const caseId = await makeCase(app.services, course, { postId, by: ann })
    const decide = (action: 'hide' | 'restore') =>
      send(administrator, 'POST', `/moderation-cases/${caseId}/actions`, { action })
    await decide('hide')
    return { restore: () => decide('restore') }
  }
  const leave = ({ instructor }: Class, membersCourses: 'keep' | 'delete') =>
    send(instructor, 'POST', '/me/deletion', {
      confirmation: 'DELETE',
      password: instructor.password,
      membersCourses,
    })

  test.each<[string, (of: Class, postId: string) => Promise<unknown>]>([
    ['it is hidden', hide],
    ['it is deleted', (of, postId) => send(of.instructor, 'DELETE', `/posts/${postId}`)],
    ['its author leaves the course to its members', (of) => leave(of, 'keep')],
    ['its author leaves and deletes the course', (of) => leave(of, 'delete')],
    [
      'the course is deleted',
      ({ instructor, course }) =>
        send(instructor, 'POST', `/courses/${course.id}/deletion`, { title: 'Knots' }),
    ],
  ])('leave bells and daily mails when %s', async (_when, end) => {
    const [here, elsewhere] = [await makeClass(), await makeClass()]
    const { ann, bob, course } = here
    const daily = await someone('Dora')
    const away = await someone('Ed')
    for (const person of [daily, away]) await joinCourse(app.services, person, course)
    await query(
      `insert into notification_preferences (user_id, switch, in_app, email)
       values ($1, 'system_announcements', false, 'daily'),
              ($2, 'system_announcements', true, 'daily')`,
      daily.id,
      ann.id,
    )
    const postId = await announce(here, 'Secret words')
    await announce(elsewhere, 'Other words')
    // Who was told and has left the course since.
    await send(away, 'DELETE', `/enrollments/${course.id}`)
    for (const person of [ann, bob, away]) expect(await bellOf(person)).toEqual(['Secret words'])
    const rung = await bellsRung(bob)

    await end(here, postId)
    await jobsDone(app)
    await sendDigests({}, app.services)
    await jobsDone(app)
    for (const person of [ann, bob, daily, away]) {
      expect(await bellOf(person)).not.toContain('Secret words')
      expect(
        await query(
          `select 1 from notifications where user_id = $1 and kind = 'course_announcement'`,
          person.id,
        ),
      ).toEqual([])
    }
    for (const person of [ann, daily]) {
      const mails = await mailsTo(app, person.email)
      expect(mails.filter(({ text }) => text.includes('Secret words'))).toEqual([])
    }
    expect(await bellsRung(bob)).toBeGreaterThan(rung)
    expect(await bellOf(elsewhere.ann)).toEqual(['Other words'])
  })

  test('are taken back also from who was being told when it was hidden', async () => {
    const { course, ann } = await makeClass()
    const postId = await makePost(app.services, course, { content: 'Secret words' })
    await query('update posts set is_announcement = true where id = $1', postId)
    const someoneLeaving = await app.services.pool.connect()
    try {
      // The telling has to wait in its middle: it notes that it was told under this key.
      await someoneLeaving.query('begin')
      await someoneLeaving.query(
        `insert into rate_limits (key, points, expire) values ($1, 0, 0)`,
        [`announced:${postId}`],
      )
      const telling = announceToMembers({ postId }, app.services)
      await waitingFor(app.services, 1)
      await app.services.db.transaction((transaction) =>
        setPostHidden(transaction, { postId, courseId: course.id, hidden: true }),
      )
      // The job that takes it back waits for the telling.
      await waitingFor(app.services, 2)
      await someoneLeaving.query('rollback')
      await telling
    } finally {
      someoneLeaving.release(true)
    }
    await jobsDone(app)
    expect(await told(ann)).toEqual([])
  })

  test('are told when it is restored, if it was hidden before its turn', async () => {
    const here = await makeClass()
    const postId = await makePost(app.services, here.course, { content: 'News' })
    await query('update posts set is_announcement = true where id = $1', postId)
    const { restore } = await hide(here, postId)
    await announceToMembers({ postId }, app.services)
    await jobsDone(app)
    expect(await bellOf(here.bob)).toEqual([])
    await restore()
    await jobsDone(app)
    expect(await bellOf(here.bob)).toEqual(['News'])
  })

  test('are not told again when it is restored on the third day', async () => {
    const here = await makeClass()
    const postId = await announce(here, 'News')
    const { restore } = await hide(here, postId)
    await jobsDone(app)
    const days = 3 * 24 * 60 * 60 * 1000
    await query(`update rate_limits set expire = expire - ${days} where key like $1`, `%${postId}`)
    await restore()
    await jobsDone(app)
    expect(await bellOf(here.bob)).toEqual([])
  })

  test('stay when it is shown again before they were taken back', async () => {
    const { course, ann } = await makeClass()
    const postId = await makePost(app.services, course, { content: 'News' })
    await announceToMembers({ postId }, app.services)
    await takeBackAnnouncement({ postId, publishedAt: new Date().toISOString() }, app.services)
    expect(await told(ann)).toEqual(['course_announcement'])
  })

  test('are told within a week, or not at all', async () => {
    const { course, ann } = await makeClass()
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
    for (const [days, kinds] of [
      [7.1, []],
      [6.9, ['course_announcement']],
    ] as const) {
      const postId = await makePost(app.services, course, { at: daysAgo(days) })
      await announceToMembers({ postId }, app.services)
      expect(await told(ann)).toEqual(kinds)
    }
  })
})

test('open pages hear of everything that goes with an account', async () => {
  const { course, ann, bob } = await makeClass()
  const own = await makePost(app.services, course, { by: ann })
  const postId = await makePost(app.services, course, { by: bob })
  const answered = await makeComment(app.services, postId, { by: ann })
  const reply = await makeComment(app.services, postId, { by: bob, parentId: answered })
  const hidden = await makeComment(app.services, postId, { by: ann, parentId: answered })
  await query(`update comments set status = 'hidden' where id = $1`, hidden)
  await query('update comments set replies_count = 1 where id = $1', answered)
  await query('update posts set comments_count = 2 where id = $1', postId)
  await query('insert into polls (post_id) values ($1)', postId)
  const [option] = await query<{ id: string }>(
    `insert into poll_options (post_id, text, order_index) values ($1, 'a', 1) returning id`,
    postId,
  )
  await send(ann, 'PUT', `/posts/${postId}/like`, { liked: true })
  await send(ann, 'PUT', `/comments/${reply}/like`, { liked: true })
  await send(ann, 'PUT', `/posts/${postId}/vote`, { optionId: option!.id })
  // Another one likes what goes.
  await send(bob, 'PUT', `/comments/${answered}/like`, { liked: true })
  const since = await lastEvent()
  const leave = (person: Someone) =>
    app.services.db.transaction((transaction) => leaveCommunity(transaction, person.id))
  await leave(ann)
  const about = { courseId: course.id, postId }
  const events = await heardIn(course, since)
  expect(events).toHaveLength(6)
  expect(events).toEqual(
    expect.arrayContaining([
      { type: 'post', courseId: course.id, postId: own, change: 'removed' },
      { type: 'likes', ...about, commentId: null, likesCount: 0 },
      { type: 'likes', ...about, commentId: reply, likesCount: 0 },
      { type: 'comment', ...about, commentId: answered, change: 'changed', commentsCount: 1 },
      { type: 'comment', ...about, commentId: hidden, change: 'changed', commentsCount: 1 },
      { type: 'votes', ...about },
    ]),
  )
  expect(
    await query(
      `select id, status, likes_count as likes, replies_count as replies,
              (select count(*)::int from comment_likes where comment_id = comments.id) as kept
         from comments where post_id = $1 order by id`,
      postId,
    ),
  ).toEqual([
    { id: answered, status: 'deleted', likes: 0, replies: 1, kept: 0 },
    { id: reply, status: 'published', likes: 0, replies: 0, kept: 0 },
  ])
  // Who has nothing there leaves nothing and says nothing.
  const after = await lastEvent()
  await leave(await someone('Nobody'))
  expect(await heardIn(course, after)).toEqual([])
})
