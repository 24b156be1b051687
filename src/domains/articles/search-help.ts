// Finds help articles: all of them are in memory, and there are few.
import type { HelpArticle } from './schema.ts'

/** Said in most questions, and in most articles. */
const smallWords = new Set(
  (
    'a about am an and are as at be by can do does for from get have how i if in is it me my of on or so that ' +
    'the them there they this to want was we what when where which who why will with you your'
  ).split(' '),
)

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** 'refunds' finds 'refund', which 'refund' finds as well. */
const singular = (word: string) =>
  /[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word

/** What is looked for; small words count when there is nothing else. */
function wantedWords(query: string): string[] {
  const all = [...new Set(wordsOf(query).map(singular))]
  const telling = all.filter((word) => !smallWords.has(word))
  return telling.length > 0 ? telling : all
}

/** How well a word begins one of these: whole words are better than begun ones. */
function fit(words: readonly string[], wanted: string): number {
  let best = 0
  for (const word of words) {
    if (singular(word) === wanted) return 1
    if (word.startsWith(wanted)) best = 0.6
  }
  return best
}

const weight = { title: 20, keywords: 8, heading: 6, description: 5, text: 1 }

export interface FoundHelp {
  article: HelpArticle
  /** The part whose heading answers, when the title does not. */
  section: { id: string; heading: string } | null
}

/** Best first: title before heading before text. More than half of the words have to be in an article. */
export function searchHelp(articles: readonly HelpArticle[], query: string): FoundHelp[] {
  const wanted = wantedWords(query)
  if (wanted.length === 0) return []

  const found = articles.map((article) => {
    const title = wordsOf(article.title)
    const keywords = wordsOf(article.keywords)
    const description = wordsOf(article.description)
    const parts = article.sections.map(({ heading, text }) => ({
      heading: wordsOf(heading),
      text: wordsOf(text),
    }))
    let matched = 0
    let score = 0
    for (const word of wanted) {
      const best = Math.max(
        weight.title * fit(title, word),
        weight.keywords * fit(keywords, word),
        weight.description * fit(description, word),
        ...parts.map(({ heading, text }) =>
          Math.max(weight.heading * fit(heading, word), weight.text * fit(text, word)),
        ),
      )
      if (best > 0) matched += 1
      score += best
    }
    const answers = parts.map(({ heading }) =>
      wanted.reduce((sum, word) => sum + fit(heading, word), 0),
    )
    const inTitle = wanted.reduce((sum, word) => sum + fit(title, word), 0)
    const best = Math.max(...answers)
    const at = best > inTitle ? article.sections[answers.indexOf(best)] : undefined
    const section = at?.id ? { id: at.id, heading: at.heading } : null
    return { article, section, matched, score }
  })
  return found
    .filter(({ matched }) => matched * 2 > wanted.length)
    .sort((a, b) => b.matched - a.matched || b.score - a.score)
    .map(({ article, section }) => ({ article, section }))
}
