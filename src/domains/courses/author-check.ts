// What in a text stands in the way of readers who cannot see it, or see it differently. Texts hold neither pictures,
// tables nor colours of their own, so there is nothing to find in those.
import type { RichText, RichTextNode } from '../lessons/rich-text.ts'

export const textObstacles = ['emptyHeading', 'skippedHeading', 'unclearLink'] as const
export type TextObstacle = (typeof textObstacles)[number]

/** As the text of a link these say nothing to who hears the links of a page one after the other. */
const sayNothing = new Set([
  'click',
  'click here',
  'details',
  'here',
  'learn more',
  'link',
  'more',
  'read more',
  'see here',
  'see more',
  'this',
  'this link',
  'this page',
])

const wordsOf = (node: RichTextNode): string =>
  node.text ?? (node.content ?? []).map(wordsOf).join('')

export function isUnclear(words: string): boolean {
  const said = words.trim().toLowerCase()
  // An address is read out letter by letter.
  if (/^(?:https?:\/\/|www\.)\S+$/.test(said)) return true
  const plain = said.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return plain === '' || sayNothing.has(plain)
}

/** The words of each link in a block; a link with formatting in it is several pieces of text. */
function linksIn(block: RichTextNode): string[] {
  const links: { href: string; words: string; end: number }[] = []
  block.content?.forEach((piece, at) => {
    const link = piece.marks?.find((mark) => mark.type === 'link')
    if (!link || link.type !== 'link') return
    const { href } = link.attrs
    const open = links.at(-1)
    if (open && open.href === href && open.end === at - 1) {
      open.words += wordsOf(piece)
      open.end = at
    } else links.push({ href, words: wordsOf(piece), end: at })
  })
  return links.map(({ words }) => words)
}

/** Each kind of obstacle that a text has, once. */
export function obstaclesIn(doc: RichText): TextObstacle[] {
  const found = new Set<TextObstacle>()
  /** The level of the heading before; a text may begin with any. */
  let before: number | null = null
  const walk = (node: RichTextNode) => {
    if (node.type === 'heading') {
      const level = node.attrs?.level ?? 1
      if (wordsOf(node).trim() === '') found.add('emptyHeading')
      if (before !== null && level > before + 1) found.add('skippedHeading')
      before = level
    }
    if (linksIn(node).some(isUnclear)) found.add('unclearLink')
    node.content?.forEach(walk)
  }
  doc.content.forEach(walk)
  return textObstacles.filter((kind) => found.has(kind))
}
