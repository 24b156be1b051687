import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { secondsSince } from './seconds-since.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The clock alone; the counter of the browser stands still or goes on. */
const setClock = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

test('seconds pass, also those before', () => {
  const passed = secondsSince()
  const more = secondsSince(100)
  vi.advanceTimersByTime(7000)
  expect([passed(), more()]).toEqual([7, 107])
})

test('seconds pass while the computer sleeps, and the counter of the browser with it', () => {
  const passed = secondsSince()
  vi.advanceTimersByTime(7000)
  setClock(3600)
  expect(passed()).toBe(3607)
})

test.each([-3600, 50 * 365 * 86_400])(
  'a clock that is set by %i seconds tells nothing',
  (seconds) => {
    const passed = secondsSince()
    vi.advanceTimersByTime(7000)
    setClock(seconds)
    expect(passed()).toBe(7)
  },
)

test('no more than thirty days', () => {
  const passed = secondsSince(30 * 86_400 - 5)
  vi.advanceTimersByTime(7000)
  expect(passed()).toBe(30 * 86_400)
})
