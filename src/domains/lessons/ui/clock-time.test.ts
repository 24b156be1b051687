import { expect, test } from 'vitest'
import { clockTime } from './clock-time.ts'

test.each([
  [0, '0:00'],
  [7.9, '0:07'],
  [67, '1:07'],
  [750, '12:30'],
  [3723, '1:02:03'],
])('%d seconds are %s', (seconds, text) => {
  expect(clockTime(seconds)).toBe(text)
})
