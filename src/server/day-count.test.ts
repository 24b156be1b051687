import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { addToDay, countOfDay } from './day-count.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())
afterEach(() => void vi.useRealTimers())

const hour = 60 * 60 * 1000
const now = Date.now()
const at = (hours: number) => vi.useFakeTimers({ toFake: ['Date'], now: now + hours * hour })

test('a day has 24 hours from what was noted first', async () => {
  const { db } = app.services
  at(0)
  expect(await addToDay(db, 'test', 'a', 2)).toBe(0)
  at(23)
  expect(await addToDay(db, 'test', 'a', 1)).toBe(2)
  expect(await countOfDay(db, 'test', 'a')).toBe(3)
  at(25)
  expect(await countOfDay(db, 'test', 'a')).toBe(0)
  expect(await addToDay(db, 'test', 'a', 1)).toBe(0)
})

test('noted by a clock that was a day ahead it is no longer one', async () => {
  const { db } = app.services
  at(24)
  await addToDay(db, 'test', 'b', 5)
  at(0)
  expect(await countOfDay(db, 'test', 'b')).toBe(0)
  expect(await addToDay(db, 'test', 'b', 1)).toBe(0)
  expect(await addToDay(db, 'test', 'b', 1)).toBe(1)
})
