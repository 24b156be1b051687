// The colours of a certificate: of the course where its creator chose one, else of the product.
import { markColours } from '../../ui/mark.ts'

/** How bright a colour is to the eye, 0 to 1 (WCAG 2.2, relative luminance). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => parseInt(colour.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: number, other: number) =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)

const ink = '#171a2b'

/** `heading` is readable on white paper; the bolt is seen on the panel whatever that is. */
export function panelColours(chosen: string | null, product: string) {
  const isChosen = chosen !== null && /^#[\da-f]{6}$/i.test(chosen)
  const panel = isChosen ? chosen : product
  const bright = luminance(panel)
  const onPanel = isChosen ? '#ffffff' : markColours.bolt
  return {
    panel,
    bolt: contrast(bright, luminance(onPanel)) >= 2 ? onPanel : ink,
    heading: contrast(bright, 1) >= 4.5 ? panel : ink,
  }
}
