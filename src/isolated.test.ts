import { expect, test } from 'vitest'
import { chapterHeading } from './domains/courses/rules.ts'
import { placeLabel } from './domains/courses/ui/place-label.ts'
import { isolated } from './isolated.ts'

test('what is read from the right keeps its direction to itself, and all else is as it was', () => {
  expect(isolated('לחם')).toBe('\u2068לחם\u2069')
  expect(isolated('خبز 2')).toBe('\u2068خبز 2\u2069')
  for (const words of ['', 'Bread', '2 😀', 'Brot für Ärzte', '面包'])
    expect(isolated(words)).toBe(words)
})

test('in the heading of a chapter, and where somebody goes on', () => {
  expect(chapterHeading(2, 'לחם!')).toBe('Chapter 2: \u2068לחם!\u2069')
  expect(placeLabel({ title: 'לחם', position: 75 })).toBe('\u2068לחם\u2069 at 1:15')
})
