import { describe, expect, test } from 'vitest'
import { hashOf, isWellFormed, makeToken, tokenIn } from './token-text.ts'

describe('a personal access token', () => {
  test('is found by scanners of source code, and is never the same twice', () => {
    const made = Array.from({ length: 500 }, makeToken)
    for (const token of made) expect(token).toMatch(/^pat_[0-9A-Za-z]{38}$/)
    expect(new Set(made).size).toBe(500)
    expect(made.every(isWellFormed)).toBe(true)
  })

  test('with a letter changed, dropped, added or swapped is no token', () => {
    const token = makeToken()
    for (let at = 4; at < token.length; at++) {
      const other = token[at] === 'x' ? 'y' : 'x'
      expect(isWellFormed(token.slice(0, at) + other + token.slice(at + 1))).toBe(false)
      expect(isWellFormed(token.slice(0, at) + token.slice(at + 1))).toBe(false)
    }
    expect(isWellFormed(`${token}x`)).toBe(false)
    expect(isWellFormed(`x${token}`)).toBe(false)
    expect(isWellFormed(token.replace('pat_', 'PAT_'))).toBe(false)
    expect(isWellFormed('')).toBe(false)
  })

  test('has a checksum that other programs can compute: CRC-32 in base 62', () => {
    // By zlib of Python.
    expect(isWellFormed(`pat_${'0'.repeat(32)}2wjyrI`)).toBe(true)
  })

  test('is stored as a hash that leads nowhere back', () => {
    const token = makeToken()
    expect(hashOf(token)).toMatch(/^[0-9a-f]{64}$/)
    expect(hashOf(token)).not.toContain(token.slice(4, 12))
  })
})

test('is read from the header of a request, and nothing else is', () => {
  const read = (authorization?: string) =>
    tokenIn(new Headers(authorization === undefined ? {} : { authorization }))
  expect(read('Bearer pat_abc')).toBe('pat_abc')
  expect(read('bearer  pat_abc')).toBe('pat_abc')
  expect(read('Bearer eyJhbGciOiJFZERTQSJ9.e30.x')).toBeNull()
  expect(read('Basic pat_abc')).toBeNull()
  expect(read('Bearer pat_abc pat_def')).toBeNull()
  expect(read('Basic YTpi, Bearer pat_abc')).toBeNull()
  expect(read()).toBeNull()
})
