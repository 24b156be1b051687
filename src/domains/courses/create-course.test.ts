import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makeMedia, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { emptyRichText, richTextFrom } from '../lessons/rich-text.ts'
import { setFlagshipCourse } from '../site/flagship.ts'
import { courseSlugs } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

/** A person who is signed in. */
async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

const form = { title: 'Knots', description: richTextFrom('Tie things.'), category: 'Hobbies' }

const create = (cookie: string, fields: object = {}) =>
  app.request('/rest/v1/courses', { body: { ...form, ...fields }, cookie })

const update = (cookie: string, id: string, fields: object) =>
  app.request(`/rest/v1/courses/${id}`, { method: 'PATCH', body: fields, cookie })

const page = (slug: string, cookie?: string) => app.request(`/rest/v1/courses/${slug}`, { cookie })

describe('making a course', () => {
  test('makes a free draft that its creator is enrolled in, without counting as a student', async () => {
    const creator = await app.signUp({ name: 'Ada' })
    const { status, body } = await create(creator.cookie, { title: 'Ropes  and Knots' })
    expect(status).toBe(200)
    expect(body.slug).toBe('ropes-and-knots')
    const own = (await page(body.slug, creator.cookie)).body
    expect(own).toMatchObject({
      id: body.id,
      title: 'Ropes and Knots',
      summary: 'Tie things.',
      descriptionText: 'Tie things.',
      status: 'draft',
      publishedAt: null,
      pricingType: 'free',
      priceAmount: 0,
      level: 'Beginner',
      studentsCount: 0,
      lessonsCount: 0,
      thumbnail: null,
      instructorName: 'Ada',
      standing: 'instructor',
    })
    const dashboard = (await app.request('/rest/v1/dashboard', { cookie: creator.cookie })).body
    expect(dashboard.enrolled.map((course: { id: string }) => course.id)).toContain(body.id)
    expect(dashboard.created).toMatchObject([{ id: body.id, status: 'draft' }])
  })

  test('a stranger is asked to sign in', async () => {
    const { status, body } = await app.request('/rest/v1/courses', { body: form })
    expect(status).toBe(401)
    expect(body.message).toBe('User must be authenticated')
  })

  test('one course on the free plan, drafts included', async () => {
    const { cookie } = await someone()
    const may = () => app.request('/rest/v1/rpc/can_create_course', { method: 'POST', cookie })
    expect((await may()).body).toBe(true)
    expect((await create(cookie)).status).toBe(200)
    const second = await create(cookie)
    expect(second.status).toBe(403)
    expect(second.body).toMatchObject({
      code: 'COURSE_LIMIT',
      message: 'Free plan users can create up to 1 course. You have reached this limit.',
    })
    expect((await may()).body).toBe(false)
  })

  test('exactly one of 50 attempts at once', async () => {
    const { cookie } = await someone()
    const attempts = await Promise.all(Array.from({ length: 50 }, () => create(cookie)))
    expect(attempts.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(attempts.filter(({ status }) => status === 403)).toHaveLength(49)
    const dashboard = (await app.request('/rest/v1/dashboard', { cookie })).body
    expect(dashboard.created).toHaveLength(1)
  })

  test('the flagship course does not count', async () => {
    const { id, cookie } = await someone()
    const flagship = await makeCourse(app.services, { id })
    await setFlagshipCourse(app.services.db, flagship.id)
    expect((await create(cookie)).status).toBe(200)
    expect((await create(cookie)).status).toBe(403)
  })
})

describe('thumbnails', () => {
  test('an own, finished picture is taken', async () => {
    const creator = await someone()
    const thumbnailId = await makeMedia(app.services, creator, { purpose: 'thumbnail' })
    const { body } = await create(creator.cookie, { thumbnailId })
    const own = (await page(body.slug, creator.cookie)).body
    expect(own.thumbnail.medium).toBe(`/storage/v1/images/${thumbnailId}/640.webp`)
    const values = await app.request(`/rest/v1/courses/${body.id}/form`, { cookie: creator.cookie })
    expect(values.body).toMatchObject({ thumbnailId, thumbnail: own.thumbnail })
    await update(creator.cookie, body.id, { thumbnailId: null })
    expect((await page(body.slug, creator.cookie)).body.thumbnail).toBeNull()
  })

  test('lie unused from when another one takes their place, and one that stays does not', async () => {
    const creator = await someone()
    const picture = () => makeMedia(app.services, creator, { purpose: 'thumbnail' })
    const [first, second] = [await picture(), await picture()]
    const { pool } = app.services
    const touched = async () => {
      const { rows } = await pool.query(
        `select id from media_files where id = any($1) and updated_at > now() - interval '1 hour'`,
        [[first, second]],
      )
      return [first, second].map((id) => rows.some((row) => row.id === id))
    }
    const timePasses = () =>
      pool.query(
        `update media_files set updated_at = now() - interval '1 year' where id = any($1)`,
        [[first, second]],
      )
    await timePasses()
    const { body } = await create(creator.cookie, { thumbnailId: first })
    expect(await touched()).toEqual([true, false])
    await timePasses()
    const save = async (fields: object) =>
      expect((await update(creator.cookie, body.id, fields)).status).toBe(200)
    await save({ level: 'Advanced' })
    await save({ thumbnailId: first })
    expect(await touched()).toEqual([false, false])
    await save({ thumbnailId: second })
    expect(await touched()).toEqual([true, true])
    await timePasses()
    await save({ thumbnailId: null })
    expect(await touched()).toEqual([false, true])
  })

  test.each(['another person’s', 'a video', 'unfinished', 'unknown'])(
    '%s is refused',
    async (which) => {
      const creator = await someone()
      const other = await makePerson(app.services)
      const thumbnailId =
        which === 'unknown'
          ? other.id
          : await makeMedia(app.services, which === 'another person’s' ? other : creator, {
              purpose: which === 'a video' ? 'video' : 'thumbnail',
              status: which === 'unfinished' ? 'uploading' : 'ready',
            })
      const { status, body } = await create(creator.cookie, { thumbnailId })
      expect(status).toBe(400)
      expect(body.message).toBe('The thumbnail was not found. Please upload it again.')
      const made = await create(creator.cookie)
      expect(made.status, 'nothing was made').toBe(200)
      const changed = await update(creator.cookie, made.body.id, { title: 'Bows', thumbnailId })
      expect([changed.status, changed.body.message]).toEqual([400, body.message])
      expect((await page(made.body.slug, creator.cookie)).body.title).toBe('Knots')
    },
  )
})

describe('prices', () => {
  const priceOf = async (cookie: string, id: string) => {
    const { body } = await app.request(`/rest/v1/courses/${id}/form`, { cookie })
    return [body.pricingType, body.priceAmount]
  }

  test.each([
    [{}, ['free', 0]],
    [{ priceAmount: 0 }, ['free', 0]],
    [{ priceAmount: 100 }, ['one_time', 100]],
    [{ pricingType: 'monthly', priceAmount: 1_000_000 }, ['monthly', 1_000_000]],
    [{ pricingType: 'one_time' }, ['one_time', 2900]],
    [{ pricingType: 'free', priceAmount: 2900 }, ['free', 0]],
  ])('%j makes %j', async (fields, price) => {
    const { cookie } = await someone()
    const { status, body } = await create(cookie, fields)
    expect(status).toBe(200)
    expect(await priceOf(cookie, body.id)).toEqual(price)
  })

  const least = 'Price must be at least $1'
  test.each([
    [{ pricingType: 'one_time', priceAmount: 0 }, least],
    [{ pricingType: 'monthly', priceAmount: 99 }, least],
    [{ priceAmount: 1 }, least],
    [{ priceAmount: -2900 }, least],
    [{ priceAmount: 1_000_001 }, 'Price can be at most $10,000'],
    [{ priceAmount: 1999.5 }, 'Price can have at most two decimals'],
    [{ priceAmount: 'much' }, 'Price must be a number'],
    [{ pricingType: 'weekly' }, 'Please choose a pricing'],
  ])('%j is refused', async (fields, message) => {
    const creator = await someone()
    const made = await create(creator.cookie, fields)
    expect([made.status, made.body.message]).toEqual([422, message])
    const course = await makeCourse(app.services, creator, { status: 'draft' })
    const changed = await update(creator.cookie, course.id, fields)
    expect([changed.status, changed.body.message]).toEqual([422, message])
    expect(await priceOf(creator.cookie, course.id)).toEqual(['free', 0])
  })

  test('change alone and together; what is not set stays', async () => {
    const creator = await someone()
    const { id } = await makeCourse(app.services, creator, { status: 'draft' })
    const after = async (fields: object) => {
      expect((await update(creator.cookie, id, fields)).status).toBe(200)
      return priceOf(creator.cookie, id)
    }
    expect(await after({ pricingType: 'monthly' })).toEqual(['monthly', 2900])
    expect(await after({ priceAmount: 1950 })).toEqual(['monthly', 1950])
    expect(await after({ title: 'Same price' })).toEqual(['monthly', 1950])
    expect(await after({ pricingType: 'one_time' })).toEqual(['one_time', 1950])
    expect(await after({ pricingType: 'free' })).toEqual(['free', 0])
    expect(await after({ pricingType: 'one_time', priceAmount: 500 })).toEqual(['one_time', 500])
    expect(await after({ priceAmount: 0 })).toEqual(['free', 0])
  })

  test('a course that costs something is published, and may get another price then', async () => {
    const creator = await someone()
    const { id, slug } = await makeCourse(app.services, creator, { status: 'draft' })
    await update(creator.cookie, id, { pricingType: 'one_time', priceAmount: 2900 })
    expect((await act(creator.cookie, id, 'publish')).status).toBe(200)
    expect((await page(slug)).body).toMatchObject({ pricingType: 'one_time', priceAmount: 2900 })
    expect((await update(creator.cookie, id, { priceAmount: 3900 })).status).toBe(200)
    expect((await page(slug)).body).toMatchObject({ pricingType: 'one_time', priceAmount: 3900 })
  })
})

const slugOfNew = async (title: string) =>
  (await create((await someone()).cookie, { title })).body.slug as string

describe('addresses', () => {
  test('equal titles are numbered', async () => {
    expect(await slugOfNew('Bread')).toBe('bread')
    expect(await slugOfNew('Bread!')).toBe('bread-2')
    expect(await slugOfNew('bread')).toBe('bread-3')
  })

  test('a number that a title claimed itself is left out', async () => {
    expect(await slugOfNew('Excel 2')).toBe('excel-2')
    expect(await slugOfNew('Excel')).toBe('excel')
    expect(await slugOfNew('Excel')).toBe('excel-3')
  })

  test('titles without Latin letters get the id', async () => {
    const { cookie } = await someone()
    const { body } = await create(cookie, { title: '漢字を書く' })
    expect(body.slug).toBe(body.id)
    expect((await page(body.id, cookie)).body.title).toBe('漢字を書く')
  })

  test.each(['⚡', '!!! ??? ///', '💛 💜', '---', '¿¡…'])(
    '%j has none of its own',
    async (title) => {
      const { cookie } = await someone()
      const { body } = await create(cookie, { title })
      expect(body.slug).toBe(body.id)
      expect((await page(body.slug, cookie)).body.title).toBe(title)
    },
  )

  test('a title that looks like another course’s id does not take its place', async () => {
    const other = await makeCourse(app.services, await someone())
    const { cookie } = await someone()
    const { body } = await create(cookie, { title: other.id })
    expect(body.slug).toBe(body.id)
    expect((await page(other.id)).body.id).toBe(other.id)
  })

  test('the flagship’s is never given away', async () => {
    expect(await slugOfNew('Thunder Bootcamp')).toBe('thunder-bootcamp-2')
  })

  test('30 equal titles at once get 30 addresses', async () => {
    const people = await Promise.all(Array.from({ length: 30 }, someone))
    const made = await Promise.all(people.map(({ cookie }) => create(cookie, { title: 'Rush' })))
    const slugs = new Set(made.map(({ body }) => body.slug))
    expect(slugs).toEqual(
      new Set(['rush', ...Array.from({ length: 29 }, (_, index) => `rush-${index + 2}`)]),
    )
  })

  test('500 equal titles are no effort', async () => {
    const owner = await makePerson(app.services)
    const course = await makeCourse(app.services, owner, { title: 'Popular' })
    await app.services.db.insert(courseSlugs).values(
      Array.from({ length: 499 }, (_, index) => ({
        slug: `popular-${index + 2}`,
        courseId: course.id,
      })),
    )
    expect(await slugOfNew('Popular')).toBe('popular-501')
    const watch = watchStatements(app)
    const statementsFor = async (title: string) => {
      const { cookie } = await someone()
      return (await watch.during(() => create(cookie, { title }))).length
    }
    const few = await statementsFor('Like no other')
    expect((await statementsFor('Popular')) - few, 'statements more than usual').toBe(2)
  })
})

describe('changing a course', () => {
  test('changes only what is set', async () => {
    const { cookie } = await someone()
    const { id } = (
      await create(cookie, { title: 'Kites', shortDescription: 'Fly.', level: 'Advanced' })
    ).body
    const answer = await update(cookie, id, { category: 'Sports' })
    expect(answer).toMatchObject({ status: 200, body: { id, slug: 'kites' } })
    const values = async () => (await app.request(`/rest/v1/courses/${id}/form`, { cookie })).body
    expect(await values()).toMatchObject({
      title: 'Kites',
      shortDescription: 'Fly.',
      level: 'Advanced',
      category: 'Sports',
      description: form.description,
    })
    await update(cookie, id, { shortDescription: '', description: richTextFrom('New words.') })
    expect(await values()).toMatchObject({ title: 'Kites', shortDescription: '' })
    expect((await page('kites', cookie)).body.descriptionText).toBe('New words.')
  })

  test('a description that was changed meanwhile is not written over', async () => {
    const { cookie } = await someone()
    const { id } = (await create(cookie, { title: 'Kites' })).body
    const values = async () => (await app.request(`/rest/v1/courses/${id}/form`, { cookie })).body
    const descriptionBefore = (await values()).description
    const [first, second] = [richTextFrom('The first.'), richTextFrom('The second.')]
    const both = await Promise.all(
      [first, second].map((description) => update(cookie, id, { description, descriptionBefore })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const refused = both.find(({ status }) => status === 409)!.body
    expect([refused.code, refused.message]).toEqual([
      'DESCRIPTION_CHANGED',
      expect.stringMatching(/^The description was changed in another tab or by somebody else/),
    ])
    const won = both[0]!.status === 200 ? first : second
    expect((await values()).description).toEqual(won)
    // Sent again, because no answer came.
    expect((await update(cookie, id, { description: won, descriptionBefore })).status).toBe(200)
    const known = {
      type: 'doc',
      content: [{ content: won.content[0]!.content, type: 'paragraph' }],
    }
    const third = await update(cookie, id, { description: second, descriptionBefore: known })
    expect(third.status, 'the order of keys says nothing').toBe(200)
    expect((await update(cookie, id, { description: first })).status).toBe(200)
    expect((await update(cookie, id, { description: first, descriptionBefore: 7 })).status).toBe(
      200,
    )
  })

  test('a new title gets a new address and the old one still leads there', async () => {
    const { id, cookie } = await someone()
    const course = await makeCourse(app.services, { id }, { title: 'Origami' })
    expect((await update(cookie, course.id, { title: 'Paper Folding' })).body.slug).toBe(
      'paper-folding',
    )
    for (const address of ['paper-folding', 'origami', course.id, course.id.toUpperCase()]) {
      expect((await page(address)).body.slug, address).toBe('paper-folding')
    }
    const other = await create((await someone()).cookie, { title: 'Origami' })
    expect(other.body.slug, 'the old address stays with its course').toBe('origami-2')
    expect((await update(cookie, course.id, { title: 'Origami' })).body.slug, 'renamed back').toBe(
      'origami',
    )
    const kept = await app.services.db
      .select()
      .from(courseSlugs)
      .where(eq(courseSlugs.courseId, course.id))
    expect(kept.map(({ slug }) => slug).toSorted()).toEqual(['origami', 'paper-folding'])
  })

  test('a lightning mark at the end of the title goes', async () => {
    const { cookie } = await someone()
    const { id } = (await create(cookie)).body
    await update(cookie, id, { title: 'Fast Bread ⚡️' })
    const values = await app.request(`/rest/v1/courses/${id}/form`, { cookie })
    expect(values.body.title).toBe('Fast Bread')
  })

  test('only the instructor may', async () => {
    const course = await makeCourse(app.services, await someone())
    const other = await someone()
    expect((await update(other.cookie, course.id, { title: 'Mine' })).status).toBe(403)
    expect((await update('', course.id, { title: 'Mine' })).status).toBe(401)
    const content = { chapters: [], contentVersion: 1 }
    const saving = await app.request(`/rest/v1/courses/${course.id}/content`, {
      method: 'PUT',
      body: content,
      cookie: other.cookie,
    })
    expect(saving.status).toBe(403)
  })

  test('an own course named in the body does not open somebody else’s', async () => {
    const course = await makeCourse(app.services, await someone(), { title: 'Untouched' })
    const other = await someone()
    const own = await makeCourse(app.services, other)
    const fields = { courseId: own.id, title: 'Taken over' }
    expect((await update(other.cookie, course.id, fields)).status).toBe(403)
    expect((await page(course.id)).body.title).toBe('Untouched')
  })
})

const act = (cookie: string, id: string, verb: 'publish' | 'unpublish') =>
  app.request(`/rest/v1/courses/${id}/${verb}`, { method: 'POST', cookie })

describe('publishing', () => {
  test('needs a lesson', async () => {
    const { cookie } = await someone()
    const { id } = (await create(cookie)).body
    const { status, body } = await act(cookie, id, 'publish')
    expect(status).toBe(409)
    expect(body).toMatchObject({
      code: 'NOTHING_TO_PUBLISH',
      message: 'Add at least one lesson before you publish this course.',
    })
  })

  test('says before what the course still needs', async () => {
    const creator = await someone()
    const { id } = (
      await create(creator.cookie, { pricingType: 'one_time', applicationRequired: true })
    ).body
    const checklist = async () =>
      (await app.request(`/rest/v1/courses/${id}/publish-checklist`, { cookie: creator.cookie }))
        .body
    expect(await checklist()).toEqual({
      status: 'draft',
      pricingType: 'one_time',
      priceAmount: 2900,
      lessonsCount: 0,
      missing: ['picture', 'shortDescription', 'description'],
      emptyLessons: [],
      emptyLessonsCount: 0,
      obstacles: [],
    })
    const text = { type: 'doc', content: [{ type: 'heading', attrs: { level: 1 } }] }
    const lesson = (title: string, more: object = {}) => ({ title, content: text, ...more })
    const saved = await app.request(`/rest/v1/courses/${id}/content`, {
      method: 'PUT',
      cookie: creator.cookie,
      body: {
        contentVersion: 1,
        chapters: [
          {
            title: 'One',
            lessons: [
              lesson('Nothing'),
              lesson('Words', { content: richTextFrom('Words') }),
              lesson('A link', { links: [{ title: 'There', url: 'https://example.com' }] }),
            ],
          },
          { title: 'Two', lessons: ['a', 'b', 'c', 'd', 'e'].map((title) => lesson(title)) },
        ],
      },
    })
    expect(saved.status).toBe(200)
    await update(creator.cookie, id, {
      pricingType: 'free',
      applicationRequired: false,
      shortDescription: 'In short',
      description: richTextFrom('x'.repeat(200)),
      thumbnailId: await makeMedia(app.services, creator, { purpose: 'thumbnail' }),
    })
    expect(await checklist()).toMatchObject({
      pricingType: 'free',
      priceAmount: 0,
      lessonsCount: 8,
      missing: [],
      emptyLessons: ['Nothing', 'a', 'b', 'c', 'd'].map((title) => ({ title })),
      emptyLessonsCount: 6,
      obstacles: [
        {
          kind: 'emptyHeading',
          inDescription: false,
          lessons: ['Nothing', 'A link', 'a', 'b', 'c'].map((title) => ({ title })),
          lessonsCount: 7,
        },
      ],
    })
    expect((await act(creator.cookie, id, 'publish')).status, 'empty lessons or not').toBe(200)
    expect((await checklist()).status).toBe('published')
  })

  test('shows the course, and a draft again hides it from all but its members', async () => {
    const creator = await someone()
    const course = await makeCourse(app.services, creator, { status: 'draft' })
    const reader = await someone()
    const late = await someone()
    const enroll = (cookie: string) =>
      app.request('/rest/v1/enrollments', { body: { courseId: course.id }, cookie })
    for (const cookie of [undefined, reader.cookie]) {
      const hidden = await page(course.slug, cookie)
      expect(hidden.status).toBe(404)
      expect(hidden.body.message).toBe('Course not found')
    }
    expect((await enroll(reader.cookie)).body.message).toBe('Course not found')
    expect((await page(course.slug, creator.cookie)).body.status).toBe('draft')

    expect((await act(creator.cookie, course.id, 'publish')).body).toEqual({ slug: course.slug })
    const published = (await page(course.slug)).body
    expect(published.standing).toBe('visitor')
    expect(published.publishedAt).toEqual(expect.any(String))
    expect((await enroll(reader.cookie)).status).toBe(200)

    await act(creator.cookie, course.id, 'unpublish')
    expect((await page(course.slug)).status).toBe(404)
    expect((await page(course.slug, late.cookie)).status).toBe(404)
    expect((await enroll(late.cookie)).status).toBe(404)
    expect((await page(course.slug, reader.cookie)).body.standing).toBe('member')

    await act(creator.cookie, course.id, 'publish')
    expect((await page(course.slug)).body.publishedAt).toBe(published.publishedAt)
  })
})

test('an empty form says what is missing', async () => {
  const { cookie } = await someone()
  const { status, body } = await create(cookie, { title: ' \n ', category: 'Alchemy' })
  expect(status).toBe(422)
  expect(body.message).toBe('Course title is required')
  expect(body.data.fields.map((field: { path: string }) => field.path)).toEqual([
    'title',
    'category',
  ])
  const empty = await create(cookie, { description: emptyRichText })
  expect([empty.status, empty.body.message]).toEqual([422, 'Description is required'])
})
