// Which courses a search finds, and in which order. See docs/decisions/009-search.md.
import type { Pool } from 'pg'
import { catalogueOrders, orderedCourses } from './catalogue-order.ts'
import { prepared } from './prepared.ts'
import { correctWords, type Reading, readWords, type Word } from './read-words.ts'
import type { CourseSearch, Sort } from './schema.ts'

/** Where fewer are expected, all of them are looked at. */
const few = 1500
/** Where more had to be passed by, going through the courses in order is no shortcut. */
const longestWalk = 4000

interface Rank {
  condition: string
  /** About how many courses are like that. */
  expected: number
  /** No index finds it: where there are too many to look at each, it counts among the most popular only. */
  onlyNear?: boolean
}

/** What is looked for, as conditions on `course_search_documents d`. */
interface Query {
  matching: Rank
  /** What the best match is like, then the next best; what only matches comes after them. */
  ranks: Rank[]
  /** What the conditions refer to, by name. */
  values: Record<string, unknown>
}

const quoted = (word: string) => `'${word}'`
const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** All the words as they were typed; with `:*` after it, the last may be unfinished. */
const asTyped = (words: Word[]) => words.map(({ typed }) => quoted(typed)).join(' & ')

/** Of each word one of those that may be meant. */
const asMeant = (words: Word[]) =>
  words.map(({ meant }) => `(${meant.map(quoted).join(' | ')})`).join(' & ')

const isUnknown = (word: Word) => word.meant.length === 0

/** What holds the text as it was typed, from the whole title to a part of the description. */
function ranksAsTyped(titles: number, expected: number, words: Word[]): Rank[] {
  const title = [
    { condition: 'd.title = {folded}', expected: 0 },
    {
      condition: 'd.title >= {folded} and d.title < {folded} || chr(1114111)',
      expected: titles,
    },
  ]
  if (words.length === 0) return title
  return [
    ...title,
    { condition: 'd.title_words @@ {whole}::tsquery', expected: titles },
    { condition: 'd.title_words @@ {typed}::tsquery', expected: titles },
    { condition: 'd.words @@ {typed}::tsquery', expected },
    { condition: 'd.body like {literally}', expected, onlyNear: true },
  ]
}

function queryFor(
  reading: Reading,
  words: Word[],
  search: CourseSearch,
  literally: boolean,
): Query {
  const named = words.filter((word) => !word.isEverywhere)
  const letters = words.filter((word) => word.isEverywhere).map((word) => word.typed)
  if (literally) letters.push(reading.folded)
  const expected = Math.min(...named.map((word) => word.courses))
  const titles = Math.min(...named.map((word) => word.titles))

  const matching: string[] = []
  const inTitle: string[] = []
  if (named.length > 0) {
    matching.push('d.words @@ {meant}::tsquery')
    inTitle.push('d.title_words @@ {meant}::tsquery')
  }
  if (letters.length > 0) {
    matching.push('d.body like all ({letters}::text[])')
    inTitle.push('d.title like all ({letters}::text[])')
  }
  if (search.category !== 'All') matching.push('d.category = {category}')
  if (search.price !== 'all') matching.push(`d.price_class = ${search.price === 'free' ? 0 : 1}`)

  // A word that nobody uses is in no text, so nothing can be as it was typed.
  const ranks: Rank[] = reading.words.some(isUnknown) ? [] : ranksAsTyped(titles, expected, words)
  ranks.push({ condition: inTitle.join(' and '), expected: titles })
  return {
    matching: { condition: matching.join(' and '), expected },
    ranks,
    values: {
      meant: asMeant(named),
      whole: asTyped(words),
      typed: `${asTyped(words)}:*`,
      letters: letters.map(containing),
      literally: containing(reading.folded),
      folded: reading.folded,
      category: search.category,
    },
  }
}

/** How many courses, in their order, probably hold enough matches; null when that is no shortcut. */
function walkLength(expected: number, wanted: number, total: number, search: CourseSearch) {
  if (expected < few) return null
  // Twice as far as it takes on average, and further where a filter leaves a part.
  const further = 2 * (search.category === 'All' ? 1 : 8) * (search.price === 'all' ? 1 : 2)
  const rows = Math.ceil(further * wanted * Math.max(1, total / expected))
  return rows <= longestWalk ? Math.max(rows, 200) : null
}

async function idsOf(pool: Pool, text: string, values: Query['values']): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(prepared(text, values))
  return rows.map(({ id }) => id)
}

type Asked = { pool: Pool; search: CourseSearch; total: number }

/** What matches, in one of the orders of the catalogue. */
async function matchesInOrder({ pool, search, total }: Asked, query: Query, sort: Sort) {
  const { by, from } = catalogueOrders[sort]
  const { condition, expected } = query.matching
  const wanted = search.show + 1
  const length = walkLength(expected, wanted, total, search)
  const values = { ...query.values, wanted, length }
  const among = (source: string) =>
    idsOf(
      pool,
      `select id from (select c.* from (${source}) c
                         join course_search_documents d on d.course_id = c.id where ${condition}) found
        order by ${by} limit {wanted}`,
      values,
    )
  if (length !== null) {
    const near = await among(orderedCourses(sort, search, '{length}'))
    if (near.length >= wanted) return near
  }
  return among(from)
}

const popularFirst = 'd.popularity desc nulls last, d.course_id desc nulls last'

/** What matches, best first: by rank, then the most popular. */
async function bestMatches(asked: Asked, query: Query): Promise<string[]> {
  const { pool, search, total } = asked
  const { matching, ranks, values } = query
  const wanted = search.show + 1
  if (walkLength(matching.expected, wanted, total, search) === null) {
    const cases = ranks.map(({ condition }, rank) => `when ${condition} then ${rank}`).join(' ')
    return idsOf(
      pool,
      `select d.course_id as id from course_search_documents d where ${matching.condition}
        order by case ${cases} else ${ranks.length} end, ${popularFirst} limit {wanted}`,
      { ...values, wanted },
    )
  }
  // Too many to look at each: rank by rank, until there are enough.
  const found: string[] = []
  for (const rank of [...ranks, { condition: 'true', expected: matching.expected }]) {
    if (found.length >= wanted) break
    found.push(...(await matchesOfRank(asked, query, rank, found)))
  }
  return found
}

/** The most popular of a rank that have not been found in a better one. */
async function matchesOfRank(
  { pool, search, total }: Asked,
  query: Query,
  rank: Rank,
  found: string[],
): Promise<string[]> {
  const wanted = search.show + 1 - found.length
  const reach = walkLength(rank.expected, wanted, total, search)
  const values = { ...query.values, found, wanted, length: (reach ?? 0) + found.length }
  const among = (source: string) =>
    idsOf(
      pool,
      `select d.course_id as id from ${source} d
        where ${rank.condition} and ${query.matching.condition} and d.course_id <> all ({found})
        order by ${popularFirst} limit {wanted}`,
      values,
    )
  const popular = `(select * from course_search_documents d order by ${popularFirst} limit {length})`
  const near = reach === null ? [] : await among(popular)
  return near.length >= wanted || rank.onlyNear ? near : among('course_search_documents')
}

/**
 * Ids of the courses that a search finds, in order, at most one more than it wants to show. What holds the
 * typed letters is found first; words that nobody uses are taken for the nearest that somebody does.
 */
export async function findCourses(pool: Pool, search: CourseSearch): Promise<string[]> {
  const reading = await readWords(pool, search.search)
  const find = (words: Word[], literally = false) => {
    const asked = { pool, search, total: reading.total }
    const query = queryFor(reading, words, search, literally)
    return search.sort ? matchesInOrder(asked, query, search.sort) : bestMatches(asked, query)
  }
  const { words, folded } = reading
  if (folded === '') return []
  if (words.some(isUnknown)) {
    const corrected = await correctWords(pool, words, isUnknown)
    return corrected && !corrected.some(isUnknown) ? find(corrected) : []
  }
  // Signs between the words count as long as something has them.
  const hasSigns = folded !== words.map(({ typed }) => typed).join(' ')
  const literal = hasSigns ? await find(words, true) : []
  if (literal.length > 0 || words.length === 0) return literal
  const found = await find(words)
  if (found.length > 0) return found
  const corrected = await correctWords(pool, words, () => true)
  return corrected ? find(corrected) : []
}
