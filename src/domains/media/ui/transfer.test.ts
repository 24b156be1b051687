import { expect, test } from 'vitest'
import { retryDelays } from './transfer.ts'

test('an upload is tried three times, a second times the attempt apart', () => {
  expect(retryDelays).toEqual([1, 2].map((attempt) => attempt * 1000))
})
