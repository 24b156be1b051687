import { expect, test } from 'vitest'
import { thanksFor } from './case-words.ts'

test('who reports once more is not promised that what was decided is looked at again', () => {
  expect(thanksFor({ again: false, lookedAtBy: 'administrators' })).toBe(
    'Thank you. An administrator will look at it.',
  )
  expect(thanksFor({ again: true, lookedAtBy: 'instructor' })).toBe(
    'You have reported this already, thank you. The instructor will look at it, or has done so.',
  )
})
