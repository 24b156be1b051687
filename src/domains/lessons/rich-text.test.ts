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
  test('what says nothing: no marks, no content, a number that is none', () => {
    const given = doc(
      paragraph(),
      { type: 'paragraph', content: 'words' },
      { type: 'orderedList', attrs: { start: 1.5 }, content: [{ type: 'listItem' }] },
      { type: 'bulletList', attrs: { start: 2 }, content: [{ type: 'listItem' }] },
      { type: 'paragraph', attrs: { level: 2 } },
      paragraph({ type: 'text', text: 'a', marks: [] }, { type: 'text', text: 'b', marks: 'bold' }),
      paragraph({ type: 'text', text: '\0' }),
    )
    expect(schema.parse(given)).toEqual(
      doc(
        { type: 'paragraph' },
        { type: 'paragraph' },
        { type: 'orderedList', content: [{ type: 'listItem' }] },
        { type: 'bulletList', content: [{ type: 'listItem' }] },
        { type: 'paragraph' },
        paragraph({ type: 'text', text: 'a' }, { type: 'text', text: 'b' }),
        paragraph({ type: 'text', text: ' ' }),
      ),
    )
  })

  test('the ninth mark, and whatever else is in a mark', () => {
    const bold = { type: 'bold', attrs: { class: 'x' } }
    const [block] = schema.parse(
      doc(paragraph(text('a', ...Array.from({ length: 9 }, () => bold)))),
    ).content
    expect(block!.content![0]!.marks).toEqual(Array.from({ length: 8 }, () => ({ type: 'bold' })))
  })

  test('what cannot be stored of an address', () => {
    const href = 'https://a.example/\0\uD800b'
    const [block] = schema.parse(
      doc(paragraph(text('a', { type: 'link', attrs: { href, rel: 'x' } }))),
    ).content
    expect(block!.content![0]!.marks).toEqual([
      { type: 'link', attrs: { href: 'https://a.example/\uFFFDb' } },
    ])
  })

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
  const part = 'Lesson text has a part that is not allowed'
  const noDocument = 'Lesson text must be a document, as {"type": "doc", "content": […]}'
  const format = 'Lesson text has a format that is not allowed'
  const link = 'Lesson text has a link that is neither a web nor a mail address'
  const marked = (mark: unknown) => doc(paragraph(text('a', mark)))
  test.each([
    ['nothing', undefined, 'Lesson text is required'],
    ['nothing, said', null, 'Lesson text is required'],
    ['plain words', 'Hello', noDocument],
    ['a list', [doc()], noDocument],
    ['a document without a type', { content: [] }, noDocument],
    ['a type that is no text', { type: 7 }, noDocument],
    ['a paragraph for a document', paragraph(), noDocument],
    ['words for a paragraph', doc('words'), part],
    ['a document in a document', doc(doc()), part],
    ['text without a paragraph', doc({ type: 'text', text: 'a' }), part],
    ['an item without a list', doc({ type: 'listItem' }), part],
    ['a paragraph for an item', doc({ type: 'bulletList', content: [paragraph()] }), part],
    [
      'a paragraph for an item with a number',
      doc({ type: 'orderedList', content: [paragraph()] }),
      part,
    ],
    ['a break in code', doc({ type: 'codeBlock', content: [{ type: 'hardBreak' }] }), part],
    [
      'text in a break',
      doc(paragraph({ type: 'hardBreak', content: [{ type: 'text', text: 'a' }] })),
      part,
    ],
    ['text in a quote', doc({ type: 'blockquote', content: [{ type: 'text', text: 'a' }] }), part],
    [
      'text that is a number',
      doc(paragraph({ type: 'text', text: 7 })),
      'Lesson text has an empty piece of text',
    ],
    [
      'text that is empty',
      doc(paragraph({ type: 'text', text: '' })),
      'Lesson text has an empty piece of text',
    ],
    [
      'a heading of no level',
      doc({ type: 'heading' }),
      'Lesson text has a heading of an unknown level',
    ],
    [
      'a heading of level 0',
      doc({ type: 'heading', attrs: { level: 0 } }),
      'Lesson text has a heading of an unknown level',
    ],
    ['a mark that is a word', marked('bold'), 'Lesson text has a mark that is not understood'],
    ['a mark that is nothing', marked(null), 'Lesson text has a mark that is not understood'],
    ['a mark that is a list', marked([]), 'Lesson text has a mark that is not understood'],
    ['a mark that nobody knows', marked({ type: 'code' }), format],
    ['a mark without a type', marked({}), format],
    ['a mark whose type is a list', marked({ type: ['bold'] }), format],
    ['a link without an address', marked({ type: 'link' }), link],
    ['a link to a number', marked({ type: 'link', attrs: { href: 7 } }), link],
    [
      'a link of attributes that are a list',
      marked({ type: 'link', attrs: ['https://a.example'] }),
      link,
    ],
  ])('%s, in words', (_name, value, words) => {
    expect(problem(value)).toBe(words)
  })

  test('a link of more than 2,000 characters', () => {
    const to = (length: number) =>
      marked({ type: 'link', attrs: { href: 'https://a.example/'.padEnd(length, 'a') } })
    expect(problem(to(2000))).toBeUndefined()
    expect(problem(to(2001))).toBe(link)
  })

  test('quotes of the 23rd level', () => {
    const nested = (levels: number, wrap: (node: unknown) => unknown) => {
      let node: unknown = paragraph({ type: 'text', text: 'deep' })
      for (let level = 0; level < levels; level++) node = wrap(node)
      return problem(doc(node))
    }
    const quoted = (node: unknown) => ({ type: 'blockquote', content: [node] })
    expect(nested(22, quoted)).toBeUndefined()
    expect(nested(23, quoted)).toBe('Lesson text is nested too deeply')
  })

  test('one byte more than 64 KB of what is kept', () => {
    const frame = JSON.stringify(doc(paragraph({ type: 'text', text: '' }))).length
    const long = (bytes: number) =>
      doc({
        ...paragraph({ type: 'text', text: 'x'.repeat(bytes - frame) }),
        dropped: 'x'.repeat(500),
      })
    expect(problem(long(65_536))).toBeUndefined()
    expect(problem(long(65_537))).toMatch(/^Lesson text is too long: at most 64 KB/)
  })

  test('what went wrong here, which is no fault of the text', () => {
    const trap = {
      get type(): string {
        throw new RangeError('a fault')
      },
    }
    expect(() => schema.safeParse(trap)).toThrow('a fault')
  })

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

test('isSafeHref, by its beginning', () => {
  expect(
    ['/', '/a//b', 'HTTPS://A.example', 'a/b', 'x:/here', '\\\\there'].map(isSafeHref),
  ).toEqual([true, true, true, false, false, false])
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

test('plainText separates what stands in lists, quotes and code as well', () => {
  const block = (type: string, ...content: unknown[]) => ({ type, content })
  const say = (words: string) => ({ type: 'text', text: words })
  const item = (words: string) => block('listItem', paragraph(say(words)))
  const given = schema.parse(
    doc(
      block('bulletList', item('a'), item('b')),
      block('orderedList', item('c')),
      block('codeBlock', say('d')),
      block('codeBlock', say(' e  \n f ')),
      { type: 'heading', attrs: { level: 1 }, content: [say('g')] },
      block('blockquote', paragraph(say('h')), paragraph(say('i'))),
      paragraph(say('j')),
    ),
  )
  expect(plainText(given)).toBe('a b c d e f g h i j')
})

test('richTextFrom makes a paragraph of each line', () => {
  expect(richTextFrom(' one \n\n \n two\nthree')).toEqual(
    doc(...['one', 'two', 'three'].map((words) => paragraph({ type: 'text', text: words }))),
  )
  expect(plainText(richTextFrom('one\n\ntwo'))).toBe('one two')
  expect(richTextFrom('  ').content).toEqual([{ type: 'paragraph' }])
})
