import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createStyleInliner } from './inline-styles.ts'

const folder = mkdtempSync(join(tmpdir(), 'styles-'))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'assets/theme-a_1.css'), 'p{content:"$&"}')
const inline = createStyleInliner(folder)

test('a built style sheet becomes part of the page, letter for letter', () => {
  expect(inline('<head><link rel="stylesheet" href="/assets/theme-a_1.css"/></head><p>')).toBe(
    '<head><style>p{content:"$&"}</style></head><p>',
  )
})

test('what cannot be read, or is not ours, stays a link', () => {
  for (const href of [
    '/assets/gone.css',
    '/assets/../secret.css',
    'https://elsewhere.example/x.css',
  ]) {
    const link = `<link rel="stylesheet" href="${href}"/>`
    expect(inline(link)).toBe(link)
  }
})

test('beside a sheet that cannot be read the others stay links, too', () => {
  const links = ['theme-a_1', 'gone'].map(
    (name) => `<link rel="stylesheet" href="/assets/${name}.css"/>`,
  )
  expect(inline(`${links.join('')}<p>`)).toBe(`${links.join('')}<p>`)
})
