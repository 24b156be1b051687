// Text in a PDF with our own typefaces: which letters they have, and what stands in place of those they have not.
import { readFile } from 'node:fs/promises'

type Pdf = PDFKit.PDFDocument

const faces = {
  display: ['display-latin', 'display-latin-ext', 'display-vietnamese'],
  text: ['text-latin', 'text-latin-ext'],
  strong: ['strong-latin', 'strong-latin-ext'],
} as const
export type Face = keyof typeof faces

const files = [...new Set(Object.values(faces).flat())]

/** Made by scripts/subset-fonts.mjs; read when the first certificate is drawn, from where the server was started. */
let read: Promise<Map<string, Buffer>> | undefined
const fontBytes = () =>
  (read ??= Promise.all(
    files.map(async (name) => [name, await readFile(`src/ui/fonts/pdf-${name}.ttf`)] as const),
  ).then((all) => new Map(all)))

/** Russian, Ukrainian, Belarusian, Bulgarian, Serbian, Macedonian; Greek. Lower case; capitals follow. */
const latinOf: Record<string, string> = Object.fromEntries(
  (
    'а:a б:b в:v г:g ґ:g д:d ђ:đ ѓ:ǵ е:e ё:yo є:ye ж:zh з:z ѕ:dz и:i і:i ї:yi й:y ј:j к:k ќ:ḱ л:l љ:lj м:m н:n ' +
    'њ:nj о:o п:p р:r с:s т:t ћ:ć у:u ў:w ф:f х:kh ц:ts ч:ch џ:dž ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya ' +
    'α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)

function transliterated(letter: string): string | null {
  const plain = letter.toLowerCase()
  const found = latinOf[plain] ?? latinOf[plain.normalize('NFD')[0] ?? '']
  if (found === undefined) return null
  return plain === letter ? found : found.charAt(0).toUpperCase() + found.slice(1)
}

/** Signs that are no letters: without them the words are the same. */
const ornament =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Cf}\u{fe00}-\u{fe0f}\u{20e3}]/gu

/** How far a text could be kept: in Latin letters in place of its own, or not at all. */
type Kept = 'whole' | 'in Latin letters' | 'not printable'

/** The text in letters that `has` knows. Accents are dropped before letters are. */
export function printable(
  text: string,
  has: (letter: string) => boolean,
): { text: string; kept: Kept } {
  let kept: Kept = 'whole'
  let out = ''
  for (const letter of text.normalize('NFC').replace(ornament, '')) {
    const spaced = /\s/.test(letter) ? ' ' : letter
    const bare = spaced.normalize('NFKD').replace(/\p{M}/gu, '')
    if (has(spaced)) out += spaced
    else if (bare !== '' && [...bare].every(has)) out += bare
    else if (/\p{M}/u.test(spaced)) continue
    else {
      const latin = transliterated(spaced)
      if (latin === null || ![...latin].every(has)) {
        // What is no letter is left out; a name with a hole in it is not a name.
        if (/[\p{L}\p{N}]/u.test(spaced)) return { text: '', kept: 'not printable' }
        continue
      }
      kept = 'in Latin letters'
      out += latin
    }
  }
  const trimmed = out.replace(/ +/g, ' ').trim()
  return trimmed === '' ? { text: '', kept: 'not printable' } : { text: trimmed, kept }
}

interface Style {
  face: Face
  size: number
}

export interface Letters {
  /** The text as it can be printed in this face. */
  printable: (text: string, face: Face) => { text: string; kept: Kept }
  width: (text: string, style: Style) => number
  /** One line; `x` and `y` are its upper left corner, or where its baseline begins. */
  draw: (text: string, style: Style, x: number, y: number, baseline?: 'alphabetic') => void
  /** In lines that are no wider; null when there are more of them than that. */
  wrap: (text: string, style: Style, within: { width: number; lines: number }) => string[] | null
}

type Shaped = { hasGlyphForCodePoint: (point: number) => boolean }

export async function lettersOf(pdf: Pdf): Promise<Letters> {
  const bytes = await fontBytes()
  const fonts = new Map<string, Shaped>()
  for (const name of files) {
    pdf.registerFont(name, bytes.get(name)!)
    // The typeface below pdfkit's own: there is no other way to ask what it has.
    fonts.set(name, (pdf.font(name) as unknown as { _font: { font: Shaped } })._font.font)
  }
  const fontFor = (letter: string, face: Face) =>
    faces[face].find((name) => fonts.get(name)!.hasGlyphForCodePoint(letter.codePointAt(0)!))

  /** Pieces that one file has all letters of. */
  function piecesOf(text: string, face: Face): { font: string; text: string }[] {
    const pieces: { font: string; text: string }[] = []
    for (const letter of text) {
      const font = fontFor(letter, face) ?? faces[face][0]
      const last = pieces.at(-1)
      if (last?.font === font) last.text += letter
      else pieces.push({ font, text: letter })
    }
    return pieces
  }

  const widthOf = (piece: { font: string; text: string }, size: number) =>
    pdf.font(piece.font).fontSize(size).widthOfString(piece.text)
  const width: Letters['width'] = (text, { face, size }) =>
    piecesOf(text, face).reduce((sum, piece) => sum + widthOf(piece, size), 0)

  /** As much of a word as there is room for. */
  function headOf(word: string, style: Style, most: number): string {
    let head = ''
    for (const letter of word) {
      if (head !== '' && width(head + letter, style) > most) return head
      head += letter
    }
    return head
  }

  return {
    printable: (text, face) => printable(text, (letter) => fontFor(letter, face) !== undefined),
    width,
    draw(text, style, x, y, baseline) {
      let at = x
      for (const piece of piecesOf(text, style.face)) {
        const wide = widthOf(piece, style.size)
        pdf.text(piece.text, at, y, { lineBreak: false, ...(baseline && { baseline }) })
        at += wide
      }
    },
    wrap(text, style, { width: most, lines: allowed }) {
      const lines = ['']
      const words = text.split(' ')
      while (words.length > 0) {
        const word = words.shift()!
        const line = lines.at(-1)!
        const longer = line === '' ? word : `${line} ${word}`
        if (width(longer, style) <= most) lines[lines.length - 1] = longer
        else if (line !== '') {
          lines.push('')
          words.unshift(word)
        } else {
          // One word that is too long for a line is broken anywhere.
          const head = headOf(word, style, most)
          lines[lines.length - 1] = head
          lines.push('')
          if (head.length < word.length) words.unshift(word.slice(head.length))
        }
        if (lines.length > allowed + 1) return null
      }
      const filled = lines.filter((line) => line !== '')
      return filled.length > allowed ? null : filled
    },
  }
}
