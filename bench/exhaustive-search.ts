// The same ranking as the product's, by looking at every word and every course: what a search should find.
export interface Searchable {
  id: string
  title: string
  description: string
  students: number
}

/** Letters to add, leave out or change, or neighbours to swap once, to make one word of the other. */
function distanceOf(a: string, b: string): number {
  const isSwapped =
    a.length === b.length &&
    [...a].some(
      (_, at) =>
        a.slice(0, at) + (a[at + 1] ?? '') + a[at] + a.slice(at + 2) === b && at + 1 < a.length,
    )
  if (isSwapped) return 1
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(
        row[j]! + 1,
        next[j - 1]! + 1,
        row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
    }
    row = next
  }
  return row[b.length]!
}

const wordsOf = (text: string) => text.split(' ')
const step = (students: number) => Math.floor(2 * Math.log2(students + 1) + 1e-9)

export function exhaustiveSearch(courses: Searchable[]) {
  const having = new Map<string, Searchable[]>()
  for (const course of courses) {
    for (const word of new Set(wordsOf(`${course.title} ${course.description}`))) {
      const others = having.get(word)
      if (others) others.push(course)
      else having.set(word, [course])
    }
  }
  const vocabulary = [...having.keys()]

  function similar(typed: string): string[] {
    if (typed.length < 4) return []
    const most = typed.length < 8 ? 1 : 2
    const near = vocabulary
      .filter((word) => Math.abs(word.length - typed.length) <= most)
      .map((word) => ({ word, distance: distanceOf(typed, word) }))
      .filter(({ distance }) => distance > 0 && distance <= most)
    const least = Math.min(...near.map(({ distance }) => distance))
    return near.filter(({ distance }) => distance === least).map(({ word }) => word)
  }

  function matching(meant: string[][]): Set<Searchable> {
    const sets = meant.map((words) => new Set(words.flatMap((word) => having.get(word) ?? [])))
    return sets.reduce((all, some) => new Set([...all].filter((course) => some.has(course))))
  }

  /** The first ten of all. */
  return function search(text: string): string[] {
    const typed = wordsOf(text)
    let meant = typed.map((word) => {
      const holding = vocabulary.filter((known) => known.includes(word))
      return holding.length > 0 ? holding : similar(word)
    })
    let found = matching(meant)
    if (found.size === 0) {
      meant = meant.map((words, at) => [...new Set([...words, ...similar(typed[at]!)])])
      found = matching(meant)
    }
    const has = (words: string[], finished: boolean) =>
      typed.every((word, at) =>
        finished || at < typed.length - 1
          ? words.includes(word)
          : words.some((known) => known.startsWith(word)),
      )
    const rankOf = ({ title, description }: Searchable) => {
      const inTitle = wordsOf(title)
      const whole = `${title}\n\n${description}`
      const ranks = [
        title === text,
        title.startsWith(text),
        has(inTitle, true),
        has(inTitle, false),
        has([...inTitle, ...wordsOf(description)], false),
        whole.includes(text),
        meant.every((words) => words.some((word) => inTitle.includes(word))),
        true,
      ]
      return ranks.indexOf(true)
    }
    return [...found]
      .map((course) => ({ id: course.id, rank: rankOf(course), popular: step(course.students) }))
      .toSorted((a, b) => a.rank - b.rank || b.popular - a.popular || (a.id < b.id ? 1 : -1))
      .slice(0, 10)
      .map(({ id }) => id)
  }
}
