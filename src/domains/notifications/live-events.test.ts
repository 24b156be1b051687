// Events on their whole way: from a call of one person to the open stream of another, also on another node.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { piecesOf } from '../../../test/events-of.ts'
import {
  joinCourse,
  lessonsOf,
  makeCourse,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { mostStreams } from '../../server/live-events.ts'
import { endStreamsOfSession, publishToCourse, publishToPerson } from '../../server/publish.ts'
import { pruneLiveEvents } from './prune-live-events.ts'
import type { LiveEvent } from './schema.ts'

let app: TestApp
/** A second node on the same database. */
let node: TestApp
beforeAll(async () => {
  app = await startTestApp()
  const { secret } = app.services
  node = await startTestApp({ DATABASE_URL: app.databaseUrl, AUTH_SECRET: secret })
})
afterAll(async () => {
  await node?.stop()
  await app?.stop()
})

const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

interface Wanted {
  at?: TestApp
  courseId?: string
  lastEventId?: string
}

/** Opens the stream of a person and collects what it brings; it stands when this is answered. */
async function openStream(person: Someone, { at = app, courseId, lastEventId }: Wanted = {}) {
  const abort = new AbortController()
  closings.push(() => abort.abort())
  const query = courseId ? `?courseId=${courseId}` : ''
  const response = await fetch(`${at.url}/realtime/v1/events${query}`, {
    headers: { cookie: person.cookie, ...(lastEventId ? { 'last-event-id': lastEventId } : {}) },
    signal: abort.signal,
  })
  expect(response.status).toBe(200)
  const { headers } = response
  const stream = { headers, heard: [] as LiveEvent[], lastEventId: '', hasEnded: false }
  const pieces = piecesOf(response.body!)
  const take = ({ id, event }: { id?: string; event?: LiveEvent }) => {
    stream.lastEventId = id ?? stream.lastEventId
    if (event) stream.heard.push(event)
  }
  take((await pieces.next()).value ?? {})
  const read = async () => {
    for await (const piece of pieces) take(piece)
    stream.hasEnded = true
  }
  read().catch(() => {})
  return stream
}

const complete = (lessonId: string, { cookie }: Someone) =>
  app.request(`/rest/v1/lessons/${lessonId}/completion`, { method: 'PUT', cookie })
const join = (courseId: string, { cookie }: Someone) =>
  app.request('/rest/v1/enrollments', { body: { courseId }, cookie })
const leave = (courseId: string, { cookie }: Someone) =>
  app.request(`/rest/v1/enrollments/${courseId}`, { method: 'DELETE', cookie })
const tell = (person: { id: string }, event: LiveEvent) =>
  publishToPerson(app.services.db, person.id, event)

const typesOf = ({ heard }: { heard: LiveEvent[] }) => heard.map(({ type }) => type)

describe('the stream', () => {
  test('is refused to a person who has fifty, until one of these is closed', async () => {
    const [person, other] = [await someone(), await someone()]
    const opened = Array.from({ length: mostStreams }, () => openStream(person))
    await Promise.all(opened)
    const refused = await app.request('/realtime/v1/events', person)
    expect([refused.status, refused.body.message]).toEqual([
      429,
      'Too many pages follow what happens at once. Close some of them.',
    ])
    await openStream(other)
    await openStream(person, { at: node })
    closings[0]!()
    const statusNow = async () => {
      const headers = { cookie: person.cookie }
      const answer = await fetch(`${app.url}/realtime/v1/events`, { headers })
      await answer.body?.cancel()
      return answer.status
    }
    await expect.poll(statusNow).toBe(200)
  })

  test('brings to each what concerns them, on every node, to nobody else', async () => {
    const [instructor, learner, other] = [await someone(), await someone(), await someone()]
    const course = await makeCourse(app.services, instructor)
    const [lesson] = await lessonsOf(app.services, course.id)
    const ofInstructor = await openStream(instructor)
    const inCourse = await openStream(instructor, { courseId: course.id, at: node })
    const ofLearner = await openStream(learner)
    const secondWindow = await openStream(learner, { at: node })
    const ofOther = await openStream(other, { at: node })

    expect((await join(course.id, learner)).status).toBe(200)
    expect((await complete(lesson!.id, learner)).status).toBe(200)
    const last: LiveEvent = { type: 'progress', courseId: randomUUID() }
    // Events come in their order: when this is heard, everything before it was.
    for (const one of [instructor, learner, other]) await tell(one, last)
    const progress = { type: 'progress', courseId: course.id }
    for (const { heard } of [ofLearner, secondWindow]) {
      // Joined; completed all there is; and so there is a certificate.
      await expect
        .poll(() => heard)
        .toEqual([{ type: 'notification' }, progress, { type: 'notification' }, last])
    }
    await expect.poll(() => ofOther.heard).toEqual([last])
    const joined = { type: 'joined', courseId: course.id }
    await expect.poll(() => ofInstructor.heard).toEqual([joined, { type: 'notification' }, last])
    await expect
      .poll(() => inCourse.heard)
      .toEqual([{ type: 'members', courseId: course.id }, joined, { type: 'notification' }, last])
    expect(Object.fromEntries(ofOther.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    expect(ofOther.headers.has('content-encoding')).toBe(false)
  })

  test('is for those whom it concerns', async () => {
    const [instructor, outsider] = [await someone(), await someone()]
    const published = await makeCourse(app.services, instructor)
    const draft = await makeCourse(app.services, instructor, { status: 'draft' })
    const ask = async (query: string, cookie?: string) => {
      const { status, body } = await app.request(`/realtime/v1/events${query}`, { cookie })
      return [status, body.message]
    }
    const { cookie } = outsider
    const stranger = [401, 'User must be authenticated']
    expect(await ask('')).toEqual(stranger)
    expect(await ask(`?courseId=${published.id}`)).toEqual(stranger)
    expect(await ask(`?courseId=${draft.id}`, cookie)).toEqual([404, 'Course not found'])
    expect(await ask(`?courseId=${randomUUID()}`, cookie)).toEqual([404, 'Course not found'])
    expect(await ask(`?courseId=${published.id}`, cookie)).toEqual([
      403,
      'Join this course to see this.',
    ])
    for (const query of ['?courseId=1', '?courseId=', '?age=-1', '?age=x', '?age=1e9']) {
      expect((await ask(query, cookie))[0], query).toBe(422)
    }
    expect(app.services.events.openStreams()).toBe(0)
  })

  test('goes on where it was cut, on another node, with what it follows only', async () => {
    const [instructor, learner] = [await someone(), await someone()]
    const course = await makeCourse(app.services, instructor)
    const following = { courseId: course.id }
    const first = await openStream(instructor, following)
    const one: LiveEvent = { type: 'members', courseId: course.id }
    await publishToCourse(app.services.db, course.id, one)
    await expect.poll(() => first.heard).toEqual([one])
    for (const close of closings.splice(0)) close()

    await join(course.id, learner)
    const { lastEventId } = first
    const second = await openStream(instructor, { ...following, lastEventId, at: node })
    await expect.poll(() => typesOf(second)).toEqual(['members', 'joined', 'notification'])
    // What it heard last was said in the course, of which this one is not told.
    const personal = await openStream(instructor, { lastEventId, at: node })
    await expect.poll(() => typesOf(personal)).toEqual(['reset'])
  })

  test('goes on when the database ends the listener’s connection', async () => {
    const person = await someone()
    const streams = [await openStream(person), await openStream(person, { at: node })]
    const { rows } = await app.services.pool.query<{ ended: boolean }>(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity
        where datname = current_database() and application_name = 'thunder events'`,
    )
    expect(rows.map(({ ended }) => ended)).toEqual([true, true])
    const told: LiveEvent = { type: 'joined', courseId: randomUUID() }
    await tell(person, told)
    for (const { heard } of streams) await expect.poll(() => heard).toEqual([told])
  })
})

describe('the stream ends', () => {
  test('with the membership, on every node; nothing later is told', async () => {
    const [instructor, learner] = [await someone(), await someone()]
    const course = await makeCourse(app.services, instructor)
    await joinCourse(app.services, learner, course)
    const following = { courseId: course.id }
    const here = await openStream(learner, following)
    const there = await openStream(learner, { ...following, at: node })
    const personal = await openStream(learner, { at: node })
    const ofInstructor = await openStream(instructor, { ...following, at: node })

    expect((await leave(course.id, learner)).status).toBe(200)
    await publishToCourse(app.services.db, course.id, { type: 'members', courseId: course.id })
    await expect.poll(() => [here.hasEnded, there.hasEnded]).toEqual([true, true])
    const accessEnded = { type: 'accessEnded', courseId: course.id }
    await expect.poll(() => personal.heard).toEqual([accessEnded])
    await expect.poll(() => typesOf(ofInstructor)).toEqual(['left', 'members', 'members'])
    for (const { heard } of [here, there]) {
      expect(heard).toEqual([{ type: 'members', courseId: course.id }, accessEnded])
    }
    expect([personal.hasEnded, ofInstructor.hasEnded]).toEqual([false, false])

    // Who was in is shut out: the same address answers as to any outsider.
    const again = await app.request(`/realtime/v1/events?courseId=${course.id}`, learner)
    expect(again.status).toBe(403)
  })

  test('with a membership or a course that went without a word, at the next look', async () => {
    const [instructor, one, two] = [await someone(), await someone(), await someone()]
    const [kept, deleted] = [
      await makeCourse(app.services, instructor),
      await makeCourse(app.services, instructor),
    ]
    await joinCourse(app.services, one, kept)
    await joinCourse(app.services, two, kept)
    const removed = await openStream(one, { courseId: kept.id })
    const stays = await openStream(two, { courseId: kept.id })
    const ofDeleted = await openStream(instructor, { courseId: deleted.id })
    const ofKept = await openStream(instructor, { courseId: kept.id })
    await app.services.pool.query('delete from enrollments where user_id = $1', [one.id])
    await app.services.pool.query('delete from courses where id = $1', [deleted.id])
    await app.services.events.endGoneStreams()
    await expect.poll(() => [removed.hasEnded, ofDeleted.hasEnded]).toEqual([true, true])
    expect([stays.hasEnded, ofKept.hasEnded]).toEqual([false, false])
  })

  test('with the session, on every node', async () => {
    const person = await someone()
    const other = { ...person, cookie: await sessionCookieOf(app.services, person.id) }
    const ended = await openStream(person, { at: node })
    const stays = await openStream(other, { at: node })
    const { rows } = await app.services.pool.query<{ id: string }>(
      'delete from sessions where user_id = $1 and id = (select id from sessions where user_id = $1 order by id limit 1) returning id',
      [person.id],
    )
    await endStreamsOfSession(app.services.db, rows[0]!.id)
    await tell(person, { type: 'notification' })
    await expect.poll(() => stays.heard).toEqual([{ type: 'notification' }])
    await expect.poll(() => ended.hasEnded).toBe(true)
    expect(ended.heard).toEqual([])
  })

  test('before it began, when the session is gone by then', async () => {
    const person = await someone()
    const viewing = { userId: person.id, sessionId: randomUUID() }
    const body = app.services.events.watch(viewing, null)
    await tell(person, { type: 'notification' })
    expect(await new Response(body).text()).toBe('')
  })
})

test('what is rolled back is not told', async () => {
  const person = await someone()
  const stream = await openStream(person)
  const told: LiveEvent = { type: 'joined', courseId: randomUUID() }
  const { db } = app.services
  await expect(
    db.transaction(async (transaction) => {
      await publishToPerson(transaction, person.id, { type: 'joined', courseId: randomUUID() })
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  await db.transaction((transaction) => publishToPerson(transaction, person.id, told))
  await expect.poll(() => stream.heard).toEqual([told])
})

test('an event that is none is refused where it is said, and ends nobody’s stream', async () => {
  const person = await someone()
  const stream = await openStream(person)
  const wrong = [{}, { type: 'party' }, { type: 'joined' }, { type: 'left', courseId: 'here' }]
  for (const event of wrong) {
    await expect(tell(person, event as LiveEvent)).rejects.toThrow()
  }
  await tell(person, { type: 'notification' })
  await expect.poll(() => stream.heard).toEqual([{ type: 'notification' }])
  expect(stream.hasEnded).toBe(false)
})

test('what is older than an hour is forgotten', async () => {
  const person = await someone()
  const topic = `person:${person.id}`
  await tell(person, { type: 'notification' })
  const { pool } = app.services
  await pool.query(
    `insert into live_events (topic, event, created_at)
     values ($1, '{"type":"reset"}', now() - interval '61 minutes')`,
    [topic],
  )
  await pruneLiveEvents(app.services)
  const { rows } = await pool.query('select event from live_events where topic = $1', [topic])
  expect(rows).toEqual([{ event: { type: 'notification' } }])
})
