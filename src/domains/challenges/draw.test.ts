import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { drawNumber, hashOfEntries, hashOfSeed, numberFrom } from './draw.ts'

const values = 2n ** 256n

describe('a draw', () => {
  test('comes to the same number each time, from 1 to the number of entries', () => {
    for (let times = 0; times < 300; times++) {
      const [seed, entriesHash] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
      const count = 1 + (times % 17)
      const number = drawNumber(seed, entriesHash, count)
      expect(number).toBeGreaterThanOrEqual(1)
      expect(number).toBeLessThanOrEqual(count)
      expect(drawNumber(seed, entriesHash, count)).toBe(number)
    }
  })

  test('favours nobody', () => {
    const count = 7
    const times = 7_000
    const drawn = Array.from({ length: count }, () => 0)
    for (let at = 0; at < times; at++) {
      // The same seeds in every run, so that chance cannot fail this test.
      const seed = createHash('sha256').update(`seed ${at}`).digest('hex')
      drawn[drawNumber(seed, 'a'.repeat(64), count) - 1]! += 1
    }
    const chiSquared = drawn.reduce((sum, found) => sum + (found - 1_000) ** 2 / 1_000, 0)
    // 6 degrees of freedom: more than 22.46 comes once in a thousand times.
    expect(chiSquared).toBeLessThan(22.46)
  })

  test('refuses what would favour low numbers', () => {
    // 2^256 is 1 modulo 3 and 5: the last value has no fellow for the other numbers.
    for (const count of [3, 5]) {
      expect(numberFrom(values - 1n, count)).toBeNull()
      expect(numberFrom(values - 2n, count)).toBe(count)
    }
    expect(numberFrom(values - 1n, 4)).toBe(4)
    expect(numberFrom(0n, 9)).toBe(1)
    expect(numberFrom(0n, 1)).toBe(1)
  })

  test('of nothing is a mistake', () => {
    expect(() => drawNumber('00', 'x', 0)).toThrow()
  })
})

test('a list that differs in anything has another hash', () => {
  const entries = [1, 2, 3].map((number) => ({ number, id: randomUUID() }))
  const hash = hashOfEntries(entries)
  expect(hashOfEntries(entries.slice(0, 2))).not.toBe(hash)
  expect(hashOfEntries(entries.toReversed())).not.toBe(hash)
  expect(hashOfEntries(entries.with(1, { number: 2, id: randomUUID() }))).not.toBe(hash)
  expect(hashOfEntries([])).toBe(createHash('sha256').update('').digest('hex'))
  expect(hashOfSeed('00'.repeat(32))).toBe(
    createHash('sha256').update(Buffer.alloc(32)).digest('hex'),
  )
})
