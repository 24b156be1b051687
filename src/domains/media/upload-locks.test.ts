// One request at a time sends bytes of an upload: who comes later waits, and who goes on too long is asked to leave.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createUploadLocks } from './upload-locks.ts'

let locker: ReturnType<typeof createUploadLocks>
let order: string[]
beforeEach(() => {
  vi.useFakeTimers()
  locker = createUploadLocks()
  order = []
})
afterEach(() => vi.useRealTimers())

const lockOf = (id = 'a') => locker.newLock(id)

/** Asks for the lock, and notes that it has it, or what it is told instead. */
function takes(name: string, { id = 'a', signal = new AbortController().signal } = {}) {
  const lock = lockOf(id)
  const taken = lock
    .lock(signal, () => {
      order.push(`${name} should leave`)
    })
    .then(
      () => order.push(`${name} has it`),
      (error: { status_code: number; body: string }) =>
        order.push(`${name}: ${error.status_code} ${error.body}`),
    )
  return { lock, taken }
}
/** Until whatever can happen now has happened. */
const settled = () => vi.advanceTimersByTimeAsync(0)

const busy = '423 This upload is busy with another connection. Please try again.'

test('whoever comes first has it at once, and each upload is its own', async () => {
  takes('one')
  takes('other', { id: 'b' })
  await settled()
  expect(order).toEqual(['one has it', 'other has it'])
  expect(vi.getTimerCount()).toBe(0)
})

test('who comes later waits for its turn, and who has it is asked to leave', async () => {
  const one = takes('one')
  await settled()
  const two = takes('two')
  await settled()
  const three = takes('three')
  await settled()
  expect(order).toEqual(['one has it', 'one should leave', 'one should leave'])
  order = []
  await one.lock.unlock()
  await settled()
  // Somebody waits behind it already.
  expect(order).toEqual(['two should leave', 'two has it'])
  order = []
  await two.lock.unlock()
  await settled()
  expect(order).toEqual(['three has it'])
  order = []
  takes('four')
  await settled()
  expect(order).toEqual(['three should leave'])
  await three.lock.unlock()
  await settled()
  expect(order).toEqual(['three should leave', 'four has it'])
  expect(vi.getTimerCount()).toBe(0)
})

test('what was given back is free', async () => {
  const one = takes('one')
  await settled()
  await one.lock.unlock()
  await one.lock.unlock()
  takes('two')
  await settled()
  expect(order).toEqual(['one has it', 'two has it'])
})

test('nobody waits for longer than half a minute', async () => {
  const one = takes('one')
  await settled()
  takes('two')
  await vi.advanceTimersByTimeAsync(29_999)
  expect(order).toEqual(['one has it', 'one should leave'])
  await vi.advanceTimersByTimeAsync(1)
  expect(order).toEqual(['one has it', 'one should leave', `two: ${busy}`])
  // It waits no more, so the next one is not held up by it.
  await one.lock.unlock()
  takes('three')
  await settled()
  expect(order.slice(3)).toEqual(['three has it'])
})

test('whose connection ends waits no more', async () => {
  const one = takes('one')
  await settled()
  const gone = new AbortController()
  takes('two', { signal: gone.signal })
  takes('three')
  await settled()
  order = []
  gone.abort()
  await settled()
  expect(order).toEqual([`two: ${busy}`])
  await one.lock.unlock()
  await settled()
  expect(order).toEqual([`two: ${busy}`, 'three has it'])
  expect(vi.getTimerCount()).toBe(0)
})
