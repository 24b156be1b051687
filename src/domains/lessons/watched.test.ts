import { describe, expect, test } from 'vitest'
import { isWatchedThrough, leastLength, multirangeOf } from './watched.ts'

describe('multirangeOf', () => {
  test.each([
    [[], '{}'],
    [[{ from: 0, to: 4.6 }], '{[0,5)}'],
    [
      [
        { from: 0, to: 5.2 },
        { from: 5.2, to: 10.1 },
      ],
      '{[0,5),[5,10)}',
    ],
    // Shorter than half a second.
    [[{ from: 3.1, to: 3.4 }], '{}'],
    [
      [
        { from: 3.4, to: 3.5 },
        { from: 7, to: 7 },
        { from: 8.5, to: 9.4 },
      ],
      '{[3,4)}',
    ],
  ])('%j is %s', (played, written) => {
    expect(multirangeOf(played)).toBe(written)
  })
})

test('leastLength looks at the furthest stretch and leaves players two seconds', () => {
  expect(leastLength([])).toBe(0)
  expect(
    leastLength([
      { from: 50, to: 60 },
      { from: 0, to: 10 },
    ]),
  ).toBe(58)
  expect(leastLength([{ from: 0, to: 1 }])).toBe(0)
})

describe('isWatchedThrough', () => {
  test.each([
    ['all of it', 100, 100, 100, true],
    ['nine tenths', 90, 100, 100, true],
    ['a little less', 89, 100, 100, false],
    ['less than a second', 0, 0, 0.4, true],
    ['a length that nobody knows', 100, 100, 0, false],
    ['more than there is', 100, 100, 50, false],
    ['two seconds more than the header says', 102, 102, 100, true],
  ])('%s', (_what, seconds, until, duration, isThrough) => {
    expect(isWatchedThrough({ seconds, until }, duration)).toBe(isThrough)
  })
})
