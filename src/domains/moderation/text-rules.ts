// What the rules of a community say about a text: pure decisions. Shared with the browser.
import { splitText } from '../community/split-text.ts'

/** Invisible signs, by which a word would look the same and be another one. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/**
 * How texts and blocked words are compared: in lower case, with one sign for each that looks alike, and one
 * space between words. Accents count: “año” is another word than “ano”.
 */
export const comparable = (text: string) =>
  text.normalize('NFKC').replace(invisible, '').toLowerCase().replace(/\s+/gu, ' ').trim()

/** Part of a word, in the scripts that put something between their words. */
const sign =
  /^[[\p{L}\p{N}\p{M}_]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]$/v

const isSign = (character: string | undefined) => character !== undefined && sign.test(character)

/** The character that ends before `index`. */
function characterBefore(text: string, index: number): string | undefined {
  const one = text[index - 1]
  const isHalf = one !== undefined && one >= '\uDC00' && one <= '\uDFFF'
  return isHalf ? text.slice(index - 2, index) : one
}

function characterAt(text: string, index: number): string | undefined {
  const code = text.codePointAt(index)
  return code === undefined ? undefined : String.fromCodePoint(code)
}

/** Both as `comparable` makes them. A part of a longer word is not the word. */
function stands(text: string, word: string): boolean {
  const startsInWord = isSign(characterAt(word, 0))
  const endsInWord = isSign(characterBefore(word, word.length))
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length
    const goesOnBefore = startsInWord && isSign(characterBefore(text, at))
    const goesOnAfter = endsInWord && isSign(characterAt(text, end))
    if (!goesOnBefore && !goesOnAfter) return true
  }
  return false
}

/** The first blocked word that stands in the text; null when there is none. */
export function blockedWordIn(text: string, words: string[]): string | null {
  const compared = comparable(text)
  return words.find((word) => word !== '' && stands(compared, comparable(word))) ?? null
}

/** Those that can be clicked. */
export const linksIn = (text: string) =>
  splitText(text).filter(({ kind }) => kind === 'link').length

/** What somebody is told whose text has too many links. */
export function tooManyLinks(firstPosts: number, links: number): string {
  const which = firstPosts === 1 ? 'In your first post' : `In your first ${firstPosts} posts`
  if (links === 0) return `${which} here, you cannot use links.`
  return `${which} here, you can use at most ${links} ${links === 1 ? 'link' : 'links'}.`
}
