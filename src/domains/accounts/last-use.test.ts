import { expect, test } from 'vitest'
import { lastUse } from './last-use.ts'

test.each([
  ['2026-03-10T11:59:00Z', 'Used within the last hour'],
  // Another clock than the database's.
  ['2026-03-10T12:00:03Z', 'Used within the last hour'],
  ['2026-03-10T11:00:00Z', 'Used an hour ago'],
  ['2026-03-09T12:00:01Z', 'Used 23 hours ago'],
  ['2026-03-09T12:00:00Z', 'Used yesterday'],
  ['2026-02-10T12:00:00Z', 'Used 28 days ago'],
])('%s: %s', (lastUsedAt, words) => {
  expect(lastUse(lastUsedAt, '2026-03-10T12:00:00Z')).toBe(words)
})
