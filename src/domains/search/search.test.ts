// What a search finds and in which order, and the catalogue's filters and orders, over HTTP.
import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  type CourseFacts,
  makeCourse,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { courses } from '../courses/tables.ts'
import { countWords } from './count-words.ts'
import { cataloguePageVersion } from './list-courses.ts'
import { rankTrending } from './rank-trending.ts'
import { courseSearch, type Sort } from './schema.ts'
import { courseSearchDocuments, searchWordParts, searchWords, trendingCourses } from './tables.ts'

let app: TestApp
let owner: { id: string }

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app.services)
})
afterAll(() => app?.stop())

async function made(facts: CourseFacts & { students?: number; price?: number }) {
  const course = await makeCourse(app.services, owner, facts)
  const { students, price } = facts
  if (students !== undefined || price !== undefined) {
    await app.services.db
      .update(courses)
      .set({
        ...(students !== undefined && { studentsCount: students }),
        ...(price !== undefined && { priceAmount: price, pricingType: 'one_time' as const }),
      })
      .where(eq(courses.id, course.id))
  }
  return course
}

const found = async (parameters: Record<string, string | number>): Promise<string[]> => {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [name, String(value)]),
  )
  const { status, body } = await app.request(`/rest/v1/courses?${query}`)
  expect(status).toBe(200)
  return body.courses.map(({ title }: { title: string }) => title)
}

describe('a search', () => {
  beforeAll(async () => {
    await made({ title: 'Street Photography', description: 'Light and shadow.', students: 5 })
    await made({ title: 'Photography', description: 'Begin here.', students: 1 })
    await made({ title: 'Photography at Night', students: 2 })
    await made({
      title: 'The Darkroom',
      description: 'Photography without a screen.',
      students: 90,
    })
    await made({ title: 'Écrire à l’été', description: 'Crème brûlée, smørrebrød and Straße.' })
    await made({ title: 'C++ for Gardeners', description: 'Also C and C#.' })
    await made({ title: 'Sourdough Bread', shortDescription: 'Guitars are not needed' })
    await made({ title: 'Guitar for Two', students: 3 })
    await made({ title: 'Хлеб и соль', description: '日本のパン and 한국어' })
    await made({ title: 'Hidden Photography', status: 'draft' })
  })

  test('has the exact title first, then titles that begin so, then all words, then the popular', async () => {
    expect(await found({ search: 'photography' })).toEqual([
      'Photography',
      'Photography at Night',
      'Street Photography',
      'The Darkroom',
    ])
  })

  test('finds what is being typed', async () => {
    expect(await found({ search: 'street pho' })).toEqual(['Street Photography'])
  })

  test.each([
    ['one letter left out', 'photograhy'],
    ['one letter too many', 'photoggraphy'],
    ['another letter', 'phptography'],
    ['two neighbours swapped', 'hpotography'],
    ['two swapped in the middle', 'photorgaphy'],
    ['two mistakes in a long word', 'fotography'],
    ['the first letter wrong', 'thotography'],
  ])('puts up with %s', async (_what, search) => {
    expect((await found({ search }))[0]).toBe('Street Photography')
    expect(await found({ search })).toHaveLength(4)
  })

  test.each([
    ['guitr', 'Guitar for Two'],
    ['gutiar', 'Guitar for Two'],
    ['sourdogh bred', 'Sourdough Bread'],
  ])('puts up with a mistake in a short word: %s', async (search, title) => {
    expect((await found({ search }))[0]).toBe(title)
  })

  test('lets no correction in where the typed letters are found', async () => {
    await made({ title: 'Guitry’s Plays' })
    expect(await found({ search: 'guitr' })).toEqual(['Guitry’s Plays'])
  })

  test('finds nothing rather than anything', async () => {
    expect(await found({ search: 'xylophone' })).toEqual([])
    expect(await found({ search: 'photography xylophone' })).toEqual([])
  })

  test.each([
    ['ecrire a l’ete', 'Écrire à l’été'],
    ['ÉCRIRE', 'Écrire à l’été'],
    ['E\u0301crire', 'Écrire à l’été'],
    ['creme brulee', 'Écrire à l’été'],
    ['smorrebrod', 'Écrire à l’été'],
    ['strasse', 'Écrire à l’été'],
    ['хлеб', 'Хлеб и соль'],
    ['ХЛЕБ', 'Хлеб и соль'],
    ['日本', 'Хлеб и соль'],
    ['한국', 'Хлеб и соль'],
  ])('does not mind case and accents: %s', async (search, title) => {
    expect(await found({ search })).toEqual([title])
  })

  test.each([
    ['hotograph', 4],
    ['and shad', 1],
    ['ithout a scr', 1],
    ['C++', 1],
    ['c#', 1],
    ['en.', 1],
    ['brûlée, s', 1],
  ])('finds what the title or description holds by the letter: %s', async (search, count) => {
    expect(await found({ search })).toHaveLength(count)
  })

  test('has what is by the letter so before what has the letters in other places', async () => {
    const titles = await found({ search: 't Photo' })
    expect(titles[0]).toBe('Street Photography')
    expect(titles).toHaveLength(4)
  })

  test('finds each part of each text, as ILIKE would', async () => {
    const { rows } = await app.services.pool.query(
      `select id, title, short_description, description_text from courses where status = 'published'`,
    )
    const parts = rows.flatMap(({ title, description_text: text }) =>
      [title, text].flatMap((whole: string) =>
        [1, 4, 7, 11].map((length) =>
          whole.slice(whole.length % 5, (whole.length % 5) + length).trim(),
        ),
      ),
    )
    for (const part of new Set(parts.filter((one) => one !== ''))) {
      const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`
      const expected = await app.services.pool.query(
        `select title from courses where status = 'published'
            and (title ilike $1 or short_description ilike $1 or description_text ilike $1)`,
        [pattern],
      )
      const shown = await found({ search: part, show: 48 })
      for (const { title } of expected.rows) expect(shown, `“${part}”`).toContain(title)
    }
  })

  test('keeps to the filters and to a chosen order', async () => {
    await made({ title: 'Paid Photography', category: 'Art', price: 900, students: 1 })
    const search = 'photography'
    expect(await found({ search, price: 'paid' })).toEqual(['Paid Photography'])
    expect(await found({ search, category: 'Art' })).toEqual(['Paid Photography'])
    expect(await found({ search, category: 'Art', price: 'free' })).toEqual([])
    expect((await found({ search, sort: 'popular' }))[0]).toBe('The Darkroom')
    expect((await found({ search, sort: 'newest' }))[0]).toBe('Paid Photography')
    expect((await found({ search, sort: 'price_high' }))[0]).toBe('Paid Photography')
    expect((await found({ search, sort: 'price_low' })).at(-1)).toBe('Paid Photography')
    expect(await found({ search, sort: 'trending' })).toHaveLength(5)
  })

  test.each([
    "'",
    "''",
    '\\',
    "\\'",
    ':*',
    '!',
    '&',
    '|',
    '<->',
    '(',
    'a:b',
    "a' | 'b",
    '{typed}',
    '$1',
    '\u0301',
    '﷽'.repeat(60),
    'a'.repeat(200),
    'ab '.repeat(66),
    '\uD800',
    '🎸',
    '  \t ',
    '%'.repeat(200),
    '日'.repeat(200),
  ])('answers %j', async (search) => {
    const query = `search=${encodeURIComponent(search.toWellFormed())}`
    for (const more of [
      '',
      '&sort=popular',
      '&category=Art&price=paid',
      '&sort=trending&price=free',
    ]) {
      expect((await app.request(`/rest/v1/courses?${query}${more}`)).status).toBe(200)
    }
  })

  test('sees an edit, a publication and an unpublication at once', async () => {
    const cookie = await sessionCookieOf(app.services, owner.id)
    const { id } = await made({ title: 'Quokka Watching' })
    expect(await found({ search: 'quokka' })).toEqual(['Quokka Watching'])
    await app.request(`/rest/v1/courses/${id}`, {
      method: 'PATCH',
      body: { title: 'Numbat Watching' },
      cookie,
    })
    expect(await found({ search: 'quokka' })).toEqual([])
    expect(await found({ search: 'numbt' })).toEqual(['Numbat Watching'])
    await app.request(`/rest/v1/courses/${id}/unpublish`, { method: 'POST', cookie })
    expect(await found({ search: 'numbat' })).toEqual([])
    await app.request(`/rest/v1/courses/${id}/publish`, { method: 'POST', cookie })
    expect(await found({ search: 'numbat' })).toEqual(['Numbat Watching'])
    const search = courseSearch.parse({ search: 'numbat' })
    const before = await cataloguePageVersion(app.services.pool, search)
    await app.request(`/rest/v1/courses/${id}`, {
      method: 'PATCH',
      body: { shortDescription: 'New' },
      cookie,
    })
    expect(await cataloguePageVersion(app.services.pool, search)).not.toBe(before)
    await app.services.db.delete(courses).where(eq(courses.id, id))
    expect(await found({ search: 'numbat' })).toEqual([])
  })

  test('keeps words that are used, counts them, and forgets the others at night', async () => {
    const { db } = app.services
    const { id } = await made({ title: 'Axolotl Photography' })
    const words = () =>
      db
        .select()
        .from(searchWords)
        .where(inArray(searchWords.word, ['axolotl', 'photography']))
    await countWords(app.services)
    expect(await words()).toEqual(
      expect.arrayContaining([
        { word: 'axolotl', coursesCount: 1, titlesCount: 1 },
        { word: 'photography', coursesCount: 6, titlesCount: 5 },
      ]),
    )
    await db.update(courses).set({ status: 'draft' }).where(eq(courses.id, id))
    await countWords(app.services)
    expect((await words()).map(({ word }) => word)).toEqual(['photography'])
    const left = await db.$count(searchWordParts, eq(searchWordParts.word, 'axolotl'))
    expect(left).toBe(0)
  })

  test('people who publish at once have all their words kept', async () => {
    const titles = Array.from({ length: 8 }, (_, at) => `Simultaneous Zebra Yak ${at}`)
    await Promise.all([...titles.map((title) => made({ title })), countWords(app.services)])
    expect((await found({ search: 'imultaneou ebr' })).toSorted()).toEqual(titles)
  })
})

describe('the catalogue', () => {
  const category = 'Gaming'
  const list = (sort: Sort, more = {}) => found({ category, sort, show: 48, ...more })

  beforeAll(async () => {
    for (let number = 1; number <= 30; number++) {
      await made({
        title: `Game ${number}`,
        category,
        publishedAt: new Date(2026, 1, number),
        students: (number * 7) % 30,
        ...(number % 3 === 0 && { price: 100 * (1 + ((number * 11) % 5)) }),
      })
    }
  })

  const numbers = Array.from({ length: 30 }, (_, at) => at + 1)
  const named = (order: number[]) => order.map((number) => `Game ${number}`)
  const price = (number: number) => (number % 3 === 0 ? 1 + ((number * 11) % 5) : 0)
  const orders: [Sort, (a: number, b: number) => number][] = [
    ['newest', (a, b) => b - a],
    ['popular', (a, b) => ((b * 7) % 30) - ((a * 7) % 30)],
    ['price_low', (a, b) => price(a) - price(b) || b - a],
    ['price_high', (a, b) => price(b) - price(a) || a - b],
  ]

  test.each(orders)('is ordered by %s, all, free and paid', async (sort, order) => {
    const sorted = numbers.toSorted(order)
    expect(await list(sort)).toEqual(named(sorted))
    const free = sorted.filter((number) => price(number) === 0)
    expect(await list(sort, { price: 'free' })).toEqual(named(free))
    const paid = sorted.filter((number) => price(number) > 0)
    expect(await list(sort, { price: 'paid' })).toEqual(named(paid))
  })

  test('trends by the day: no course twice, none left out, the same while students come', async () => {
    const first = await list('trending', { show: 12 })
    await app.services.db
      .update(courses)
      .set({ studentsCount: sql`${courses.studentsCount} + 100` })
      .where(eq(courses.title, first[11]!))
    const second = await list('trending', { show: 24 })
    expect(second.slice(0, 12)).toEqual(first)
    const all = await list('trending')
    expect(all.slice(0, 24)).toEqual(second)
    expect(all.toSorted()).toEqual(named(numbers).toSorted())
    expect(await list('trending', { price: 'paid' })).toEqual(
      all.filter((title) => price(Number(title.slice(5))) > 0),
    )
  })

  test('trends by chance, weighted by students', async () => {
    const { rows } = await app.services.pool.query(`
      select count(*) filter (where trending_score(md5('a' || d)::uuid, 9, current_date + d)
                                 >  trending_score(md5('b' || d)::uuid, 0, current_date + d))::int as wins,
             count(*)::int as days, count(distinct trending_score(md5('a')::uuid, 9, current_date + d))::int as scores
        from generate_series(1, 2000) d`)
    // Ten tickets against one.
    expect(rows[0].wins / rows[0].days).toBeGreaterThan(0.88)
    expect(rows[0].wins / rows[0].days).toBeLessThan(0.94)
    expect(rows[0].scores).toBe(rows[0].days)
  })

  test('trends anew each day, and the students of the day count', async () => {
    const { db } = app.services
    await db.update(trendingCourses).set({ score: 0 })
    await rankTrending(app.services)
    const { rows } = await app.services.pool.query(`
      select count(*)::int as wrong from trending_courses t join courses c on c.id = t.course_id
       where t.score <> trending_score(c.id, c.students_count, (now() at time zone 'UTC')::date)`)
    expect(rows[0].wrong).toBe(0)
  })

  test('knows category and price of each course, also when they change', async () => {
    const [game] = await list('newest')
    await app.services.db
      .update(courses)
      .set({ category: 'Hobbies', priceAmount: 500, pricingType: 'monthly' })
      .where(eq(courses.title, game!))
    for (const sort of ['trending', 'popular', 'newest'] as const) {
      expect(await found({ category: 'Hobbies', price: 'paid', sort })).toEqual([game])
      expect(await found({ category, sort, show: 48 })).not.toContain(game)
      expect(await found({ search: game!, category: 'Hobbies', price: 'paid', sort })).toEqual([
        game,
      ])
    }
    expect(await found({ search: game!, category: 'Hobbies' })).toEqual([game])
  })

  test('has a document and a place in the trends for each published course, and for no other', async () => {
    const { db } = app.services
    const published = await db.$count(courses, eq(courses.status, 'published'))
    expect(await db.$count(courseSearchDocuments)).toBe(published)
    expect(await db.$count(trendingCourses)).toBe(published)
  })
})

test('whether people can pay now is told, and is part of the page’s version', async () => {
  const { pool } = app.services
  const known = async (isReachable: boolean, query = '') => {
    await pool.query(
      `insert into payment_provider (id, is_reachable) values (1, $1)
         on conflict (id) do update set is_reachable = $1`,
      [isReachable],
    )
    const { body } = await app.request(`/rest/v1/courses?${new URLSearchParams({ search: query })}`)
    const version = await cataloguePageVersion(pool, courseSearch.parse({ search: query }))
    return { found: body.courses.length > 0, canPay: body.canPay, version }
  }
  await made({ title: 'Something to Buy' })
  for (const query of ['', 'nothinglikethisanywhere']) {
    const up = await known(true, query)
    const down = await known(false, query)
    expect([up.found, up.canPay, down.canPay]).toEqual([query === '', true, false])
    expect(down.version).not.toBe(up.version)
  }
})
