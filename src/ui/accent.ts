// Colours of somebody's own, made readable: whatever colour is chosen, text in it and on it keeps the contrast of
// WCAG AA in both themes. The grounds are those of theme.css; accent.test.ts compares them.

/** Lightness, chroma and hue in OKLCH. */
type Oklch = [lightness: number, chroma: number, hue: number]
type Pair = [light: string, dark: string]

export interface Accent {
  primary: Pair
  onPrimary: Pair
  primarySoft: Pair
  track: Pair
  mark: Pair
}

/** Page, card and floating layer of each theme. */
export const grounds = {
  light: ['#f8f9fc', '#ffffff'],
  dark: ['#0d0e17', '#161721', '#1f212d'],
}

/** The bolt of the mark, and what progress is drawn with. */
export const spark = { light: '#fbd804', dark: '#fede23' }

/** Text that stands on soft grounds. */
export const inks = { light: ['#151628', '#57596c'], dark: ['#eff0f6', '#adaebc'] }

const text = 4.5
/** A little more than is asked for. */
const margin = 1.01

/**
 * The tokens of a colour like '#1a7f5a', as near to it as contrast allows.
 * @throws {Error} when it is no such colour.
 */
export function accentOf(colour: string): Accent {
  if (!isColour(colour)) throw new Error(`${colour} is no colour like #4630eb`)
  const chosen = oklchOf(colour)
  const [, chroma, hue] = chosen
  const soft: Pair = [
    hex([0.955, Math.min(chroma, 0.03), hue]),
    hex([0.28, Math.min(chroma, 0.07), hue]),
  ]
  const primary: Pair = [
    darkEnough(chosen, [...grounds.light, soft[0]], text),
    lightEnough(chosen, [...grounds.dark, soft[1]], text),
  ]
  return {
    primary,
    onPrimary: ['#ffffff', hex([0.15, Math.min(chroma, 0.05), hue])],
    primarySoft: soft,
    track: [hex([0.34, Math.min(chroma, 0.1), hue]), hex([0.34, Math.min(chroma, 0.075), hue])],
    mark: [darkEnough(chosen, [spark.light], 3), darkEnough(chosen, [spark.dark], 3)],
  }
}

export const isColour = (value: string) => /^#[0-9a-f]{6}$/i.test(value)

const tokensOf = (accent: Accent): [string, Pair][] => [
  ['primary', accent.primary],
  ['on-primary', accent.onPrimary],
  ['primary-soft', accent.primarySoft],
  ['track', accent.track],
  ['mark', accent.mark],
]

/** As CSS properties of one part of a page. */
export function accentProperties(accent: Accent): Record<string, string> {
  const tokens = tokensOf(accent).map(([name, pair]) => [
    `--color-${name}`,
    `light-dark(${pair.join()})`,
  ])
  return {
    ...(Object.fromEntries(tokens) as Record<string, string>),
    // The theme mixes it at the root of the page, of the colour there.
    '--color-primary-hover': 'color-mix(in oklab,var(--color-primary),var(--color-ink) 16%)',
  }
}

/** As a style sheet over the tokens of the theme. */
export function accentStyle(accent: Accent): string {
  const lines = tokensOf(accent).map(([name, pair]) => `--color-${name}:light-dark(${pair.join()})`)
  const selection = `light-dark(${[hex(withLightness(accent.primary[0], 0.88)), hex(withLightness(accent.primary[1], 0.42))].join()})`
  return `:root{${lines.join(';')}}::selection{background:${selection}}`
}

const withLightness = (colour: string, lightness: number): Oklch => {
  const [, chroma, hue] = oklchOf(colour)
  return [lightness, Math.min(chroma, lightness > 0.5 ? 0.075 : 0.13), hue]
}

/** The colour itself, or the lightest darker one that is clear against all of these. White is clear against it, too. */
function darkEnough(from: Oklch, against: string[], least: number): string {
  return nearest(from, -0.005, against, least)
}

/** The colour itself, or the darkest lighter one. */
function lightEnough(from: Oklch, against: string[], least: number): string {
  return nearest(from, 0.005, against, least)
}

function nearest([start, chroma, hue]: Oklch, step: number, against: string[], least: number) {
  for (let lightness = start; lightness >= 0 && lightness <= 1; lightness += step) {
    const colour = hex([lightness, chroma, hue])
    if (against.every((ground) => contrast(colour, ground) >= least * margin)) return colour
  }
  return step < 0 ? '#000000' : '#ffffff'
}

/** How clearly two colours differ, 1 to 21 (WCAG 2). */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const channels = (colour: string) =>
  [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]

function luminance(colour: string): number {
  const [red, green, blue] = channels(colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

// Björn Ottosson's matrices.
function oklchOf(colour: string): Oklch {
  const [red, green, blue] = channels(colour)
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  return [lightness, Math.hypot(a, b), (Math.atan2(b, a) * 180) / Math.PI]
}

function linearOf([lightness, chroma, hue]: Oklch): number[] {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

/** As '#rrggbb', with as much of its chroma as screens have at this lightness. */
function hex([lightness, chroma, hue]: Oklch): string {
  const fits = (part: number) =>
    linearOf([lightness, chroma * part, hue]).every((value) => value >= -0.0005 && value <= 1.0005)
  let [inside, outside] = [0, 1]
  if (fits(1)) inside = 1
  for (let round = 0; inside < 1 && round < 16; round += 1) {
    const middle = (inside + outside) / 2
    if (fits(middle)) inside = middle
    else outside = middle
  }
  const bytes = linearOf([lightness, chroma * inside, hue]).map((value) => {
    const clipped = Math.min(1, Math.max(0, value))
    const encoded = clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * clipped ** (1 / 2.4) - 0.055
    return Math.round(encoded * 255)
  })
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
