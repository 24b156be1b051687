import { expect, test } from 'vitest'
import { requestedRange } from './byte-range.ts'

test.each([
  [null, 'all'],
  ['bytes=0-9', { start: 0, end: 9 }],
  ['BYTES= 5 - 7 ', { start: 5, end: 7 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-0', 'none'],
  ['bytes=100-', 'none'],
  ['bytes=9-5', 'all'],
  ['bytes=-', 'all'],
  ['bytes=1 0-20', 'all'],
  ['bytes=0-1,5-6', 'all'],
  ['bytes=1e1-', 'all'],
  ['bytes=x5-', 'all'],
  ['bytes=0-x5', 'all'],
  ['bytes=0-5x', 'all'],
  ['bytes=-x5', 'all'],
  ['bytes=99-', { start: 99, end: 99 }],
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=0-100', { start: 0, end: 99 }],
  ['bytes=-100', { start: 0, end: 99 }],
  ['bytes=-101', { start: 0, end: 99 }],
  ['bytes=5-5', { start: 5, end: 5 }],
  ['xbytes=0-9', 'all'],
  ['bytes=0-9-', 'all'],
  ['items=0-9', 'all'],
])('%s of 100 bytes', (header, range) => {
  expect(requestedRange(header, 100)).toEqual(range)
})

test('a header of nothing but blanks takes no longer than its length', () => {
  const blanks = '\t'.repeat(8000)
  expect(requestedRange(`bytes=${blanks}-${blanks}-`, 100)).toBe('all')
})
