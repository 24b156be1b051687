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

  test('is what the decision says: the HMAC of the list by the seed, modulo its length', () => {
    // By openssl dgst -sha256 -mac HMAC -macopt hexkey:… of sixty-four times “a”.
    const digests = {
      ['00'.repeat(32)]: 0xdfe74a14538c41acde3d724b16b34f07bf5f20091ce3e3e0daa3c38196a73d40n,
      ['0f'.repeat(32)]: 0x7d2f6ffed525e68f064783c9bfe8f3630a9226be5f788ba3d03359ed8ea67e0cn,
    }
    for (const [seed, digest] of Object.entries(digests)) {
      for (const count of [1, 2, 7, 1_000]) {
        expect(drawNumber(seed, 'a'.repeat(64), count)).toBe(Number(digest % BigInt(count)) + 1)
      }
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

  test('goes on with the next round, by its number, where a value was refused', () => {
    const asked: string[][] = []
    const top = 'f'.repeat(64)
    const digest = (seed: string, message: string) => {
      asked.push([seed, message])
      return asked.length < 3 ? top : '04'
    }
    expect(drawNumber('ab', 'list', 3, digest)).toBe(2)
    expect(asked).toEqual([
      ['ab', 'list'],
      ['ab', 'list 1'],
      ['ab', 'list 2'],
    ])
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
