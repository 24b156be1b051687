/** Of a long text, as much is shown at first. */
const foldAfter = { characters: 700, lines: 10 }
/** Nobody presses a button for less. */
const worthIt = 160

/** The beginning of a long text; null for one that is shown whole. */
export function foldText(text: string): string | null {
  const lines = text.split('\n', foldAfter.lines + 1)
  const byLines = lines.slice(0, foldAfter.lines).join('\n').length
  const end = Math.min(byLines, foldAfter.characters)
  const rest = text.length - end
  if (rest < worthIt && lines.length <= foldAfter.lines) return null
  if (rest === 0) return null
  return `${text.slice(0, betweenWords(text, end)).trimEnd()}…`
}

/** Addresses and names stay whole, and so does a sign of several units. */
function betweenWords(text: string, end: number): number {
  if (/\s/.test(text[end] ?? ' ')) return end
  const space = Math.max(text.lastIndexOf(' ', end), text.lastIndexOf('\n', end))
  if (space > end / 2) return space
  const isInPair = /[\uDC00-\uDFFF]/.test(text[end] ?? '')
  return isInPair ? end - 1 : end
}
