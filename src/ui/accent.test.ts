import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { accentOf, accentStyle, contrast, grounds, inks, spark } from './accent.ts'

const colours = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((bytes) => `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`)

test('every colour is readable in both themes, as text and under text', () => {
  fc.assert(
    fc.property(colours, (colour) => {
      const accent = accentOf(colour)
      for (const [theme, at] of [
        ['light', 0],
        ['dark', 1],
      ] as const) {
        const primary = accent.primary[at]
        for (const ground of [...grounds[theme], accent.primarySoft[at], accent.onPrimary[at]]) {
          expect(contrast(primary, ground)).toBeGreaterThanOrEqual(4.5)
        }
        for (const ink of inks[theme]) {
          expect(contrast(ink, accent.primarySoft[at])).toBeGreaterThanOrEqual(4.5)
        }
        expect(contrast(accent.mark[at], spark[theme])).toBeGreaterThanOrEqual(3)
        expect(contrast(accent.track[at], spark[theme])).toBeGreaterThanOrEqual(3)
      }
    }),
    { numRuns: 300 },
  )
})

test('a colour that is readable already stays as it was chosen', () => {
  expect(accentOf('#0b6b4f').primary[0]).toBe('#0b6b4f')
  expect(accentOf('#8ad8ff').primary[1]).toBe('#8ad8ff')
  expect(accentOf('#ffee00').primary[0]).not.toBe('#ffee00')
})

test('what is no colour is refused', () => {
  for (const wrong of ['red', '#fff', '#12345g', '', '#1234567']) {
    expect(() => accentOf(wrong)).toThrow(/no colour/)
  }
})

test('the style says each token for both themes, and nothing that could end the element', () => {
  const style = accentStyle(accentOf('#0b6b4f'))
  expect(style).toMatch(/--color-primary:light-dark\(#0b6b4f,#[0-9a-f]{6}\)/)
  expect(style).not.toContain('<')
})

test('the grounds are those of the theme', () => {
  const css = readFileSync(new URL('theme.css', import.meta.url), 'utf8')
  const lightnessOf = (token: string) => {
    const pair = css.match(
      `--color-${token}: light-dark\\(oklch\\(([\\d.]+).*?\\), oklch\\(([\\d.]+)`,
    )
    return pair?.slice(1, 3)
  }
  // Whoever changes one of these changes the hex values of accent.ts.
  expect(lightnessOf('paper')).toEqual(['0.982', '0.168'])
  expect(lightnessOf('surface')).toEqual(['1', '0.208'])
  expect(lightnessOf('raised')).toEqual(['1', '0.25'])
  expect(lightnessOf('ink')).toEqual(['0.21', '0.955'])
  expect(lightnessOf('muted')).toEqual(['0.47', '0.755'])
  expect(lightnessOf('spark')).toEqual(['0.885', '0.9'])
})
