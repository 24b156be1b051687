// What somebody who searches may have meant.
import type { Pool } from 'pg'
import { prepared } from './prepared.ts'

export interface Word {
  /** As typed, folded: lower case without accents. */
  typed: string
  /** Words of the catalogue that are meant: those that hold what was typed, or are spelt like it. */
  meant: string[]
  /** More words hold it than can be named. */
  isEverywhere: boolean
  /** About how many courses, and how many titles, have one of them. */
  courses: number
  titles: number
}

export interface Reading {
  folded: string
  words: Word[]
  /** About how many courses there are. */
  total: number
}

/** Past so many, looking into the texts is quicker than naming the words. */
const mostWords = 400
/** Words are kept up to 40 letters. */
const positions = Array.from({ length: 40 }, (_, at) => at)

const readingText = `
  with asked as (select search_fold({text}) as folded)
  select a.folded, t.typed, coalesce(h.found, 0)::int as found, coalesce(h.meant, '{}') as meant,
         coalesce(h.courses, 0)::float8 as courses, coalesce(h.titles, 0)::float8 as titles,
         (select greatest(reltuples, 0)::float8 from pg_class
           where oid = 'course_search_documents'::regclass) as total
    from asked a
    left join lateral unnest(search_tokens(a.folded)) with ordinality as t(typed, place) on true
    left join lateral (
      select max(f.found) as found, array_agg(w.word) as meant,
             sum(w.courses_count) as courses, sum(w.titles_count) as titles
        from (select word, max(n) over () as found
                from (select p.word, row_number() over () as n
                        from search_word_parts p
                       where p.position = any({positions}) and p.part >= t.typed and p.part < t.typed || chr(1114111)
                       limit ${mostWords}) parts) f
        join search_words w on w.word = f.word) h on true
   order by t.place`

interface ReadingRow {
  folded: string
  typed: string | null
  found: number
  meant: string[]
  courses: number
  titles: number
  total: number
}

/** The typed words, each with the words of the catalogue that hold it. */
export async function readWords(pool: Pool, text: string): Promise<Reading> {
  const { rows } = await pool.query<ReadingRow>(prepared(readingText, { text, positions }))
  const { folded = '', total = 0 } = rows[0] ?? {}
  const words = rows.flatMap(({ typed, found, meant, courses, titles }): Word[] =>
    typed === null
      ? []
      : [{ typed, meant: [...new Set(meant)], isEverywhere: found >= mostWords, courses, titles }],
  )
  return { folded, words, total }
}

interface SimilarRow {
  typed: string
  meant: string[]
  courses: number
  titles: number
}

/** The same words with what is spelt almost like each that `doubted` picks. Null when that changes nothing. */
export async function correctWords(
  pool: Pool,
  words: Word[],
  doubted: (word: Word) => boolean,
): Promise<Word[] | null> {
  const typed = words.filter(doubted).map((word) => word.typed)
  const { rows } = await pool.query<SimilarRow>(
    prepared(
      `select typed, array_agg(s.word) as meant, sum(s.courses)::float8 as courses,
              sum(s.courses)::float8 as titles
         from unnest({typed}::text[]) as typed, similar_words(typed) s group by typed`,
      { typed: [...new Set(typed)] },
    ),
  )
  if (rows.length === 0) return null
  const similar = new Map(rows.map((row) => [row.typed, row]))
  return words.map((word) => {
    const found = doubted(word) ? similar.get(word.typed) : undefined
    if (!found) return word
    return {
      ...word,
      meant: [...word.meant, ...found.meant],
      courses: word.courses + found.courses,
      titles: word.titles + found.titles,
    }
  })
}
