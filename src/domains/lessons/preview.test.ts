// Free previews: what everybody may see of a course, and that it is nothing more.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  lessonsOf,
  makeCourse,
  makeMedia,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { uploadKey } from '../media/finish-upload.ts'
import { videoAddress } from '../media/video-address.ts'
import { previewPageVersion } from './preview-lesson.ts'

let app: TestApp
let course: { id: string; slug: string; instructorId: string }
let lessons: { id: string; slug: string }[]
let instructor: { id: string; cookie: string }
let member: { id: string; cookie: string }
let stranger: { id: string; cookie: string }
/** Of the preview, and of the lesson after it. */
let openVideo: string
let closedVideo: string

async function someone() {
  const person = await makePerson(app.services, { name: 'Ina Instructor' })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

const sql = (text: string, values: unknown[]) => app.services.pool.query(text, values)

async function giveVideo(lessonId: string) {
  const facts = { purpose: 'video' as const, courseId: course.id }
  const id = await makeMedia(app.services, instructor, facts)
  await app.services.storage.put(uploadKey(id), Buffer.from('bytes of a video'))
  await sql('update lessons set video_id = $1 where id = $2', [id, lessonId])
  return id
}

const setPreview = (isPreview: boolean, lessonId = lessons[1]!.id) =>
  sql('update lessons set is_preview = $1 where id = $2', [isPreview, lessonId])

const setStatus = (status: string) =>
  sql('update courses set status = $1 where id = $2', [status, course.id])

beforeAll(async () => {
  app = await startTestApp()
  ;[instructor, member, stranger] = await Promise.all([someone(), someone(), someone()])
  course = await makeCourse(app.services, instructor, {
    title: 'Tea',
    chapters: [
      {
        title: 'Leaves',
        lessons: [
          { title: 'Green', content: 'Members only' },
          {
            title: 'Black',
            content: 'Strong.',
            links: [{ title: 'Map', url: 'https://example.com/map' }],
          },
          { title: 'White', content: 'Members only' },
        ],
      },
    ],
  })
  lessons = await lessonsOf(app.services, course.id)
  await joinCourse(app.services, member, course)
  openVideo = await giveVideo(lessons[1]!.id)
  closedVideo = await giveVideo(lessons[2]!.id)
  await setPreview(true)
})
afterAll(() => app?.stop())

const preview = (slug: string, who?: { cookie: string }) =>
  app.request(`/rest/v1/courses/${course.slug}/preview/${slug}`, { cookie: who?.cookie })

/** What asking for a file answers; the address is this person's own, unless told otherwise. */
async function fileStatus(
  mediaId: string,
  who: { id: string; cookie: string } | null,
  viewerId = who?.id ?? null,
) {
  const { secret } = app.services
  const address = videoAddress({ mediaId, viewerId, secret })
  const { status } = await app.request(`${address}/original`, { cookie: who?.cookie })
  return status
}

test('a preview shows everybody what the lesson says, and nothing about members', async () => {
  const { status, body } = await preview('black')
  expect(status).toBe(200)
  expect(body).toEqual({
    id: lessons[1]!.id,
    slug: 'black',
    title: 'Black',
    content: expect.objectContaining({ type: 'doc' }),
    minutes: null,
    video: {
      kind: 'file',
      mediaId: openVideo,
      url: expect.stringMatching(`^/storage/v1/videos/${openVideo}/`),
      contentType: 'video/mp4',
      durationSeconds: null,
      width: null,
      height: null,
      hlsUrl: null,
      posterUrl: null,
      previewUrl: null,
      captions: [],
      isProcessing: false,
    },
    resources: [
      {
        id: expect.any(String),
        title: 'Map',
        url: 'https://example.com/map',
        description: '',
      },
    ],
    course: {
      id: course.id,
      slug: course.slug,
      title: 'Tea',
      instructorName: 'Ina Instructor',
      lessonsCount: 3,
      branding: null,
    },
    canLearn: false,
  })
  expect((await app.request(body.video.url)).status).toBe(200)
  expect((await preview('black', stranger)).body.canLearn).toBe(false)
  for (const who of [member, instructor]) {
    expect((await preview('black', who)).body.canLearn).toBe(true)
  }
})

test('it costs two statements', async () => {
  const watch = watchStatements(app)
  expect(await watch.during(() => preview('black'))).toHaveLength(2)
})

test('a lesson that is no preview is not there, whoever asks', async () => {
  for (const who of [undefined, stranger, member, instructor]) {
    for (const slug of ['green', 'white', 'no-such-lesson', `${lessons[0]!.id}`, 'a%00b']) {
      expect([slug, (await preview(slug, who)).status]).toEqual([slug, 404])
    }
  }
  // The call for members stays one for members.
  const path = `/rest/v1/courses/${course.slug}/lessons/black`
  expect((await app.request(path)).status).toBe(401)
  expect((await app.request(path, stranger)).status).toBe(403)
})

test('everything else about the lesson stays with members', async () => {
  const { id } = lessons[1]!
  const asks = [
    { path: `/rest/v1/lessons/${id}` },
    { path: `/rest/v1/lessons/${id}/notes` },
    { path: `/rest/v1/lessons/${id}/notes`, method: 'POST', body: { text: 'x', seconds: null } },
    { path: `/rest/v1/lessons/${id}/completion`, method: 'PUT' },
    { path: `/rest/v1/lessons/${id}/completion`, method: 'DELETE' },
    { path: `/rest/v1/lessons/${id}/position`, method: 'PUT', body: { seconds: 1 } },
  ]
  for (const { path, ...ask } of asks) {
    expect([path, (await app.request(path, ask)).status]).toEqual([path, 401])
    const signedIn = await app.request(path, { ...ask, cookie: stranger.cookie })
    expect([path, signedIn.status]).toEqual([path, 403])
  }
  expect((await app.request(`/rest/v1/courses/${course.slug}/dashboard`, stranger)).status).toBe(
    403,
  )
  expect((await app.request(`/rest/v1/media/${openVideo}`, stranger)).status).toBe(404)
})

test('its video plays for everybody, with an own address or a signed-out one', async () => {
  expect(await fileStatus(openVideo, null)).toBe(200)
  expect(await fileStatus(openVideo, stranger)).toBe(200)
  expect(await fileStatus(openVideo, stranger, null)).toBe(200)
  expect(await fileStatus(openVideo, member)).toBe(200)
  // Not by the address of somebody else, and no other video.
  expect(await fileStatus(openVideo, null, member.id)).toBe(403)
  expect(await fileStatus(openVideo, stranger, member.id)).toBe(403)
  expect(await fileStatus(closedVideo, null)).toBe(401)
  expect(await fileStatus(closedVideo, stranger)).toBe(403)
  expect(await fileStatus(closedVideo, stranger, null)).toBe(403)
  expect(await fileStatus(closedVideo, member, null)).toBe(403)
})

test('captions, poster and playlist come with it', async () => {
  await sql(`insert into video_captions (media_id, language, cues) values ($1, 'de', $2)`, [
    openVideo,
    JSON.stringify([{ start: 0, end: 1, text: 'Tee' }]),
  ])
  await sql(
    `insert into video_processings (media_id, status, has_poster, has_preview, heights)
     values ($1, 'running', true, false, '[]')`,
    [openVideo],
  )
  const running = (await preview('black')).body.video
  expect(running).toMatchObject({
    hlsUrl: null,
    previewUrl: null,
    posterUrl: expect.stringMatching(/\/poster\.jpg$/),
    captions: [
      { language: 'de', label: 'German', url: expect.stringMatching(/captions\/de\.vtt$/) },
    ],
  })
  const captions = await app.request(running.captions[0].url)
  expect([captions.status, captions.body]).toEqual([200, expect.stringContaining('Tee')])
  await sql(
    `update video_processings set status = 'done', has_preview = true, heights = '[360]'
      where media_id = $1`,
    [openVideo],
  )
  expect((await preview('black')).body.video).toMatchObject({
    hlsUrl: expect.stringMatching(/\/hls\/main\.m3u8$/),
    previewUrl: expect.stringMatching(/\/preview\.vtt$/),
  })
  // Members get the same from the lesson.
  const path = `/rest/v1/courses/${course.slug}/lessons/black`
  const { video } = (await app.request(path, member)).body
  expect(video.hlsUrl).toMatch(/\/hls\/main\.m3u8$/)
  expect(video.url).not.toBe(running.url)
})

test('the course page names its previews', async () => {
  const { body } = await app.request(`/rest/v1/courses/${course.slug}`)
  expect(body.previewLessons).toEqual([{ title: 'Black', slug: 'black' }])
  expect(body.firstLessonsPreviews).toEqual([null, 'black', null])
  const outline = await app.request(`/rest/v1/courses/${course.slug}/dashboard`, member)
  const shown = outline.body.chapters[0].lessons.map(
    (item: { isPreview: boolean }) => item.isPreview,
  )
  expect(shown).toEqual([false, true, false])
})

test('a page that is kept is made again when what it shows has changed', async () => {
  const version = () => previewPageVersion(app.services.pool, course.slug, 'black')
  const first = await version()
  expect(first).toEqual(expect.any(String))
  expect(await version()).toBe(first)
  await sql('update courses set title = $1 where id = $2', ['Tea!', course.id])
  const renamed = await version()
  expect(renamed).not.toBe(first)
  await sql('update video_processings set updated_at = now() where media_id = $1', [openVideo])
  expect(await version()).not.toBe(renamed)
  expect(await previewPageVersion(app.services.pool, course.slug, 'white')).toBeNull()
})

test('a draft, and a lesson that is a preview no more, close everything', async () => {
  await setStatus('draft')
  for (const who of [null, stranger]) {
    expect((await preview('black', who ?? undefined)).status).toBe(404)
    expect(await fileStatus(openVideo, who)).toBe(who ? 404 : 401)
  }
  expect(await previewPageVersion(app.services.pool, course.slug, 'black')).toBeNull()
  expect(await fileStatus(openVideo, member)).toBe(200)
  await setStatus('published')
  await setPreview(false)
  expect((await preview('black')).status).toBe(404)
  expect(await fileStatus(openVideo, null)).toBe(401)
  expect(await fileStatus(openVideo, stranger)).toBe(403)
  expect(await fileStatus(openVideo, member)).toBe(200)
  expect(await previewPageVersion(app.services.pool, course.slug, 'black')).toBeNull()
})
