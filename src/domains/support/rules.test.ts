import { expect, test } from 'vitest'
import { queuedRequestPath, requestPath, visibleText } from './rules.ts'

test('a request has an address for who asked, and one for who answers', () => {
  expect([requestPath('an-id'), queuedRequestPath('an-id')]).toEqual([
    '/support/an-id',
    '/admin/support/an-id',
  ])
})

test.each([
  ['control characters', 'a\u0000b\u0007c\u001Bd\u007Fe\u0085f', 'abcdef'],
  ['what turns the direction', '\u061Ca\u200Eb\u200Fc\u202Ad\u202Ee\u2066f\u2069', 'abcdef'],
  ['a byte order mark', '\uFEFFab', 'ab'],
])('%s are not in a text that somebody reads', (_, typed, kept) => {
  expect(visibleText(typed)).toBe(kept)
})

test('lines, tabs and signs of all scripts stay in a text that somebody reads', () => {
  const text = 'One\ttwo\r\nthree — עברית, عربى, 漢字 👩‍🚀'
  expect(visibleText(text)).toBe(text)
})
