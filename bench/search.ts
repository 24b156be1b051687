// Search with a typing error: how quick it is beside a bare indexed query, and how well it ranks.
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Client } from 'pg'
import { countWords } from '../src/domains/search/count-words.ts'
import type { Db } from '../src/server/db.ts'
import * as tables from '../src/tables.ts'
import { ask } from './check-answer.ts'
import { exhaustiveSearch, type Searchable } from './exhaustive-search.ts'
import { type Address, type Burst, burst, median, waitForQuiet } from './load.ts'
import type { Measuring } from './throughput.ts'
import { type Row, whole } from './row.ts'
import { chance, wordyCourses } from './seed-words.ts'

/** Courses that can be ranked exhaustively in the memory of this process. */
const mostRanked = 100_000

const letters = 'abcdefghijklmnopqrstuvwxyz'

/** The word with one letter left out, added or changed, or two swapped. */
function mistyped(word: string, next: () => number): string {
  const at = Math.floor(next() * (word.length - 1))
  const letter = letters[Math.floor(next() * letters.length)]!
  const ways = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + letter + word.slice(at),
    word.slice(0, at) + letter + word.slice(at + 1),
    word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
  ]
  return ways[Math.floor(next() * ways.length)]!
}

/** One to three words of some course, one of them with a typing error. */
export function searchesFor(courses: number, count: number): string[] {
  const { course } = wordyCourses(courses)
  const next = chance(7)
  return Array.from({ length: count }, () => {
    const { title, description } = course(1 + Math.floor(next() * courses))
    const words = `${title} ${next() < 0.4 ? description : ''}`.trim().split(' ')
    const chosen = Array.from(
      { length: 1 + Math.floor(next() * 3) },
      () => words[Math.floor(next() * words.length)]!,
    )
    const wrong = Math.floor(next() * chosen.length)
    return [...new Set(chosen)]
      .map((word, at) => (at === wrong ? mistyped(word, next) : word))
      .join(' ')
  })
}

/** How much of the ten best courses the search has among its first ten, on average over the searches. */
async function overlapOf(origin: string, database: Client, searches: string[]): Promise<number> {
  const { rows } = await database.query<Searchable>(
    `select id, title, description_text as description, students_count as students
       from courses where slug like 'bench-course-%'`,
  )
  const exhaustive = exhaustiveSearch(rows)
  let overlap = 0
  let counted = 0
  for (const search of searches) {
    const best = exhaustive(search)
    if (best.length === 0) continue
    const { text } = await ask(origin, { path: pathOf(search) })
    const found: string[] = JSON.parse(text)
      .courses.slice(0, 10)
      .map(({ id }: { id: string }) => id)
    overlap += best.filter((id) => found.includes(id)).length / best.length
    counted++
  }
  return overlap / counted
}

const pathOf = (search: string) => `/rest/v1/courses?search=${encodeURIComponent(search)}`

export async function measureSearch(measuring: Measuring): Promise<Row[]> {
  const { thunder, bare, database, databasePid, size, seconds, repeats, patience } = measuring
  await countWords({ db: drizzle(database, { schema: tables }) as unknown as Db })
  const searches = searchesFor(size.courses, 4000)
  const isRanked = size.courses <= mostRanked
  const overlap = isRanked
    ? await overlapOf(thunder.origin, database, searches.slice(0, 200))
    : null

  const bareCourses = Array.from({ length: size.taught }, (_, at) => ({
    path: `/course/bench-course-${at + 1}`,
  }))
  const orders = ['newest', 'popular', 'trending', 'price_low', 'price_high']
  const browse = orders.flatMap((sort) => [
    { path: `/rest/v1/courses?sort=${sort}` },
    { path: `/rest/v1/courses?sort=${sort}&category=Music&price=free` },
  ])
  const contenders: {
    name: string
    server: typeof thunder
    addresses: Address[]
    bursts: Burst[]
  }[] = [
    { name: 'bare: one indexed query', server: bare, addresses: bareCourses, bursts: [] },
    {
      name: 'catalogue call, all orders and filters',
      server: thunder,
      addresses: browse,
      bursts: [],
    },
    {
      name: 'search call, 1 to 3 words with a typing error',
      server: thunder,
      addresses: searches.map((search) => ({ path: pathOf(search) })),
      bursts: [],
    },
  ]
  for (let repeat = 0; repeat <= repeats; repeat++) {
    for (const { name, server, addresses, bursts } of contenders) {
      await waitForQuiet(patience)
      const result = await burst({ ...server, databasePid }, addresses, seconds)
      // The first round is to warm up.
      if (repeat > 0) bursts.push(result)
      console.log(`  ${name}: ${whole(result.perSecond)}/s, p99 ${result.p99.toFixed(1)} ms`)
    }
  }
  const figures = contenders.map(({ name, bursts }): Row => {
    const middle = (of: keyof Burst) => median(bursts.map((one) => one[of]))
    const cpu = `CPU ${middle('cpu').toFixed(3)} + ${middle('databaseCpu').toFixed(3)} ms`
    const measured = `${whole(middle('perSecond'))}/s, p50 ${middle('p50').toFixed(1)} ms, p99 ${middle('p99').toFixed(1)} ms, ${cpu}`
    return { what: name, measured, goal: '', met: null }
  })
  const [reference, , searched] = contenders
  const tail = median(searched!.bursts.map((one, at) => one.p99 / reference!.bursts[at]!.p99))
  const courses = `${whole(size.courses)} courses`
  return [
    ...figures,
    {
      what: `search: p99, ${courses}`,
      measured: `**${tail.toFixed(1)}x**`,
      goal: '<= 5x bare: one indexed query',
      met: tail <= 5,
    },
    ...(overlap === null
      ? []
      : [
          {
            what: `search: its first ten beside an exhaustive ranking, ${courses}`,
            measured: `**${overlap.toFixed(3)}**`,
            goal: '>= 0.95',
            met: overlap >= 0.95,
          },
        ]),
  ]
}
