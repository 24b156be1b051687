// Channels, polls, scheduled posts and announcements: what the instructor of a course has with Pro.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  makeCourse,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { behindChange } from '../../../test/behind-change.ts'
import { mailsTo, mailTo } from '../../../test/mailbox.ts'
import { announceToMembers } from './announce-post.ts'
import { presentPoll } from './present-poll.ts'
import { publishOverduePosts, publishScheduledPost } from './publish-scheduled.ts'
import { beginningOf } from './rules.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
// How fast somebody may write is tested elsewhere.
beforeEach(async () => {
  await query(`delete from rate_limits where key like 'post%' or key like 'like%'`)
})
afterAll(() => app?.stop())

const query = async <Row>(text: string, values: unknown[] = []) =>
  (await app.services.pool.query(text, values)).rows as Row[]

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const givePro = (person: { id: string }) =>
  query('insert into plan_grants (user_id) values ($1) on conflict do nothing', [person.id])
const endPro = (person: { id: string }) =>
  query('delete from plan_grants where user_id = $1', [person.id])

async function community({ pro = true } = {}) {
  const instructor = await someone('Ina')
  const course = await makeCourse(app.services, instructor, { title: 'Knots ⚡' })
  if (pro) await givePro(instructor)
  return { ...course, instructor }
}
type Community = Awaited<ReturnType<typeof community>>

async function member(course: Community, name = 'Mia') {
  const person = await someone(name)
  await joinCourse(app.services, person, course)
  return person
}

const call = (by: Someone, method: string, path: string, body?: object) =>
  app.request(path, { method, body, cookie: by.cookie })
const write = (course: Community, more: object = {}, by: Someone = course.instructor) =>
  call(by, 'POST', '/rest/v1/posts', { courseId: course.id, content: 'Hello all', ...more })
const channels = (course: Community, list: object[], by: Someone = course.instructor) =>
  call(by, 'PUT', `/rest/v1/courses/${course.id}/channels`, { channels: list })
const feed = async (course: Community, by: Someone, search = '') =>
  (await call(by, 'GET', `/rest/v1/courses/${course.slug}/posts${search}`)).body
const waiting = (course: Community, by: Someone = course.instructor) =>
  call(by, 'GET', `/rest/v1/courses/${course.id}/scheduled-posts`)
const publish = (postId: string, by: Someone) =>
  call(by, 'POST', `/rest/v1/posts/${postId}/publication`)
const vote = (postId: string, optionId: string | null, by: Someone) =>
  call(by, 'PUT', `/rest/v1/posts/${postId}/vote`, { optionId })
const inFuture = (minutes = 60) => new Date(Date.now() + minutes * 60_000).toISOString()
const namesOf = (list: { name: string }[]) => list.map(({ name }) => name)
const eventsOf = async (course: Community) =>
  (
    await query<{ type: string }>(
      `select event ->> 'type' as type from live_events where topic = $1 order by id`,
      [`course:${course.id}`],
    )
  ).map(({ type }) => type)
const noticesOf = (person: { id: string }, kind: string) =>
  query<{ title: string; message: string; href: string }>(
    'select title, message, href from notifications where user_id = $1 and kind = $2',
    [person.id, kind],
  )
/** Its time has come. The job that waits for it is not woken. */
const makeDue = (postId: string) =>
  query(`update posts set scheduled_for = now() - interval '1 minute' where id = $1`, [postId])
const jobOf = (key: string) =>
  query<{ task_identifier: string; run_at: Date }>(
    'select task_identifier, run_at from graphile_worker.jobs where key = $1',
    [key],
  )

describe('channels', () => {
  test('are named, renamed, ordered and removed at once; posts stay', async () => {
    const course = await community()
    const mia = await member(course)
    const first = await channels(course, [{ name: 'Questions' }, { name: '  Big   wins ' }])
    expect(first.status).toBe(200)
    expect(namesOf(first.body.channels)).toEqual(['Questions', 'Big wins'])
    const [questions, wins] = first.body.channels
    const inQuestions = await write(course, { channelId: questions.id }, mia)
    expect(inQuestions.body.channel).toEqual(questions)
    await write(course, { channelId: wins.id }, mia)
    expect((await feed(course, mia, `?channelId=${questions.id}`)).posts).toHaveLength(1)

    // Two that swap their names keep their ids.
    const swapped = await channels(course, [
      { id: wins.id, name: 'Questions' },
      { id: questions.id, name: 'BIG WINS' },
      { name: 'Third' },
    ])
    expect(swapped.body.channels.slice(0, 2)).toEqual([
      { id: wins.id, name: 'Questions' },
      { id: questions.id, name: 'BIG WINS' },
    ])
    const shown = await feed(course, mia)
    expect(namesOf(shown.channels)).toEqual(['Questions', 'BIG WINS', 'Third'])

    const left = await channels(course, [{ id: wins.id, name: 'Questions' }])
    expect(left.body.channels).toHaveLength(1)
    const { posts } = await feed(course, mia)
    expect(posts.map((post: { channel: { name: string } | null }) => post.channel?.name)).toEqual([
      'Questions',
      undefined,
    ])
    expect(posts[1].updatedAt).toBe(posts[1].createdAt)
    expect((await eventsOf(course)).filter((type) => type === 'channels')).toHaveLength(3)
  })

  test('bad lists are refused in words, and change nothing', async () => {
    const course = await community()
    const mia = await member(course)
    await channels(course, [{ name: 'Café' }])
    const same = await channels(course, [{ name: 'Wins' }, { name: 'wINS' }])
    expect([same.status, same.body.message]).toEqual([
      409,
      'Two channels cannot have the same name.',
    ])
    expect((await channels(course, [{ name: 'É' }, { name: 'é' }])).status).toBe(409)
    const blank = await channels(course, [{ name: ' \u0000 ' }])
    expect([blank.body.code, blank.body.message]).toEqual([
      'BAD_REQUEST',
      expect.stringContaining('Please name every channel'),
    ])
    expect((await channels(course, [{ name: 'x'.repeat(41) }])).status).toBe(422)
    const many = Array.from({ length: 21 }, (_, at) => ({ name: `C${at}` }))
    expect((await channels(course, many)).status).toBe(422)
    expect((await channels(course, [{ name: 'Mine' }], mia)).status).toBe(403)
    expect(namesOf((await feed(course, mia)).channels)).toEqual(['Café'])

    // The channel of another course is no channel here: neither for the list nor for a post.
    const other = await community()
    const taken = (await channels(other, [{ name: 'Theirs' }])).body.channels[0]
    const copied = await channels(course, [{ id: taken.id, name: 'Copied' }])
    expect(copied.body.channels[0].id).not.toBe(taken.id)
    expect(namesOf((await feed(other, other.instructor)).channels)).toEqual(['Theirs'])
    const wrong = await write(course, { channelId: taken.id }, mia)
    expect([wrong.status, wrong.body.message]).toEqual([
      400,
      'This channel does not exist any more. Please choose again.',
    ])
  })

  test('saving at the same moment leaves one of the lists', async () => {
    const course = await community()
    const lists = Array.from({ length: 6 }, (_, at) => [{ name: 'Same' }, { name: `Own ${at}` }])
    const saved = await Promise.all(lists.map((list) => channels(course, list)))
    expect(saved.map(({ status }) => status)).toEqual(lists.map(() => 200))
    const { channels: left } = await feed(course, course.instructor)
    expect(lists.map((list) => JSON.stringify(namesOf(list)))).toContain(
      JSON.stringify(namesOf(left)),
    )
  })

  test('without Pro none is made or renamed, but what is there can be ordered and removed', async () => {
    const course = await community()
    const { body } = await channels(course, [{ name: 'One' }, { name: 'Two' }])
    const [one, two] = body.channels
    await endPro(course.instructor)
    const refused = await channels(course, [one, two, { name: 'Three' }])
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Channels, polls, scheduled posts and announcements are a Pro benefit.',
    ])
    expect((await channels(course, [{ ...one, name: 'First' }, two])).status).toBe(403)
    expect((await channels(course, [two, one])).body.channels).toEqual([two, one])
    expect((await channels(course, [one])).body.channels).toEqual([one])
  })
})

describe('polls', () => {
  const asked = { poll: { options: ['Bowline', 'Hitch', 'Sheet bend'] } }

  test('one vote per person, to change and to take back; results after it', async () => {
    const course = await community()
    const mia = await member(course)
    const max = await member(course, 'Max')
    const { body: post } = await write(course, asked)
    const [bowline, hitch] = post.poll.options
    // The instructor sees the numbers from the start.
    expect(post.poll).toMatchObject({ votesCount: 0, votedFor: null, closesAt: null })
    expect(bowline).toEqual({ id: bowline.id, text: 'Bowline', votesCount: 0 })

    const voted = await vote(post.id, bowline.id, mia)
    expect(voted.status).toBe(200)
    expect(voted.body).toMatchObject({ votesCount: 1, votedFor: bowline.id })
    const before = (await call(max, 'GET', `/rest/v1/posts/${post.id}`)).body.poll
    expect(before).toMatchObject({ votesCount: 1, votedFor: null })
    expect(before.options.map((one: { votesCount: unknown }) => one.votesCount)).toEqual([
      null,
      null,
      null,
    ])
    const changed = (await vote(post.id, hitch.id, mia)).body
    expect(changed.options.map((one: { votesCount: number }) => one.votesCount)).toEqual([0, 1, 0])
    // Again is harmless, and says nothing to anybody.
    const said = (await eventsOf(course)).filter((type) => type === 'votes').length
    await vote(post.id, hitch.id, mia)
    expect((await eventsOf(course)).filter((type) => type === 'votes')).toHaveLength(said)
    const without = (await vote(post.id, null, mia)).body
    expect(without).toMatchObject({ votesCount: 0, votedFor: null })
    expect(without.options[0].votesCount).toBeNull()
  })

  test('counts are those of the votes, however many vote at once', async () => {
    const course = await community()
    const people = await Promise.all(
      Array.from({ length: 5 }, (_, at) => member(course, `Voter ${at}`)),
    )
    const { body: post } = await write(course, asked)
    const ids: string[] = post.poll.options.map(({ id }: { id: string }) => id)
    const answers = await Promise.all(
      people.flatMap((person, at) =>
        Array.from({ length: 6 }, (_, turn) => vote(post.id, ids[(at + turn) % 3]!, person)),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const rows = await query<{ stored: number; counted: number }>(
      `select votes_count as stored,
              (select count(*)::int from poll_votes v where v.option_id = o.id) as counted
         from poll_options o where post_id = $1`,
      [post.id],
    )
    expect(rows.map(({ stored }) => stored)).toEqual(rows.map(({ counted }) => counted))
    expect(rows.reduce((sum, { stored }) => sum + stored, 0)).toBe(people.length)
  })

  test('who may not vote, and what cannot be voted for', async () => {
    const course = await community()
    const mia = await member(course)
    const stranger = await someone()
    const admin = await someone()
    await query(`update users set role = 'admin' where id = $1`, [admin.id])
    const { body: post } = await write(course, asked)
    const { body: other } = await write(course, asked)
    const [option] = post.poll.options
    expect((await vote(post.id, option.id, stranger)).status).toBe(403)
    const refused = await vote(post.id, option.id, admin)
    expect([refused.status, refused.body.code]).toEqual([403, 'MEMBERS_ONLY'])
    expect((await vote(post.id, other.poll.options[0].id, mia)).status).toBe(400)
    const plain = await makePost(app.services, course)
    expect((await vote(plain, option.id, mia)).status).toBe(404)

    await query(`update polls set closes_at = now() + interval '1 day' where post_id = $1`, [
      post.id,
    ])
    expect((await vote(post.id, option.id, mia)).status).toBe(200)
    await query(`update polls set closes_at = now() - interval '1 second' where post_id = $1`, [
      post.id,
    ])
    for (const optionId of [option.id, null]) {
      const closed = await vote(post.id, optionId, mia)
      expect([closed.status, closed.body.message]).toEqual([409, 'This poll is closed.'])
    }
    const max = await member(course, 'Max')
    const { poll } = (await call(max, 'GET', `/rest/v1/posts/${post.id}`)).body
    expect(poll).toMatchObject({ isClosed: true, votesCount: 1 })
    expect(poll.options[0].votesCount).toBe(1)
  })

  test('bad polls are refused in words', async () => {
    const course = await community()
    const faults: [object, string][] = [
      [{ options: ['One'] }, 'A poll needs at least 2 answers'],
      [{ options: ['Yes', ' '] }, 'Please write every answer of the poll'],
      [{ options: ['Yes', 'yes '] }, 'Two answers of a poll cannot be the same'],
      [{ options: Array.from({ length: 11 }, String) }, 'A poll can have at most 10 answers'],
      [{ options: ['Yes', 'No'], closesAt: inFuture(-1) }, 'Please choose a time in the future'],
      [{ options: ['Yes', 'No'], closesAt: 'soon' }, 'Please choose when the poll closes'],
      [{ options: ['Yes', 'No'], closesAt: inFuture(366 * 1440) }, 'open for at most 365 days'],
    ]
    for (const [poll, message] of faults) {
      const { body } = await write(course, { poll })
      expect([body.code, body.message]).toEqual(['BAD_REQUEST', expect.stringContaining(message)])
    }
    const late = {
      poll: { options: ['Yes', 'No'], closesAt: inFuture(30) },
      scheduledFor: inFuture(),
    }
    expect((await write(course, late)).body.message).toBe(
      'The poll would be closed before the post is published.',
    )
    expect((await feed(course, course.instructor)).posts).toEqual([])
  })

  test('an open poll shows numbers to who voted and to the instructor', () => {
    const options = [{ id: 'a', text: 'A', votesCount: 2 }]
    const now = new Date('2026-01-01T00:00:00Z')
    const shown = (votedFor: string | null, closesAt: string | null, isInstructor = false) =>
      presentPoll({ options, votedFor, closesAt }, { now, isInstructor }).options[0]!.votesCount
    expect(shown(null, null)).toBeNull()
    expect(shown(null, '2026-01-01T00:00:01Z')).toBeNull()
    expect(shown('a', null)).toBe(2)
    expect(shown(null, '2026-01-01T00:00:00Z')).toBe(2)
    expect(shown(null, null, true)).toBe(2)
  })
})

describe('only the instructor, only with Pro', () => {
  test('members are refused, whatever they send; so is an instructor without Pro', async () => {
    const course = await community()
    const mia = await member(course)
    await givePro(mia)
    const extras = [
      { poll: { options: ['A', 'B'] } },
      { scheduledFor: inFuture() },
      { isAnnouncement: true },
    ]
    for (const more of extras) {
      const { status, body } = await write(course, more, mia)
      expect([status, body.code]).toEqual([403, 'INSTRUCTOR_ONLY'])
    }
    await endPro(course.instructor)
    for (const more of extras) {
      const { status, body } = await write(course, more)
      expect([status, body.code]).toEqual([403, 'PRO_ONLY'])
    }
    expect((await waiting(course, mia)).status).toBe(403)
    expect((await feed(course, mia)).posts).toEqual([])
  })
})

describe('scheduled posts', () => {
  const later = async (course: Community, more: object = {}) => {
    const { status, body } = await write(course, { scheduledFor: inFuture(), ...more })
    expect([status, body.status]).toEqual([200, 'scheduled'])
    return body
  }

  test('are the instructor’s alone, until they are published by the job, once', async () => {
    const course = await community()
    const mia = await member(course)
    const admin = await someone()
    await query(`update users set role = 'admin' where id = $1`, [admin.id])
    const post = await later(course, { content: `Hi @${mia.username}` })
    const second = await later(course, { scheduledFor: inFuture(30) })
    for (const by of [mia, admin]) {
      expect((await call(by, 'GET', `/rest/v1/posts/${post.id}`)).status).toBe(404)
      expect((await publish(post.id, by)).status).toBe(403)
      expect((await feed(course, by)).posts).toEqual([])
    }
    expect((await vote(post.id, null, mia)).status).toBe(404)
    expect(await noticesOf(mia, 'mentioned')).toEqual([])
    expect(await eventsOf(course)).not.toContain('post')
    expect((await waiting(course)).body.posts.map(({ id }: { id: string }) => id)).toEqual([
      second.id,
      post.id,
    ])
    const [job] = await jobOf(`scheduled-post:${post.id}`)
    expect(job!.run_at.toISOString()).toBe(post.scheduledFor)

    // Not yet; what runs too early does nothing.
    await publishScheduledPost({ postId: post.id }, app.services)
    expect((await feed(course, mia)).posts).toEqual([])
    await endPro(course.instructor)
    await makeDue(post.id)
    await Promise.all([1, 2, 3].map(() => publishScheduledPost({ postId: post.id }, app.services)))
    const [shown] = (await feed(course, mia)).posts
    expect(shown).toMatchObject({ id: post.id, status: 'published' })
    expect(shown.createdAt).toBe(shown.updatedAt)
    expect(Date.now() - Date.parse(shown.createdAt)).toBeLessThan(60_000)
    expect(await noticesOf(mia, 'mentioned')).toHaveLength(1)
    expect((await eventsOf(course)).filter((type) => type === 'post')).toHaveLength(1)
    const activities = await query(
      `select 1 from user_activities where course_id = $1 and activity_type = 'post_created'`,
      [course.id],
    )
    expect(activities).toHaveLength(1)
    expect((await waiting(course)).body.posts).toHaveLength(1)
  })

  test('are published now, put off, and deleted', async () => {
    const course = await community()
    const mia = await member(course)
    const post = await later(course)
    const edit = (scheduledFor: string, content = 'Changed') =>
      call(course.instructor, 'PUT', `/rest/v1/posts/${post.id}`, { content, scheduledFor })
    const tomorrow = inFuture(1440)
    const changed = await edit(tomorrow)
    expect(changed.body).toMatchObject({ scheduledFor: tomorrow, content: 'Changed' })
    const jobs = await jobOf(`scheduled-post:${post.id}`)
    expect(jobs.map(({ run_at }) => run_at.toISOString())).toEqual([tomorrow])
    const past = await edit(inFuture(-5))
    expect([past.status, past.body.message]).toEqual([400, 'Please choose a time in the future'])

    const published = await publish(post.id, course.instructor)
    expect(published.body).toMatchObject({ status: 'published', content: 'Changed' })
    expect(published.body.createdAt).toBe(published.body.updatedAt)
    expect((await publish(post.id, course.instructor)).status).toBe(404)
    expect((await feed(course, mia)).posts).toHaveLength(1)
    // A time means nothing any more.
    expect((await edit(tomorrow, 'Again')).body.status).toBe('published')

    const gone = await later(course)
    const deleted = await call(course.instructor, 'DELETE', `/rest/v1/posts/${gone.id}`)
    expect(deleted.status).toBe(200)
    await publishScheduledPost({ postId: gone.id }, app.services)
    expect((await feed(course, mia)).posts).toHaveLength(1)
  })

  test('what its own job left behind is published by the one of every minute', async () => {
    const course = await community()
    const post = await later(course)
    const other = await later(course)
    await makeDue(post.id)
    await publishOverduePosts(app.services)
    expect((await feed(course, course.instructor)).posts).toHaveLength(1)
    expect((await waiting(course)).body.posts).toMatchObject([{ id: other.id }])
  })

  test('of who is suspended wait until that is lifted', async () => {
    const course = await community()
    const mia = await member(course)
    const post = await later(course, { isAnnouncement: true })
    await makeDue(post.id)
    const suspend = (at: string) =>
      query(`update users set suspended_at = ${at} where id = $1`, [course.instructor.id])
    await suspend('now()')
    await publishScheduledPost({ postId: post.id }, app.services)
    await publishOverduePosts(app.services)
    expect((await feed(course, mia)).posts).toEqual([])
    await suspend('null')
    await publishOverduePosts(app.services)
    expect((await feed(course, mia)).posts).toMatchObject([{ id: post.id }])
  })

  test('have a poll that is open for as long as it was meant to be, also when its end came before', async () => {
    const course = await community()
    const asking = (hours: number) => ({
      scheduledFor: inFuture(60),
      poll: { options: ['Yes', 'No'], closesAt: inFuture(60 + hours * 60) },
    })
    const [late, early] = [await later(course, asking(2)), await later(course, asking(48))]
    const minutes = 24 * 60
    for (const { id } of [late, early]) {
      await query(
        `update polls set closes_at = closes_at - make_interval(mins => $2) where post_id = $1`,
        [id, minutes],
      )
      await query(
        `update posts set scheduled_for = scheduled_for - make_interval(mins => $2) where id = $1`,
        [id, minutes],
      )
    }
    await publishOverduePosts(app.services)
    const { posts: shown } = await feed(course, course.instructor)
    const pollOf = (post: { id: string }) =>
      shown.find(({ id }: { id: string }) => id === post.id).poll
    const published = new Date(
      shown.find(({ id }: { id: string }) => id === late.id).createdAt,
    ).getTime()
    expect(pollOf(late)).toMatchObject({ isClosed: false })
    expect(new Date(pollOf(late).closesAt).getTime()).toBe(published + 2 * 60 * 60_000)
    // What is open still ends when it was said to.
    expect(pollOf(early).closesAt).toBe(
      new Date(Date.parse(early.poll.closesAt) - minutes * 60_000).toISOString(),
    )
  })

  test('are announced a few a day, though many waited together', async () => {
    const course = await community()
    const mia = await member(course)
    const all = []
    for (const days of [1, 3, 5, 7]) {
      const more = { isAnnouncement: true, scheduledFor: inFuture(days * 1440) }
      all.push(await later(course, more))
    }
    const plain = await later(course)
    for (const { id } of [...all, plain]) await makeDue(id)
    const shown = async () => {
      await publishOverduePosts(app.services)
      return (await feed(course, mia)).posts.map(({ id }: { id: string }) => id)
    }
    expect(await shown()).toHaveLength(4)
    expect(await shown()).toContain(plain.id)
    expect(await shown()).not.toContain(all[3].id)
    await query(`update rate_limits set expire = 1 where key = $1`, [`announcements:${course.id}`])
    expect(await shown()).toContain(all[3].id)
  })

  test('of who is being suspended at this moment wait, too', async () => {
    const course = await community()
    const post = await later(course)
    await makeDue(post.id)
    await behindChange(
      app.services,
      ['update users set suspended_at = now() where id = $1', course.instructor.id],
      [() => publishScheduledPost({ postId: post.id }, app.services)],
    )
    expect(await query('select status from posts where id = $1', [post.id])).toEqual([
      { status: 'scheduled' },
    ])
  })

  test('the queue publishes at the time, with nobody pressing anything', async () => {
    const course = await community()
    const post = await later(course)
    const jobs = await jobOf(`scheduled-post:${post.id}`)
    expect(jobs.map(({ run_at }) => run_at.toISOString())).toEqual([post.scheduledFor])
    await query('update posts set scheduled_for = now() where id = $1', [post.id])
    await query(
      `select graphile_worker.reschedule_jobs(array_agg(id), run_at := now())
         from graphile_worker.jobs where key = $1`,
      [`scheduled-post:${post.id}`],
    )
    await expect
      .poll(async () => (await feed(course, course.instructor)).posts)
      .toMatchObject([{ id: post.id }])
  })

  test('bad times are refused in words', async () => {
    const course = await community()
    const faults: [unknown, string][] = [
      [inFuture(-1), 'Please choose a time in the future'],
      [inFuture(366 * 1440), 'A post can be scheduled for at most 365 days ahead'],
      ['tomorrow', 'Please choose when the post is published'],
      ['+275760-09-13T00:00:00.000Z', 'A post can be scheduled for at most 365 days ahead'],
    ]
    for (const [scheduledFor, message] of faults) {
      const { body } = await write(course, { scheduledFor })
      expect([body.code, body.message]).toEqual(['BAD_REQUEST', expect.stringContaining(message)])
    }
    await query(
      `insert into posts (course_id, user_id, content, status, scheduled_for)
       select $1, $2, 'Later', 'scheduled', now() + interval '9 days' from generate_series(1, 100)`,
      [course.id, course.instructor.id],
    )
    const full = await write(course, { scheduledFor: inFuture() })
    expect([full.status, full.body.message]).toEqual([
      409,
      'Up to 100 posts can wait to be published. Please publish or delete one first.',
    ])
  })
})

describe('announcements', () => {
  test('tell every member once, by their preferences, and nobody else', async () => {
    const course = await community()
    const mia = await member(course)
    const max = await member(course, 'Max')
    await query(
      `insert into notification_preferences (user_id, switch, in_app, email)
       values ($1, 'system_announcements', false, 'off')`,
      [max.id],
    )
    const content = `First line\n\n${'word '.repeat(100)}`
    const { body: post } = await write(course, { isAnnouncement: true, content })
    expect(post.isAnnouncement).toBe(true)
    const mail = await mailTo(app, mia.email, /Announcement in “Knots”/)
    expect(mail.text).toContain('First line word')
    await announced()
    await announceToMembers({ postId: post.id }, app.services)
    const [notice, ...more] = await noticesOf(mia, 'course_announcement')
    expect(more).toEqual([])
    expect(notice).toMatchObject({
      title: 'Announcement in “Knots”',
      href: `/course/${course.slug}/dashboard?tab=discussion&post=${post.id}`,
    })
    expect(notice!.message.length).toBeLessThanOrEqual(301)
    expect(notice!.message).toMatch(/^First line word .* word…$/)
    for (const person of [max, course.instructor]) {
      expect(await noticesOf(person, 'course_announcement')).toEqual([])
      expect(await mailsTo(app, person.email)).toEqual([])
    }
  })

  test('are few in a day: also deleted ones, scheduled ones, and those of one moment', async () => {
    const course = await community()
    const mia = await member(course)
    const plain = (await write(course)).status
    expect(plain).toBe(200)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => write(course, { isAnnouncement: true })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409])
    const made = answers.find(({ status }) => status === 200)!
    await call(course.instructor, 'DELETE', `/rest/v1/posts/${made.body.id}`)
    const refused = await write(course, { isAnnouncement: true })
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining('You can announce up to 3 posts in 24 hours'),
    ])
    await announced()
    // The one that was deleted before its turn may or may not have been told of.
    expect((await noticesOf(mia, 'course_announcement')).length).toBeLessThanOrEqual(3)

    // Another day there is room for three more, and for no fourth one around them.
    const inDays = (days: number) => inFuture(days * 1440)
    for (const days of [5, 5.2, 5.4]) {
      const { status } = await write(course, { isAnnouncement: true, scheduledFor: inDays(days) })
      expect(status).toBe(200)
    }
    const fourth = { isAnnouncement: true, scheduledFor: inDays(5.9) }
    expect((await write(course, fourth)).status).toBe(409)
    const moved = await write(course, { isAnnouncement: true, scheduledFor: inDays(9) })
    const edit = { content: 'Hello all', scheduledFor: inDays(5.1) }
    const path = `/rest/v1/posts/${moved.body.id}`
    // What it is it stays: only the day can be another one.
    for (const kept of [
      await call(course.instructor, 'PUT', path, edit),
      await publish(moved.body.id, course.instructor),
    ]) {
      expect([kept.status, kept.body.message]).toEqual([
        409,
        'You can announce up to 3 posts in 24 hours. Please choose another day.',
      ])
    }
  })

  test('a scheduled one tells the members when it is published, not before', async () => {
    const course = await community()
    const mia = await member(course)
    const { body: post } = await write(course, { isAnnouncement: true, scheduledFor: inFuture() })
    await announced()
    expect(await noticesOf(mia, 'course_announcement')).toEqual([])
    await makeDue(post.id)
    await publishScheduledPost({ postId: post.id }, app.services)
    await mailTo(app, mia.email, /Announcement in “Knots”/)
    expect(await noticesOf(mia, 'course_announcement')).toHaveLength(1)
  })

  test('the beginning of a text ends with a word', () => {
    expect(beginningOf(' One\n two ')).toBe('One two')
    expect(beginningOf('one two three', 9)).toBe('one two…')
    expect(beginningOf('x'.repeat(20), 10)).toBe(`${'x'.repeat(10)}…`)
    expect(beginningOf('aaaaaaaaa😀b', 10)).toBe('aaaaaaaaa…')
  })
})

/** Nobody waits to be told, or for a mail about it. */
const announced = () =>
  expect
    .poll(() =>
      query(
        `select task_identifier from graphile_worker.jobs
          where task_identifier in ('announceToMembers', 'sendNoticeMail')`,
      ),
    )
    .toEqual([])
