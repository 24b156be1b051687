// How far a search looks where many courses match: as far as needed, and never at all of them for nothing.
import type { Pool } from 'pg'
import { describe, expect, test } from 'vitest'
import { findCourses } from './find-courses.ts'
import { prepared } from './prepared.ts'
import { courseSearch } from './schema.ts'

interface Facts {
  courses: number
  titles?: number
  total: number
  /** Of a second word that is looked for. */
  rye?: { courses: number; titles: number }
}

/** What a search for “bread” asks of a catalogue of which this is known; `answers` are the ids, answer by answer. */
async function asked(
  search: object,
  { courses, titles = 0, total, rye }: Facts,
  answers: string[][],
) {
  const statements: string[] = []
  const folded = rye ? 'bread rye' : 'bread'
  const bread = { typed: 'bread', found: 2, meant: ['bread', 'breadth'], courses, titles }
  const words = rye ? [bread, { typed: 'rye', found: 1, meant: ['rye'], ...rye }] : [bread]
  const pool = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      if (text.includes('search_tokens')) {
        return { rows: words.map((word) => ({ ...word, folded, total })) }
      }
      if (text.includes('similar_words')) return { rows: [] }
      const at = (_: string, number: string) => JSON.stringify(values[Number(number) - 1])
      statements.push(text.replace(/\s+/g, ' ').replace(/\$(\d+)/g, at))
      return { rows: (answers.shift() ?? []).map((id) => ({ id })) }
    },
  }
  const found = await findCourses(
    pool as unknown as Pool,
    courseSearch.parse({ search: 'bread', ...search }),
  )
  return { found, statements }
}

describe('in an order of the catalogue', () => {
  const newest = 'published_at desc nulls last, id desc nulls last'
  const published = `select id, category, price_amount, published_at, students_count from courses where status = 'published'`
  const among = (source: string, wanted = 13, more = '') =>
    `select id from (select c.* from (${source}) c join course_search_documents d on d.course_id = c.id` +
    ` where d.words @@ "('bread' | 'breadth')"::tsquery${more}) found order by ${newest} limit ${wanted}`

  test.each([
    ['few are expected', {}, { courses: 1499, total: 15_000 }, null],
    ['many are', {}, { courses: 1500, total: 15_000 }, 260],
    ['one in 8.7 is', {}, { courses: 1500, total: 13_000 }, 226],
    ['all are', {}, { courses: 1500, total: 1500 }, 200],
    ['nobody has counted the courses yet', {}, { courses: 1500, total: 0 }, 200],
    ['of one category', { category: 'Art' }, { courses: 1500, total: 15_000 }, 2080],
    ['only free ones', { price: 'free' }, { courses: 1500, total: 15_000 }, 520],
    [
      'only paid ones of one category',
      { category: 'Art', price: 'paid' },
      { courses: 2000, total: 15_000 },
      3120,
    ],
    [
      'so few of a category that it takes too long',
      { category: 'Art', price: 'paid' },
      { courses: 1500, total: 15_000 },
      null,
    ],
    ['4,000 are enough', { show: 19 }, { courses: 1500, total: 150_000 }, 4000],
    ['a few more would be needed', { show: 19 }, { courses: 1500, total: 150_030 }, null],
  ])('it looks at the first ones when %s, else at all', async (_when, filters, facts, looked) => {
    const { found, statements } = await asked({ ...filters, sort: 'newest' }, facts, [['a'], ['b']])
    const limits = statements.map((text) => Number(/limit (\d+)\) c join/.exec(text)?.[1] ?? 0))
    expect(limits).toEqual(looked === null ? [0] : [looked, 0])
    expect(found).toEqual([looked === null ? 'a' : 'b'])
  })

  test('it looks no further when enough are among the first', async () => {
    const enough = Array.from({ length: 13 }, (_, at) => `course ${at}`)
    const search = { sort: 'newest', category: 'Art', price: 'paid' }
    const facts = { courses: 2000, total: 15_000 }
    const near = `${published} and category = "Art" and least(price_amount, 1) = 1 order by ${newest} limit 3120`
    const inFilters = ' and d.category = "Art" and d.price_class = 1'
    const { found, statements } = await asked(search, facts, [enough])
    expect(found).toEqual(enough)
    expect(statements).toEqual([among(near, 13, inFilters)])
    const oneShort = await asked(search, facts, [enough.slice(1), enough])
    expect(oneShort.statements).toEqual([
      among(near, 13, inFilters),
      among(published, 13, inFilters),
    ])
  })
})

describe('by the best match', () => {
  const popularFirst = 'd.popularity desc nulls last, d.course_id desc nulls last'
  const matching = `d.words @@ "('bread' | 'breadth')"::tsquery`
  const rank = (condition: string, near: number | null, found: string[]) =>
    `select d.course_id as id from ` +
    (near === null
      ? 'course_search_documents'
      : `(select * from course_search_documents d order by ${popularFirst} limit ${near})`) +
    ` d where ${condition} and ${matching} and d.course_id <> all (${JSON.stringify(found)})` +
    ` order by ${popularFirst} limit ${13 - found.length}`
  const conditions = {
    exact: 'd.title = "bread"',
    begins: 'd.title >= "bread" and d.title < "bread" || chr(1114111)',
    whole: `d.title_words @@ "'bread'"::tsquery`,
    typed: `d.title_words @@ "'bread':*"::tsquery`,
    anywhere: `d.words @@ "'bread':*"::tsquery`,
    letters: 'd.body like "%bread%"',
    meant: `d.title_words @@ "('bread' | 'breadth')"::tsquery`,
  }

  test('of few courses one statement finds all', async () => {
    const { statements } = await asked({}, { courses: 1499, total: 15_000 }, [])
    const cases = Object.values(conditions).map((condition, at) => `when ${condition} then ${at}`)
    expect(statements).toEqual([
      `select d.course_id as id from course_search_documents d where ${matching}` +
        ` order by case ${cases.join(' ')} else 7 end, ${popularFirst} limit 13`,
    ])
  })

  test('of many they are found rank by rank, among the popular first, what is found already left out', async () => {
    const facts = { courses: 2000, titles: 1600, total: 20_000 }
    const { exact, begins, whole, typed, anywhere, letters, meant } = conditions
    const { found, statements } = await asked({}, facts, [['a', 'b'], [], ['c']])
    expect(found).toEqual(['a', 'b', 'c'])
    const [two, three] = [
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]
    expect(statements).toEqual([
      // Hardly any course is called exactly so: an index finds it.
      rank(exact, null, []),
      rank(begins, 277, two!),
      rank(begins, null, two!),
      rank(whole, 253, three!),
      rank(whole, null, three!),
      rank(typed, 253, three!),
      rank(typed, null, three!),
      rank(anywhere, 203, three!),
      rank(anywhere, null, three!),
      // No index finds letters inside of words.
      rank(letters, 203, three!),
      rank(meant, 253, three!),
      rank(meant, null, three!),
      rank('true', 203, three!),
      rank('true', null, three!),
    ])
  })

  test('of several words the rarest says how many are expected', async () => {
    const many = { courses: 5000, titles: 5000, total: 20_000 }
    const rare = await asked({}, { ...many, rye: { courses: 1499, titles: 1499 } }, [])
    expect(rare.statements).toHaveLength(1)
    const frequent = await asked({}, { ...many, rye: { courses: 2000, titles: 1600 } }, [])
    const limits = frequent.statements.flatMap((text) => /limit (\d+)\) d/.exec(text)?.[1] ?? [])
    expect(limits).toEqual(['325', '325', '325', '260', '260', '325', '260'])
    expect(frequent.statements[3]).toContain(`d.title_words @@ "'bread' & 'rye'"::tsquery`)
    expect(frequent.statements[3]).toContain(
      `d.words @@ "('bread' | 'breadth') & ('rye')"::tsquery`,
    )
  })

  test('and no further than needed', async () => {
    const facts = { courses: 2000, titles: 1600, total: 20_000 }
    const ids = Array.from({ length: 13 }, (_, at) => `course ${at}`)
    const first = await asked({}, facts, [ids])
    expect([first.found, first.statements.length]).toEqual([ids, 1])
    const second = await asked({}, facts, [ids.slice(0, 12), ids.slice(12)])
    expect([second.found, second.statements.length]).toEqual([ids, 2])
  })
})

test('a statement is named once, and its values are numbered as they come', () => {
  const template = 'select {second}, {first}, {second} -- of the test'
  const one = prepared(template, { first: 1, second: 2, third: 3 })
  expect(one).toEqual({
    name: expect.stringMatching(/^search-\d+$/),
    text: 'select $1, $2, $1 -- of the test',
    values: [2, 1],
  })
  const again = prepared(template, { first: 3, second: 4 })
  expect(again).toEqual({ ...one, values: [4, 3] })
  const another = prepared(`${template}, another`, {})
  expect(another.name).not.toBe(one.name)
  expect(Number(another.name.slice(7))).toBe(Number(one.name.slice(7)) + 1)
})
