/** The place after `start` where one of `ends` stands outside of strings, brackets and comments. */
export function find(css: string, ends: string, start: number): number {
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

/** What stands between the separators, as the selectors of a list or the declarations of a rule. */
export function split(css: string, separator: string): string[] {
  const parts: string[] = []
  for (let at = 0; at < css.length;) {
    const end = find(css, separator, at)
    parts.push(css.slice(at, end))
    at = end + 1
  }
  return parts
}

/** Properties, keyframes, colours: whatever a piece of a sheet could mean by its name. */
export const namesIn = (text: string): string[] => text.match(/-{0,2}[a-z_][\w-]*/gi) ?? []
