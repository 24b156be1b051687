// The search of a community: what is found, for whom, in which order, and texts that nobody means well.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { indexCommunityWords } from './index-words.ts'
import type { Found } from './schema.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone(name: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

async function makeClass() {
  const instructor = await someone('Ina Structor')
  const course = await makeCourse(app.services, instructor)
  const member = await someone('Mem Ber')
  await joinCourse(app.services, member, course)
  return { instructor, course, member }
}

async function write(
  course: { id: string },
  by: Someone,
  content: string,
  facts: { status?: string; postId?: string; minute?: number } = {},
): Promise<string> {
  const { postId, status = 'published', minute = 0 } = facts
  const about = [course.id, by.id, content, status, new Date(Date.UTC(2026, 0, 1, 0, minute))]
  const { rows } = await app.services.pool.query<{ id: string }>(
    postId
      ? `insert into comments (course_id, user_id, content, status, created_at, post_id)
         values ($1, $2, $3, $4, $5, $6) returning id`
      : `insert into posts (course_id, user_id, content, status, created_at)
         values ($1, $2, $3, $4, $5) returning id`,
    postId ? [...about, postId] : about,
  )
  return rows[0]!.id
}

const search = (slug: string, cookie: string | undefined, words: string, cursor?: string) =>
  app.request(
    `/rest/v1/courses/${slug}/posts/search?${new URLSearchParams({ search: words, ...(cursor && { cursor }) })}`,
    { cookie },
  )

const idsOf = (found: Found[]) => found.map(({ postId, commentId }) => commentId ?? postId)

describe('what is found', () => {
  test('posts and comments with all words, the last one begun, newest first', async () => {
    const { course, instructor, member } = await makeClass()
    const post = await write(course, instructor, 'How to bake Sourdough bread\nat home', {
      minute: 1,
    })
    const comment = await write(course, member, 'My bread likes SOURDOUGH starters', {
      postId: post,
      minute: 3,
    })
    const other = await write(course, member, 'Only bread here', { minute: 2 })
    const { status, body } = await search(course.slug, member.cookie, '  bread   sourd ')
    expect(status).toBe(200)
    expect(body).toEqual({
      nextCursor: null,
      found: [
        {
          postId: post,
          commentId: comment,
          author: expect.objectContaining({ name: 'Mem Ber', isInstructor: false }),
          createdAt: '2026-01-01T00:03:00.000Z',
          excerpt: [
            { text: 'My ', isMatch: false },
            { text: 'bread', isMatch: true },
            { text: ' likes ', isMatch: false },
            { text: 'SOURDOUGH', isMatch: true },
            { text: ' starters', isMatch: false },
          ],
        },
        expect.objectContaining({
          postId: post,
          commentId: null,
          author: expect.objectContaining({ name: 'Ina Structor', isInstructor: true }),
        }),
      ],
    })
    expect(JSON.stringify(body)).not.toContain('@example.com')
    expect(idsOf((await search(course.slug, member.cookie, 'bread')).body.found)).toEqual([
      comment,
      other,
      post,
    ])
    expect((await search(course.slug, member.cookie, 'sour bread')).body.found).toEqual([])
  })

  test('the last word may be begun, also alone; none of those before it', async () => {
    const { course, instructor, member } = await makeClass()
    const post = await write(course, instructor, 'Sourdough bread likes warm places')
    for (const [words, isFound] of [
      ['sourd', true],
      ['likes bread sourd', true],
      ['  likes bread sourd”', true],
      ['sourd likes bread', false],
      ['likes sourd bread', false],
      ['likes bread sourdough', true],
      ['likes bread sourdoughs', false],
    ] as const) {
      const { body } = await search(course.slug, member.cookie, words)
      expect([words, idsOf(body.found)]).toEqual([words, isFound ? [post] : []])
    }
  })

  test('words in curly quotes, beside long dashes and full-width signs, and marked there', async () => {
    const { course, instructor, member } = await makeClass()
    const post = await write(course, instructor, 'Warm “bread”—fresh, „Brot“… «pain»，好吃。')
    const comment = await write(course, member, 'bread—fresh from the baker’s oven', {
      postId: post,
      minute: 1,
    })
    const marked = ({ excerpt }: Found) =>
      excerpt.flatMap(({ text, isMatch }) => (isMatch ? text : []))
    for (const [words, found, marks] of [
      ['bread', [comment, post], [['bread'], ['bread']]],
      ['“bread”', [comment, post], [['bread'], ['bread']]],
      ['fresh', [comment, post], [['fresh'], ['fresh']]],
      [
        'bread—fresh',
        [comment, post],
        [
          ['bread', 'fresh'],
          ['bread', 'fresh'],
        ],
      ],
      ['„Brot“', [post], [['Brot']]],
      ['pain', [post], [['pain']]],
      ['好吃', [post], [['好吃']]],
      ['baker', [comment], [['baker']]],
      ['baker’s', [comment], [['baker', 's']]],
    ] as const) {
      const { body } = await search(course.slug, member.cookie, words)
      expect([words, idsOf(body.found), body.found.map(marked)]).toEqual([words, found, marks])
    }
    const [, { excerpt }] = (await search(course.slug, member.cookie, 'bread')).body.found
    expect(excerpt.map(({ text }: { text: string }) => text).join('')).toBe(
      'Warm “bread”—fresh, „Brot“… «pain»，好吃。',
    )
  })

  test('words beside the signs of other writings, and pictures beside words', async () => {
    const { course, instructor, member } = await makeClass()
    for (const [content, words] of [
      ['¿Cómo estás? ¡Muy bien!', ['cómo', '¿Cómo', 'muy bien', '¡muy']],
      ['هل هذا صحيح؟ نعم، صحيح', ['صحيح هل', 'نعم صحيح']],
      ['यह सही है। धन्यवाद', ['है यह', 'धन्यवाद यह']],
      ['【注意】パン：小麦粉；水', ['注意', 'パン', '水 注意', '【注意】パン']],
      [
        'Great🎉party with 👍🏽 and ❤️love',
        ['great', 'party great', '🎉', '👍🏽', 'love', '❤️', 'love party'],
      ],
      ['100 °C → 5€ each ‹soon› •milk', ['each 5', 'soon', 'milk soon', '5€', '100 °C']],
      ['Write to baker@example.com', ['baker@example.com']],
    ] as const) {
      const post = await write(course, instructor, content)
      const comment = await write(course, member, content, { postId: post, minute: 1 })
      for (const one of words) {
        const { body } = await search(course.slug, member.cookie, one)
        expect([one, idsOf(body.found)]).toEqual([one, [comment, post]])
      }
    }
  })

  test('what was written before its words were taken apart so, from the next night on', async () => {
    const { course, instructor, member } = await makeClass()
    const { pool } = app.services
    const before = async (content: string, postId?: string) => {
      const id = await write(course, instructor, content, { postId })
      const old = `update ${postId ? 'comments' : 'posts'}
                      set search = to_tsvector('simple', content) || array_to_tsvector(array[course_id::text])
                    where id = $1`
      await pool.query(old, [id])
      return id
    }
    const post = await before('¿Dónde está?')
    const comment = await before('¡Dónde siempre!', post)
    const found = async (words: string) =>
      idsOf((await search(course.slug, member.cookie, words)).body.found)
    expect(await found('está')).toEqual([post])
    expect(await found('dónde')).toEqual([])
    await indexCommunityWords(app.services)
    expect(new Set(await found('dónde'))).toEqual(new Set([post, comment]))
    // What is as it should be is left alone, also where more than one part is looked at.
    await pool.query(
      `insert into posts (course_id, user_id, content)
       select $1, $2, '¿Qué?' from generate_series(1, 1200)`,
      [course.id, instructor.id],
    )
    await pool.query(`update posts set search = null where course_id = $1 and content = '¿Qué?'`, [
      course.id,
    ])
    await indexCommunityWords(app.services)
    const versions = async () =>
      (
        await pool.query(
          `select count(*)::int as indexed, max(xmin::text::bigint) as newest from posts
            where course_id = $1 and search is not null`,
          [course.id],
        )
      ).rows[0]
    const indexed = await versions()
    expect(indexed.indexed).toBe(1201)
    await indexCommunityWords(app.services)
    expect(await versions()).toEqual(indexed)
  })

  test('what was changed, by its new words only', async () => {
    const { course, instructor, member } = await makeClass()
    const post = await write(course, instructor, '¿Before?')
    await app.services.pool.query(`update posts set content = '¿After?' where id = $1`, [post])
    expect((await search(course.slug, member.cookie, 'before')).body.found).toEqual([])
    expect(idsOf((await search(course.slug, member.cookie, 'after')).body.found)).toEqual([post])
  })

  test('nothing hidden, deleted, scheduled, below a hidden post, or of another course', async () => {
    const { course, instructor, member } = await makeClass()
    const shown = await write(course, instructor, 'zebra')
    const hidden = await write(course, instructor, 'zebra', { status: 'hidden' })
    await write(course, instructor, 'zebra', { status: 'scheduled' })
    await write(course, member, 'zebra', { postId: hidden })
    await write(course, member, 'zebra', { postId: shown, status: 'hidden' })
    await write(course, member, 'zebra', { postId: shown, status: 'deleted' })
    const foreign = await makeClass()
    await write(foreign.course, foreign.instructor, 'zebra')
    const { body } = await search(course.slug, member.cookie, 'zebra')
    expect(idsOf(body.found)).toEqual([shown])
  })

  test('the id of the course is no word of its posts', async () => {
    const { course, member } = await makeClass()
    await write(course, member, 'Nothing with digits')
    const withDigits = await write(course, member, `Room ${course.id.slice(0, 3)}`)
    const beginning = course.id.slice(0, 2)
    expect((await search(course.slug, member.cookie, beginning)).body.found).toEqual([])
    const word = course.id.slice(0, 3)
    expect(idsOf((await search(course.slug, member.cookie, word)).body.found)).toEqual([withDigits])
    expect((await search(course.slug, member.cookie, course.id)).body.found).toEqual([])
  })
})

test('pages go on where they ended, over posts and comments of one moment', async () => {
  const { course, instructor, member } = await makeClass()
  const post = await write(course, instructor, 'walrus')
  const all = [post]
  for (let index = 0; index < 22; index += 1) {
    all.push(await write(course, member, 'walrus', { postId: post, minute: index % 2 }))
    all.push(await write(course, member, 'walrus', { minute: index % 3 }))
  }
  const statements = watchStatements(app)
  const seen: string[] = []
  async function readFrom(cursor?: string) {
    const { status, body } = await search(course.slug, member.cookie, 'walrus', cursor)
    expect(status).toBe(200)
    seen.push(...idsOf(body.found))
    if (body.nextCursor) await readFrom(body.nextCursor)
  }
  const texts = await statements.during(() => readFrom())
  expect(
    texts.filter((text) => text.includes('tsquery')),
    'two for each of three pages',
  ).toHaveLength(6)
  expect(seen).toHaveLength(all.length)
  expect(new Set(seen)).toEqual(new Set(all))
})

test('twenty found are one page; of twenty-one the oldest has a page of its own', async () => {
  const { course, instructor, member } = await makeClass()
  const ids = [await write(course, instructor, 'otter')]
  for (let index = 1; index < 20; index += 1) {
    const postId = index % 2 ? ids.at(-1) : undefined
    ids.unshift(await write(course, member, 'otter', { postId, minute: index }))
  }
  const { body: whole } = await search(course.slug, member.cookie, 'otter')
  expect([idsOf(whole.found), whole.nextCursor]).toEqual([ids, null])
  const newest = await write(course, member, 'otter', { minute: 30 })
  const { body: first } = await search(course.slug, member.cookie, 'otter')
  expect(idsOf(first.found)).toEqual([newest, ...ids.slice(0, -1)])
  const { body: second } = await search(course.slug, member.cookie, 'otter', first.nextCursor)
  expect([idsOf(second.found), second.nextCursor]).toEqual([ids.slice(-1), null])
})

test('what only old posts and comments say is found below a thousand newer ones', async () => {
  const { course, instructor, member } = await makeClass()
  const post = await write(course, instructor, 'An old heron')
  const comment = await write(course, member, 'Another heron', { postId: post, minute: 1 })
  const hidden = await write(course, instructor, 'Under this', { status: 'hidden' })
  await write(course, member, 'A heron nobody sees', { postId: hidden })
  await app.services.pool.query(
    `with newer as (
       insert into posts (course_id, user_id, content, created_at)
       select $1, $2, 'Every day ' || n, timestamptz '2026-02-01' + n * interval '1 second'
         from generate_series(1, 1010) n)
     insert into comments (course_id, user_id, post_id, content, created_at)
     select $1, $2, $3, 'Every night ' || n, timestamptz '2026-02-01' + n * interval '1 second'
       from generate_series(1, 1010) n`,
    [course.id, instructor.id, post],
  )
  const { body: old } = await search(course.slug, member.cookie, 'heron')
  expect([idsOf(old.found), old.nextCursor]).toEqual([[comment, post], null])
  const { body: common } = await search(course.slug, member.cookie, 'every')
  expect(common.found).toHaveLength(20)
  const { body: next } = await search(course.slug, member.cookie, 'every', common.nextCursor)
  expect(new Set([...idsOf(common.found), ...idsOf(next.found)]).size).toBe(40)
})

describe('refusals', () => {
  test('the search is for who may read', async () => {
    const { course, instructor } = await makeClass()
    const outsider = await someone('Out Sider')
    expect((await search(course.slug, undefined, 'word')).status).toBe(401)
    expect((await search(course.slug, outsider.cookie, 'word')).status).toBe(403)
    expect((await search(course.slug, instructor.cookie, 'word')).status).toBe(200)
  })

  test('a text without words finds nothing, an empty or very long one is refused in words', async () => {
    const { course, member } = await makeClass()
    await write(
      course,
      member,
      `It's 100% sure: "quoted" \\ back & forth | (really) !not a:b <-> c 🙂 über`,
    )
    for (const text of ['& | ! ( ) : * <->', "''", '\\', '"', '%', '_', '--', ';', '@']) {
      const { status, body } = await search(course.slug, member.cookie, text)
      expect([text, status, body]).toEqual([text, 200, { found: [], nextCursor: null }])
    }
    const harmless = [
      "it's",
      '100%',
      '"quoted" back',
      'back & forth',
      '!not',
      'a:b',
      'c 🙂',
      '🙂',
      'ÜBER',
      '“quoted”',
      "quoted'",
      'a:*',
    ]
    for (const text of harmless) {
      const { status, body } = await search(course.slug, member.cookie, text)
      expect([text, status, body.found?.length]).toEqual([text, 200, 1])
    }
    for (const text of [
      'x'.repeat(200),
      `${'a '.repeat(99)}b`,
      "http://a.b/c?d=e'f",
      "a'b\\c",
      '-1.5e10',
      '\u0000x',
      '\uD800x',
    ]) {
      expect([text, (await search(course.slug, member.cookie, text)).status]).toEqual([text, 200])
    }
    for (const text of ['   ', '\u200D']) {
      const { status, body } = await search(course.slug, member.cookie, text)
      expect([text, status, body.message]).toEqual([
        text,
        422,
        'Please write what you are looking for',
      ])
    }
    expect((await search(course.slug, member.cookie, 'x'.repeat(201))).status).toBe(422)
    for (const cursor of ['x', '1.1', `99999999999999999.${course.id}`, `1.${course.id}'`]) {
      const { status, body } = await search(course.slug, member.cookie, 'word', cursor)
      expect([cursor, status, body.message]).toEqual([
        cursor,
        400,
        'This is not a place in the list',
      ])
    }
  })
})
