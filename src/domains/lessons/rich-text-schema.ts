// Checks rich text node by node. Apart from rich-text.ts, so that readers of a page do not download it.
import * as z from 'zod'
import { blocks, isSafeHref, type Mark, type RichText, type RichTextNode } from './rich-text.ts'

/** Bytes of JSON. */
const maxBytes = 64 * 1024
/** Eight levels of lists take two nodes each; the rest is room for quotes and paragraphs. */
const maxDepth = 24

const childrenOf: Record<string, readonly string[]> = {
  doc: blocks,
  paragraph: ['text', 'hardBreak'],
  heading: ['text', 'hardBreak'],
  codeBlock: ['text'],
  bulletList: ['listItem'],
  orderedList: ['listItem'],
  listItem: blocks,
  blockquote: blocks,
  text: [],
  hardBreak: [],
}
const plainMarks = new Set(['bold', 'italic', 'underline', 'strike'])

class Refused extends Error {}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function cleanMark(value: unknown): Mark {
  if (!isObject(value)) throw new Refused('has a mark that is not understood')
  const type = value.type
  if (type === 'link') {
    const href = isObject(value.attrs) ? value.attrs.href : undefined
    if (typeof href !== 'string' || href.length > 2000 || !isSafeHref(href)) {
      throw new Refused('has a link that is neither a web nor a mail address')
    }
    return { type, attrs: { href: href.replaceAll('\0', '').toWellFormed() } }
  }
  if (typeof type !== 'string' || !plainMarks.has(type))
    throw new Refused('has a format that is not allowed')
  return { type: type as 'bold' }
}

/** Keeps what is known, drops what is unknown but harmless, refuses the rest. */
function cleanNode(value: unknown, allowed: readonly string[], depth: number): RichTextNode {
  if (depth > maxDepth) throw new Refused('is nested too deeply')
  if (!isObject(value) || typeof value.type !== 'string' || !allowed.includes(value.type)) {
    throw new Refused('has a part that is not allowed')
  }
  const type = value.type
  const attrs = isObject(value.attrs) ? value.attrs : {}
  const node: RichTextNode = { type }
  if (type === 'text') {
    if (typeof value.text !== 'string' || value.text === '')
      throw new Refused('has an empty piece of text')
    node.text = value.text.replaceAll('\0', '').toWellFormed() || ' '
    if (Array.isArray(value.marks) && value.marks.length > 0)
      node.marks = value.marks.slice(0, 8).map(cleanMark)
    return node
  }
  if (type === 'heading') {
    if (![1, 2, 3].includes(attrs.level as number))
      throw new Refused('has a heading of an unknown level')
    node.attrs = { level: attrs.level as number }
  }
  if (type === 'orderedList' && Number.isInteger(attrs.start))
    node.attrs = { start: attrs.start as number }
  const content = Array.isArray(value.content) ? value.content : []
  if (content.length > 0) {
    node.content = content.map((child) => cleanNode(child, childrenOf[type] ?? [], depth + 1))
  }
  return node
}

/** What somebody sends who has not read what rich text looks like: nothing, plain words, HTML. */
function refuseOther(value: unknown): void {
  if (value === undefined || value === null) throw new Refused('is required')
  if (!isObject(value) || value.type !== 'doc') {
    throw new Refused('must be a document, as {"type": "doc", "content": […]}')
  }
}

/** One for all, by which the description of the API knows them (`server/rich-text-description.ts`). */
export const givenRichText = z.unknown()

/**
 * A checked document of at most 64 KB. `name` starts the messages.
 * The size is counted on the checked document: what was dropped does not count.
 */
export const richText = (name: string) =>
  givenRichText.transform((value, context): RichText => {
    try {
      refuseOther(value)
      const doc = cleanNode(value, ['doc'], 0)
      const checked: RichText = { type: 'doc', content: doc.content ?? [{ type: 'paragraph' }] }
      if (new TextEncoder().encode(JSON.stringify(checked)).length <= maxBytes) return checked
      context.addIssue(`${name} is too long: at most 64 KB of text with its formatting`)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      context.addIssue(`${name} ${error.message}`)
    }
    return z.NEVER
  })
