import { describe, expect, test } from 'vitest'
import { isSafeHref, plainText, richTextFrom } from './rich-text.ts'
import { richText } from './rich-text-schema.ts'

const schema = richText('Lesson text')
const paragraph = (...content: unknown[]) => ({ type: 'paragraph', content })
const text = (words: string, ...marks: unknown[]) => ({ type: 'text', text: words, marks })
const doc = (...content: unknown[]) => ({ type: 'doc', content })
const problem = (value: unknown) => schema.safeParse(value).error?.issues[0]?.message

describe('what is kept', () => {
  test('all formats of the editor', () => {
    const marks = [
      { type: 'bold' },
      { type: 'italic' },
      { type: 'underline' },
      { type: 'strike' },
      { type: 'link', attrs: { href: 'https://example.com/' } },
    ]
    const given = doc(
      ...[1, 2, 3].map((level) => ({
        type: 'heading',
        attrs: { level },
        content: [{ type: 'text', text: `Level ${level}` }],
      })),
      paragraph({ type: 'text', text: 'plain' }, { type: 'hardBreak' }, text('marked', ...marks)),
      {
        type: 'bulletList',
        content: [{ type: 'listItem', content: [paragraph({ type: 'text', text: 'one' })] }],
      },
      {
        type: 'orderedList',
        attrs: { start: 3 },
        content: [{ type: 'listItem', content: [paragraph({ type: 'text', text: 'three' })] }],
      },
      { type: 'blockquote', content: [paragraph({ type: 'text', text: 'quoted' })] },
      { type: 'codeBlock', content: [{ type: 'text', text: 'let x = 1\n' }] },
    )
    expect(schema.parse(given)).toEqual(given)
  })

  test('HTML is text like any other', () => {
    const given = doc(paragraph({ type: 'text', text: '<script>alert(1)</script>' }))
    expect(schema.parse(given)).toEqual(given)
  })

  test('eight levels of lists', () => {
    let node: unknown = paragraph({ type: 'text', text: 'deep' })
    for (let level = 0; level < 8; level++) {
      node = { type: 'bulletList', content: [{ type: 'listItem', content: [node] }] }
    }
    expect(problem(doc(node))).toBeUndefined()
  })

  test('an empty document becomes one empty paragraph', () => {
    expect(schema.parse({ type: 'doc' })).toEqual(doc({ type: 'paragraph' }))
  })
})

describe('what is dropped', () => {
  test('unknown attributes and keys', () => {
    const given = doc({
      type: 'paragraph',
      attrs: { onclick: 'x', style: 'y' },
      class: 'z',
      content: [{ type: 'text', text: 'a', onload: 'b' }],
    })
    expect(schema.parse(given)).toEqual(doc(paragraph({ type: 'text', text: 'a' })))
  })

  test('what PostgreSQL cannot store', () => {
    const cleaned = schema.parse(doc(paragraph({ type: 'text', text: 'a\0b\uD800c' })))
    expect(JSON.stringify(cleaned)).toContain('ab\uFFFDc')
  })
})

describe('what is refused', () => {
  test.each([
    ['no document', undefined],
    ['null', null],
    ['a string', 'text'],
    ['a list', []],
    ['an unknown node', doc({ type: 'image', attrs: { src: 'x' } })],
    ['a block in a paragraph', doc(paragraph(paragraph()))],
    ['text without text', doc(paragraph({ type: 'text' }))],
    ['a heading of level 4', doc({ type: 'heading', attrs: { level: 4 } })],
    ['an unknown mark', doc(paragraph(text('a', { type: 'textStyle' })))],
    ['a prototype as a type', doc({ type: '__proto__' })],
  ])('%s', (_name, value) => {
    expect(problem(value)).toMatch(/^Lesson text /)
  })

  test.each([
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    '//example.com',
  ])('a link to %j', (href) => {
    expect(problem(doc(paragraph(text('a', { type: 'link', attrs: { href } }))))).toBe(
      'Lesson text has a link that is neither a web nor a mail address',
    )
  })

  test('nesting without an end', () => {
    let node: unknown = paragraph({ type: 'text', text: 'deep' })
    for (let level = 0; level < 5000; level++) node = { type: 'blockquote', content: [node] }
    expect(problem(doc(node))).toBe('Lesson text is nested too deeply')
  })

  test('more than 64 KB', () => {
    const long = doc(paragraph({ type: 'text', text: 'é'.repeat(33_000) }))
    expect(problem(long)).toBe('Lesson text is too long: at most 64 KB of text with its formatting')
  })
})

test('isSafeHref', () => {
  expect(
    ['https://a.example', 'http://a.example', 'mailto:a@b.example', '/here'].map(isSafeHref),
  ).toEqual([true, true, true, true])
  expect(['', 'here', '//there', 'ftp://a.example', 'javascript:1'].map(isSafeHref)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})

test('plainText separates blocks by a space', () => {
  const given = schema.parse(
    doc(
      { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Title' }] },
      paragraph(
        { type: 'text', text: 'one' },
        text(' two', { type: 'bold' }),
        { type: 'hardBreak' },
        { type: 'text', text: 'three' },
      ),
    ),
  )
  expect(plainText(given)).toBe('Title one two three')
})

test('richTextFrom makes a paragraph of each line', () => {
  expect(plainText(richTextFrom('one\n\ntwo'))).toBe('one two')
  expect(richTextFrom('  ').content).toEqual([{ type: 'paragraph' }])
})
