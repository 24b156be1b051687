// The public pages and calls: with 1,000 courses and with as many as this run has.
import { drizzle } from 'drizzle-orm/node-postgres'
import { countWords } from '../src/domains/search/count-words.ts'
import type { Db } from '../src/server/db.ts'
import * as tables from '../src/tables.ts'
import { measurePairs, type Pair, type Worlds } from './pairs.ts'
import { type Row, whole } from './row.ts'
import { searchesFor } from './search.ts'
import { type Case, casesOf, type Measuring } from './throughput.ts'

const orders = ['newest', 'popular', 'trending', 'price_low', 'price_high']

function callsOf(measuring: Measuring): Record<string, Case> {
  const { thunder, size } = measuring
  const { bareCourse, course, explore, profile } = casesOf(measuring)
  const call = (name: string, paths: string[], text: string): Case => ({
    name,
    server: thunder,
    expected: paths.map((path) => ({ path: `/rest/v1/courses${path}`, texts: [text] })),
  })
  const browse = orders.flatMap((sort) => [
    `?sort=${sort}`,
    `?sort=${sort}&category=Music&price=free`,
  ])
  return {
    'bare: one indexed query': bareCourse,
    'course page, kept': course,
    'course call': call(
      'course call',
      course.expected.map(({ path }) => path.slice('/course'.length)),
      'bench-course-',
    ),
    'catalogue page': explore,
    'catalogue call, all orders and filters': call('catalogue call', browse, 'bench-course-'),
    'search call, 1 to 3 words with a typing error': call(
      'search call',
      searchesFor(size.courses, 4000).map((search) => `?search=${encodeURIComponent(search)}`),
      '"courses":[',
    ),
    'profile page': profile,
  }
}

/** The words are counted first, as in each night. */
export async function measureGrowth(worlds: Worlds): Promise<Row[]> {
  for (const { database } of [worlds.few, worlds.many]) {
    await countWords({ db: drizzle(database, { schema: tables }) as unknown as Db })
  }
  const calls = { few: callsOf(worlds.few), many: callsOf(worlds.many) }
  const [few, many] = [whole(worlds.few.size.courses), whole(worlds.many.size.courses)]
  const pairs = Object.keys(calls.few).map((name): Pair => ({
    what: `${name}: ${many} courses beside ${few}`,
    few: calls.few[name]!,
    many: calls.many[name]!,
  }))
  return measurePairs(pairs, worlds)
}
