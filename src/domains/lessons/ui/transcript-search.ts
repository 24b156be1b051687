type Line = { start: number; end: number; text: string }

/** Letters without case and accents: 'cafe' finds 'Café'. One letter each, so that places stay the same. */
const folded = (text: string) =>
  [...text]
    .map((letter) => {
      const plain = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
      return plain.length === letter.length ? plain : letter
    })
    .join('')

/** A text as pieces, of which every second one is what was looked for. */
export function piecesOf(text: string, wanted: string): string[] {
  const needle = folded(wanted.trim())
  if (needle === '') return [text]
  const hay = folded(text)
  const pieces: string[] = []
  let from = 0
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, from)) {
    pieces.push(text.slice(from, at), text.slice(at, at + needle.length))
    from = at + needle.length
  }
  return [...pieces, text.slice(from)]
}

export const found = <T extends Line>(cues: readonly T[], wanted: string): T[] =>
  cues.filter(({ text }) => wanted.trim() === '' || piecesOf(text, wanted).length > 1)

/** The line that is being said, or was said last; -1 before the first. Cues are in the order of their starts. */
export function lineAt(cues: readonly Line[], seconds: number): number {
  return cues.findLastIndex(({ start }) => start <= seconds)
}
