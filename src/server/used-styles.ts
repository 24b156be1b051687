// A built style sheet without the rules for classes that a page does not have. Pages that are not hydrated
// get no classes later, and the sheet is that of the whole product.

/** A rule, or something that is always kept; `needs`: one of these groups of classes has to be there. */
type Leaf = { text: string; needs: string[][] | null }
/** `@media`, `@supports`, `@layer`: gone with the last rule in it. */
type Group = { head: string; within: Part[] }
type Part = Leaf | Group

export type Sheet = Part[]

const groups = /^@(?:media|supports|layer|container)\b/
/** What says what an element is not, or is beside: it makes no rule useless. */
const functions = /:(?:not|is|where|has|host)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g
const className = /\.((?:\\[0-9a-f]{1,6} ?|\\.|[\w-]|[^\0-\x7f])+)/gi

const unescaped = (name: string) =>
  name.replace(/\\(?:([0-9a-f]{1,6}) ?|(.))/gi, (_, code?: string, character?: string) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : (character ?? ''),
  )

/** The place after `start` where one of `ends` stands outside of strings, brackets and comments. */
function find(css: string, ends: string, start: number): number {
  let depth = 0
  for (let at = start; at < css.length; at++) {
    const now = css[at]!
    if (depth === 0 && ends.includes(now)) return at
    if (now === '\\') at++
    else if (now === '"' || now === "'") {
      for (at++; at < css.length && css[at] !== now; at++) if (css[at] === '\\') at++
    } else if (now === '/' && css[at + 1] === '*') {
      const end = css.indexOf('*/', at + 2)
      if (end === -1) return css.length
      at = end + 1
    } else if ('([{'.includes(now)) depth++
    else if (')]}'.includes(now)) depth--
  }
  return css.length
}

function needsOf(selectors: string): string[][] | null {
  const needs: string[][] = []
  for (let at = 0; at < selectors.length;) {
    const end = find(selectors, ',', at)
    const plain = selectors.slice(at, end).replaceAll(functions, '')
    const classes = [...plain.matchAll(className)].map(([, name = '']) => unescaped(name))
    if (classes.length === 0) return null
    needs.push(classes)
    at = end + 1
  }
  return needs
}

export function parseSheet(css: string): Sheet {
  const parts: Part[] = []
  for (let at = 0; at < css.length;) {
    const opens = find(css, '{;', at)
    if (css[opens] !== '{') {
      parts.push({ text: css.slice(at, opens + 1), needs: null })
      at = opens + 1
      continue
    }
    const closes = find(css, '}', opens + 1)
    const head = css.slice(at, opens)
    if (groups.test(head.trim())) {
      parts.push({ head, within: parseSheet(css.slice(opens + 1, closes)) })
    } else {
      const needs = head.trim().startsWith('@') ? null : needsOf(head)
      parts.push({ text: css.slice(at, closes + 1), needs })
    }
    at = closes + 1
  }
  return parts
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

export function classesOf(html: string): Set<string> {
  const classes = new Set<string>()
  for (const [, value = ''] of html.matchAll(/\sclass="([^"]*)"/g)) {
    const plain = value.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => entities[name]!)
    for (const name of plain.split(/\s+/)) classes.add(name)
  }
  return classes
}

/** The sheet as far as a page with these classes can need it, in its order. */
export function usedStyles(sheet: Sheet, classes: Set<string>): string {
  return sheet
    .map((part) => {
      if (!('within' in part)) {
        const isUsed = part.needs?.some((all) => all.every((name) => classes.has(name))) ?? true
        return isUsed ? part.text : ''
      }
      const within = usedStyles(part.within, classes)
      // The order of empty layers counts, too.
      return within === '' && !part.head.trim().startsWith('@layer')
        ? ''
        : `${part.head}{${within}}`
    })
    .join('')
}
