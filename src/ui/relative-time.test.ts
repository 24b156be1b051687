import { expect, test } from 'vitest'
import { relativeTime } from './relative-time.ts'

const now = new Date('2026-03-10T12:00:00Z')

test.each([
  ['2026-03-10T12:00:00Z', 'Just now'],
  ['2026-03-10T11:59:00.001Z', 'Just now'],
  ['2026-03-10T12:03:00Z', 'Just now'],
  ['2026-03-10T11:59:00Z', '1m ago'],
  ['2026-03-10T11:00:00.001Z', '59m ago'],
  ['2026-03-10T11:00:00Z', '1h ago'],
  ['2026-03-09T12:00:00.001Z', '23h ago'],
  ['2026-03-09T12:00:00Z', '1d ago'],
  ['2025-03-10T12:00:00Z', '365d ago'],
])('what was at %s reads %s', (at, text) => {
  expect(relativeTime(new Date(at), now)).toBe(text)
})
