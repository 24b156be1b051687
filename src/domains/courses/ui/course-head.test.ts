import { expect, test } from 'vitest'
import { shorten } from './course-head.ts'

test.each([
  ['words', 'word '.repeat(41).trim(), `${'word '.repeat(39).trim()}…`],
  ['no spaces', '字'.repeat(201), `${'字'.repeat(100)}…`],
  ['an emoji where it is cut', `${'x'.repeat(99)}${'😀'.repeat(60)}`, `${'x'.repeat(99)}…`],
])('a long description of %s is cut where it can be', (_what, text, short) => {
  expect(shorten(text)).toBe(short)
})
