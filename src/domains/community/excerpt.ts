// The part of a text in which somebody found what they looked for.

interface ExcerptPart {
  text: string
  isMatch: boolean
}

const longest = 200
/** Shown before the first match. */
const leadIn = 60

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu

/** The words of a search in lower case; the last one may go on. */
function wordsOf(search: string): { whole: Set<string>; beginning: string | null } {
  const words = (search.match(wordPattern) ?? []).map((word) => word.toLowerCase())
  return { whole: new Set(words), beginning: words.at(-1) ?? null }
}

/** About two lines around the first match, with all matches in them; without any, the beginning. */
export function excerptOf(content: string, search: string): ExcerptPart[] {
  const matches = matchesIn(content, search)
  const first = matches[0]?.from ?? 0
  const from = first <= leadIn ? 0 : startNear(content, first - leadIn, first)
  const to = endNear(content, from + longest)
  const parts: ExcerptPart[] = []
  function add(text: string, isMatch: boolean) {
    if (text !== '') parts.push({ text: text.replaceAll(/\s+/gu, ' '), isMatch })
  }
  let done = from
  if (from > 0) add('… ', false)
  for (const match of matches) {
    if (match.from >= to) break
    add(content.slice(done, match.from), false)
    done = Math.min(match.to, to)
    add(content.slice(match.from, done), true)
  }
  add(content.slice(done, to) + (to < content.length ? ' …' : ''), false)
  return parts
}

function matchesIn(content: string, search: string): { from: number; to: number }[] {
  const { whole, beginning } = wordsOf(search)
  const matches: { from: number; to: number }[] = []
  for (const { 0: word, index } of content.matchAll(wordPattern)) {
    const key = word.toLowerCase()
    if (!whole.has(key) && !(beginning !== null && key.startsWith(beginning))) continue
    matches.push({ from: index, to: index + word.length })
  }
  return matches
}

/** Behind a space, if there is one before `latest`; never inside a character that takes two places. */
function startNear(content: string, at: number, latest: number): number {
  const space = content.slice(at, latest).search(/\s/u)
  return space === -1 ? wholeCharacter(content, at) : at + space + 1
}

function endNear(content: string, at: number): number {
  if (at >= content.length) return content.length
  const tail = content.slice(at - 30, at)
  const space = Math.max(tail.lastIndexOf(' '), tail.lastIndexOf('\n'))
  return space === -1 ? wholeCharacter(content, at) : at - 30 + space
}

const wholeCharacter = (content: string, at: number) =>
  /[\uDC00-\uDFFF]/.test(content.charAt(at)) ? at - 1 : at
