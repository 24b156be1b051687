// The limits of times and numbers of what an instructor has with Pro, to the edge. The clock stands still here.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { forgetLimits } from '../../../test/forget-limits.ts'

let app: TestApp
let cookie: string
let instructor: { id: string }
let course: { id: string; slug: string }
let now: number

beforeAll(async () => {
  app = await startTestApp()
  instructor = await makePerson(app.services)
  cookie = await sessionCookieOf(app.services, instructor.id)
  await app.services.pool.query('insert into plan_grants (user_id) values ($1)', [instructor.id])
})
beforeEach(async () => {
  await forgetLimits(app.services.pool)
  course = await makeCourse(app.services, instructor)
  now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now })
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => app?.stop())

const day = 24 * 60 * 60 * 1000
const at = (after: number) => new Date(now + after).toISOString()

async function write(more: object) {
  const { status, body } = await app.request('/rest/v1/posts', {
    cookie,
    body: { courseId: course.id, content: 'Hello', ...more },
  })
  return [status, body.message ?? body.status]
}

const waitingPosts = (count: number) =>
  app.services.pool.query(
    `insert into posts (course_id, user_id, content, status, scheduled_for)
     select $1, $2, 'Later', 'scheduled', now() + interval '9 days' from generate_series(1, $3::int)`,
    [course.id, instructor.id, count],
  )

describe('a time', () => {
  test('lies ahead, by a year at most', async () => {
    const past = 'Please choose a time in the future'
    const late = 'A post can be scheduled for at most 365 days ahead'
    expect(await write({ scheduledFor: at(-1) })).toEqual([400, past])
    expect(await write({ scheduledFor: at(0) })).toEqual([400, past])
    expect(await write({ scheduledFor: at(1) })).toEqual([200, 'scheduled'])
    expect(await write({ scheduledFor: at(365 * day) })).toEqual([200, 'scheduled'])
    expect(await write({ scheduledFor: at(365 * day + 1) })).toEqual([400, late])
  })

  test('is kept for a hundred posts', async () => {
    await waitingPosts(99)
    // Those of another course count there.
    const here = course
    course = await makeCourse(app.services, instructor)
    await waitingPosts(3)
    course = here
    expect(await write({ scheduledFor: at(day) })).toEqual([200, 'scheduled'])
    expect(await write({ scheduledFor: at(day) })).toEqual([
      409,
      'Up to 100 posts can wait to be published. Please publish or delete one first.',
    ])
    expect(await write({})).toEqual([200, 'published'])
  })
})

describe('a poll', () => {
  const poll = (closesAt: string | null, options = ['Yes', 'No']) => ({
    poll: { options, closesAt },
  })

  test('closes after its beginning, within a year', async () => {
    const past = 'Please choose a time in the future for its end'
    const long = 'A poll can be open for at most 365 days'
    expect(await write(poll(at(-1)))).toEqual([400, past])
    expect(await write(poll(at(0)))).toEqual([400, past])
    expect(await write(poll(at(1)))).toEqual([200, 'published'])
    expect(await write(poll(at(365 * day)))).toEqual([200, 'published'])
    expect(await write(poll(at(365 * day + 1)))).toEqual([400, long])

    const scheduledFor = at(day)
    const early = 'The poll would be closed before the post is published.'
    expect(await write({ ...poll(at(day - 1)), scheduledFor })).toEqual([400, early])
    expect(await write({ ...poll(at(day)), scheduledFor })).toEqual([400, early])
    expect(await write({ ...poll(at(day + 1)), scheduledFor })).toEqual([200, 'scheduled'])
    expect(await write({ ...poll(at(366 * day)), scheduledFor })).toEqual([200, 'scheduled'])
    expect(await write({ ...poll(at(366 * day + 1)), scheduledFor })).toEqual([400, long])
  })

  test('is open for a year at most when its post comes earlier than it was meant to', async () => {
    const long = 'A poll can be open for at most 365 days'
    const { body: waiting } = await app.request('/rest/v1/posts', {
      cookie,
      body: {
        courseId: course.id,
        content: 'Hello',
        ...poll(at(366 * day)),
        scheduledFor: at(2 * day),
      },
    })
    const address = `/rest/v1/posts/${waiting.id}`
    const move = async (scheduledFor: string) => {
      const edit = { content: 'Hello', scheduledFor }
      const { status, body } = await app.request(address, { method: 'PUT', cookie, body: edit })
      return [status, body.message ?? body.scheduledFor]
    }
    const publish = async () => {
      const { status, body } = await app.request(`${address}/publication`, {
        method: 'POST',
        cookie,
      })
      return [status, body.message ?? body.status]
    }
    expect(await move(at(day - 1))).toEqual([400, long])
    expect(await move(at(day))).toEqual([200, at(day)])
    expect(await publish()).toEqual([409, long])
    await app.services.pool.query('update polls set closes_at = $2 where post_id = $1', [
      waiting.id,
      at(365 * day),
    ])
    expect(await publish()).toEqual([200, 'published'])
  })

  test('has answers that nobody takes for one another', async () => {
    const same = 'Two answers of a poll cannot be the same'
    expect(await write(poll(null, ['Fish', 'ﬁsh']))).toEqual([400, same])
    expect(await write(poll(null, ['Ä', 'ä']))).toEqual([400, same])
    expect(await write(poll(null, ['Maß', 'Mass', 'Ma ss']))).toEqual([200, 'published'])
  })
})

test('announcements of today count for a post within a day, to the moment', async () => {
  const full =
    'You can announce up to 3 posts in 24 hours. Please post it without an announcement, or another day.'
  const announce = (scheduledFor: string | null) => write({ isAnnouncement: true, scheduledFor })
  for (let index = 0; index < 3; index += 1) {
    expect(await announce(null)).toEqual([200, 'published'])
  }
  expect(await announce(null)).toEqual([409, full])
  expect(await announce(at(day - 1))).toEqual([409, full])
  for (let index = 0; index < 3; index += 1) {
    expect(await announce(at(day))).toEqual([200, 'scheduled'])
  }
  expect(await announce(at(day))).toEqual([409, full])
  // Those three lie within a day of what comes less than a day later.
  expect(await announce(at(2 * day - 1))).toEqual([409, full])
  expect(await announce(at(2 * day))).toEqual([200, 'scheduled'])
})
