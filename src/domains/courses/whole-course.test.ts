// A course as each page has it, in whole; and what changes with it when it is changed, published and counted.
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  makeCourse,
  makeMedia,
  makePerson,
  makeReview,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { emptyRichText, type RichTextNode, richTextFrom } from '../lessons/rich-text.ts'
import { flagshipSlug } from '../site/flagship.ts'
import { claimFlagshipSlug } from './claim-slug.ts'
import { fillCourse } from './fill-course.ts'
import { profileCoursesVersion } from './queries.ts'
import { newIds } from './save-content.ts'
import { courses } from './tables.ts'
import { touchCourse } from './touch-course.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows
const ask = async (path: string, { cookie }: { cookie?: string } = {}) =>
  (await app.request(`/rest/v1/${path}`, { cookie })).body
const send = (method: string, path: string, { cookie }: Someone, body?: object) =>
  app.request(`/rest/v1/${path}`, { method, body, cookie })

const paragraph = (...content: RichTextNode[]): RichTextNode => ({ type: 'paragraph', content })
const said = (text: string): RichTextNode => ({ type: 'text', text })
const link = (text: string): RichTextNode => ({
  type: 'text',
  text,
  marks: [{ type: 'link', attrs: { href: 'https://example.com' } }],
})
const lesson = (title: string, more: object = {}) => ({
  title,
  content: emptyRichText,
  videoId: null,
  links: [],
  ...more,
})

/** Made and filled over HTTP, with something of everything. */
async function wholeCourse(creator: Someone) {
  const thumbnailId = await makeMedia(app.services, creator, { purpose: 'thumbnail' })
  const form = {
    title: 'Ropes ⚡',
    shortDescription: 'In short',
    description: richTextFrom('Tie things.'),
    category: 'Hobbies',
    level: 'Advanced',
    thumbnailId,
    pricingType: 'monthly',
    priceAmount: 1950,
    applicationRequired: true,
    applicationInstructions: 'Be kind',
    applicationQuestions: [{ question: 'Why?', required: false }],
    watermark: true,
  }
  const made = await send('POST', 'courses', creator, form)
  expect(made.status).toBe(200)
  const { id, slug } = made.body
  const videoId = await makeMedia(app.services, creator, { purpose: 'video', courseId: id })
  const chapters = [
    {
      title: 'Zero',
      lessons: [
        lesson('Zebra', { durationMinutes: 7, isPreview: true }),
        lesson('Yak', { videoId }),
      ],
    },
    {
      title: 'Alpha',
      lessons: [
        lesson('Wolf', {
          videoUrl: 'https://example.com/film.mp4',
          links: [
            { title: 'Z', url: 'https://z.example', description: 'Why' },
            { title: 'A', url: 'https://a.example', description: '' },
          ],
        }),
        lesson('Vole', { isPreview: true }),
        lesson('Ape', { isPreview: true }),
      ],
    },
  ]
  const saved = await send('PUT', `courses/${id}/content`, creator, { contentVersion: 1, chapters })
  expect([saved.status, saved.body.message]).toEqual([200, undefined])
  return { id, slug, thumbnailId, videoId, form, content: saved.body }
}

const urls = (id: string) => ({
  small: `/storage/v1/images/${id}/320.webp`,
  medium: `/storage/v1/images/${id}/640.webp`,
  large: `/storage/v1/images/${id}/1280.webp`,
})

describe('a course', () => {
  test('is in its form, its editor and on its page all that was given', async () => {
    const creator = await someone('Ida')
    await makeCourse(app.services, await someone(), { title: 'Beside it' })
    const { id, slug, thumbnailId, videoId, form, content } = await wholeCourse(creator)
    const { applicationQuestions: _asked, ...kept } = form
    expect(await ask(`courses/${id}/form`, creator)).toEqual({
      ...kept,
      id,
      slug,
      status: 'draft',
      thumbnail: urls(thumbnailId),
      monthlyPayers: 0,
    })
    expect(slug).toBe('ropes')
    expect((await ask(`courses/${id}/application-questions`, creator)).questions).toMatchObject([
      { question: 'Why?', required: false },
    ])

    const shown = {
      id: expect.any(String),
      content: emptyRichText,
      video: null,
      videoUrl: null,
      isPreview: false,
      durationMinutes: null,
      videoMinutes: null,
      links: [],
    }
    const video = {
      id: videoId,
      filename: 'lesson.mp4',
      sizeBytes: 1000,
      status: 'ready',
      problem: null,
      url: expect.stringContaining(videoId),
      processing: null,
    }
    const one = { id: expect.any(String) }
    const expected = {
      id,
      slug,
      title: 'Ropes ⚡',
      status: 'draft',
      contentVersion: 2,
      videoMaxMb: app.services.config.videoMaxMb,
      processesVideos: false,
      storage: { bytes: 1000, files: 1 },
      chapters: [
        {
          ...one,
          title: 'Zero',
          lessons: [
            { ...shown, title: 'Zebra', durationMinutes: 7, isPreview: true },
            { ...shown, title: 'Yak', video },
          ],
        },
        {
          ...one,
          title: 'Alpha',
          lessons: [
            {
              ...shown,
              title: 'Wolf',
              videoUrl: 'https://example.com/film.mp4',
              links: [
                { ...one, title: 'Z', url: 'https://z.example', description: 'Why' },
                { ...one, title: 'A', url: 'https://a.example', description: '' },
              ],
            },
            { ...shown, title: 'Vole', isPreview: true },
            { ...shown, title: 'Ape', isPreview: true },
          ],
        },
      ],
    }
    expect(content).toEqual(expected)
    expect(await ask(`courses/${id}/content`, creator)).toEqual(expected)

    const card = {
      id,
      slug,
      title: 'Ropes ⚡',
      summary: 'In short',
      thumbnail: urls(thumbnailId),
      category: 'Hobbies',
      level: 'Advanced',
      pricingType: 'monthly',
      priceAmount: 1950,
      instructorName: 'Ida',
      instructorUsername: creator.username,
      studentsCount: 0,
      lessonsCount: 5,
      rating: 0,
      reviewsCount: 0,
      applicationRequired: true,
      verified: false,
    }
    const page = {
      ...card,
      shortDescription: 'In short',
      description: form.description,
      descriptionText: 'Tie things.',
      chaptersCount: 2,
      totalMinutes: 7,
      allLengthsKnown: false,
      firstLessons: ['Zebra', 'Yak', 'Wolf', 'Vole'],
      firstLessonsMinutes: [7, null, null, null],
      firstLessonsPreviews: ['zebra', null, null, 'vole'],
      previewLessons: [
        { title: 'Zebra', slug: 'zebra' },
        { title: 'Vole', slug: 'vole' },
        { title: 'Ape', slug: 'ape' },
      ],
      instructor: {
        name: 'Ida',
        username: creator.username,
        avatarUrl: null,
        verified: false,
      },
      status: 'draft',
      publishedAt: null,
      updatedAt: expect.stringMatching(/Z$/),
      branding: null,
      standing: 'instructor',
      application: null,
      purchase: null,
    }
    expect(await ask(`courses/${slug}`, creator)).toEqual(page)

    const outline = {
      id: expect.any(String),
      hasVideo: false,
      isPreview: false,
      minutes: null,
      completed: false,
    }
    const {
      firstLessons: _first,
      firstLessonsMinutes: _minutes,
      firstLessonsPreviews: _previews,
      previewLessons: _shownToAll,
      ...ofMembers
    } = page
    expect(await ask(`courses/${slug}/dashboard`, creator)).toEqual({
      ...ofMembers,
      chapters: [
        {
          ...one,
          title: 'Zero',
          lessons: [
            { ...outline, title: 'Zebra', slug: 'zebra', isPreview: true, minutes: 7 },
            { ...outline, title: 'Yak', slug: 'yak', hasVideo: true },
          ],
        },
        {
          ...one,
          title: 'Alpha',
          lessons: [
            { ...outline, title: 'Wolf', slug: 'wolf', hasVideo: true },
            { ...outline, title: 'Vole', slug: 'vole', isPreview: true },
            { ...outline, title: 'Ape', slug: 'ape', isPreview: true },
          ],
        },
      ],
      completedCount: 0,
      progressPercent: 0,
      continueWith: { slug: 'zebra', title: 'Zebra', position: 0 },
      pendingApplications: 0,
      hasBuyers: false,
      postsCount: 0,
      deletionObstacle: null,
      suspension: null,
    })
    const mine = await ask('dashboard', creator)
    expect(mine).toEqual({
      enrolled: [
        {
          ...card,
          progressPercent: 0,
          completedCount: 0,
          continueWith: { slug: 'zebra', title: 'Zebra', position: 0 },
        },
      ],
      created: [{ ...card, status: 'draft' }],
    })
  })

  test('says to whom it concerns what became of the application, and why it is suspended', async () => {
    const creator = await someone()
    const course = await makeCourse(app.services, creator)
    await query('update courses set application_required = true where id = $1', course.id)
    const [applicant, member, other] = [await someone(), await someone(), await someone()]
    const { body } = await send('POST', 'course_applications', applicant, {
      courseId: course.id,
      answers: [],
    })
    const [earlier] = await query(
      `insert into course_applications (course_id, user_id, status) values ($1, $2, 'approved') returning id`,
      course.id,
      member.id,
    )
    const seen = async (who: { cookie?: string }) =>
      (await ask(`courses/${course.slug}`, who)).application
    expect(await seen(member)).toMatchObject({ id: earlier.id })
    await joinCourse(app.services, member, course)
    expect(await seen(applicant)).toMatchObject({ id: body.id, status: 'pending' })
    for (const who of [creator, member, other, {}]) expect(await seen(who)).toBeNull()
    await query(
      `update courses set status = 'draft', suspended_at = now() where id = $1`,
      course.id,
    )
    await query(
      `insert into suspensions (course_id, reason) values ($1, 'Against the rules')`,
      course.id,
    )
    const suspension = async (who: Someone) =>
      (await ask(`courses/${course.slug}/dashboard`, who)).suspension
    expect(await suspension(creator)).toMatchObject({ reason: 'Against the rules' })
    expect(await suspension(member)).toBeNull()
  })
})

describe('a change', () => {
  test('of the title to nothing but the mark is kept, and the starter course keeps its address', async () => {
    const creator = await someone()
    const course = await makeCourse(app.services, creator, { title: 'Ropes' })
    const rename = async (title: string) => {
      const { body } = await send('PATCH', `courses/${course.id}`, creator, { title })
      const { title: now } = await ask(`courses/${course.id}/form`, creator)
      return [now, body.slug]
    }
    expect(await rename('⚡')).toEqual(['⚡', course.id])
    expect(await rename('Cords ⚡')).toEqual(['Cords', 'cords'])
    await app.services.db.transaction((transaction) => claimFlagshipSlug(transaction, course.id))
    await app.services.db
      .update(courses)
      .set({ slug: flagshipSlug })
      .where(eq(courses.id, course.id))
    expect(await rename('Strings')).toEqual(['Strings', 'thunder-bootcamp'])
    expect((await ask('courses/thunder-bootcamp')).title).toBe('Strings')
  })

  test('of the settings asks the questions that are there, and switches one thing at a time', async () => {
    const creator = await someone()
    const other = await someone()
    const { id } = await makeCourse(app.services, creator)
    const beside = await makeCourse(app.services, other)
    const before = await ask(`courses/${id}/form`, creator)
    const ofOther = await ask(`courses/${beside.id}/form`, other)
    for (const change of [
      { watermark: true },
      { applicationRequired: true },
      { applicationInstructions: 'Be kind' },
      { level: 'Advanced' },
    ]) {
      expect((await send('PATCH', `courses/${id}`, creator, change)).status).toBe(200)
      Object.assign(before, change)
      expect(await ask(`courses/${id}/form`, creator)).toEqual(before)
    }
    const questions = async () =>
      (await ask(`courses/${id}/application-questions`, creator)).questions as {
        question: string
      }[]
    expect(await questions()).toHaveLength(3)
    const applicationQuestions = [{ question: 'Why?' }]
    await send('PATCH', `courses/${id}`, creator, { applicationQuestions })
    await send('PATCH', `courses/${id}`, creator, { applicationInstructions: '' })
    expect((await questions()).map(({ question }) => question)).toEqual(['Why?'])
    expect(await ask(`courses/${id}/form`, creator)).toEqual(before)
    expect(await ask(`courses/${beside.id}/form`, other)).toEqual(ofOther)
  })

  test('notes when it was, for the instructor’s course only', async () => {
    const [creator, other] = [await someone(), await someone()]
    const course = await makeCourse(app.services, creator, { publishedAt: new Date(2026, 1, 1) })
    const touch = (instructorId: string) =>
      app.services.db.transaction((transaction) =>
        touchCourse(transaction, { courseId: course.id, instructorId }),
      )
    const changed = async () => new Date((await ask(`courses/${course.slug}`)).updatedAt)
    const before = await changed()
    expect(await touch(other.id)).toBe(false)
    expect(await changed()).toEqual(before)
    expect(await touch(creator.id)).toBe(true)
    expect((await changed()).getTime()).toBeGreaterThan(before.getTime())
  })
})

describe('publishing', () => {
  test('tells programs of the creator each time it was a draft, and not who is suspended', async () => {
    const creator = await someone()
    const course = await makeCourse(app.services, creator, { status: 'draft' })
    await query(
      `insert into webhook_endpoints (user_id, url, events, sealed_secret, rests_until)
       values ($1, 'https://hooks.example', '{course.published}', '', now() + interval '10 minutes')`,
      creator.id,
    )
    const told = async () =>
      (
        await query(
          `select m.type from webhook_messages m join webhook_endpoints e on e.id = m.endpoint_id
          where e.user_id = $1`,
          creator.id,
        )
      ).length
    const act = async (verb: string) => {
      const { status, body } = await send('POST', `courses/${course.id}/${verb}`, creator)
      return [status, body.code ?? body.slug, await told()]
    }
    expect(await act('publish')).toEqual([200, course.slug, 1])
    expect(await act('publish')).toEqual([200, course.slug, 1])
    expect(await act('unpublish')).toEqual([200, course.slug, 1])
    expect(await act('publish')).toEqual([200, course.slug, 2])
    await query(
      `update courses set status = 'draft', suspended_at = now() where id = $1`,
      course.id,
    )
    expect(await act('publish')).toEqual([409, 'SUSPENDED', 2])
  })

  test('names what is hard to read or watch, in its order, and what a page should have', async () => {
    const creator = await someone()
    const { id } = await makeCourse(app.services, creator, { status: 'draft' })
    const other = await makeCourse(app.services, await someone())
    const videos = [
      await makeMedia(app.services, creator, { purpose: 'video', courseId: id }),
      await makeMedia(app.services, creator, { purpose: 'video', courseId: id }),
    ]
    await query(
      `insert into video_captions (media_id, language, cues) values ($1, 'en', '[]')`,
      videos[0],
    )
    const unclear = { type: 'doc', content: [paragraph(said('More '), link('here'))] }
    const skipped = {
      type: 'doc',
      content: [
        { type: 'heading', attrs: { level: 1 }, content: [said('A')] },
        { type: 'heading', attrs: { level: 3 }, content: [said('B')] },
      ],
    }
    await send('PUT', `courses/${id}/content`, creator, {
      contentVersion: 2,
      chapters: [
        {
          title: 'Two',
          lessons: [
            lesson('With captions', { videoId: videos[0] }),
            lesson('Without', { videoId: videos[1], content: skipped }),
            lesson('Elsewhere', { videoUrl: 'https://example.com/film.mp4' }),
            lesson('Unclear', { content: unclear }),
          ],
        },
      ],
    })
    const describeIn = (length: number) =>
      send('PATCH', `courses/${id}`, creator, {
        description: {
          type: 'doc',
          content: [paragraph(said('x'.repeat(length - 4)), link('here'))],
        },
      })
    await describeIn(199)
    const { body } = await send('GET', `courses/${id}/publish-checklist`, creator)
    const named = (title: string) => ({ id: expect.any(String), title })
    expect(body).toEqual({
      status: 'draft',
      pricingType: 'free',
      priceAmount: 0,
      lessonsCount: 4,
      missing: ['picture', 'shortDescription', 'description'],
      emptyLessons: [],
      emptyLessonsCount: 0,
      obstacles: [
        { kind: 'noCaptions', inDescription: false, lessons: [named('Without')], lessonsCount: 1 },
        { kind: 'unclearLink', inDescription: true, lessons: [named('Unclear')], lessonsCount: 1 },
        {
          kind: 'skippedHeading',
          inDescription: false,
          lessons: [named('Without')],
          lessonsCount: 1,
        },
      ],
    })
    await describeIn(200)
    expect((await ask(`courses/${id}/publish-checklist`, creator)).missing).toEqual([
      'picture',
      'shortDescription',
    ])
    await send('PATCH', `courses/${id}`, creator, { shortDescription: 'In short' })
    expect((await ask(`courses/${id}/publish-checklist`, creator)).missing).toEqual(['picture'])
    expect((await send('GET', `courses/${other.id}/publish-checklist`, creator)).status).toBe(403)
  })
})

describe('somebody’s public profile', () => {
  test('has the published courses of each kind, the newest first, as many as are asked for', async () => {
    const [creator, learner] = [await someone(), await someone()]
    const made: { id: string; instructorId: string }[] = []
    for (let number = 1; number <= 13; number += 1) {
      const course = await makeCourse(app.services, creator, {
        title: `Made ${number}`,
        publishedAt: new Date(2026, 0, number),
      })
      made.push(course)
      await joinCourse(app.services, learner, course, new Date(2026, 5, 30 - number))
    }
    const draft = await makeCourse(app.services, creator, { title: 'Draft', status: 'draft' })
    await joinCourse(app.services, learner, draft)
    await makeReview(app.services, made[0]!, { by: learner })
    await makeReview(app.services, draft, { by: learner })
    const profile = async ({ username }: Someone, search: string) => {
      const { courses: cards, hasMore, ...rest } = await ask(`users/${username}?${search}`)
      const { coursesCreated, coursesEnrolled, reviewsCount } = rest
      return {
        titles: cards.map(({ title }: { title: string }) => title),
        hasMore,
        counts: [coursesCreated, coursesEnrolled, reviewsCount],
      }
    }
    const newest = Array.from({ length: 13 }, (_, at) => `Made ${13 - at}`)
    expect(await profile(creator, 'tab=created')).toEqual({
      titles: newest.slice(0, 12),
      hasMore: true,
      // The creator is in each of them.
      counts: [13, 13, 0],
    })
    expect(await profile(creator, 'tab=created&show=13')).toMatchObject({
      titles: newest,
      hasMore: false,
    })
    expect(await profile(learner, 'tab=enrolled&show=24')).toEqual({
      titles: newest.toReversed(),
      hasMore: false,
      counts: [0, 13, 1],
    })
    expect((await profile(learner, 'tab=created')).titles).toEqual([])

    const version = (person: Someone, tab: 'created' | 'enrolled', show = 12) =>
      profileCoursesVersion(app.services.pool, person.id, tab, show)
    const before = await version(creator, 'created')
    expect(before.split(' ')).toHaveLength(13)
    expect(before.split(' ')[0]).toMatch(new RegExp(`^${made[12]!.id},\\d+,\\d+$`))
    expect(await version(learner, 'created')).toBe('')
    expect((await version(learner, 'enrolled', 2)).split(' ')).toHaveLength(3)
    await query(`update courses set title = 'Changed' where id = $1`, made[12]!.id)
    expect(await version(creator, 'created')).not.toBe(before)
  })
})

test('a course that is filled at once has whole content, or is not filled', async () => {
  const course = await makeCourse(app.services, await someone(), { status: 'draft' })
  const fill = app.services.db.transaction((transaction) =>
    fillCourse(transaction, course.id, [{ title: '', lessons: [] }]),
  )
  await expect(fill).rejects.toThrow('A course needs at least one chapter.')
  await app.services.db.transaction(async (transaction) => {
    const next = await newIds(transaction, 2)
    expect(next() < next()).toBe(true)
    expect(next).toThrow('more new rows than ids')
  })
})
