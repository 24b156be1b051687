// Courses with words of their own, spread as words are in what people write: few everywhere, most seldom.
import type { Client } from 'pg'

/** The same figures at each run. */
export function chance(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const onsets = [
  'b',
  'br',
  'c',
  'ch',
  'd',
  'f',
  'g',
  'gr',
  'h',
  'l',
  'm',
  'n',
  'p',
  'pr',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
]
const vowels = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea']
const codas = ['', '', '', 'n', 'r', 's', 't', 'l', 'm', 'ng']

/** Pronounceable words of four letters and more, the frequent ones first and shorter. */
export function madeUpWords(count: number): string[] {
  const next = chance(1)
  const one = (of: string[]) => of[Math.floor(next() * of.length)]!
  const words = new Set<string>()
  while (words.size < count) {
    const syllables = 2 + Math.floor(next() * (words.size < count / 20 ? 1.3 : 2.6))
    const word = Array.from(
      { length: syllables },
      () => one(onsets) + one(vowels) + one(codas),
    ).join('')
    if (word.length >= 4 && word.length <= 14) words.add(word)
  }
  return [...words]
}

export interface WordyCourse {
  title: string
  description: string
}

/** The nth course's words; frequencies fall as 1/rank (Zipf), with a topic that its title is about. */
export function wordyCourses(count: number): {
  words: string[]
  course: (number: number) => WordyCourse
} {
  const words = madeUpWords(Math.min(60_000, 4000 + count))
  const course = (number: number) => {
    const next = chance(number)
    // The inverse of the harmonic numbers: rank r with a probability of about 1/r.
    const word = () => words[Math.min(words.length - 1, Math.floor(words.length ** next()) - 1)]!
    const topical = () => words[Math.floor(20 + (words.length - 20) * next() ** 3)]!
    const text = (length: number, of: () => string) => Array.from({ length }, of).join(' ')
    const title = text(2 + Math.floor(next() * 3), topical)
    return { title, description: `${text(45, word)} ${title.split(' ')[0]} ${text(4, topical)}` }
  }
  return { words, course }
}

/** Puts the words of all courses where the statements that make the courses find them: `bench_words`. */
export async function layOutWords(client: Client, count: number): Promise<void> {
  await client.query(
    'create temp table bench_words (number int primary key, title text, description text)',
  )
  const { course } = wordyCourses(count)
  const step = 5000
  for (let first = 1; first <= count; first += step) {
    const numbers = Array.from({ length: Math.min(step, count - first + 1) }, (_, at) => first + at)
    const made = numbers.map(course)
    await client.query(
      'insert into bench_words select * from unnest($1::int[], $2::text[], $3::text[])',
      [numbers, made.map(({ title }) => title), made.map(({ description }) => description)],
    )
  }
  await client.query('analyze bench_words')
}
