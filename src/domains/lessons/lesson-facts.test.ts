// What a lesson says of its video, its length and its neighbours; and what its completion sets going.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  lessonsOf,
  makeCourse,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { mediaFiles, videoProcessings } from '../media/tables.ts'
import { videoAddress } from '../media/video-address.ts'
import { previewPageVersion } from './preview-lesson.ts'

interface Caller {
  id: string
  cookie: string
}

let app: TestApp
let instructor: Caller
let learner: Caller
let course: { id: string; slug: string; instructorId: string }
let lessons: { id: string; slug: string; title: string }[]

async function someone(): Promise<Caller> {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

const query = async (statement: string, ...values: unknown[]) =>
  (await app.services.pool.query(statement, values)).rows

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  instructor = await someone()
  course = await makeCourse(app.services, instructor, {
    title: 'Tea',
    chapters: [
      { title: 'Leaves', lessons: [{ title: 'Green' }, { title: 'Black' }] },
      { title: 'Nothing yet', lessons: [] },
      { title: 'Water', lessons: [{ title: 'Heat' }, { title: 'Hardness' }] },
    ],
  })
  lessons = await lessonsOf(app.services, course.id)
  learner = await someone()
  await joinCourse(app.services, learner, course)
})

const lesson = async (at = 0, { cookie }: Caller = learner) => {
  const path = `/rest/v1/courses/${course.slug}/lessons/${lessons[at]!.slug}`
  const { status, body } = await app.request(path, { cookie })
  expect(status).toBe(200)
  return body
}
const preview = async (at = 0) =>
  (await app.request(`/rest/v1/courses/${course.slug}/preview/${lessons[at]!.slug}`)).body
const tick = (at: number, method = 'PUT', { cookie }: Caller = learner) =>
  app.request(`/rest/v1/lessons/${lessons[at]!.id}/completion`, { method, cookie })

/** Shown by the first lesson, which is a preview. */
async function film(facts: Partial<typeof mediaFiles.$inferInsert> = {}): Promise<string> {
  const [row] = await app.services.db
    .insert(mediaFiles)
    .values({
      ownerId: instructor.id,
      courseId: course.id,
      purpose: 'video',
      status: 'ready',
      filename: 'a.webm',
      sizeBytes: 9,
      ...facts,
    })
    .returning({ id: mediaFiles.id })
  await query(
    'update lessons set video_id = $2, video_url = null, is_preview = true where id = $1',
    lessons[0]!.id,
    row!.id,
  )
  return row!.id
}
const captions = (mediaId: string, ...languages: string[]) =>
  query(
    `insert into video_captions (media_id, language, cues)
     select $1, unnest($2::text[]), '[{"start":0,"end":1,"text":"Tea"}]'`,
    mediaId,
    languages,
  )

describe('the video of a lesson', () => {
  test('is told with all that was made of it, by addresses of whoever asks', async () => {
    const facts = { contentType: 'video/webm', durationSeconds: 12.5, width: 640, height: 360 }
    const mediaId = await film(facts)
    await captions(mediaId, 'pt-BR', 'de', 'x-none')
    await captions(await film(facts), 'fr')
    await query('update lessons set video_id = $2 where id = $1', lessons[0]!.id, mediaId)
    await app.services.db
      .insert(videoProcessings)
      .values({ mediaId, status: 'done', hasPoster: true, hasPreview: true, heights: [360] })
    const { secret } = app.services
    const told = (viewerId: string | null) => {
      const base = videoAddress({ mediaId, viewerId, secret })
      return {
        kind: 'file',
        mediaId,
        ...facts,
        url: `${base}/original`,
        hlsUrl: `${base}/hls/main.m3u8`,
        posterUrl: `${base}/poster.jpg`,
        previewUrl: `${base}/preview.vtt`,
        captions: [
          { language: 'de', label: 'German', url: `${base}/captions/de.vtt` },
          { language: 'pt-BR', label: 'Portuguese (Brazil)', url: `${base}/captions/pt-BR.vtt` },
          { language: 'x-none', label: 'x-none', url: `${base}/captions/x-none.vtt` },
        ],
        isProcessing: false,
      }
    }
    expect((await lesson()).video).toEqual(told(learner.id))
    expect((await lesson(0, instructor)).video).toEqual(told(instructor.id))
    expect((await preview()).video).toEqual(told(null))
  })

  test('is the upload alone until something is made of it, and an MP4 where nobody knows', async () => {
    const mediaId = await film()
    const bare = {
      kind: 'file',
      mediaId,
      contentType: 'video/mp4',
      durationSeconds: null,
      width: null,
      height: null,
      url: expect.stringMatching(/\/original$/),
      hlsUrl: null,
      posterUrl: null,
      previewUrl: null,
      captions: [],
      isProcessing: false,
    }
    expect((await lesson()).video).toEqual(bare)
    await app.services.db.insert(videoProcessings).values({ mediaId, status: 'done', heights: [] })
    expect((await lesson()).video).toEqual(bare)
    for (const status of ['queued', 'running']) {
      await query(`update video_processings set status = $1, heights = '[360]'`, status)
      expect((await lesson()).video).toEqual({ ...bare, isProcessing: true })
    }
  })

  test('is an address elsewhere, or none', async () => {
    await film({ status: 'uploading' })
    expect([(await lesson()).video, (await lesson(1)).video]).toEqual([null, null])
    const url = 'https://example.com/a.mp4'
    await query(
      'update lessons set video_id = null, video_url = $2 where id = $1',
      lessons[0]!.id,
      url,
    )
    expect((await lesson()).video).toEqual({ kind: 'link', url })
  })
})

test.each([
  [1, 5, 1],
  [89, 5, 1],
  [90, 5, 2],
  [3600, null, 60],
  [0, 5, 5],
  [null, 7, 7],
  [null, null, null],
])(
  'of %j seconds, and %j minutes by its creator, a lesson takes %j',
  async (seconds, said, minutes) => {
    await film({ durationSeconds: seconds })
    await query('update lessons set duration_minutes = $2 where id = $1', lessons[0]!.id, said)
    const outline = await app.request(`/rest/v1/courses/${course.slug}/outline`, {
      cookie: learner.cookie,
    })
    expect([
      (await lesson()).minutes,
      (await preview()).minutes,
      outline.body.chapters[0].lessons[0].minutes,
    ]).toEqual([minutes, minutes, minutes])
  },
)

test('a lesson stands between its neighbours, wherever a chapter begins', async () => {
  const places = []
  for (const at of [0, 1, 2, 3]) {
    const { number, chapterTitle, lessonsCount, previous, next } = await lesson(at)
    places.push([number, chapterTitle, lessonsCount, previous?.title, next?.title])
  }
  expect(places).toEqual([
    [1, 'Leaves', 4, undefined, 'Black'],
    [2, 'Leaves', 4, 'Green', 'Heat'],
    [3, 'Water', 4, 'Black', 'Hardness'],
    [4, 'Water', 4, 'Heat', undefined],
  ])
  expect((await lesson(1)).next).toEqual({ slug: 'heat', title: 'Heat' })
})

test('a lesson is shown with one’s own tick and place, and by an earlier address as well', async () => {
  const other = await someone()
  await joinCourse(app.services, other, course)
  await tick(0, 'PUT', other)
  await query(
    `insert into lesson_positions (user_id, lesson_id, course_id, seconds, watched) values ($1, $2, $3, 7, '{}')`,
    other.id,
    lessons[0]!.id,
    course.id,
  )
  expect(await lesson()).toMatchObject({ completedAt: null, position: 0 })
  expect(await lesson(0, other)).toMatchObject({ completedAt: expect.any(String), position: 7 })
  await query(
    `insert into lesson_slugs (course_id, slug, lesson_id) values ($1, 'formerly', $2)`,
    course.id,
    lessons[0]!.id,
  )
  const path = `/rest/v1/courses/${course.slug}/lessons/formerly`
  const formerly = await app.request(path, { cookie: learner.cookie })
  expect(formerly.body).toMatchObject({ id: lessons[0]!.id, slug: 'green' })
})

test('devices are counted for members, where somebody counts', async () => {
  const limits = async () => [
    (await lesson()).streamLimit,
    (await lesson(0, instructor)).streamLimit,
  ]
  expect(await limits()).toEqual([2, null])
  const { databaseUrl: DATABASE_URL, services } = app
  const uncounted = await startTestApp({
    DATABASE_URL,
    AUTH_SECRET: services.secret,
    STREAMS_PER_ACCOUNT: '0',
  })
  const single = await startTestApp({
    DATABASE_URL,
    AUTH_SECRET: services.secret,
    STREAMS_PER_ACCOUNT: '1',
  })
  try {
    const path = `/rest/v1/courses/${course.slug}/lessons/${lessons[0]!.slug}`
    const { body } = await uncounted.request(path, { cookie: learner.cookie })
    expect(body.streamLimit).toBeNull()
    const play = (cookie: string) =>
      single.request(`/rest/v1/lessons/${lessons[0]!.id}/stream`, {
        method: 'PUT',
        cookie,
        body: {},
      })
    expect((await play(learner.cookie)).status).toBe(200)
    const second = await play(await sessionCookieOf(app.services, learner.id))
    expect([second.status, second.body.message]).toEqual([
      409,
      expect.stringMatching(/^You are watching on another device: .+\.$/),
    ])
    // Who is not counted keeps no place by reporting, either.
    const report = (on: TestApp, cookie: string) =>
      on.request(`/rest/v1/lessons/${lessons[0]!.id}/position`, {
        method: 'PUT',
        cookie,
        body: { seconds: 3 },
      })
    expect((await report(single, learner.cookie)).body.stream).toMatchObject({ state: 'kept' })
    expect((await report(uncounted, learner.cookie)).body.stream).toBeUndefined()
    expect((await report(single, instructor.cookie)).body.stream).toBeUndefined()
  } finally {
    await uncounted.stop()
    await single.stop()
  }
})

describe('the last lesson that is completed', () => {
  const finish = async (who: Caller) => {
    const answers = []
    for (const at of [0, 1, 2, 3]) answers.push((await tick(at, 'PUT', who)).body)
    return answers
  }

  test('brings a certificate to a learner, the same each time, and none to the instructor', async () => {
    const answers = await finish(learner)
    expect(answers.map(({ certificateId }) => certificateId)).toEqual([
      undefined,
      undefined,
      undefined,
      expect.any(String),
    ])
    const { certificateId } = answers[3]
    expect((await tick(1)).body.certificateId).toBe(certificateId)
    expect((await tick(3, 'DELETE')).body.certificateId).toBeUndefined()
    expect((await tick(3)).body.certificateId).toBe(certificateId)
    expect((await finish(instructor))[3]).toEqual({
      completedAt: expect.any(String),
      completedCount: 4,
      lessonsCount: 4,
      progressPercent: 100,
    })
  })

  test('does so by being watched as well', async () => {
    await film({ durationSeconds: 10 })
    for (const at of [1, 2, 3]) await tick(at)
    const answer = await app.request(`/rest/v1/lessons/${lessons[0]!.id}/position`, {
      method: 'PUT',
      cookie: learner.cookie,
      body: { seconds: 10, played: [{ from: 0, to: 10 }], ended: true },
    })
    expect(answer.body).toEqual({
      seconds: 10,
      accepted: true,
      completed: true,
      completion: {
        completedAt: expect.any(String),
        completedCount: 4,
        lessonsCount: 4,
        progressPercent: 100,
        certificateId: expect.any(String),
      },
    })
  })
})

describe('the creator’s own programs', () => {
  beforeEach(async () => {
    await query(
      `insert into webhook_endpoints (user_id, url, events, sealed_secret)
       values ($1, 'https://hooks.example', '{lesson.completed}', 'x')`,
      instructor.id,
    )
  })
  const kept = () =>
    query(
      `select m.type, m.about_id as "aboutId", m.data from webhook_messages m
         join webhook_endpoints e on e.id = m.endpoint_id and e.user_id = $1 order by m.id`,
      instructor.id,
    )
  const told = (at: number) => ({
    type: 'lesson.completed',
    aboutId: learner.id,
    data: {
      course: { id: course.id, slug: course.slug, title: 'Tea' },
      person: expect.objectContaining({ id: learner.id }),
      lesson: lessons[at],
    },
  })

  test('are told of a completion once, by hand or by watching, and not of its end', async () => {
    await tick(1)
    await tick(1)
    await film({ durationSeconds: 10 })
    for (let time = 0; time < 2; time += 1) {
      await app.request(`/rest/v1/lessons/${lessons[0]!.id}/position`, {
        method: 'PUT',
        cookie: learner.cookie,
        body: { seconds: 10, played: [{ from: 0, to: 10 }], ended: true },
      })
    }
    await tick(1, 'DELETE')
    await tick(2, 'PUT', instructor)
    expect(await kept()).toEqual([told(1), told(0)])
    const activities = await query(
      `select lesson_id, activity_type from user_activities
        where user_id = $1 and activity_type = 'lesson_completed' order by id`,
      learner.id,
    )
    expect(activities).toEqual(
      [1, 0].map((at) => ({ lesson_id: lessons[at]!.id, activity_type: 'lesson_completed' })),
    )
  })
})

test('a kept page of a preview is another one whenever it would look different', async () => {
  const mediaId = await film()
  await app.services.db.insert(videoProcessings).values({ mediaId })
  const version = (at = 0, slug = course.slug) =>
    previewPageVersion(app.services.pool, slug, lessons[at]!.slug)
  const seen = new Set([await version()])
  const changes: [string, () => Promise<unknown>][] = [
    ['the course', () => query(`update courses set title = 'Tea!' where id = $1`, course.id)],
    ['its creator', () => query(`update users set name = 'Tea Lady' where id = $1`, instructor.id)],
    [
      'its video',
      () => query('update video_processings set updated_at = now() where media_id = $1', mediaId),
    ],
    ['captions', () => captions(mediaId, 'en')],
    ['more captions', () => captions(mediaId, 'de')],
  ]
  for (const [what, change] of changes) {
    await change()
    const changed = await version()
    expect([what, changed, seen.has(changed)]).toEqual([what, expect.any(String), false])
    seen.add(changed)
    expect(await version()).toBe(changed)
  }
  expect(await version()).toContain('de en')
  expect([await version(1), await version(0, 'no-such-course')]).toEqual([null, null])
  await query(`update courses set status = 'draft' where id = $1`, course.id)
  expect(await version()).toBeNull()
})

test('a note that is changed says when', async () => {
  const path = `/rest/v1/lessons/${lessons[0]!.id}/notes`
  const { body } = await app.request(path, { cookie: learner.cookie, body: { text: 'Hot' } })
  await query(
    `update lesson_notes set updated_at = '2020-01-01', created_at = '2020-01-01' where id = $1`,
    body.id,
  )
  const changed = await app.request(`${path}/${body.id}`, {
    method: 'PATCH',
    cookie: learner.cookie,
    body: { text: 'Hotter' },
  })
  expect(changed.body.createdAt).toMatch(/^2020/)
  expect(Date.parse(changed.body.updatedAt)).toBeGreaterThan(Date.now() - 60_000)
})

test('five hundred notes beside a lesson are those of one person, and of that lesson', async () => {
  const other = await someone()
  await joinCourse(app.services, other, course)
  await query(
    `insert into lesson_notes (user_id, lesson_id, course_id, text)
     select $1, $2, $3, 'Note ' || n from generate_series(1, 500) n`,
    learner.id,
    lessons[0]!.id,
    course.id,
  )
  const add = async (at: number, { cookie }: Caller) =>
    (
      await app.request(`/rest/v1/lessons/${lessons[at]!.id}/notes`, {
        cookie,
        body: { text: 'x' },
      })
    ).status
  expect([await add(0, learner), await add(1, learner), await add(0, other)]).toEqual([
    409, 200, 200,
  ])
})
