import { expect, test } from 'vitest'
import { foldText } from './fold-text.ts'

test('a short text is shown whole', () => {
  expect(foldText('')).toBeNull()
  expect(foldText('a line\n'.repeat(9))).toBeNull()
  expect(foldText('word '.repeat(150))).toBeNull()
})

test('a long one is cut between words', () => {
  const folded = foldText('word '.repeat(400))!
  expect(folded).toMatch(/^(word )+word…$/)
  expect(folded.length).toBeLessThanOrEqual(701)
})

test('one of many lines is cut after ten of them', () => {
  const lines = Array.from({ length: 40 }, (_, n) => `line ${n}`)
  expect(foldText(lines.join('\n'))).toBe(`${lines.slice(0, 10).join('\n')}…`)
})

test('without any space it is cut as well, never through a sign', () => {
  expect(foldText('x'.repeat(5_000))).toHaveLength(701)
  expect(foldText(`x${'😀'.repeat(2_000)}`)!.isWellFormed()).toBe(true)
})
