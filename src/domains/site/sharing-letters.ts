// Text as shapes: a picture that is drawn here looks the same on a server without any fonts. The fonts are those of
// our pages; what they have no letter for, as emoji, is left out.
import { readFile } from 'node:fs/promises'
import type { Font, Glyph } from 'fontkit'

type Typeface = 'display' | 'text'

const files: Record<Typeface, string> = { display: 'bricolage', text: 'figtree' }
const parts = ['core', 'latin', 'latin-ext']

export interface Letters {
  /** The signs of this text that can be drawn, with single spaces. */
  drawable(text: string): string
  width(text: string, size: number): number
  /** The `d` of a path whose baseline begins at 0,0. */
  shapes(text: string, size: number): string
}

const opened = new Map<Typeface, Promise<Letters>>()

export function lettersOf(typeface: Typeface): Promise<Letters> {
  const found = opened.get(typeface) ?? open(typeface)
  opened.set(typeface, found)
  return found
}

async function open(typeface: Typeface): Promise<Letters> {
  // Nobody waits for it when the server starts.
  const { create } = await import('fontkit')
  const fonts = await Promise.all(
    parts.map(
      async (part) =>
        create(await readFile(`src/ui/fonts/${files[typeface]}-${part}.woff2`)) as Font,
    ),
  )

  const fontFor = (sign: string) => {
    const code = sign.codePointAt(0) ?? 0
    return fonts.find((font) => font.hasGlyphForCodePoint(code))
  }

  /** Signs one after the other that one font has, so that it can bring them closer. */
  function runs(text: string) {
    const found: { font: Font; text: string }[] = []
    for (const sign of text) {
      const font = fontFor(sign)
      const last = found.at(-1)
      if (font && last?.font === font) last.text += sign
      else if (font) found.push({ font, text: sign })
    }
    return found
  }

  function placed(text: string, size: number) {
    let x = 0
    const glyphs: { glyph: Glyph; x: number; scale: number }[] = []
    for (const run of runs(text)) {
      const scale = size / run.font.unitsPerEm
      const { glyphs: drawn, positions } = run.font.layout(run.text)
      for (const [index, glyph] of drawn.entries()) {
        const position = positions[index]
        glyphs.push({ glyph, x: x + (position?.xOffset ?? 0) * scale, scale })
        x += (position?.xAdvance ?? 0) * scale
      }
    }
    return { glyphs, width: x }
  }

  return {
    drawable: (text) =>
      [...text.normalize('NFC')]
        .map((sign) => (/\s/u.test(sign) ? ' ' : fontFor(sign) ? sign : ''))
        .join('')
        .replaceAll(/ +/g, ' ')
        .trim(),
    width: (text, size) => placed(text, size).width,
    shapes: (text, size) =>
      placed(text, size)
        .glyphs.map(({ glyph, x, scale }) =>
          glyph.path.scale(scale, -scale).translate(x, 0).toSVG(),
        )
        .join(''),
  }
}

/** In lines of this width, at most so many; the last ends with an ellipsis when there is more. */
export function linesOf(
  letters: Pick<Letters, 'width'>,
  text: string,
  { size, width, most }: { size: number; width: number; most: number },
): string[] {
  const fits = (line: string) => letters.width(line, size) <= width
  const shortened = (line: string) => {
    const signs = [...line]
    while (signs.length > 1 && !fits(`${signs.join('').trimEnd()}…`)) signs.pop()
    return `${signs.join('').trimEnd()}…`
  }
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').filter(Boolean)) {
    const longer = line ? `${line} ${word}` : word
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line) lines.push(line)
    // A word that is wider than the picture is cut.
    line = fits(word) ? word : shortened(word)
  }
  if (line) lines.push(line)
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), shortened(`${lines.slice(most - 1).join(' ')}`)]
}
