import { expect, test } from 'vitest'
import { filledStars, pagesOf, ratingLabel, share } from './rules.ts'

test.each([
  [0, '0.0'],
  [5, '5.0'],
  [4.25, '4.3'],
  [4.35, '4.4'],
  [4.24, '4.2'],
  [4.95, '5.0'],
  [4.66, '4.7'],
  [7, '5.0'],
])('a mean of %d is shown as %s', (rating, label) => {
  expect(ratingLabel(rating)).toBe(label)
})

test.each([
  [0, 0],
  [0.4, 0],
  [3.49, 3],
  [3.5, 4],
  [4.8, 5],
  [9, 5],
  [-1, 0],
])('a mean of %d fills %d stars', (rating, filled) => {
  expect(filledStars(rating)).toBe(filled)
})

test('shares are whole percent, of nothing 0', () => {
  expect([share(1, 3), share(2, 3), share(0, 3), share(3, 3), share(0, 0)]).toEqual([
    33, 67, 0, 100, 0,
  ])
})

test('an empty list has one page', () => {
  expect([0, 1, 20, 21, 40, 41].map((total) => pagesOf(total, 20))).toEqual([1, 1, 1, 2, 2, 3])
})
