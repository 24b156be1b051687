import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPasswordLine } from './password-line.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Passwords that take so long each, while others ask so often in a millisecond. */
function lineBeside(othersPerMs: number, checkLasts = 10) {
  const began = performance.now()
  const requestsBegun = () => Math.floor((performance.now() - began) * othersPerMs)
  let [underWay, most, checked] = [0, 0, 0]
  const inLine = createPasswordLine({ atOnce: 3, requestsBegun })
  const check = () =>
    inLine(async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await new Promise((resolve) => setTimeout(resolve, checkLasts))
      underWay -= 1
      checked += 1
    })
  return {
    inLine,
    /** How many of 30 that come after so many milliseconds were checked some time later, and how many at a time. */
    async after(wait: number, time = 59) {
      ;[most, checked] = [0, 0]
      await vi.advanceTimersByTimeAsync(wait)
      const all = Array.from({ length: 30 }, check)
      await vi.advanceTimersByTimeAsync(time)
      const counts = { most, checked }
      await vi.advanceTimersByTimeAsync(10_000)
      await Promise.all(all)
      return counts
    },
  }
}

test('while little else is asked for, several passwords are checked at a time', async () => {
  expect(await lineBeside(0.09).after(110)).toEqual({ most: 3, checked: 15 })
})

test('while pages are asked for, one is checked at a time, with a break twice as long', async () => {
  expect(await lineBeside(10).after(110)).toEqual({ most: 1, checked: 2 })
})

test('the break is 50 ms at most', async () => {
  expect(await lineBeside(10, 100).after(110, 399)).toEqual({ most: 1, checked: 2 })
  expect(await lineBeside(10, 100).after(110, 400)).toEqual({ most: 1, checked: 3 })
})

test('how many others ask is looked at while passwords come, not of hours without any', async () => {
  const line = lineBeside(10)
  expect(await line.after(90)).toMatchObject({ most: 3 })
  expect(await line.after(999)).toMatchObject({ most: 3 })
})

test('a check that fails gives its place to the next one', async () => {
  for (const others of [0, 10]) {
    const { inLine } = lineBeside(others)
    await vi.advanceTimersByTimeAsync(200)
    const all = Array.from({ length: 4 }, () => inLine(() => Promise.reject(new Error('failed'))))
    const settled = Promise.allSettled(all)
    await vi.advanceTimersByTimeAsync(10)
    expect((await settled).map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
  }
})
