import { describe, expect, test } from 'vitest'
import { emptyRichText, type RichText, type RichTextNode } from '../lessons/rich-text.ts'
import { isUnclear, obstaclesIn } from './author-check.ts'

const doc = (...content: RichTextNode[]): RichText => ({ type: 'doc', content })
const text = (words: string): RichTextNode => ({ type: 'text', text: words })
const heading = (level: number, words: string): RichTextNode => ({
  type: 'heading',
  attrs: { level },
  content: words === '' ? undefined : [text(words)],
})
const link = (words: string, href = 'https://example.com'): RichTextNode => ({
  type: 'text',
  text: words,
  marks: [{ type: 'link', attrs: { href } }],
})
const paragraph = (...content: RichTextNode[]): RichTextNode => ({ type: 'paragraph', content })

describe('headings', () => {
  test.each([
    ['in order', doc(heading(1, 'A'), heading(2, 'B'), heading(3, 'C'), heading(1, 'D')), []],
    ['that begin with a smaller one', doc(heading(2, 'A'), heading(3, 'B')), []],
    ['that skip a size', doc(heading(1, 'A'), heading(3, 'B')), ['skippedHeading']],
    ['without words', doc(heading(1, '')), ['emptyHeading']],
    ['of blanks', doc(heading(2, '  ')), ['emptyHeading']],
  ])('%s', (_what, given, expected) => {
    expect(obstaclesIn(given)).toEqual(expected)
  })

  test('in lists and quotes count, too', () => {
    const item = { type: 'listItem', content: [heading(3, 'B')] }
    const list = { type: 'bulletList', content: [item] }
    expect(obstaclesIn(doc(heading(1, 'A'), list))).toEqual(['skippedHeading'])
    expect(obstaclesIn(doc({ type: 'blockquote', content: [heading(1, '')] }))).toEqual([
      'emptyHeading',
    ])
  })
})

test('a heading that does not say its size is of the first', () => {
  const plain = { type: 'heading', content: [text('A')] } as RichTextNode
  expect(obstaclesIn(doc(plain, heading(2, 'B')))).toEqual([])
  expect(obstaclesIn(doc(plain, heading(3, 'B')))).toEqual(['skippedHeading'])
})

test('a link may be formatted, and what is only formatted is none', () => {
  const bold = { type: 'bold' } as const
  const here = (...marks: NonNullable<RichTextNode['marks']>): RichText =>
    doc(paragraph({ type: 'text', text: 'here', marks }))
  const to = { type: 'link', attrs: { href: 'https://example.com' } } as const
  expect(obstaclesIn(here(bold, to))).toEqual(['unclearLink'])
  expect(obstaclesIn(here(bold))).toEqual([])
})

describe('links', () => {
  test.each([
    'here',
    'Click here!',
    ' this ',
    'Read more…',
    'https://example.com/a?b=c',
    'www.a.b',
    '→',
  ])('%j says nothing', (words) => {
    expect(isUnclear(words)).toBe(true)
    expect(obstaclesIn(doc(paragraph(text('More about it '), link(words))))).toEqual([
      'unclearLink',
    ])
  })

  test.each(['Glazes of Japan', 'more about glazes', 'example.com', '粘土'])(
    '%j says where it leads',
    (words) => {
      expect(obstaclesIn(doc(paragraph(link(words))))).toEqual([])
    },
  )

  test('are one where only the formatting changes, and two where the address does', () => {
    expect(obstaclesIn(doc(paragraph(link('Read more '), link('about glazes'))))).toEqual([])
    const two = paragraph(link('About glazes'), link('here', 'https://example.org'))
    expect(obstaclesIn(doc(two))).toEqual(['unclearLink'])
  })
})

test('nothing, and each kind once', () => {
  expect(obstaclesIn(emptyRichText)).toEqual([])
  const all = doc(
    heading(1, 'A'),
    heading(3, ''),
    heading(1, ''),
    paragraph(link('here'), text(' and '), link('here')),
  )
  expect(obstaclesIn(all)).toEqual(['emptyHeading', 'skippedHeading', 'unclearLink'])
})
