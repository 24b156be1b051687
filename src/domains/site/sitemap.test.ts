// Site maps without a database: what is asked of it, when it is asked anew, and what is written of the answers.
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defaultBrand, setBrand } from './brand.ts'
import { createSitemaps } from './sitemap.ts'

let now = 0
beforeEach(() => {
  now = 1_000_000
  vi.spyOn(Date, 'now').mockImplementation(() => now)
  setBrand({ ...defaultBrand, appUrl: 'https://school.example' })
})
afterEach(() => vi.restoreAllMocks())

interface Asked {
  text: string
  values: unknown[]
}

/** Courses that begin files at these keys, people at those; every file has these rows. */
function sitemapsOf({
  courses = [['1', 'a']] as string[][],
  people = [['ada']] as string[][],
  rows = [] as [string, Date][],
} = {}) {
  const asked: Asked[] = []
  const fails = { next: false }
  const pool = {
    async query({ text, values, rowMode }: Asked & { rowMode: string }) {
      expect(rowMode).toBe('array')
      if (fails.next) {
        fails.next = false
        throw new Error('away')
      }
      asked.push({ text: text.replace(/\s+/g, ' '), values })
      if (!text.includes('recursive')) return { rows }
      return { rows: text.includes('from courses') ? courses : people }
    },
  }
  const pages = () => ['/', '/a?b&c']
  return { sitemaps: createSitemaps(pool as unknown as Pool, pages, 2), asked, fails }
}

const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

test('the index names the pages, and each file of courses and people', async () => {
  const { sitemaps, asked } = sitemapsOf({
    courses: [
      ['1', 'a'],
      ['2', 'b'],
    ],
  })
  const names = ['pages', 'courses-1', 'courses-2', 'people-1'].map(
    (name) => `<sitemap><loc>https://school.example/sitemaps/${name}.xml</loc></sitemap>`,
  )
  expect(await sitemaps.index()).toBe(
    `${head}<sitemapindex ${namespace}>\n${names.join('\n')}\n</sitemapindex>\n`,
  )
  // The key of the next file is the one behind those of this one.
  expect(asked.map(({ values }) => values)).toEqual([[1], [1]])
  const { sitemaps: empty } = sitemapsOf({ courses: [], people: [] })
  expect((await empty.index()).match(/<loc>/g)).toHaveLength(1)
})

test('a file has the addresses with the time of their last change', async () => {
  const { sitemaps } = sitemapsOf({
    rows: [
      ['/course/a', new Date(0)],
      ['/course/b', new Date(5)],
    ],
  })
  expect(await sitemaps.file('pages')).toBe(
    `${head}<urlset ${namespace}>\n<url><loc>https://school.example/</loc></url>\n` +
      `<url><loc>https://school.example/a?b&#38;c</loc></url>\n</urlset>\n`,
  )
  expect(await sitemaps.file('courses-1')).toBe(
    `${head}<urlset ${namespace}>\n` +
      '<url><loc>https://school.example/course/a</loc><lastmod>1970-01-01T00:00:00.000Z</lastmod></url>\n' +
      '<url><loc>https://school.example/course/b</loc><lastmod>1970-01-01T00:00:00.005Z</lastmod></url>\n' +
      '</urlset>\n',
  )
})

test('a file goes from its own key to the next one, the first and the last without an end', async () => {
  const courses = [
    ['1', 'a'],
    ['2', 'b'],
    ['3', 'c'],
  ]
  const { sitemaps, asked } = sitemapsOf({ courses, people: [['ada'], ['bob']] })
  const bounds = async (name: string) => {
    expect(await sitemaps.file(name)).not.toBeNull()
    const { text, values } = asked.at(-1)!
    return [
      / (?:and published_at is not null|is not null) (.*?)\s*and (?:true|suspended)/.exec(
        text,
      )?.[1],
      values,
    ]
  }
  const course = (at: number) => `($${at}::timestamptz, $${at + 1}::uuid)`
  expect(await bounds('courses-1')).toEqual([`and (published_at, id) < ${course(1)}`, ['2', 'b']])
  expect(await bounds('courses-2')).toEqual([
    `and (published_at, id) >= ${course(1)} and (published_at, id) < ${course(3)}`,
    ['2', 'b', '3', 'c'],
  ])
  expect(await bounds('courses-3')).toEqual([`and (published_at, id) >= ${course(1)}`, ['3', 'c']])
  expect(await bounds('people-1')).toEqual(['and username < $1::text', ['bob']])
  expect(await bounds('people-2')).toEqual(['and username >= $1::text', ['bob']])
})

test.each([
  'courses-3',
  'courses-0',
  'courses-01',
  'courses-1000000',
  'courses-',
  'courses-1x',
  '1courses-1',
  'courses',
  'posts-1',
  'toString-1',
  'Courses-1',
  '',
])('there is no file %j', async (name) => {
  const { sitemaps } = sitemapsOf({
    courses: [
      ['1', 'a'],
      ['2', 'b'],
    ],
  })
  expect(await sitemaps.file(name)).toBeNull()
})

describe('where files begin', () => {
  test('is remembered for an hour', async () => {
    const { sitemaps, asked } = sitemapsOf()
    const cuts = () => asked.filter(({ text }) => text.includes('recursive')).length
    await sitemaps.index()
    await sitemaps.file('courses-1')
    expect(cuts()).toBe(2)
    now += 60 * 60 * 1000 - 1
    await sitemaps.index()
    expect(cuts()).toBe(2)
    now += 1
    await sitemaps.index()
    expect(cuts()).toBe(4)
  })

  test('is asked again after it could not be told', async () => {
    const { sitemaps, fails } = sitemapsOf()
    fails.next = true
    await expect(sitemaps.file('courses-1')).rejects.toThrow('away')
    expect(await sitemaps.file('courses-1')).toContain('<urlset')
    // Nor does a file that cannot be read stand in the way of the next one.
    fails.next = true
    await expect(sitemaps.file('courses-1')).rejects.toThrow('away')
    expect(await sitemaps.file('courses-1')).toContain('<urlset')
  })
})
