// Words that build rich text documents, so that a seeded lesson reads like prose in its source.
import type { Mark, RichText, RichTextNode } from '../../src/domains/lessons/rich-text.ts'

/** A string, or what one of the mark builders below returns. */
type Inline = string | RichTextNode[]

function inline(parts: Inline[]): RichTextNode[] {
  return parts.flatMap((part) => (typeof part === 'string' ? [{ type: 'text', text: part }] : part))
}

function marked(mark: Mark, parts: Inline[]): RichTextNode[] {
  return inline(parts).map((node) => ({ ...node, marks: [...(node.marks ?? []), mark] }))
}

export const b = (...parts: Inline[]) => marked({ type: 'bold' }, parts)
export const i = (...parts: Inline[]) => marked({ type: 'italic' }, parts)
export const u = (...parts: Inline[]) => marked({ type: 'underline' }, parts)
export const s = (...parts: Inline[]) => marked({ type: 'strike' }, parts)

/** `href` is a path of this product or an https address. */
export const a = (href: string, ...parts: Inline[]) =>
  marked({ type: 'link', attrs: { href } }, parts)

export const p = (...parts: Inline[]): RichTextNode => ({
  type: 'paragraph',
  content: inline(parts),
})

/** Level 1 belongs to the lesson's own title, so texts start at 2. */
const heading = (level: 2 | 3, text: string): RichTextNode => ({
  type: 'heading',
  attrs: { level },
  content: inline([text]),
})

export const h2 = (text: string) => heading(2, text)
export const h3 = (text: string) => heading(3, text)

/** One string, or an array of strings and marked text. */
type Item = string | Inline[]

const items = (list: Item[]): RichTextNode[] =>
  list.map((item) => ({
    type: 'listItem',
    content: [typeof item === 'string' ? p(item) : p(...item)],
  }))

export const ul = (list: Item[]): RichTextNode => ({ type: 'bulletList', content: items(list) })
export const ol = (list: Item[]): RichTextNode => ({ type: 'orderedList', content: items(list) })

export const quote = (...parts: Inline[]): RichTextNode => ({
  type: 'blockquote',
  content: [p(...parts)],
})

export const code = (text: string): RichTextNode => ({
  type: 'codeBlock',
  content: inline([text]),
})

export const doc = (...content: RichTextNode[]): RichText => ({ type: 'doc', content })
