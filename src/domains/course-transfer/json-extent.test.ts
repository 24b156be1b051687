import { expect, test } from 'vitest'
import { jsonExtent } from './json-extent.ts'

const most = { depth: 100, parts: 1000 }
const of = (text: string) => jsonExtent(new TextEncoder().encode(text), most)

test.each([
  ['', 0, 0],
  ['7', 0, 0],
  ['[]', 1, 1],
  ['{"a": [1, 2, {"b": null}], "c": {}}', 3, 7],
  ['[[], [], []]', 2, 6],
  // What a text holds is text, in any language.
  [String.raw`["[[[{,,,", "\"[", "\\", "ü[,", ["\u005b["]]`, 2, 6],
  // No JSON, and nothing to fall over.
  [']]]}}', 0, 0],
  ['"[[[', 0, 0],
  ['"\\', 0, 0],
])('%s is %i deep, with at most %i parts', (text, depth, parts) => {
  expect(of(text)).toEqual({ depth, parts })
})

test('what is too deep or has too many parts is not read to its end', () => {
  expect(of('['.repeat(1_000_000)).depth).toBe(101)
  expect(of('[],'.repeat(1_000_000)).parts).toBe(1001)
})
