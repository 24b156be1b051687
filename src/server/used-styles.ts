// A built style sheet without what a page cannot need. Pages that are not hydrated get no elements and
// no classes later, and the sheet is that of the whole product: parsing it would be most of a first paint.
import { find, namesIn, split } from './css-scan.ts'
import { foundOn, isMet, type Needs, needsOf } from './selector-needs.ts'

/**
 * Kept when the page has what its selectors need; always without needs. `undrawn` is the same rule
 * without `:before` and `:after` of every element: a style for each, even where nothing is drawn.
 */
type Rule = {
  text: string
  undrawn?: string
  drawsAround: boolean
  needs: Needs | null
  names: string[]
}
/** `@keyframes`, `@property`: kept when something that is kept names it. */
type Named = { text: string; name: string; names: string[] }
/** Custom properties of the root: each is kept when something that is kept names it. */
type Variables = { head: string; variables: Named[] }
/** Letters: kept when the page has one of them, or a field to type one into. */
type Face = { text: string; ranges: [first: number, last: number][]; isItalic: boolean }
/** `@media`, `@supports`, `@layer`: gone with the last rule in it. */
type Group = { head: string; within: Part[] }
type Part = Rule | Named | Variables | Face | Group

export type Sheet = Part[]

const groups = /^@(?:media|supports|layer|container)\b/
const named = /^@(?:keyframes|property)\s+([\w-]+)$/
const roots = /^:root(?:,:host)?$/
const around = /^::?(?:before|after)$/
const drawn = /:(?:before|after)\b/
const content = /(?<![\w-])content:/

function rangesOf(face: string): Face['ranges'] {
  const list = /unicode-range:([^;}]*)/i.exec(face)?.[1]
  if (list === undefined) return [[0, Infinity]]
  return [...list.matchAll(/U\+([\da-f]+)(?:-([\da-f]+))?/gi)].map(
    ([, first = '', last = first]) => [Number.parseInt(first, 16), Number.parseInt(last, 16)],
  )
}

function partOf(head: string, body: string, text: string): Part {
  const plain = head.trim()
  if (groups.test(plain)) return { head, within: parseSheet(body) }
  const name = named.exec(plain)?.[1]
  if (name !== undefined) return { text, name, names: namesIn(body) }
  if (plain === '@font-face') {
    return { text, ranges: rangesOf(body), isItalic: /font-style:\s*italic/.test(body) }
  }
  if (roots.test(plain)) {
    const variables = split(body, ';').map((declaration) => {
      const colon = declaration.indexOf(':')
      const value = declaration.slice(colon + 1)
      return { text: declaration, name: declaration.slice(0, colon).trim(), names: namesIn(value) }
    })
    if (variables.every((variable) => variable.name.startsWith('--'))) return { head, variables }
  }
  const names = namesIn(body)
  if (plain.startsWith('@')) return { text, drawsAround: false, needs: null, names }
  const drawsAround = drawn.test(head) && content.test(body)
  const selectors = split(head, ',')
  const within = selectors.filter((selector) => !around.test(selector.trim()))
  const isPlain = within.length === selectors.length || within.length === 0
  const undrawn = isPlain ? undefined : `${within.join(',')}{${body}}`
  return { text, undrawn, drawsAround, needs: needsOf(head), names }
}

export function parseSheet(css: string): Sheet {
  const parts: Part[] = []
  for (let at = 0; at < css.length;) {
    const opens = find(css, '{;', at)
    if (css[opens] !== '{') {
      parts.push({ text: css.slice(at, opens + 1), drawsAround: false, needs: null, names: [] })
      at = opens + 1
      continue
    }
    const closes = find(css, '}', opens + 1)
    const text = css.slice(at, closes + 1)
    parts.push(partOf(css.slice(at, opens), css.slice(opens + 1, closes), text))
    at = closes + 1
  }
  return parts
}

/** Rules and groups that the page has something for; what they only name is still there. */
const met = (sheet: Sheet, there: Set<string>): Sheet =>
  sheet.flatMap((part): Sheet => {
    if ('within' in part) return [{ head: part.head, within: met(part.within, there) }]
    return 'needs' in part && part.needs && !isMet(part.needs, there) ? [] : [part]
  })

const leaves = (sheet: Sheet): Exclude<Part, Group>[] =>
  sheet.flatMap((part) => ('within' in part ? leaves(part.within) : [part]))

/** What the rules and the page name, and what that names in its turn. */
function namesUsed(parts: Exclude<Part, Group>[], html: string): Set<string> {
  const definitions = Map.groupBy(
    parts.flatMap((part) => ('variables' in part ? part.variables : 'name' in part ? [part] : [])),
    (definition) => definition.name,
  )
  const used = new Set<string>()
  const use = (names: string[]) => {
    for (const name of names) {
      if (used.has(name)) continue
      used.add(name)
      for (const definition of definitions.get(name) ?? []) use(definition.names)
    }
  }
  use(html.match(/--[\w-]+/g) ?? [])
  for (const part of parts) if ('needs' in part) use(part.names)
  return used
}

/** The sheets of a page as far as it can need them, each in its order. One may name what another defines. */
export function usedStyles(sheets: Sheet[], html: string): string[] {
  const there = foundOn(html)
  const kept = sheets.map((sheet) => met(sheet, there))
  const parts = kept.flatMap(leaves)
  const used = namesUsed(parts, html)
  const rules = parts.map((part) => ('needs' in part ? part.text : '')).join('')
  // Every page has a space; what is in ASCII besides comes with it.
  const letters = new Set(` ${(html + rules).match(/[^\0-\x7f]/gu)?.join('') ?? ''}`)
  const characters = [...letters].map((letter) => letter.codePointAt(0)!)
  const isDrawnAround = there.has('q') || parts.some((part) => 'needs' in part && part.drawsAround)
  const isTypedInto = there.has('input') || there.has('textarea')
  const isSlanted =
    used.has('italic') || ['em', 'i', 'cite', 'address'].some((tag) => there.has(tag))

  function isShown({ ranges, isItalic }: Face): boolean {
    if (isItalic && !isSlanted) return false
    if (isTypedInto) return true
    return ranges.some(([first, last]) => characters.some((code) => first <= code && code <= last))
  }

  function written(part: Part): string {
    if ('within' in part) {
      const within = part.within.map(written).join('')
      // The order of empty layers counts, too.
      const isNeeded = within !== '' || part.head.trim().startsWith('@layer')
      return isNeeded ? `${part.head}{${within}}` : ''
    }
    if ('variables' in part) {
      const left = part.variables.filter(({ name }) => used.has(name))
      return left.length > 0 ? `${part.head}{${left.map(({ text }) => text).join(';')}}` : ''
    }
    if ('name' in part) return used.has(part.name) ? part.text : ''
    if ('ranges' in part) return isShown(part) ? part.text : ''
    return isDrawnAround ? part.text : (part.undrawn ?? part.text)
  }

  return kept.map((sheet) => sheet.map(written).join(''))
}
