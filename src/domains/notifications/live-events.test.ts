// Events on their whole way: from a call of one person to the open stream of another.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { lessonsOf, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import type { LiveEvent } from './schema.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

/** Opens the stream of a person and collects what it brings. */
async function openStream(person: Someone) {
  const abort = new AbortController()
  closings.push(() => abort.abort())
  const response = await fetch(`${app.url}/realtime/v1/events`, {
    headers: { cookie: person.cookie },
    signal: abort.signal,
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream',
  ])
  const heard: LiveEvent[] = []
  const read = async () => {
    let rest = ''
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) {
        const data = part.match(/^data: (.*)$/m)?.[1]
        if (data) heard.push(JSON.parse(data))
      }
    }
  }
  read().catch(() => {})
  return { heard, works: () => untilHeard(person, heard) }
}

/** Sends signals of its own until one comes out of the stream, and forgets them. */
async function untilHeard(person: Someone, heard: LiveEvent[]) {
  const signal: LiveEvent = { type: 'joined', courseId: randomUUID() }
  const isSignal = (event: LiveEvent) => event.courseId === signal.courseId
  await vi.waitFor(
    async () => {
      await app.services.events.publish(app.services.db, person.id, signal)
      if (!heard.some(isSignal)) throw new Error('nothing was heard')
    },
    { timeout: 20_000, interval: 100 },
  )
  // One more of another kind says that no signal is still under way.
  const last: LiveEvent = { type: 'progress', courseId: signal.courseId }
  await app.services.events.publish(app.services.db, person.id, last)
  await vi.waitFor(() => expect(heard.at(-1)).toEqual(last), { timeout: 20_000 })
  heard.splice(0)
}

const complete = (lessonId: string, { cookie }: Someone) =>
  app.request(`/rest/v1/lessons/${lessonId}/completion`, { method: 'PUT', cookie })

/** The database's own process behind the listener's connection. */
async function listenerPid(): Promise<number | undefined> {
  const { rows } = await app.services.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity
      where datname = current_database() and query = 'listen thunder_events'`,
  )
  return rows[0]?.pid
}

describe('the stream', () => {
  test('brings “joined” to the instructor and “progress” to the learner, to nobody else', async () => {
    const [instructor, learner, other] = [await someone(), await someone(), await someone()]
    const course = await makeCourse(app.services, instructor)
    const [lesson] = await lessonsOf(app.services, course.id)
    const ofInstructor = await openStream(instructor)
    const ofLearner = await openStream(learner)
    const secondWindow = await openStream(learner)
    const ofOther = await openStream(other)
    const all = [ofInstructor, ofLearner, secondWindow, ofOther]
    for (const { works } of all) await works()
    // The second window had the signals of the first one.
    for (const { heard } of all) heard.splice(0)

    const { cookie } = learner
    await app.request('/rest/v1/enrollments', { body: { courseId: course.id }, cookie })
    expect((await complete(lesson!.id, learner)).status).toBe(200)
    const progress = { type: 'progress', courseId: course.id }
    await expect.poll(() => ofInstructor.heard).toEqual([{ type: 'joined', courseId: course.id }])
    await expect.poll(() => ofLearner.heard).toEqual([progress])
    await expect.poll(() => secondWindow.heard).toEqual([progress])

    // Events come in their order: what is heard first now was sent after all of this.
    const last: LiveEvent = { type: 'progress', courseId: randomUUID() }
    for (const { id } of [instructor, other]) {
      await app.services.events.publish(app.services.db, id, last)
    }
    await expect.poll(() => ofOther.heard).toEqual([last])
    await expect
      .poll(() => ofInstructor.heard)
      .toEqual([{ type: 'joined', courseId: course.id }, last])
  })

  test('is not for strangers', async () => {
    const { status, body } = await app.request('/realtime/v1/events')
    expect([status, body.message]).toEqual([401, 'User must be authenticated'])
  })

  test('goes on when the database ends the listener’s connection', async () => {
    const person = await someone()
    const stream = await openStream(person)
    await stream.works()
    const pid = await listenerPid()
    expect(pid).toBeTypeOf('number')
    await app.services.pool.query('select pg_terminate_backend($1)', [pid])
    await stream.works()
    expect(await listenerPid()).not.toBe(pid)
  })
})

test('what is rolled back is not told', async () => {
  const person = await someone()
  const stream = await openStream(person)
  await stream.works()
  const told: LiveEvent = { type: 'joined', courseId: randomUUID() }
  const { db, events } = app.services
  await expect(
    db.transaction(async (transaction) => {
      await events.publish(transaction, person.id, { type: 'joined', courseId: randomUUID() })
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  await db.transaction((transaction) => events.publish(transaction, person.id, told))
  await expect.poll(() => stream.heard).toEqual([told])
})
