import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askFromEndOn } from './end-of-poll.ts'

const now = Date.parse('2026-01-01T12:00:00.000Z')
const at = (after: number) => new Date(now + after).toISOString()

beforeEach(() => {
  vi.useFakeTimers({ now })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a poll that should be closed is asked for until it is', () => {
  const ask = vi.fn()
  const stop = askFromEndOn(at(60_000), ask)
  vi.advanceTimersByTime(60_000)
  expect(ask).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2500)
  expect(ask).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(60_000)
  expect(ask).toHaveBeenCalledTimes(3)
  stop()
  vi.advanceTimersByTime(60_000)
  expect(ask).toHaveBeenCalledTimes(3)
})

test('one that closes further off than a timer can wait is not asked for', () => {
  const ask = vi.fn()
  askFromEndOn(at(2 ** 31), ask)
  vi.advanceTimersByTime(60_000)
  expect(ask).not.toHaveBeenCalled()
})
