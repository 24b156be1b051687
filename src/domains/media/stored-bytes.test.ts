// Small reads of a stored file: the right bytes, by as few requests to the store as can be.
import { beforeEach, expect, test } from 'vitest'
import type { Storage } from '../../server/storage.ts'
import { type ReadAt, readerOf } from './stored-bytes.ts'

const piece = 64 * 1024
const size = 3 * piece
const bytes = Buffer.from(Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8)) % 256))

let asked: [key: string, start: number, end: number][]
let readAt: ReadAt
beforeEach(() => {
  asked = []
  const read = (key: string, { start, end }: { start: number; end: number }) => {
    asked.push([key, start, end])
    return new Blob([bytes.subarray(start, end + 1)]).stream()
  }
  readAt = readerOf({ read } as unknown as Storage, 'uploads/a', size)
})

const reads = async (...places: [start: number, length: number][]) => {
  for (const [start, length] of places) {
    expect((await readAt(start, length)).equals(bytes.subarray(start, start + length))).toBe(true)
  }
  return asked.map(([, start, end]) => [start, end])
}

test('reads that lie in one piece are one request', async () => {
  expect(await reads([10, 16], [10, 1], [26, 8], [10 + piece - 4, 4])).toEqual([[10, 9 + piece]])
  expect(asked[0]![0]).toBe('uploads/a')
})

test('what lies before it is another one', async () => {
  expect(await reads([100, 8], [99, 8])).toEqual([
    [100, 99 + piece],
    [99, 98 + piece],
  ])
})

test('what goes one byte beyond it is another one', async () => {
  expect(await reads([piece, 8], [2 * piece - 4, 4], [2 * piece - 4, 5])).toEqual([
    [piece, 2 * piece - 1],
    [2 * piece - 4, 3 * piece - 5],
  ])
})

test('what is larger than a piece comes whole', async () => {
  expect(await reads([5, piece + 1], [6, piece])).toEqual([[5, 5 + piece]])
})

test('a file ends where it ends', async () => {
  expect(await reads([size - 10, 16], [size - 1, 1])).toEqual([[size - 10, size - 1]])
  for (const [start, length] of [
    [size, 1],
    [size + 1, 8],
    [0, 0],
  ] as const) {
    expect(await readAt(start, length)).toHaveLength(0)
  }
  expect(asked).toHaveLength(1)
})
