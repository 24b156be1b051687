// Rich text as it is stored and crosses the wire: a tiptap document. What checks it is rich-text-schema.ts.

export type Mark =
  | { type: 'bold' | 'italic' | 'underline' | 'strike' }
  | { type: 'link'; attrs: { href: string } }
export type RichTextNode = {
  type: string
  attrs?: { level?: number; start?: number; language?: null }
  content?: RichTextNode[]
  text?: string
  marks?: Mark[]
}
export type RichText = { type: 'doc'; content: RichTextNode[] }

export const emptyRichText: RichText = { type: 'doc', content: [{ type: 'paragraph' }] }

/** Nodes that stand under each other. */
export const blocks = [
  'paragraph',
  'heading',
  'bulletList',
  'orderedList',
  'blockquote',
  'codeBlock',
]

/** True for addresses that a link may lead to: web, mail, or a page of this site. */
export function isSafeHref(href: string): boolean {
  if (/^\/(?!\/)/.test(href)) return true
  if (!URL.canParse(href)) return false
  return ['http:', 'https:', 'mailto:'].includes(new URL(href).protocol)
}

/** The words without their formatting, blocks separated by one space. */
export function plainText(doc: RichText): string {
  const words: string[] = []
  const walk = (node: RichTextNode) => {
    if (node.text) words.push(node.text)
    if (node.type === 'hardBreak') words.push(' ')
    for (const child of node.content ?? []) walk(child)
    if (blocks.includes(node.type)) words.push(' ')
  }
  for (const node of doc.content) walk(node)
  return words.join('').replace(/\s+/gu, ' ').trim()
}

/** A document with one paragraph for each line of the text. */
export function richTextFrom(text: string): RichText {
  const content = text
    .split(/\n+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ type: 'paragraph', content: [{ type: 'text', text: part }] }))
  return content.length > 0 ? { type: 'doc', content } : emptyRichText
}
