// What has to be on a page for a selector to meet anything there: tags, classes, ids and attributes, each
// written as in the selector.
import { find, split } from './css-scan.ts'

/** One of these lists has to be there as a whole; a list may hold such a choice in its turn. */
export type Needs = (string | Needs)[][]

const token =
  /::?([\w-]+)|\[\s*([\w-]+)|([.#]?)((?:\\[0-9a-f]{1,6} ?|\\.|[\w-]|[^\0-\x7f])+)|\/\*[^]*?\*\//giy

/** These hold selectors of which one has to meet something; others, as `:not()`, can be true of anything. */
const choices = /^(?:is|where|has)$/i

const formParts =
  /^(?:placeholder|file-selector-button|-webkit-(?:calendar|date|inner|outer|search|textfield))/i
const formFields: Needs = [['input'], ['select'], ['textarea']]

/** Attributes that come and go on a page without our scripts, or by its inline one. */
const changing = new Set(['open', 'data-theme'])

const unescaped = (name: string) =>
  name.replace(/\\(?:([0-9a-f]{1,6}) ?|(.))/gi, (_, code?: string, character?: string) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : (character ?? ''),
  )

function needsOfOne(selector: string): Needs[number] {
  const needs: Needs[number] = []
  for (let at = 0; at < selector.length;) {
    token.lastIndex = at
    const match = token.exec(selector)
    if (!match) {
      at++
      continue
    }
    at = token.lastIndex
    const [whole, pseudo, attribute, sign = '', name] = match
    if (pseudo !== undefined) {
      if (selector[at] === '(') {
        const end = find(selector, ')', at + 1)
        if (choices.test(pseudo)) needs.push(needsOf(selector.slice(at + 1, end)))
        at = end + 1
      } else if (whole.startsWith('::') && formParts.test(pseudo)) needs.push(formFields)
    } else if (attribute !== undefined) {
      at = find(selector, ']', at) + 1
      if (!changing.has(attribute.toLowerCase())) needs.push(`[${attribute.toLowerCase()}]`)
    } else if (name !== undefined) {
      needs.push(sign === '' ? name.toLowerCase() : sign + unescaped(name))
    }
  }
  return needs
}

export const needsOf = (selectors: string): Needs => split(selectors, ',').map(needsOfOne)

export const isMet = (needs: Needs, there: Set<string>): boolean =>
  needs.some((all) =>
    all.every((need) => (typeof need === 'string' ? there.has(need) : isMet(need, there))),
  )

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

/** The tags, classes, ids and attributes of a page; rather too many than too few. */
export function foundOn(html: string): Set<string> {
  const found = new Set<string>()
  for (const [, tag = ''] of html.matchAll(/<([a-z][\w-]*)/gi)) found.add(tag.toLowerCase())
  for (const [, name = '', value = ''] of html.matchAll(/\s([a-z][\w:-]*)="([^"]*)"/gi)) {
    found.add(`[${name.toLowerCase()}]`)
    if (name !== 'class' && name !== 'id') continue
    const plain = value.replace(
      /&(amp|lt|gt|quot|#x27);/g,
      (_, entity: string) => entities[entity]!,
    )
    const sign = name === 'class' ? '.' : '#'
    for (const one of plain.split(/\s+/)) found.add(sign + one)
  }
  return found
}
