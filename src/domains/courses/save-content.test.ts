import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makeMedia, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { emptyRichText, richTextFrom } from '../lessons/rich-text.ts'
import { lessonCompletions, lessons } from '../lessons/tables.ts'
import type { CourseContent } from './schema.ts'

let app: TestApp
let owner: { id: string; cookie: string }
let course: { id: string; slug: string }

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

beforeEach(async () => {
  owner = await someone()
  course = await makeCourse(app.services, owner, {
    chapters: [
      {
        title: 'One',
        lessons: [
          { title: 'Alpha', links: [{ title: 'Site', url: 'https://example.com/' }] },
          { title: 'Beta' },
        ],
      },
      { title: 'Two', lessons: [{ title: 'Gamma' }] },
    ],
  })
})

const path = (id = course.id) => `/rest/v1/courses/${id}/content`
const load = async () => (await app.request(path(), { cookie: owner.cookie })).body as CourseContent

/** What the editor sends for what it loaded. */
const edited = (content: CourseContent) => ({
  contentVersion: content.contentVersion,
  chapters: structuredClone(content.chapters).map((chapter) => ({
    ...chapter,
    lessons: chapter.lessons.map(({ video, ...lesson }) => ({
      ...lesson,
      videoId: video?.id ?? null,
    })),
  })),
})

const save = (body: object) => app.request(path(), { method: 'PUT', body, cookie: owner.cookie })

const newLesson = (title: string, more: object = {}) => ({
  title,
  content: emptyRichText,
  videoId: null,
  links: [],
  ...more,
})

const titles = (content: CourseContent) =>
  content.chapters.map((chapter) => [chapter.title, chapter.lessons.map((lesson) => lesson.title)])

describe('ids', () => {
  test('stay the same when nothing changes', async () => {
    const before = await load()
    const { status, body } = await save(edited(before))
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, contentVersion: before.contentVersion + 1 })
    expect(await load()).toEqual(body)
  })

  test('stay with what is renamed, moved and added to; completions stay with them', async () => {
    const learner = await someone()
    await app.request('/rest/v1/enrollments', {
      body: { courseId: course.id },
      cookie: learner.cookie,
    })
    const before = await load()
    const [one, two] = before.chapters as [Chapter, Chapter]
    const [alpha, beta] = one.lessons as [Lesson, Lesson]
    for (const { id } of [alpha, beta]) {
      await app.request(`/rest/v1/lessons/${id}/completion`, {
        method: 'PUT',
        cookie: learner.cookie,
      })
    }
    const change = edited(before)
    const [first, second] = change.chapters as [EditedChapter, EditedChapter]
    first.title = 'One, renamed'
    first.lessons[0]!.title = 'Alpha, renamed'
    first.lessons[0]!.links[0]!.description = 'Described'
    second.lessons.unshift(first.lessons.pop()!)
    const { body: after } = await save({
      ...change,
      chapters: [
        second,
        { ...first, lessons: [...first.lessons, newLesson('Delta')] },
        { title: 'Three', lessons: [newLesson('Epsilon')] },
      ],
    })
    expect(titles(after)).toEqual([
      ['Two', ['Beta', 'Gamma']],
      ['One, renamed', ['Alpha, renamed', 'Delta']],
      ['Three', ['Epsilon']],
    ])
    expect(after.chapters[0].id).toBe(two.id)
    expect(after.chapters[0].lessons[0].id).toBe(beta.id)
    expect(after.chapters[1].id).toBe(one.id)
    expect(after.chapters[1].lessons[0]).toMatchObject({
      id: alpha.id,
      links: [{ id: alpha.links[0]!.id, description: 'Described' }],
    })
    const dashboard = await app.request(`/rest/v1/courses/${course.slug}/dashboard`, {
      cookie: learner.cookie,
    })
    expect(dashboard.body).toMatchObject({
      completedCount: 2,
      lessonsCount: 5,
      chaptersCount: 3,
      progressPercent: 40,
      continueWith: { title: 'Gamma' },
    })
  })

  test('a lesson may leave a chapter that goes', async () => {
    const before = await load()
    const change = edited(before)
    change.chapters[0]!.lessons.push(change.chapters[1]!.lessons[0]!)
    change.chapters.pop()
    const { body } = await save(change)
    expect(titles(body)).toEqual([['One', ['Alpha', 'Beta', 'Gamma']]])
    expect(body.chapters[0].lessons[2].id).toBe(before.chapters[1]!.lessons[0]!.id)
  })

  test('what is removed takes its completions with it', async () => {
    const change = edited(await load())
    const [gone] = change.chapters[0]!.lessons.splice(0, 1)
    await app.request(`/rest/v1/lessons/${gone!.id}/completion`, {
      method: 'PUT',
      cookie: owner.cookie,
    })
    expect((await save(change)).status).toBe(200)
    const left = await app.services.db
      .select()
      .from(lessonCompletions)
      .where(eq(lessonCompletions.courseId, course.id))
    expect(left).toEqual([])
    const { body } = await app.request(`/rest/v1/courses/${course.slug}`)
    expect(body).toMatchObject({ lessonsCount: 2, firstLessons: ['Beta', 'Gamma'] })
  })
})

type Chapter = CourseContent['chapters'][number]
type Lesson = Chapter['lessons'][number]
type EditedChapter = ReturnType<typeof edited>['chapters'][number]

describe('what is left blank', () => {
  test('is dropped', async () => {
    const change = edited(await load())
    change.chapters[0]!.lessons[1]!.title = '   '
    const { body } = await save({
      ...change,
      chapters: [
        ...change.chapters,
        { title: ' ', lessons: [newLesson('Lost')] },
        { title: '\u200b', lessons: [newLesson('Lost out of sight')] },
        {
          title: 'Three',
          lessons: [
            newLesson('\u2060 \u00ad'),
            newLesson('Linked', {
              links: [
                { title: '', url: 'https://example.com' },
                { title: 'No address', url: ' ' },
                { title: '\u200b', url: 'https://example.com' },
                { title: 'Nothing to see', url: '\u200b' },
                { title: 'Kept', url: 'example.com/path' },
              ],
            }),
          ],
        },
      ],
    })
    expect(titles(body)).toEqual([
      ['One', ['Alpha']],
      ['Two', ['Gamma']],
      ['Three', ['Linked']],
    ])
    expect(body.chapters[2].lessons[0].links).toMatchObject([
      { title: 'Kept', url: 'https://example.com/path', description: '' },
    ])
  })

  test('a published course keeps at least one lesson', async () => {
    const before = await load()
    const problem =
      'A published course needs at least one lesson. Add a lesson with a title, or unpublish the course first.'
    for (const left of [[], [newLesson('  ')]]) {
      const { status, body } = await save({
        ...edited(before),
        chapters: [{ title: 'One', lessons: left }],
      })
      expect([status, body.message]).toEqual([400, problem])
    }
    expect(await load()).toEqual(before)
    const { cookie } = owner
    await app.request(`/rest/v1/courses/${course.id}/unpublish`, { method: 'POST', cookie })
    const emptied = await save({ ...edited(before), chapters: [{ title: 'One', lessons: [] }] })
    expect([emptied.status, titles(emptied.body)]).toEqual([200, [['One', []]]])
  })

  test('one chapter has to remain', async () => {
    const before = await load()
    for (const chapters of [[], [{ title: ' ', lessons: [newLesson('Lost')] }]]) {
      const { status, body } = await save({ ...edited(before), chapters })
      expect(status).toBe(400)
      expect(body.message).toBe(
        'A course needs at least one chapter. Please give a chapter a title.',
      )
    }
    expect(await load()).toEqual(before)
  })
})

describe('two editors', () => {
  test('the second one learns of the first', async () => {
    const change = edited(await load())
    await save({ ...change, chapters: [{ title: 'First', lessons: [newLesson('Mine')] }] })
    const { status, body } = await save(change)
    expect(status).toBe(409)
    expect(body.code).toBe('CONTENT_CHANGED')
    expect(body.message).toMatch(/^This course was changed in another tab/)
    expect(titles(await load())).toEqual([['First', ['Mine']]])
  })

  test('of 20 saves at once one wins', async () => {
    const change = edited(await load())
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        save({
          ...change,
          chapters: [{ title: `Chapter of ${index}`, lessons: [newLesson(`Lesson of ${index}`)] }],
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
    expect((await load()).chapters).toHaveLength(1)
  })

  test('people join and complete lessons while lessons are renamed', async () => {
    const learners = await Promise.all(Array.from({ length: 12 }, someone))
    const [alpha] = (await load()).chapters[0]!.lessons
    const rename = async () => {
      for (let round = 0; round < 6; round++) {
        const change = edited(await load())
        change.chapters[0]!.lessons[0]!.title = `Alpha ${round}`
        expect((await save(change)).status).toBe(200)
      }
    }
    const learn = async ({ cookie }: { cookie: string }) => {
      await app.request('/rest/v1/enrollments', { body: { courseId: course.id }, cookie })
      const completion = `/rest/v1/lessons/${alpha!.id}/completion`
      for (const method of ['PUT', 'DELETE', 'PUT']) {
        expect((await app.request(completion, { method, cookie })).status).toBe(200)
      }
    }
    await Promise.all([rename(), ...learners.map(learn)])
    const done = await app.services.db
      .select()
      .from(lessonCompletions)
      .where(eq(lessonCompletions.lessonId, alpha!.id))
    expect(done).toHaveLength(12)
  })
})

describe('ids of another course', () => {
  test.each(['chapter', 'lesson', 'link'])(
    'a %s is refused and nothing is saved',
    async (which) => {
      const stranger = await someone()
      const other = await makeCourse(app.services, stranger, {
        chapters: [
          {
            title: 'Theirs',
            lessons: [{ title: 'Theirs', links: [{ title: 'Theirs', url: 'example.com' }] }],
          },
        ],
      })
      const theirs = (await app.request(path(other.id), { cookie: stranger.cookie })).body
      const before = await load()
      const change = edited(before)
      const [chapter] = change.chapters
      const [lesson] = chapter!.lessons
      if (which === 'chapter') chapter!.id = theirs.chapters[0].id
      if (which === 'lesson') lesson!.id = theirs.chapters[0].lessons[0].id
      if (which === 'link') lesson!.links[0]!.id = theirs.chapters[0].lessons[0].links[0].id
      change.chapters[1]!.title = 'Changed'
      const { status, body } = await save(change)
      expect(status).toBe(400)
      expect(body.message).toMatch(/does not belong to this course\.$/)
      expect(await load()).toEqual(before)
      expect((await app.request(path(other.id), { cookie: stranger.cookie })).body).toEqual(theirs)
    },
  )

  test('the same id twice is refused', async () => {
    const change = edited(await load())
    change.chapters[1]!.lessons.push(change.chapters[0]!.lessons[0]!)
    const { status, body } = await save(change)
    expect(status).toBe(400)
    expect(body.message).toBe('The lesson “Alpha” is there twice.')
  })

  test('an id that is none is named', async () => {
    const change = edited(await load())
    change.chapters[0]!.id = 'chapter-1'
    const { status, body } = await save(change)
    expect(status).toBe(422)
    expect(body.message).toBe('A chapter is not a valid id')
  })
})

const saveWith = async (videoId: string) => {
  const change = edited(await load())
  change.chapters[0]!.lessons[0]!.videoId = videoId
  return save(change)
}

describe('videos', () => {
  test('a ready one of this course is shown to members', async () => {
    const videoId = await makeMedia(app.services, owner, { purpose: 'video', courseId: course.id })
    const { body } = await saveWith(videoId)
    expect(body.chapters[0].lessons[0].video).toEqual({
      id: videoId,
      filename: 'lesson.mp4',
      sizeBytes: 1000,
      status: 'ready',
      problem: null,
      url: expect.stringContaining(`/storage/v1/videos/${videoId}/`),
      processing: null,
    })
    const lesson = await app.request(`/rest/v1/courses/${course.slug}/lessons/alpha`, {
      cookie: owner.cookie,
    })
    expect(lesson.body.video).toMatchObject({
      url: expect.stringMatching(`^/storage/v1/videos/${videoId}/[^/]+/original$`),
      contentType: 'video/mp4',
    })
    const dashboard = await app.request(`/rest/v1/courses/${course.slug}/dashboard`, {
      cookie: owner.cookie,
    })
    const shown = dashboard.body.chapters[0].lessons.map(
      (item: { hasVideo: boolean }) => item.hasVideo,
    )
    expect(shown).toEqual([true, false])
  })

  test('one that is taken out of its lesson is shown no more, and keeps the lesson’s completions', async () => {
    const videoId = await makeMedia(app.services, owner, { purpose: 'video', courseId: course.id })
    const { body: before } = await saveWith(videoId)
    const { cookie } = owner
    const { id } = before.chapters[0].lessons[0]
    await app.request(`/rest/v1/lessons/${id}/completion`, { method: 'PUT', cookie })
    const change = edited(before)
    change.chapters[0]!.lessons[0]!.videoId = null
    const { status, body } = await save(change)
    expect([status, body.chapters[0].lessons[0].video]).toEqual([200, null])
    const learned = await app.request(`/rest/v1/courses/${course.slug}/lessons/alpha`, { cookie })
    expect(learned.body.video).toBeNull()
    const dashboard = await app.request(`/rest/v1/courses/${course.slug}/dashboard`, { cookie })
    expect(dashboard.body.chapters[0].lessons[0]).toMatchObject({
      id,
      hasVideo: false,
      completed: true,
    })
  })

  test.each(['unfinished', 'failed', 'of another course', 'a picture', 'unknown'])(
    'one that is %s is refused',
    async (which) => {
      const other = await makeCourse(app.services, owner)
      const videoId =
        which === 'unknown'
          ? owner.id
          : await makeMedia(app.services, owner, {
              purpose: which === 'a picture' ? 'thumbnail' : 'video',
              courseId: which === 'of another course' ? other.id : course.id,
              status:
                which === 'unfinished' ? 'uploading' : which === 'failed' ? 'failed' : 'ready',
            })
      const { status, body } = await saveWith(videoId)
      expect(status).toBe(400)
      expect(body.message).toMatch(/^The video of “Alpha” is not ready/)
    },
  )
})

describe('a link to a video', () => {
  const saveLinked = async (lesson: object) => {
    const change = edited(await load())
    Object.assign(change.chapters[0]!.lessons[0]!, lesson)
    return save(change)
  }
  const outline = async () => {
    const { cookie } = owner
    const { body } = await app.request(`/rest/v1/courses/${course.slug}/dashboard`, { cookie })
    return body.chapters[0].lessons[0]
  }
  const emptyLessons = async () => {
    const { cookie } = owner
    const checklist = `/rest/v1/courses/${course.id}/publish-checklist`
    return (await app.request(checklist, { cookie })).body.emptyLessonsCount
  }

  test('is kept as it was written, shown to members, and makes a lesson of itself', async () => {
    const empty = { content: emptyRichText, links: [], videoId: null, isPreview: true }
    expect((await saveLinked(empty)).status).toBe(200)
    const before = await emptyLessons()
    const { status, body } = await saveLinked({ videoUrl: ' youtu.be/dQw4w9WgXcQ?t=1 ' })
    expect([status, body.message]).toEqual([200, undefined])
    expect(body.chapters[0].lessons[0]).toMatchObject({
      video: null,
      videoUrl: 'youtu.be/dQw4w9WgXcQ?t=1',
      isPreview: true,
    })
    expect(await emptyLessons()).toBe(before - 1)
    expect(await outline()).toMatchObject({ hasVideo: true })
    const page = await app.request(`/rest/v1/courses/${course.slug}/lessons/alpha`, {
      cookie: owner.cookie,
    })
    expect(page.body.video).toEqual({ kind: 'link', url: 'youtu.be/dQw4w9WgXcQ?t=1' })
  })

  test('is left out of what says nothing about it, as a video is', async () => {
    await saveLinked({ videoUrl: 'https://example.com/a.mp4', isPreview: true })
    const change = edited(await load())
    const { videoUrl: _url, isPreview: _preview, ...lesson } = change.chapters[0]!.lessons[0]!
    change.chapters[0]!.lessons[0] = lesson as never
    expect((await save(change)).body.chapters[0].lessons[0]).toMatchObject({
      videoUrl: null,
      isPreview: false,
    })
    expect((await saveLinked({ videoUrl: '' })).body.chapters[0].lessons[0].videoUrl).toBeNull()
  })

  test('and an uploaded video at once are refused', async () => {
    const videoId = await makeMedia(app.services, owner, { purpose: 'video', courseId: course.id })
    const { status, body } = await saveLinked({ videoId, videoUrl: 'https://example.com/a.mp4' })
    expect([status, body.message]).toEqual([
      400,
      '“Alpha” has an uploaded video and a link to one. Please keep one of them.',
    ])
  })

  test.each([
    ['javascript:alert(1)', /must be a web address/],
    ['data:video/mp4;base64,AA', /must be a web address/],
    ['my film', /must be a web address/],
    ['https://me:secret@example.com/a.mp4', /must be a web address/],
    [`https://example.com/${'a'.repeat(2000)}`, /at most 2,000 characters/],
    [7, /must be text/],
  ])('is not %j', async (videoUrl, message) => {
    const { status, body } = await saveLinked({ videoUrl })
    expect([status, body.message]).toEqual([422, expect.stringMatching(message)])
  })
})

test('a link that leads nowhere is named', async () => {
  const change = edited(await load())
  change.chapters[0]!.lessons[0]!.links[0]!.url = 'javascript:alert(1)'
  const { status, body } = await save(change)
  expect(status).toBe(400)
  expect(body.message).toBe(
    'A link of “Alpha” does not work: “Site” needs a web or mail address, such as https://example.com.',
  )
})

describe('how long a lesson takes', () => {
  const shown = async () => {
    const { cookie } = owner
    const page = await app.request(`/rest/v1/courses/${course.slug}`)
    const dashboard = await app.request(`/rest/v1/courses/${course.slug}/dashboard`, { cookie })
    const alpha = await app.request(`/rest/v1/courses/${course.slug}/lessons/alpha`, { cookie })
    return {
      page: page.body.firstLessonsMinutes,
      dashboard: dashboard.body.chapters[0].lessons.map(
        ({ minutes }: { minutes: number | null }) => minutes,
      ),
      lesson: alpha.body.minutes,
    }
  }

  test('is what its creator says, on the course’s pages and the lesson’s', async () => {
    expect(await shown()).toEqual({
      page: [null, null, null],
      dashboard: [null, null],
      lesson: null,
    })
    const change = edited(await load())
    change.chapters[0]!.lessons[0]!.durationMinutes = 7
    const { body } = await save(change)
    expect(body.chapters[0].lessons[0]).toMatchObject({ durationMinutes: 7, videoMinutes: null })
    expect(await shown()).toEqual({ page: [7, null, null], dashboard: [7, null], lesson: 7 })
    const again = edited(body)
    again.chapters[0]!.lessons[0]!.durationMinutes = null
    expect((await save(again)).body.chapters[0].lessons[0].durationMinutes).toBeNull()
  })

  test('is its video’s own length where the file says it', async () => {
    const videoId = await makeMedia(app.services, owner, { purpose: 'video', courseId: course.id })
    const change = edited(await load())
    Object.assign(change.chapters[0]!.lessons[0]!, { videoId, durationMinutes: 7 })
    expect((await save(change)).status).toBe(200)
    expect((await shown()).lesson).toBe(7)
    for (const [seconds, minutes] of [
      [12, 1],
      [754, 13],
    ]) {
      await app.services.pool.query('update media_files set duration_seconds = $1 where id = $2', [
        seconds,
        videoId,
      ])
      const content = await load()
      expect(content.chapters[0]!.lessons[0]).toMatchObject({
        durationMinutes: 7,
        videoMinutes: minutes,
      })
      expect(await shown()).toEqual({
        page: [minutes, null, null],
        dashboard: [minutes, null],
        lesson: minutes,
      })
    }
  })

  test.each([0, -1, 1.5, 1441, 'ten'])('is not %j', async (durationMinutes) => {
    const change = edited(await load())
    Object.assign(change.chapters[0]!.lessons[0]!, { durationMinutes })
    const { status, body } = await save(change)
    expect([status, body.message]).toEqual([422, 'Duration must be whole minutes, 1 to 1440'])
  })
})

describe('what is too large', () => {
  const withContent = async (content: unknown) => {
    const change = edited(await load())
    Object.assign(change.chapters[0]!.lessons[0]!, { content })
    return change
  }
  const paragraph = (text: string) => ({
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
  })

  test.each([
    [
      '10 MB of text',
      422,
      'Lesson text is too long: at most 64 KB',
      () => paragraph('x'.repeat(10_000_000)),
    ],
    [
      'a document of 200,000 pieces',
      422,
      'Lesson text is too long: at most 64 KB',
      () => ({
        type: 'doc',
        content: Array.from({ length: 200_000 }, () => ({ type: 'paragraph' })),
      }),
    ],
    [
      '20 MB of text',
      413,
      'This is too much to send at once',
      () => paragraph('x'.repeat(20_000_000)),
    ],
  ])('%s is refused in words', async (_name, code, message, content) => {
    const before = await load()
    const { status, body } = await save(await withContent(content()))
    expect([status, body.message]).toEqual([code, expect.stringContaining(message)])
    expect(await load()).toEqual(before)
  })

  test.each([30, 3_000, 100_000])('text nested %i times is refused in words', async (times) => {
    const quotes = `${'{"type":"blockquote","content":['.repeat(times)}${']}'.repeat(times)}`
    const request = JSON.stringify(await withContent('HERE'))
    const { status, body } = await app.request(path(), {
      method: 'PUT',
      cookie: owner.cookie,
      body: request.replace('"HERE"', `{"type":"doc","content":[${quotes}]}`),
    })
    expect([status, body.message]).toEqual([422, 'Lesson text is nested too deeply'])
  })
})

const lesson = (slug: string) =>
  app.request(`/rest/v1/courses/${course.slug}/lessons/${slug}`, { cookie: owner.cookie })

describe('addresses of lessons', () => {
  test('an earlier one leads to the lesson until another lesson takes it', async () => {
    const change = edited(await load())
    const [alpha, beta] = change.chapters[0]!.lessons
    alpha!.title = 'Aleph'
    const { body: renamed } = await save(change)
    expect((await lesson('aleph')).body.id).toBe(alpha!.id)
    expect((await lesson('alpha')).body).toMatchObject({ id: alpha!.id, slug: 'aleph' })

    const next = edited(renamed)
    next.chapters[0]!.lessons[1]!.title = 'Alpha'
    const { body: taken } = await save(next)
    expect((await lesson('alpha')).body).toMatchObject({ id: beta!.id, slug: 'alpha' })
    expect((await lesson('beta')).body).toMatchObject({ id: beta!.id, slug: 'alpha' })

    const back = edited(taken)
    back.chapters[0]!.lessons[0]!.title = 'Alpha'
    await save(back)
    expect((await lesson('alpha')).body.id).toBe(beta!.id)
    expect((await lesson('alpha-2')).body.id).toBe(alpha!.id)
  })

  test('two lessons may swap titles', async () => {
    const change = edited(await load())
    const [alpha, beta] = change.chapters[0]!.lessons
    alpha!.title = 'Beta'
    beta!.title = 'Alpha'
    expect((await save(change)).status).toBe(200)
    expect((await lesson('alpha')).body.id).toBe(beta!.id)
    expect((await lesson('beta')).body.id).toBe(alpha!.id)
  })
})

test('a thousand lessons are saved at once, and only what changed is written', async () => {
  const many = Array.from({ length: 10 }, (_, part) => ({
    title: `Part ${part}`,
    lessons: Array.from({ length: 100 }, (_item, index) =>
      newLesson(`Lesson ${part * 100 + index}`, {
        content: richTextFrom('Some words. '.repeat(20)),
        links: [{ title: 'More', url: 'example.com' }],
      }),
    ),
  }))
  const statements = watchStatements(app)
  const small = await load()
  const { contentVersion } = small
  const { length: usual } = await statements.during(() => save(edited(small)))
  const first = await save({ contentVersion: contentVersion + 1, chapters: many })
  expect(first.status).toBe(200)
  expect(first.body.chapters.flatMap((chapter: Chapter) => chapter.lessons)).toHaveLength(1000)

  const pool = app.services.pool
  const { rows: before } = await pool.query(
    'select max(updated_at)::text as last from lessons where course_id = $1',
    [course.id],
  )
  const change = edited(first.body)
  change.chapters[3]!.lessons[7]!.title = 'The only change'
  let second = first
  const written = await statements.during(async () => {
    second = await save(change)
  })
  expect(second.status).toBe(200)
  expect(written, 'statements, for 1,000 lessons and for 3').toHaveLength(usual)
  const { rows: after } = await pool.query(
    'select count(*)::int as changed from lessons where course_id = $1 and updated_at > $2::timestamptz',
    [course.id, before[0].last],
  )
  expect(after[0].changed, 'rows that were written').toBe(1)

  const full = edited(second.body)
  full.chapters[0]!.lessons.push({ ...full.chapters[0]!.lessons[0]!, id: undefined as never })
  const refused = await save(full)
  expect(refused.status).toBe(422)
  expect(refused.body.message).toBe('A course can have at most 1,000 lessons')
  const kept = await app.services.db.select().from(lessons).where(eq(lessons.courseId, course.id))
  expect(kept).toHaveLength(1000)
})
