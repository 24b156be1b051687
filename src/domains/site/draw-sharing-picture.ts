import sharp, { type OverlayOptions } from 'sharp'
import { BOLT, markColours, TILE } from '../../ui/mark.ts'
import type { BrandPictures } from './brand-pictures.ts'
import { type Letters, linesOf, lettersOf } from './sharing-letters.ts'

export interface SharingPicture {
  title: string
  /** What stands there when our fonts do not have the letters of the title. */
  instead: string
  /** Small, above the title. */
  over: string
  /** Small, below. */
  under: string
  /** In a field of its own. */
  tag: string | null
  picture: { bytes: Uint8Array; round: boolean } | null
}

const width = 1200
const height = 630
const edge = 72
const ground = '#0d0e17'
const ink = '#f4f4fa'
const quiet = '#adaebc'

/** Where a picture lies. */
const wide = { left: 700, top: 160, width: 440, height: 248, radius: 20 }
const round = { left: 820, top: 155, width: 320, height: 320, radius: 160 }

/** Largest first: the title takes the first of these in which it has at most three lines. */
const titleSizes = [76, 64, 54]

/** Whether most of its letters and digits can be drawn. */
function isLegible(letters: Letters, value: string): boolean {
  const count = (one: string) => one.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  const all = count(value)
  return all > 0 && count(letters.drawable(value)) * 5 >= all * 4
}

const path = (d: string, x: number, y: number, fill: string) =>
  d && `<path transform="translate(${x.toFixed(1)} ${y.toFixed(1)})" fill="${fill}" d="${d}"/>`

/**
 * A PNG of 1200 x 630 for messengers. All text is shapes, so nothing that a person wrote is ever read as a part of
 * the drawing.
 */
export async function drawSharingPicture(
  { brand, colour, picture: brandPicture }: BrandPictures,
  wanted: SharingPicture,
): Promise<Buffer> {
  const [display, text] = await Promise.all([lettersOf('display'), lettersOf('text')])
  const place = wanted.picture && (wanted.picture.round ? round : wide)
  const room = (place ? place.left - 48 : width - edge) - edge
  const title = display.drawable(isLegible(display, wanted.title) ? wanted.title : wanted.instead)
  const fitting = titleSizes
    .map((size) => ({ size, lines: linesOf(display, title, { size, width: room, most: 99 }) }))
    .find(({ lines }) => lines.length <= 3)
  const size = fitting?.size ?? titleSizes.at(-1)!
  const lines = fitting?.lines ?? linesOf(display, title, { size, width: room, most: 3 })
  const step = size * 1.12
  const middle = 312
  const first = middle - (lines.length * step) / 2 + size * 0.8

  const line = (value: string, letters: typeof text, most: number, letterSize: number) =>
    linesOf(letters, letters.drawable(value), { size: letterSize, width: most, most: 1 })[0] ?? ''
  const over = line(wanted.over, text, room, 28)
  const under = !isLegible(text, wanted.under) ? '' : line(wanted.under, text, room, 32)
  const tag = wanted.tag === null ? '' : line(wanted.tag, display, 260, 34)
  const tagWidth = display.width(tag, 34) + 52
  const name = line(brand.name, display, 520, 40)
  const hasLogo = brand.logo !== null

  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="${width}" height="${height}" fill="${ground}"/>
<rect width="${width}" height="10" fill="${colour}"/>
<g transform="translate(700 -45) scale(30)" fill="${colour}" opacity=".16"><path d="${BOLT}"/></g>
${
  hasLogo
    ? ''
    : `<g transform="translate(${edge} 62) scale(1.9)"><path fill="${colour}" stroke="${ink}" stroke-opacity=".18" stroke-width=".5" d="${TILE}"/><path fill="${markColours.bolt}" d="${BOLT}"/></g>`
}
${path(display.shapes(name, 40), edge + 64, 98, ink)}
${lines.length > 0 ? path(text.shapes(over, 28), edge, first - size - 18, quiet) : ''}
${lines.map((each, index) => path(display.shapes(each, size), edge, first + index * step, ink)).join('\n')}
${path(text.shapes(under, 32), edge, first + lines.length * step - size * 0.8 + 50, quiet)}
${
  tag &&
  `<rect x="${edge}" y="512" width="${tagWidth.toFixed(1)}" height="62" rx="31" fill="${markColours.bolt}"/>
${path(display.shapes(tag, 34), edge + 26, 555, '#1e1c0c')}`
}
</svg>`

  const layers: OverlayOptions[] = []
  if (place && wanted.picture) {
    const { radius, ...box } = place
    const mask = `<svg width="${box.width}" height="${box.height}"><rect width="100%" height="100%" rx="${radius}"/></svg>`
    const input = await sharp(wanted.picture.bytes)
      .resize(box.width, box.height, { fit: 'cover' })
      .composite([{ input: Buffer.from(mask), blend: 'dest-in' }])
      .png()
      .toBuffer()
    layers.push({ input, left: box.left, top: box.top })
  }
  if (hasLogo) {
    const icon = await brandPicture('icon-192.png')
    if (icon) {
      layers.push({ input: await sharp(icon.bytes).resize(48).toBuffer(), left: edge, top: 60 })
    }
  }
  return sharp(Buffer.from(drawing))
    .composite(layers)
    .png({ palette: true, quality: 90 })
    .toBuffer()
}
