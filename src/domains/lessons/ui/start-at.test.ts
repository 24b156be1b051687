import { expect, test } from 'vitest'
import { startOf } from './start-at.ts'

test.each([
  ['83', 83],
  ['0', 0],
  ['83.25', 83.25],
  [null, null],
  ['', null],
  ['-3', null],
  ['1e9', null],
  ['99999', null],
  ['1:23', null],
  ['NaN', null],
])('%j starts at %j', (text, seconds) => {
  expect(startOf(text)).toBe(seconds)
})
