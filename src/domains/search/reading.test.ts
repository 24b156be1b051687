// What is understood of what somebody types, and how many courses and pages of them there are.
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { type CourseFacts, makeCourse, makePerson } from '../../../test/factories.ts'
import { courses } from '../courses/tables.ts'
import { countWords } from './count-words.ts'
import { cataloguePageVersion } from './list-courses.ts'
import { correctWords, readWords } from './read-words.ts'
import { courseSearch } from './schema.ts'
import { searchWordParts, searchWords } from './tables.ts'

let app: TestApp
let owner: { id: string }

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app.services)
})
afterAll(() => app?.stop())

async function made(facts: CourseFacts & { students?: number }) {
  const course = await makeCourse(app.services, owner, facts)
  const { students: studentsCount = 0 } = facts
  await app.services.db.update(courses).set({ studentsCount }).where(eq(courses.id, course.id))
  return course
}

const list = async (parameters: Record<string, string>) => {
  const { body } = await app.request(`/rest/v1/courses?${new URLSearchParams(parameters)}`)
  const { courses: cards, hasMore } = body
  return { titles: cards.map(({ title }: { title: string }) => title) as string[], hasMore }
}
const found = async (search: string, more = {}) => (await list({ search, ...more })).titles

test('a word means all the words that hold it, a mistake those that are spelt alike', async () => {
  const { pool, db } = app.services
  await made({ title: 'Painting a Painter', description: 'Repainted walls.' })
  await made({ title: 'Walls', description: 'Painting them.' })
  await made({ title: 'Panting', description: 'For runners.' })
  await countWords(app.services)
  await db.execute(sql`analyze course_search_documents`)

  expect(await readWords(pool, '  PAINT the  Wällen ')).toEqual({
    folded: 'paint the wallen',
    words: [
      {
        typed: 'paint',
        meant: expect.toSatisfy(
          (all: string[]) => all.toSorted().join() === 'painter,painting,repainted',
        ),
        isEverywhere: false,
        courses: 4,
        titles: 2,
      },
      { typed: 'the', meant: ['them'], isEverywhere: false, courses: 1, titles: 0 },
      { typed: 'wallen', meant: [], isEverywhere: false, courses: 0, titles: 0 },
    ],
    total: 3,
  })
  expect(await readWords(pool, '++')).toEqual({ folded: '++', words: [], total: 3 })
  expect(await readWords(pool, '')).toEqual({ folded: '', words: [], total: 3 })

  const words = (await readWords(pool, 'painting wals walls wals')).words
  const [painting, wals, walls] = words
  const corrected = { ...wals, meant: ['walls'], courses: 2, titles: 2 }
  expect(await correctWords(pool, words, (word) => word.meant.length === 0)).toEqual([
    painting,
    corrected,
    walls,
    corrected,
  ])
  expect(await correctWords(pool, words, () => true)).toEqual([
    { ...painting, meant: ['painting', 'panting'], courses: 3, titles: 2 },
    corrected,
    walls,
    corrected,
  ])
  expect(await correctWords(pool, words, (word) => word === walls)).toBeNull()
})

test('letters that more than 400 words hold are looked for in the texts', async () => {
  const { pool } = app.services
  const word = (at: number) => `azq${String.fromCharCode(97 + at / 26, 97 + (at % 26))}`
  const many = Array.from({ length: 399 }, (_, at) => word(at)).join(' ')
  await made({ title: 'Long', description: `${many} other`, students: 50 })
  const before = (await readWords(pool, 'zq')).words[0]!
  expect([before.meant.length, before.isEverywhere]).toEqual([399, false])
  expect(await found('zq')).toEqual(['Long'])

  await made({ title: 'Another Lazq', description: 'Other.' })
  const after = (await readWords(pool, 'zq')).words[0]!
  expect([after.meant.length, after.isEverywhere]).toEqual([400, true])
  await made({ title: 'Some', description: 'Other.', students: 90 })
  await made({ title: 'Bazquux', description: 'None.' })
  expect((await found('zq')).toSorted()).toEqual(['Another Lazq', 'Bazquux', 'Long'])
  // Who has all of it in its title comes before whoever has more students.
  expect(await found('zq other')).toEqual(['Another Lazq', 'Long'])
  expect(await found('zq other', { sort: 'popular' })).toEqual(['Long', 'Another Lazq'])
  expect(await found('zq missing')).toEqual([])
})

test('signs between the words count only as long as something has them', async () => {
  await made({ title: 'Salt, Pepper', students: 1 })
  await made({ title: 'Pepper & Salt', students: 2 })
  expect(await found('salt, pepper')).toEqual(['Salt, Pepper'])
  expect(await found('salt / pepper')).toEqual(['Pepper & Salt', 'Salt, Pepper'])
  expect(await found('salt pepper')).toEqual(['Pepper & Salt', 'Salt, Pepper'])
  expect(await found('& &')).toEqual([])
  expect(await found('slat / peper')).toEqual(['Pepper & Salt', 'Salt, Pepper'])
})

test('where many are expected the same is found, in the same order', async () => {
  for (let number = 1; number <= 16; number += 1) {
    await made({
      title: number % 3 === 0 ? `Knitting ${number}` : `Of Wool ${number}`,
      description: number % 2 === 0 ? 'Knitting, wool and more.' : 'All about knitting.',
      category: number % 4 === 0 ? 'Art' : 'Tech',
      students: number % 5,
    })
  }
  const searches = ['knitting', 'nitt', 'knitting, wool', 'kniting']
  const orders: Record<string, string>[] = [
    {},
    { show: '24' },
    { category: 'Art', price: 'free' },
    { price: 'paid' },
    { sort: 'newest' },
    { sort: 'trending' },
  ]
  const all = async () => {
    const lists = []
    for (const search of searches) {
      for (const order of orders)
        lists.push({ search, order, ...(await list({ search, ...order })) })
    }
    return lists
  }
  const inFew = await all()
  expect(inFew[0]!.titles).toHaveLength(12)
  await app.services.db.update(searchWords).set({ coursesCount: 2000, titlesCount: 2000 })
  expect(await all()).toEqual(inFew)
  await countWords(app.services)
})

test('there is more as long as one more than shown is there, and the kept page knows it', async () => {
  const { pool } = app.services
  const numbered = (number: number) => `Origami ${String(number).padStart(2, '0')}`
  for (let number = 1; number <= 12; number += 1) {
    await made({ title: numbered(number), category: 'Gaming', students: 20 - number })
  }
  const titles = Array.from({ length: 12 }, (_, at) => numbered(at + 1))
  const searches: Record<string, string>[] = [
    { category: 'Gaming', sort: 'popular' },
    { search: 'origami', sort: 'popular' },
    { category: 'Gaming', sort: 'popular', show: '13' },
  ]
  const versions = () =>
    Promise.all(searches.map((one) => cataloguePageVersion(pool, courseSearch.parse(one))))
  for (const one of searches) expect(await list(one)).toEqual({ titles, hasMore: false })
  const [category, search, wide] = await versions()
  await made({ title: 'Origami 13', category: 'Gaming' })
  for (const one of searches.slice(0, 2)) expect(await list(one)).toEqual({ titles, hasMore: true })
  expect(await list(searches[2]!)).toEqual({ titles: [...titles, 'Origami 13'], hasMore: false })
  const [moreInCategory, moreFound, widely] = await versions()
  expect(moreInCategory).toBe(`${category} more`)
  expect(moreFound).toBe(`${search} more`)
  expect(widely).toMatch(new RegExp(`^${wide} [^ ]+$`))
  await made({ title: 'Origami 14', category: 'Gaming' })
  expect((await list(searches[2]!)).hasMore).toBe(true)
})

test('a word that comes back while words are counted is kept, and one that nobody uses goes', async () => {
  const { pool, db } = app.services
  const { id } = await made({ title: 'Wombat', description: 'Lemming.' })
  const become = (status: string): [string, string[]] => [
    `update courses set status = '${status}' where id = $1`,
    [id],
  ]
  const parts = () => db.$count(searchWordParts, eq(searchWordParts.word, 'wombat'))
  await pool.query(...become('draft'))
  const client = await pool.connect()
  await client.query('begin')
  await client.query(...become('published'))
  const counting = countWords(app.services)
  await expect
    .poll(async () => {
      const { rows } = await pool.query(
        `select mode from pg_locks where relation = 'search_words'::regclass and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      )
      return rows
    })
    .toEqual([{ mode: 'ExclusiveLock' }])
  await client.query('commit')
  client.release()
  await counting
  expect(await parts()).toBe(6)
  expect(await found('wombat')).toEqual(['Wombat'])

  await pool.query(...become('draft'))
  await countWords(app.services)
  expect(await parts()).toBe(0)
})
