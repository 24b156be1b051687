// What nobody's own pages would send: each gets a sentence and a 4xx, and nothing is half saved.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { emptyRichText, richTextFrom } from '../lessons/rich-text.ts'

let app: TestApp
let cookie: string
let course: { id: string; slug: string }
let lessonId: string

beforeAll(async () => {
  app = await startTestApp()
  const owner = await makePerson(app.services)
  cookie = await sessionCookieOf(app.services, owner.id)
  course = await makeCourse(app.services, owner, { title: 'Sound' })
  const { body } = await app.request(`/rest/v1/courses/${course.id}/content`, { cookie })
  lessonId = body.chapters[0].lessons[0].id
})
afterAll(() => app?.stop())

const form = { title: 'Sound', description: richTextFrom('Words'), category: 'Music' }

function expectRefusal({ status, body }: Answer, message?: string | RegExp) {
  expect(status, JSON.stringify(body)).toBeGreaterThanOrEqual(400)
  expect(status, JSON.stringify(body)).toBeLessThan(500)
  expect(body.message).toEqual(message ? expect.stringMatching(message) : expect.any(String))
}

const patch = (body: unknown) =>
  app.request(`/rest/v1/courses/${course.id}`, { method: 'PATCH', body, cookie })

const content = (chapters: unknown, contentVersion: unknown = 2) =>
  app.request(`/rest/v1/courses/${course.id}/content`, {
    method: 'PUT',
    body: { contentVersion, chapters },
    cookie,
  })

describe('texts', () => {
  test('that are too long are refused with the number', async () => {
    const long = 'x'.repeat(10_000)
    expectRefusal(await patch({ title: long }), 'Course title can have at most 120 characters')
    expectRefusal(await patch({ shortDescription: long }), 'Short description can have at most 300')
    const description = {
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x'.repeat(70_000) }] }],
    }
    expectRefusal(await patch({ description }), 'Description is too long: at most 64 KB')
    const lesson = { title: long, content: emptyRichText }
    expectRefusal(
      await content([{ title: 'A', lessons: [lesson] }]),
      'Lesson title can have at most 120',
    )
    expectRefusal(
      await content([{ title: long, lessons: [] }]),
      'Chapter title can have at most 120',
    )
    const links = Array.from({ length: 21 }, () => ({ title: 'a', url: 'example.com' }))
    expectRefusal(
      await content([{ title: 'A', lessons: [{ title: 'a', content: emptyRichText, links }] }]),
      'A lesson can have at most 20 links',
    )
    const chapters = Array.from({ length: 101 }, () => ({ title: 'A', lessons: [] }))
    expectRefusal(await content(chapters), 'A course can have at most 100 chapters')
  })

  test('with HTML and script come back as the text they are', async () => {
    const html = '<img src=x onerror="alert(1)"><script>alert(1)</script>'
    const doc = {
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: html }] }],
    }
    const owner = await makePerson(app.services, { name: html })
    const own = await sessionCookieOf(app.services, owner.id)
    const fields = { title: html, shortDescription: html, description: doc, category: 'Art' }
    const made = await app.request('/rest/v1/courses', { body: fields, cookie: own })
    expect(made.body.slug).toMatch(/^[a-z0-9-]+$/)
    const saved = await app.request(`/rest/v1/courses/${made.body.id}/content`, {
      method: 'PUT',
      cookie: own,
      body: {
        contentVersion: 1,
        chapters: [
          {
            title: html,
            lessons: [
              {
                title: html,
                content: doc,
                links: [{ title: html, url: 'https://example.com/?<script>', description: html }],
              },
            ],
          },
        ],
      },
    })
    expect(saved.body.chapters[0]).toMatchObject({
      title: html,
      lessons: [{ title: html, content: doc, links: [{ title: html, description: html }] }],
    })
    const page = await app.request(`/rest/v1/courses/${made.body.slug}`, { cookie: own })
    expect(page.body).toMatchObject({
      title: html,
      summary: html,
      description: doc,
      descriptionText: html,
      instructorName: html,
      firstLessons: [html],
    })
    expect(page.headers.get('content-type')).toContain('json')
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('with what PostgreSQL cannot store are cleaned', async () => {
    const dirty = 'a\0b\uD800c'
    const doc = {
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: dirty }] }],
    }
    const fields = { title: dirty, shortDescription: dirty, description: doc }
    expect((await patch(fields)).status).toBe(200)
    const { body } = await app.request(`/rest/v1/courses/${course.id}/form`, { cookie })
    expect(body).toMatchObject({ title: 'ab\uFFFDc', shortDescription: 'ab\uFFFDc' })
    expect(body.description.content[0].content[0].text).toBe('ab\uFFFDc')
    await patch({ title: 'Sound' })
    expectRefusal(await patch({ title: '\0\0' }), 'Course title is required')
    const current = await app.request(`/rest/v1/courses/${course.id}/content`, { cookie })
    const saved = await content(
      [
        {
          id: current.body.chapters[0].id,
          title: dirty,
          lessons: [
            {
              id: lessonId,
              title: dirty,
              content: doc,
              links: [{ title: dirty, url: `https://example.com/${dirty}`, description: dirty }],
            },
          ],
        },
      ],
      current.body.contentVersion,
    )
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    expect(saved.body.chapters[0].title).toBe('ab\uFFFDc')
  })
})

describe('bodies', () => {
  test.each([
    'no JSON',
    '{"title":',
    '',
    '[]',
    'null',
    '"text"',
    '7',
    '{"__proto__":{"title":"x"}}',
    '[[[[]]]]',
    '\0',
    '{"title":"\\ud800"}',
  ])('%j', async (body) => {
    const posted = { method: 'POST', body, cookie, headers: { 'content-type': 'application/json' } }
    expectRefusal(await app.request('/rest/v1/courses', posted))
    expectRefusal(await app.request('/rest/v1/enrollments', posted))
    expectRefusal(await app.request('/rest/v1/rpc/can_enroll_in_course', posted))
    const saved = await app.request(`/rest/v1/courses/${course.id}/content`, {
      ...posted,
      method: 'PUT',
    })
    expectRefusal(saved)
    const position = await app.request(`/rest/v1/lessons/${lessonId}/position`, {
      ...posted,
      method: 'PUT',
    })
    expectRefusal(position)
  })

  test.each([
    'text/plain',
    'application/xml',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    'x',
  ])('of type %s', async (type) => {
    const headers = { 'content-type': type }
    const body = JSON.stringify({ ...form, title: '' })
    expectRefusal(await app.request('/rest/v1/courses', { body, cookie, headers }))
  })

  test('of 500 KB', async () => {
    const big = 'x'.repeat(500 * 1024)
    expectRefusal(await patch({ title: big }), 'Course title can have at most 120')
    const description = {
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: big }] }],
    }
    expectRefusal(await patch({ description }), 'Description is too long')
    expectRefusal(await patch(`"${big}"`))
    expectRefusal(await patch(big))
  })

  test('of 20 MB are not even read', async () => {
    const answer = await patch({ title: 'x'.repeat(20 * 1024 * 1024) })
    expect(answer.status).toBe(413)
    expect(answer.body.message).toMatch(/too much/)
  })

  test.each([100, 10_000, 200_000])('nested %i deep', async (depth) => {
    const nested = `${'{"type":"blockquote","content":['.repeat(depth)}${']}'.repeat(depth)}`
    expectRefusal(await patch(`{"description":{"type":"doc","content":[${nested}]}}`))
    expectRefusal(await patch(`{"title":${'['.repeat(depth)}${']'.repeat(depth)}}`))
    expectRefusal(await content(1, `${'['.repeat(depth)}`))
  })

  test.each(['1', '1e400', '-0', 'true', 'null', '[]', '{}', '[[]]', '{"0":{}}'])(
    'with %s in place of a value',
    async (value) => {
      for (const field of ['title', 'shortDescription', 'description', 'category', 'level']) {
        expectRefusal(await patch(`{"${field}":${value}}`))
      }
      if (value !== 'null') expectRefusal(await patch(`{"thumbnailId":${value}}`))
      const lessons = value === '[]' ? '[1]' : value
      expectRefusal(await content([{ title: 'A', lessons: JSON.parse(lessons) }]))
      expectRefusal(await content([{ title: 'A', lessons: [JSON.parse(lessons)] }]))
      expectRefusal(await content([], value))
    },
  )

  test('without anything to change', async () => {
    expectRefusal(await patch({}), 'There is nothing to change.')
  })
})

describe('ids', () => {
  const ids = [
    'x',
    '0',
    'null',
    '%00',
    '%ED%A0%80',
    "'%20or%201=1",
    '01999999-9999-7999-8999-99999999999',
    '01999999-9999-7999-8999-999999999999',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'x'.repeat(5000),
  ]
  test.each(ids)('%j', async (id) => {
    for (const [method, path] of [
      ['GET', `/rest/v1/courses/${id}`],
      ['GET', `/rest/v1/courses/${id}/dashboard`],
      ['GET', `/rest/v1/courses/${id}/form`],
      ['GET', `/rest/v1/courses/${id}/content`],
      ['PATCH', `/rest/v1/courses/${id}`],
      ['PUT', `/rest/v1/courses/${id}/content`],
      ['POST', `/rest/v1/courses/${id}/publish`],
      ['POST', `/rest/v1/courses/${id}/unpublish`],
      ['GET', `/rest/v1/courses/${id}/lessons/first-lesson`],
      ['GET', `/rest/v1/courses/${course.slug}/lessons/${id}`],
      ['GET', `/rest/v1/lessons/${id}`],
      ['PUT', `/rest/v1/lessons/${id}/completion`],
      ['DELETE', `/rest/v1/lessons/${id}/completion`],
      ['PUT', `/rest/v1/lessons/${id}/position`],
    ]) {
      expectRefusal(
        await app.request(path!, { method, cookie, body: method === 'GET' ? undefined : {} }),
      )
    }
    const named = { courseId: decodeURIComponentOr(id) }
    expectRefusal(await app.request('/rest/v1/enrollments', { body: named, cookie }))
  })

  test('in a search', async () => {
    for (const search of ['%', '%00', '%ED%A0%80', '%5C', "'"]) {
      const { status } = await app.request(`/rest/v1/courses?search=${search}`)
      expect(status, search).toBeLessThan(500)
    }
  })
})

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

test('nothing of all this was saved', async () => {
  const { body } = await app.request(`/rest/v1/courses/${course.id}/form`, { cookie })
  expect(body).toMatchObject({ title: 'Sound', category: 'Tech', level: 'Beginner' })
  const kept = await app.request(`/rest/v1/courses/${course.id}/content`, { cookie })
  expect(kept.body.contentVersion).toBe(3)
  expect(kept.body.chapters).toHaveLength(1)
})
