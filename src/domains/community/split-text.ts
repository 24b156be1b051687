// What in a plain text is a link, and whom it names. The server and the browser read it in the same way.

export type TextPart =
  | { kind: 'text'; text: string }
  /** `text` as it was written. */
  | { kind: 'link'; text: string; href: string }
  /** `text` is the handle with its @. */
  | { kind: 'mention'; text: string; handle: string }

/** Where something may begin. It matches a few characters and no more, so no text makes it slow. */
const start = /https?:\/\/|www\.|@/giu

/** Nothing of a link: spaces, quotes, and what changes the direction of writing, which could hide its host. */
const endOfLink = /[\s<>"“”«»\p{Cc}\p{Bidi_Control}\u200B\uFEFF]/gu

/** A link ends before these; a sentence goes on, or ends, with them. */
const trailing = new Set(".,;:!?'*_~…’‘。，、；：！？".split(''))
const brackets = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
  ['）', '（'],
  ['」', '「'],
])

const longestLink = 2_000
const wordCharacter = /[\p{L}\p{N}_]$/u
const startOfWord = /[\p{L}\p{N}_@]/uy
/** Like a username, in the case in which people happen to write it. */
const handlePattern = /[a-z0-9]+(?:-[a-z0-9]+)*/iy
const longestHandle = 80

/** The parts of a text in their order; together they are the text. */
export function splitText(text: string): TextPart[] {
  const parts: TextPart[] = []
  let done = 0
  let at = 0
  function take(part: TextPart, from: number) {
    if (from > done) parts.push({ kind: 'text', text: text.slice(done, from) })
    parts.push(part)
    done = from + part.text.length
    at = done
  }
  for (;;) {
    start.lastIndex = at
    const found = start.exec(text)
    if (!found) break
    const { index } = found
    if (found[0] === '@') {
      const handle = handleAt(text, index)
      at = index + 1
      if (handle) take({ kind: 'mention', text: `@${handle}`, handle }, index)
    } else {
      const end = endOfLinkFrom(text, index)
      // Not looked at again when it is no link: the whole is read once.
      at = Math.max(end, index + found[0].length)
      const link = linkAt(text, index, end)
      if (link) take(link, index)
    }
  }
  if (done < text.length) parts.push({ kind: 'text', text: text.slice(done) })
  return parts
}

function endOfLinkFrom(text: string, index: number): number {
  endOfLink.lastIndex = index
  return endOfLink.exec(text)?.index ?? text.length
}

function linkAt(text: string, index: number, end: number): TextPart | null {
  if (end - index > longestLink || startsInsideWord(text, index)) return null
  const written = withoutTrailing(text.slice(index, end))
  const isBare = !/^https?:/i.test(written)
  const href = isBare ? `https://${written}` : written
  if (!URL.canParse(href)) return null
  const { hostname, username, password } = new URL(href)
  // 'https://known.example@other.example' leads somewhere else than it seems to.
  if (username !== '' || password !== '') return null
  if (isBare && !/^www\.[^.]+\.[^.]/i.test(hostname)) return null
  return { kind: 'link', text: written, href }
}

/** The `www.` of 'awww.cute' begins nothing. */
function startsInsideWord(text: string, index: number): boolean {
  return wordCharacter.test(before(text, index)) || /[@/.-]/.test(text.charAt(index - 1))
}

/** The character before, whole also when it takes two places. */
const before = (text: string, index: number) => text.slice(Math.max(0, index - 2), index)

/** Without the end of the sentence; a closing bracket stays if it was opened in the link. */
function withoutTrailing(link: string): string {
  const open = new Map<string, number>()
  for (const [closing, opening] of brackets) {
    open.set(closing, countOf(link, opening) - countOf(link, closing))
  }
  let end = link.length
  while (end > 0) {
    const last = link.charAt(end - 1)
    const balance = open.get(last)
    if (balance !== undefined && balance < 0) open.set(last, balance + 1)
    else if (!trailing.has(last)) break
    end -= 1
  }
  return link.slice(0, end)
}

const countOf = (text: string, character: string) => text.split(character).length - 1

function handleAt(text: string, index: number): string | null {
  // Of an email address, of an address of a page, of another '@'.
  if (wordCharacter.test(before(text, index)) || /[@/%+-]/.test(text.charAt(index - 1))) return null
  handlePattern.lastIndex = index + 1
  const handle = handlePattern.exec(text)?.[0]
  if (!handle || handle.length > longestHandle) return null
  startOfWord.lastIndex = index + 1 + handle.length
  return startOfWord.test(text) ? null : handle
}

/** Distinct handles in the order of the text; 'Ann' and 'ann' are one. */
export function handlesIn(text: string, limit: number): string[] {
  const handles = new Map<string, string>()
  for (const part of splitText(text)) {
    if (part.kind !== 'mention') continue
    const key = part.handle.toLowerCase()
    if (!handles.has(key)) handles.set(key, part.handle)
    if (handles.size === limit) break
  }
  return [...handles.values()]
}

const longestShown = 60

/** How a link is shown: the middle of a very long one is left out. */
export function shownLink(link: string): string {
  const characters = [...link]
  if (characters.length <= longestShown) return link
  return `${characters.slice(0, longestShown - 16).join('')}…${characters.slice(-15).join('')}`
}
