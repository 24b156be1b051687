// What a player reports: where somebody is, what was watched, and what nobody can have watched.
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { waitingFor } from '../../../test/behind-change.ts'
import {
  joinCourse,
  lessonsOf,
  makeCourse,
  makeMedia,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { eventsOf } from '../../../test/events-of.ts'
import { publishToPerson } from '../../server/publish.ts'
import { recordPlayback } from './record-playback.ts'

let app: TestApp
let course: { id: string; slug: string; instructorId: string }
let foreign: { id: string; slug: string; instructorId: string }
/** With a video of 100 seconds. */
let lesson: { id: string; slug: string }
/** With a video elsewhere, of which the server knows nothing. */
let linked: { id: string; slug: string }
let learner: { id: string; cookie: string }

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

beforeAll(async () => {
  app = await startTestApp()
  const instructor = await someone()
  const chapters = [{ title: 'One', lessons: [{ title: 'A' }, { title: 'B' }, { title: 'C' }] }]
  course = await makeCourse(app.services, instructor, { chapters })
  foreign = await makeCourse(app.services, instructor, { chapters })
  const [first, second] = await lessonsOf(app.services, course.id)
  lesson = first!
  linked = second!
  const owner = { id: instructor.id }
  const video = await makeMedia(app.services, owner, { purpose: 'video', courseId: course.id })
  await app.services.db.execute(sql`
    with video as (update media_files set duration_seconds = 100 where id = ${video} returning id)
    update lessons set video_id = video.id from video where lessons.id = ${lesson.id}`)
  await app.services.db.execute(sql`
    update lessons set video_url = 'https://example.com/a.mp4' where id = ${linked.id}`)
})
afterAll(() => app?.stop())

beforeEach(async () => {
  learner = await someone()
  await joinCourse(app.services, learner, course)
})
// There is room for 25.
afterEach(() => leave())

const leave = () =>
  app.request(`/rest/v1/enrollments/${course.id}`, { method: 'DELETE', ...learner })

type Report = {
  video?: unknown
  seconds?: unknown
  secondsAgo?: unknown
  played?: unknown
  duration?: unknown
  ended?: unknown
}

const report = (body: Report, at = lesson, { cookie } = learner) =>
  app.request(`/rest/v1/lessons/${at.id}/position`, {
    method: 'PUT',
    body: { seconds: 0, ...body },
    cookie,
  })
const stretch = (from: number, to: number) => ({ from, to })

/** As if the last report had been sent so long ago. */
const secondsPass = (seconds: number, at = lesson) =>
  app.services.db.execute(sql`
    update lesson_positions set updated_at = updated_at - make_interval(secs => ${seconds})
     where user_id = ${learner.id} and lesson_id = ${at.id}`)

async function stored(at = lesson, who = learner) {
  const { rows } = await app.services.db.execute<{ seconds: number; watched: string }>(sql`
    select seconds, watched::text from lesson_positions
     where user_id = ${who.id} and lesson_id = ${at.id}`)
  return rows[0] ?? null
}

/** Watched honestly, five seconds after five seconds at this speed. */
async function watch(from: number, to: number, speed = 1, at = lesson) {
  const answers = []
  for (let second = from; second < to; second += 5 * speed) {
    await secondsPass(5, at)
    const until = Math.min(to, second + 5 * speed)
    answers.push(await report({ seconds: until, played: [stretch(second, until)] }, at))
  }
  return answers.map(({ body }) => body.accepted)
}

const completedAt = async ({ slug } = lesson) =>
  (await app.request(`/rest/v1/courses/${course.slug}/lessons/${slug}`, learner)).body.completedAt

test('what many report at the same moment is stored for each of them, and what one of them may not is refused to that one', async () => {
  const others = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const person = await someone()
      await joinCourse(app.services, person, course)
      return person
    }),
  )
  const told = (at: number) => ({ seconds: at + 0.5, played: [stretch(at, at + 1)] })
  const send = () => [
    ...others.map((person, at) => report(told(at), lesson, person)),
    // Two tabs of one person, and a report of what the video does not have.
    report(told(40)),
    report(told(40)),
    report({ seconds: 5, played: [stretch(190, 200)] }, lesson, others[0]),
    report({ seconds: 7 }, { id: course.id, slug: '' }, others[1]),
  ]
  for (const statuses of [await Promise.all(send()), await Promise.all(send())]) {
    const expected = [...others.map(() => 200), 200, 200, 400, 404]
    expect(statuses.map(({ status }) => status)).toEqual(expected)
  }
  expect(await Promise.all(others.map((person) => stored(lesson, person)))).toEqual(
    others.map((_, at) => ({ seconds: at + 0.5, watched: `{[${at},${at + 1})}` })),
  )
  expect(await stored()).toEqual({ seconds: 40.5, watched: '{[40,41)}' })
  for (const person of others) {
    await app.request(`/rest/v1/enrollments/${course.id}`, { method: 'DELETE', ...person })
  }
})

test('whoever waits for a lesson that somebody deletes holds none that comes after it', async () => {
  const other = await someone()
  await joinCourse(app.services, other, course)
  const inOrder = [lesson, linked].toSorted((one, another) => (one.id < another.id ? -1 : 1))
  const deleter = new Client({ connectionString: app.databaseUrl })
  await deleter.connect()
  onTestFinished(() => deleter.end())
  const hold = (at: number) =>
    deleter.query('select id from lessons where id = $1 for update nowait', [inOrder[at]!.id])
  await deleter.query('begin')
  await hold(0)
  // Of one statement, and the later lesson first.
  const reports = [inOrder[1]!, inOrder[0]!].map(({ id }, at) =>
    recordPlayback(
      app.services.pool,
      { userId: [learner, other][at]!.id, courseId: course.id, lessonId: id },
      { lessonId: id, seconds: 1, played: [], ended: false },
      null,
    ),
  )
  await waitingFor(app.services, 1)
  await hold(1)
  await deleter.query('rollback')
  const answer = { seconds: 1, accepted: true }
  expect(await Promise.all(reports)).toEqual([answer, answer])
  await app.request(`/rest/v1/enrollments/${course.id}`, { method: 'DELETE', ...other })
})

describe('what was watched', () => {
  test('becomes one stretch, whatever the order and however often', async () => {
    await report({ seconds: 0 })
    await secondsPass(100)
    for (const played of [[stretch(10, 20)], [stretch(0, 10.2)], [stretch(5, 15), stretch(30, 31)]])
      expect((await report({ seconds: 31, played })).body).toEqual({
        seconds: 31,
        accepted: true,
        completed: false,
      })
    expect(await stored()).toEqual({ seconds: 31, watched: '{[0,20),[30,31)}' })
  })

  test.each([1, 1.5, 2])('passes at %i times the speed', async (speed) => {
    expect(new Set(await watch(0, 100, speed))).toEqual(new Set([true]))
    expect((await stored())?.watched).toBe('{[0,100)}')
  })

  test('at three times the speed passes only as long as the first seconds are given', async () => {
    expect(await watch(0, 100, 3)).toContain(false)
    expect((await report({ ended: true })).body.completed).toBe(false)
  })

  test('without a connection is told when there is one again', async () => {
    await report({ seconds: 1, played: [stretch(0, 1)] })
    await secondsPass(60)
    const { body } = await report({ seconds: 61, played: [stretch(1, 61)] })
    expect(body.accepted).toBe(true)
    expect((await stored())?.watched).toBe('{[0,61)}')
  })

  test('may be told again, when the answer got lost', async () => {
    const told = { seconds: 10, played: [stretch(0, 10)] }
    for (const _time of [1, 2, 3, 4]) expect((await report(told)).body.accepted).toBe(true)
  })

  test('costs one statement beside who it is and what they may', async () => {
    const watched = watchStatements(app)
    const statements = await watched.during(() => report({ seconds: 5, played: [stretch(0, 5)] }))
    expect(statements).toHaveLength(2)
  })
})

describe('what nobody can have watched', () => {
  test('in the first report', async () => {
    const { body } = await report({ seconds: 100, played: [stretch(0, 100)], ended: true })
    expect(body).toEqual({ seconds: 100, accepted: false, completed: false })
    expect(await stored()).toEqual({ seconds: 100, watched: '{}' })
    expect(await completedAt()).toBeNull()
  })

  test('after a while', async () => {
    await report({ seconds: 0 }, linked)
    await secondsPass(3000, linked)
    const until = async (from: number, to: number) =>
      (await report({ seconds: to, played: [stretch(from, to)] }, linked)).body.accepted
    // 15 given, 6,000 for 3,000 seconds at double speed. While this is asked some time passes, too.
    expect(await until(0, 6300)).toBe(false)
    expect((await stored(linked))?.watched).toBe('{}')
    expect(await until(0, 6015)).toBe(true)
    expect(await until(6015, 6315)).toBe(false)
  })

  test('in many small reports', async () => {
    for (let second = 0; second < 100; second += 2) {
      await report({ seconds: second, played: [stretch(second, second + 2)] })
      // No time passes, however long so many take.
      await secondsPass(-3600)
    }
    await report({ seconds: 100, ended: true })
    const ranges = [...(await stored())!.watched.matchAll(/(\d+),(\d+)/g)]
    const seconds = ranges.reduce((sum, [, from, to]) => sum + Number(to) - Number(from), 0)
    expect(seconds).toBeLessThan(60)
    expect(await completedAt()).toBeNull()
  })

  test('on two devices at once', async () => {
    await report({ seconds: 0 }, linked)
    await secondsPass(1000, linked)
    const halves = [stretch(0, 1500), stretch(3000, 4500)]
    const answers = await Promise.all(
      halves.map((played) => report({ seconds: played.to, played: [played] }, linked)),
    )
    expect(answers.map(({ body }) => body.accepted).toSorted()).toEqual([false, true])
  })

  test('however long ago the lesson was opened', async () => {
    await report({ seconds: 0 }, linked)
    await secondsPass(100_000, linked)
    const played = [stretch(0, 7201)]
    expect((await report({ played, duration: 8000 }, linked)).body.accepted).toBe(false)
  })

  test('past the end of the video', async () => {
    await report({ seconds: 3 })
    await secondsPass(1000)
    const known = await report({ seconds: 5, played: [stretch(95, 103)], duration: 500 })
    expect([known.status, known.body.message]).toEqual([
      400,
      'More was reported as played than the video has.',
    ])
    expect(await stored(), 'nothing of it is stored').toEqual({ seconds: 3, watched: '{}' })
    const told = await report({ played: [stretch(0, 60)], duration: 50 }, linked)
    expect(told.status).toBe(400)
  })

  test.each([
    ['reversed', { played: [stretch(7, 3)] }, 'A stretch must end after it begins'],
    [
      'negative',
      { played: [stretch(-1, 3)] },
      'A stretch must be a number of seconds, 0 to 86,400',
    ],
    ['no number', { played: [{ from: 'x', to: 3 }] }, 'A stretch must be a number of seconds'],
    ['not a number', { played: [{ from: 0, to: Number.NaN }] }, 'A stretch must be a number'],
    ['endless', { played: '[{"from":0,"to":1e999}]' }, 'What was played must be a list'],
    ['no list', { played: 7 }, 'What was played must be a list of stretches'],
    [
      'too many',
      { played: Array.from({ length: 21 }, () => stretch(0, 1)) },
      'A report can have at most 20 stretches',
    ],
    ['a length of nothing', { duration: -1 }, 'The duration must be a number of seconds'],
    ['an end of another kind', { ended: 'yes' }, 'Ended must be true or false'],
    ['later than now', { secondsAgo: -1 }, 'How long ago it was must be a number of seconds'],
    ['long ago', { secondsAgo: 2_592_001 }, 'a number of seconds, 0 to 2,592,000'],
    ['a position after a day', { seconds: 86_401 }, 'The position must be a number of seconds'],
  ])('%s', async (_what, body, message) => {
    const answer = await report(body)
    expect(answer.status).toBe(422)
    expect(JSON.stringify(answer.body)).toContain(message)
    expect(await stored()).toBeNull()
  })

  test('in a lesson of a course that is not theirs', async () => {
    const [theirs] = await lessonsOf(app.services, foreign.id)
    for (const more of [{}, { courseId: course.id }, { slug: course.slug }]) {
      const { status } = await report({ ...more, played: [stretch(0, 5)] }, theirs)
      expect(status).toBeGreaterThanOrEqual(403)
    }
    expect(await stored(theirs)).toBeNull()
  })
})

describe('the place that is told late', () => {
  test('does not undo where another device is by now, and hears of it', async () => {
    await report({ seconds: 60 })
    await report({ seconds: 90 }, lesson, { ...learner })
    const late = await report({ seconds: 72, secondsAgo: 3600 })
    expect(late.body).toEqual({ seconds: 90, accepted: true, completed: false })
    expect((await stored())?.seconds).toBe(90)
    expect((await report({ seconds: 72 })).body.seconds, 'back there by hand').toBe(72)
  })

  test('counts, when nobody was there since', async () => {
    await report({ seconds: 10 })
    await secondsPass(7200)
    expect((await report({ seconds: 50, secondsAgo: 3600 })).body.seconds).toBe(50)
    expect((await report({ seconds: 40, secondsAgo: 3700 })).body.seconds, 'before that').toBe(50)
    expect((await report({ seconds: 60, secondsAgo: 3500 })).body.seconds, 'after that').toBe(60)
  })

  test('counts after a report of the same device that took long to arrive', async () => {
    await report({ seconds: 10 })
    expect((await report({ seconds: 50, secondsAgo: 14 })).body.seconds).toBe(50)
  })

  test('comes with what was played until then, and with no more than can have been', async () => {
    await report({ seconds: 0 }, linked)
    await secondsPass(3000, linked)
    const until = async (from: number, to: number, secondsAgo = 0) =>
      (await report({ seconds: to, secondsAgo, played: [stretch(from, to)] }, linked)).body.accepted
    // 15 given, 6,000 for 3,000 seconds at double speed. While this is asked some time passes, too.
    expect(await until(0, 6000, 20)).toBe(true)
    expect(await until(6000, 6300)).toBe(false)
    expect(await until(6000, 6015, 20)).toBe(true)
    expect((await stored(linked))?.watched).toBe('{[0,6015)}')
  })

  test('comes with what was played, when it is the first of the lesson', async () => {
    const first = { seconds: 10, secondsAgo: 3600, played: [stretch(0, 10)] }
    expect((await report(first, linked)).body).toMatchObject({ seconds: 10, accepted: true })
    const more = { seconds: 210, played: [stretch(10, 210)] }
    expect((await report(more, linked)).body.accepted).toBe(false)
    await secondsPass(98, linked)
    expect((await report(more, linked)).body.accepted).toBe(true)
  })
})

describe('the end of the video', () => {
  test('completes the lesson that was watched, and says so', async () => {
    const window = await eventsOf(app.services, learner.id)
    const event = window.next()
    await watch(0, 95)
    expect(await completedAt()).toBeNull()
    await secondsPass(5)
    const last = { seconds: 0, played: [stretch(95, 100)], ended: true }
    const { body } = await report(last)
    expect(body).toEqual({
      seconds: 0,
      accepted: true,
      completed: true,
      completion: {
        completedAt: expect.any(String),
        completedCount: 1,
        lessonsCount: 3,
        progressPercent: 33,
      },
    })
    expect((await event).value).toEqual({ type: 'progress', courseId: course.id })
    await window.return(undefined)
    expect(await completedAt()).toBe(body.completion.completedAt)
    expect((await report(last)).body, 'told again').toEqual(body)
  })

  test('does not, when it was skipped to', async () => {
    await watch(0, 20)
    await secondsPass(5)
    const played = [stretch(97, 100)]
    expect((await report({ seconds: 100, played, ended: true })).body).toMatchObject({
      accepted: true,
      completed: false,
    })
    expect(await completedAt()).toBeNull()
  })

  test('does so at most once for two devices', async () => {
    await watch(0, 100)
    const window = await eventsOf(app.services, learner.id)
    const events: unknown[] = []
    const listening = (async () => {
      for await (const event of window) events.push(event)
    })()
    const answers = await Promise.all([1, 2, 3, 4].map(() => report({ ended: true })))
    expect(answers.map(({ body }) => body.completed)).toEqual([true, true, true, true])
    const times = new Set(answers.map(({ body }) => body.completion.completedAt))
    expect(times.size).toBe(1)
    // What comes after is told after: then nothing else is on its way.
    await publishToPerson(app.services.db, learner.id, {
      type: 'joined',
      courseId: course.id,
    })
    await expect.poll(() => events).toContainEqual({ type: 'joined', courseId: course.id })
    expect(events).toHaveLength(2)
    await window.return(undefined)
    await listening
  })

  test('un-completed by hand stays so, until it is watched again', async () => {
    await watch(0, 100)
    expect((await report({ ended: true })).body.completed).toBe(true)
    await app.request(`/rest/v1/lessons/${lesson.id}/completion`, { method: 'DELETE', ...learner })
    expect((await report({ ended: true })).body.completed).toBe(false)
    await watch(90, 100)
    expect((await report({ ended: true })).body.completed).toBe(false)
    expect(await completedAt()).toBeNull()
    await watch(0, 90)
    expect((await report({ ended: true })).body.completed).toBe(true)
  })

  test('counts what was watched of this video, not of a longer one that was there before', async () => {
    const length = (seconds: number) =>
      app.services.db.execute(sql`
        update media_files m set duration_seconds = ${seconds} from lessons l
         where l.id = ${lesson.id} and m.id = l.video_id`)
    await watch(60, 100)
    await length(40)
    expect((await report({ ended: true })).body.completed).toBe(false)
    await watch(0, 40)
    expect((await report({ ended: true })).body.completed).toBe(true)
    await length(100)
  })

  test('of a video elsewhere counts by the length that the player tells', async () => {
    await watch(0, 60, 1, linked)
    expect((await report({ ended: true }, linked)).body.completed, 'no length').toBe(false)
    expect((await report({ ended: true, duration: 20 }, linked)).body.completed).toBe(false)
    expect((await report({ ended: true, duration: 61.4 }, linked)).body.completed).toBe(true)
  })
})

describe('progress', () => {
  test('stays with its lesson when the course is edited and put in another order', async () => {
    await watch(0, 40)
    const instructor = await sessionCookieOf(app.services, course.instructorId)
    const path = `/rest/v1/courses/${course.id}/content`
    const { body: content } = await app.request(path, { cookie: instructor })
    const [chapter] = content.chapters
    const kept = chapter.lessons.map((one: { video: { id: string } | null }) => ({
      ...one,
      videoId: one.video?.id ?? null,
    }))
    kept[0].title = 'A as it is called now'
    const saved = await app.request(path, {
      method: 'PUT',
      cookie: instructor,
      body: {
        contentVersion: content.contentVersion,
        chapters: [
          { title: 'New', lessons: [{ title: 'D', content: kept[0].content }] },
          { ...chapter, lessons: kept.toReversed() },
        ],
      },
    })
    expect(saved.body.message).toBeUndefined()
    expect(await stored()).toEqual({ seconds: 40, watched: '{[0,40)}' })
    const shown = await app.request(`/rest/v1/courses/${course.slug}/lessons/a`, learner)
    expect(shown.body).toMatchObject({ title: 'A as it is called now', position: 40, number: 4 })
    // Everything else here counts three lessons.
    await app.services.db.execute(sql`
      delete from chapters where course_id = ${course.id} and title = 'New'`)
    await app.services.db.execute(sql`
      update courses set lessons_count = 3 where id = ${course.id}`)
  })

  test('is there for a member who left and comes back', async () => {
    await watch(0, 40)
    await leave()
    expect((await report({ seconds: 3 })).status).toBe(403)
    await joinCourse(app.services, learner, course)
    expect(await stored()).toEqual({ seconds: 40, watched: '{[0,40)}' })
  })
})

describe('another video in the place of one', () => {
  let owner: { id: string; cookie: string }
  let own: { id: string; slug: string; instructorId: string }
  let uploaded: { id: string; slug: string }
  let elsewhere: { id: string; slug: string }

  const film = async () => {
    const id = await makeMedia(app.services, owner, { purpose: 'video', courseId: own.id })
    await app.services.db.execute(
      sql`update media_files set duration_seconds = 100 where id = ${id}`,
    )
    return id
  }

  type Edited = { title: string; videoId: string | null; videoUrl: string | null }

  /** What the editor does with the first two lessons. */
  async function save(change: (uploaded: Edited, elsewhere: Edited) => void) {
    const path = `/rest/v1/courses/${own.id}/content`
    const { body: content } = await app.request(path, owner)
    for (const one of content.chapters[0].lessons) one.videoId = one.video?.id ?? null
    const [first, second] = content.chapters[0].lessons
    change(first, second)
    const { status, body } = await app.request(path, { method: 'PUT', body: content, ...owner })
    expect([status, body.message]).toEqual([200, undefined])
  }

  const page = async (at: { slug: string }, who = learner) =>
    (await app.request(`/rest/v1/courses/${own.slug}/lessons/${at.slug}`, who)).body

  beforeEach(async () => {
    owner = await someone()
    const chapters = [{ title: 'One', lessons: [{ title: 'A' }, { title: 'B' }] }]
    own = await makeCourse(app.services, owner, { chapters })
    await joinCourse(app.services, learner, own)
    const [first, second] = await lessonsOf(app.services, own.id)
    uploaded = first!
    elsewhere = second!
    const videoId = await film()
    await save((one, other) => {
      one.videoId = videoId
      other.videoUrl = 'https://example.com/a.mp4'
    })
  })

  test('begins at its beginning, and nothing of it was watched; who had completed the lesson has', async () => {
    const quick = await someone()
    await joinCourse(app.services, quick, own)
    const completion = `/rest/v1/lessons/${uploaded.id}/completion`
    await app.request(completion, { method: 'PUT', ...quick })
    await report({ seconds: 33 }, uploaded, quick)
    await watch(0, 80, 1, uploaded)
    await watch(0, 20, 1, elsewhere)
    const videoId = await film()
    await save((one) => {
      one.videoId = videoId
    })
    expect((await page(uploaded)).position).toBe(0)
    expect(await page(uploaded, quick)).toMatchObject({
      position: 0,
      completedAt: expect.any(String),
    })
    expect(await stored(elsewhere), 'its video is the same').toMatchObject({ seconds: 20 })
    await watch(80, 100, 1, uploaded)
    expect((await report({ ended: true }, uploaded)).body.completed).toBe(false)
    await watch(0, 80, 1, uploaded)
    expect((await report({ ended: true }, uploaded)).body.completed).toBe(true)
  })

  test('is completed by watching it, also where it is shorter and its length is told by players', async () => {
    await watch(0, 60, 1, elsewhere)
    await save((_one, other) => {
      other.videoUrl = 'https://example.com/b.mp4'
    })
    expect(await stored(elsewhere)).toEqual({ seconds: 0, watched: '{}' })
    await watch(0, 40, 1, elsewhere)
    const { body } = await report({ ended: true, duration: 40 }, elsewhere)
    expect(body.completed).toBe(true)
  })

  test('is told nothing by a player that still plays the old one, not by its end either', async () => {
    const before = (await page(uploaded)).video.mediaId
    await watch(0, 100, 1, uploaded)
    const videoId = await film()
    await save((one, other) => {
      one.videoId = videoId
      other.videoUrl = 'https://example.com/b.mp4'
    })
    for (const [video, at] of [
      [before, uploaded],
      ['https://example.com/a.mp4', elsewhere],
      ['', elsewhere],
    ] as const) {
      const told = { video, seconds: 60, played: [stretch(50, 60)], duration: 60, ended: true }
      const { status, body } = await report(told, at)
      expect([status, body.code, body.message]).toEqual([
        409,
        'OTHER_VIDEO',
        'The video of this lesson has changed.',
      ])
    }
    expect(await stored(uploaded)).toEqual({ seconds: 0, watched: '{}' })
    expect(await stored(elsewhere)).toBeNull()
    const told = { video: videoId, seconds: 5, played: [stretch(0, 5)] }
    expect((await report(told, uploaded)).body).toMatchObject({ seconds: 5, accepted: true })
    const toldOfLink = { ...told, video: 'https://example.com/b.mp4' }
    expect((await report(toldOfLink, elsewhere)).body).toMatchObject({ seconds: 5, accepted: true })
  })

  test('is none where only something else was changed', async () => {
    await watch(0, 40, 1, uploaded)
    await watch(0, 20, 1, elsewhere)
    await save((one, other) => {
      one.title = 'A as it is called now'
      other.title = 'B as it is called now'
    })
    expect(await stored(uploaded)).toEqual({ seconds: 40, watched: '{[0,40)}' })
    expect(await stored(elsewhere)).toEqual({ seconds: 20, watched: '{[0,20)}' })
  })

  test('waits for what is told of the old one at that moment, and holds no lesson before', async () => {
    const teller = new Client({ connectionString: app.databaseUrl })
    await teller.connect()
    onTestFinished(() => teller.end())
    const inOrder = [uploaded.id, elsewhere.id].toSorted()
    const hold = (at: number) =>
      teller.query('select id from lessons where id = $1 for key share nowait', [inOrder[at]])
    await teller.query('begin')
    await hold(0)
    await teller.query(
      `insert into lesson_positions (user_id, lesson_id, course_id, seconds, watched)
       values ($1, $2, $3, 7, '{[0,7)}')`,
      [learner.id, inOrder[0], own.id],
    )
    const videoId = await film()
    const saved = save((one, other) => {
      Object.assign(one, { title: 'Another A', videoId })
      Object.assign(other, { title: 'Another B', videoUrl: 'https://example.com/b.mp4' })
    })
    await waitingFor(app.services, 1)
    await hold(1)
    await teller.query('commit')
    await saved
    const told = inOrder[0] === uploaded.id ? uploaded : elsewhere
    expect(await stored(told)).toEqual({ seconds: 0, watched: '{}' })
  })
})
