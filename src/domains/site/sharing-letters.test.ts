import { describe, expect, test } from 'vitest'
import { lettersOf, linesOf } from './sharing-letters.ts'

const one = { width: (text: string, size: number) => [...text].length * size }

describe('lines', () => {
  test('break between words', () => {
    expect(linesOf(one, 'one two three', { size: 1, width: 7, most: 3 })).toEqual([
      'one two',
      'three',
    ])
  })

  test('end with an ellipsis where there is more', () => {
    expect(linesOf(one, 'one two three four', { size: 1, width: 5, most: 2 })).toEqual([
      'one',
      'two…',
    ])
  })

  test('cut a word that is wider than all of them', () => {
    expect(linesOf(one, 'a'.repeat(50), { size: 1, width: 10, most: 3 })).toEqual(['aaaaaaaaa…'])
  })

  test('have a sign and an ellipsis at least, wherever they stand', () => {
    expect(linesOf(one, 'wide', { size: 1, width: 0.5, most: 1 })).toEqual(['w…'])
    expect(linesOf(one, 'one two', { size: 1, width: 4, most: 1 })).toEqual(['one…'])
    expect(linesOf(one, 'one two', { size: 1, width: 7, most: 1 })).toEqual(['one two'])
  })

  test('of nothing are none', () => {
    expect(linesOf(one, '', { size: 1, width: 10, most: 3 })).toEqual([])
  })
})

describe('letters', () => {
  test('leave out what the fonts do not have', async () => {
    const letters = await lettersOf('display')
    expect(letters.drawable('Bread 🍞 for  “two”\n& Łódź')).toBe('Bread for “two” & Łódź')
    expect(letters.drawable('👩‍👩‍👧‍👦\u202e')).toBe('')
  })

  test('are shapes as wide as they say', async () => {
    for (const typeface of ['display', 'text'] as const) {
      const letters = await lettersOf(typeface)
      expect(letters.shapes('Añ ę', 40)).toMatch(/^M[-\d.]/)
      expect(letters.width('mm', 40)).toBeGreaterThan(letters.width('ii', 40))
      // Two that fit into each other stand closer than each by itself.
      expect(letters.width('AV', 40)).toBeLessThan(letters.width('A', 40) + letters.width('V', 40))
      expect(letters.width('Ł', 40)).toBeGreaterThan(0)
      expect(letters.shapes('a🍞b', 40)).toBe(letters.shapes('ab', 40))
      expect(letters.width('Wide', 80)).toBeCloseTo(letters.width('Wide', 40) * 2)
    }
  })
})
