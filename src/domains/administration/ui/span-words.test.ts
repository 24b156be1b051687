import { expect, test } from 'vitest'
import { spanWords } from './span-words.ts'

const minute = 60_000
const hour = 60 * minute

test.each([
  [-hour, 'a moment'],
  [minute - 1, 'a moment'],
  [minute, '1 minute'],
  [hour - 1, '59 minutes'],
  [hour, '1 hour'],
  [48 * hour - 1, '47 hours'],
  [48 * hour, '2 days'],
])('%d milliseconds are %s', (milliseconds, words) => {
  expect(spanWords(milliseconds)).toBe(words)
})
