// Courses as files: out, in, and out again, with nothing lost on the way.
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { courseJson, courseJsonOf, film, lesson, movie, small } from '../../../test/course-files.ts'
import {
  api,
  type Caller,
  exported,
  fullCourse,
  imported,
  jobsAreDone,
  sha256,
  someone,
} from '../../../test/course-transfers.ts'
import { joinCourse, makeCourse } from '../../../test/factories.ts'
import { zipByHand } from '../../../test/zip-by-hand.ts'
import { uploadKey } from '../media/finish-upload.ts'
import { mediaFiles } from '../media/tables.ts'
import { exportCourse } from './export-course.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

describe('a course goes out and in', () => {
  let creator: Caller
  let other: Caller
  let course: { id: string; slug: string }
  let zip: Buffer
  let copy: { id: string; slug: string; title: string }

  beforeAll(async () => {
    creator = await someone(app)
    other = await someone(app)
    course = await fullCourse(app, creator)
    zip = await exported(app, creator, course.id)
  })

  test('the same course is the same bytes, each time', async () => {
    expect(sha256(await exported(app, creator, course.id))).toBe(sha256(zip))
    const text = zip.toString('utf8')
    for (const name of ['course.json', 'media/0-thumbnail.webp', 'media/1-mischen-kneten-1-.mp4']) {
      expect(text).toContain(name)
    }
    expect([...new Set(text.match(/captions\/\d\.[\w-]+\.vtt/g))]).toEqual([
      'captions/1.de.vtt',
      'captions/1.en.vtt',
      'captions/1.es-419.vtt',
      'captions/2.ja.vtt',
    ])
    // The film of two lessons is there once.
    expect(zip.length).toBeLessThan(film.length * 2 + 500_000)
    expect(text).not.toContain(course.id)
    expect(text).not.toContain(creator.id)
  })

  test('export, import and export again gives the same bytes', async () => {
    const outcome = await imported(app, other, zip)
    expect(outcome).toMatchObject({
      status: 'done',
      problem: null,
      progressPercent: 100,
      canRetry: false,
    })
    copy = outcome.course
    expect(copy).toMatchObject({ title: 'Bread: “all of it” ⚡' })
    expect(copy.id).not.toBe(course.id)
    expect(sha256(await exported(app, other, copy.id))).toBe(sha256(zip))
  })

  test('it is a draft of whoever imported it, and can be played there', async () => {
    const form = await api(app, other, `/rest/v1/courses/${copy.id}/form`)
    expect(form.body).toMatchObject({
      status: 'draft',
      category: 'Cooking',
      level: 'Advanced',
      pricingType: 'monthly',
      priceAmount: 1250,
      applicationRequired: true,
      applicationInstructions: 'Tell us\n\nwhat you bake.',
    })
    expect(form.body.thumbnailId).toEqual(expect.any(String))
    const content = await api(app, other, `/rest/v1/courses/${copy.id}/content`)
    const [dough, waiting, oven] = content.body.chapters
    expect(dough.lessons[0]).toMatchObject({
      title: 'Mixing',
      durationMinutes: 12,
      video: { filename: 'Mischen & Kneten (1).mp4', status: 'ready' },
      links: [
        { title: 'Flour', url: 'https://flour.example', description: 'Ours' },
        { title: 'Write', url: 'mailto:me@flour.example', description: '' },
      ],
    })
    expect(dough.lessons[1].video.id).toBe(dough.lessons[0].video.id)
    expect(dough.lessons.map(({ isPreview }: { isPreview: boolean }) => isPreview)).toEqual([
      true,
      false,
    ])
    expect(waiting.lessons[0]).toMatchObject({ videoUrl: 'youtu.be/dQw4w9WgXcQ', video: null })
    const captions = await api(
      app,
      other,
      `/rest/v1/media/${dough.lessons[0].video.id}/captions/en`,
    )
    expect(captions.body.cues).toEqual([
      { start: 0, end: 0.3, text: 'Mix & <b>knead</b>' },
      { start: 0.1, end: 3661.002, text: '&amp; NOTE\n2' },
    ])
    expect(oven.lessons[0].video.filename).toBe('パン.mp4')
    const played = await fetch(app.url + oven.lessons[0].video.url, {
      headers: { cookie: other.cookie },
    })
    expect(sha256(Buffer.from(await played.arrayBuffer()))).toBe(sha256(film))
    for (const width of [320, 640, 1280]) {
      const picture = await fetch(
        `${app.url}/storage/v1/images/${form.body.thumbnailId}/${width}.webp`,
      )
      expect(picture.status).toBe(200)
      expect(await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).toMatchObject({
        width,
      })
    }
  })

  test('the uploaded ZIP is removed', async () => {
    await jobsAreDone(app)
    const files = await app.services.db
      .select()
      .from(mediaFiles)
      .where(eq(mediaFiles.purpose, 'import'))
    expect(files).toEqual([])
  })

  test('a ZIP that was packed again with another program is as good', async () => {
    const packer = await someone(app)
    const json = await courseJsonOf(zip)
    const repacked = zipByHand([
      { name: 'media/3-movie.mp4', data: film, method: 8 },
      {
        name: 'course.json',
        data: JSON.stringify({
          ...json,
          thumbnail: null,
          chapters: [
            {
              title: 'One',
              lessons: [
                {
                  ...json.chapters[0].lessons[1],
                  video: { file: 'media/3-movie.mp4', filename: 'movie.mp4', captions: [] },
                },
              ],
            },
          ],
        }),
        method: 8,
        mode: 0o100644,
      },
    ])
    expect(await imported(app, packer, repacked)).toMatchObject({ status: 'done', problem: null })
  })

  test('a ZIP of version 1, which knew neither captions nor links nor previews, is as good', async () => {
    const person = await someone(app)
    const { videoUrl: _url, isPreview: _preview, ...earlier } = lesson
    const outcome = await imported(
      app,
      person,
      zipByHand([
        courseJson({
          ...small,
          version: 1,
          chapters: [
            {
              title: 'Chapter',
              lessons: [
                { ...earlier, video: { file: 'media/1-a.mp4', filename: 'a.mp4' } },
                earlier,
              ],
            },
          ],
        }),
        movie,
      ]),
    )
    expect(outcome).toMatchObject({ status: 'done', problem: null })
    const { body } = await api(app, person, `/rest/v1/courses/${outcome.course.id}/content`)
    expect(body.chapters[0].lessons).toMatchObject([
      { video: { filename: 'a.mp4' }, videoUrl: null, isPreview: false },
      { video: null, videoUrl: null, isPreview: false },
    ])
  })

  test('only its instructor gets it', async () => {
    const path = `/rest/v1/courses/${course.id}/export`
    expect((await app.request(path)).status).toBe(401)
    expect((await api(app, other, path)).status).toBe(404)
    const open = await makeCourse(app.services, await someone(app))
    const member = await someone(app)
    await joinCourse(app.services, member, open)
    expect((await api(app, member, `/rest/v1/courses/${open.id}/export`)).status).toBe(403)
  })

  test('a download may be cut off anywhere', async () => {
    const own = { courseId: course.id, instructorId: creator.id }
    for (const chunks of [0, 1, 3, 5, 8]) {
      const { zip: stream } = (await exportCourse(app.services, own))!
      const reader = stream.getReader()
      for (let read = 0; read < chunks; read += 1) await reader.read()
      await reader.cancel()
    }
  })

  test('a file whose bytes are gone is left out, and the rest can be imported', async () => {
    const owner = await someone(app)
    const poor = await fullCourse(app, owner)
    const { body } = await api(app, owner, `/rest/v1/courses/${poor.id}/content`)
    await app.services.storage.remove(uploadKey(body.chapters[2].lessons[0].video.id))
    const outcome = await imported(app, await someone(app), await exported(app, owner, poor.id))
    expect(outcome).toMatchObject({ status: 'done', problem: null })
  })
})
