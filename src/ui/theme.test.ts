import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('theme.css', import.meta.url), 'utf8')
const themes = ['light', 'dark'] as const
const grounds = ['paper', 'surface', 'raised']
const tones = ['primary', 'success', 'warning', 'danger']

/** [foreground, background, least contrast]: 4.5 for text, 3 for edges and bars (WCAG AA). */
const pairs: [string, string, number][] = [
  ...grounds.flatMap((ground) =>
    ['ink', 'muted', ...tones].map((text): [string, string, number] => [text, ground, 4.5]),
  ),
  ...tones.flatMap((tone) =>
    ['ink', 'muted', tone].map((text): [string, string, number] => [text, `${tone}-soft`, 4.5]),
  ),
  ...grounds.map((ground): [string, string, number] => ['edge', ground, 3]),
  ['on-primary', 'primary', 4.5],
  ['on-danger', 'danger', 4.5],
  ['on-spark', 'spark', 4.5],
  ['spark', 'track', 3],
]

test.each(themes)('every pair of colours that meets has enough contrast: %s', (theme) => {
  const tooLow = pairs
    .map(([front, back, least]) => ({ front, back, least, is: contrast(front, back, theme) }))
    .filter(({ is, least }) => !(is >= least))
  expect(tooLow).toEqual([])
})

function contrast(front: string, back: string, theme: (typeof themes)[number]) {
  const [a, b] = [luminance(front, theme), luminance(back, theme)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** Relative luminance of a token, from its OKLCH value (Björn Ottosson's matrices). */
function luminance(token: string, theme: (typeof themes)[number]) {
  const pair = css.match(`--color-${token}: light-dark\\(oklch\\((.*?)\\), oklch\\((.*?)\\)\\)`)
  const value = pair?.[theme === 'light' ? 1 : 2]
  if (!value) throw new Error(`no token ${token}`)
  const [lightness = 0, chroma = 0, hue = 0] = value.split(' ').map(Number)
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s
  return 0.2126 * inGamut(red) + 0.7152 * inGamut(green) + 0.0722 * inGamut(blue)
}

function inGamut(channel: number) {
  return Math.min(1, Math.max(0, channel))
}
