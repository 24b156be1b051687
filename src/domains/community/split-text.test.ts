import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'
import { handlesIn, shownLink, splitText, type TextPart } from './split-text.ts'
import { processorTime } from '../../../test/processor-time.ts'

/** '[link](href)' and '{handle}' in the text, everything else as it is. */
const marked = (text: string) =>
  splitText(text)
    .map((part) => {
      if (part.kind === 'link') return `[${part.text}](${part.href})`
      return part.kind === 'mention' ? `{${part.handle}}` : part.text
    })
    .join('')

const link = (url: string) => `[${url}](${url})`

test.each([
  ['See https://example.com.', `See ${link('https://example.com')}.`],
  ['(https://example.com/a_(b))', `(${link('https://example.com/a_(b)')})`],
  ['HTTP://Example.com?a=1&b=[2]!', `${link('HTTP://Example.com?a=1&b=[2]')}!`],
  ['www.example.com/ä, ok', '[www.example.com/ä](https://www.example.com/ä), ok'],
  ['https://münchen.example/straße?q=日本。', `${link('https://münchen.example/straße?q=日本')}。`],
  [
    '🙂https://a.example\nhttps://b.example',
    `🙂${link('https://a.example')}\n${link('https://b.example')}`,
  ],
  ['“https://a.example/…”', `“${link('https://a.example/')}…”`],
  [
    '"https://a.example/"><script>alert(1)</script>',
    `"${link('https://a.example/')}"><script>alert(1)</script>`,
  ],
  // The rest of such a line would be shown from right to left.
  ['https://a.example/\u202Egnp.exe', `${link('https://a.example/')}\u202Egnp.exe`],
  // Nothing to follow, and nothing that leads elsewhere than it seems to.
  ['javascript:alert(1) data:text/html,x', 'javascript:alert(1) data:text/html,x'],
  ['https:// http://[ www. www.x awww.cute.com', 'https:// http://[ www. www.x awww.cute.com'],
  ['https://known.example@evil.example', 'https://known.example@evil.example'],
  ['mail@www.example.com xhttps://a.example', 'mail@www.example.com xhttps://a.example'],
  [`https://a.example/${'x'.repeat(3000)}`, `https://a.example/${'x'.repeat(3000)}`],
])('links in %j', (text, expected) => {
  expect(marked(text)).toBe(expected)
})

test.each([
  ['@ann, (@bob) and @Ann-Lee-2!', '{ann}, ({bob}) and {Ann-Lee-2}!'],
  ['🙂@ann\n@bob- @carl’s', '🙂{ann}\n{bob}- {carl}’s'],
  ['ann@example.com a+@ann x/@ann @@ann', 'ann@example.com a+@ann x/@ann @@ann'],
  [
    '@ann@other.example @ann_b @annß @-ann @ é@ann',
    '@ann@other.example @ann_b @annß @-ann @ é@ann',
  ],
  [`@${'a'.repeat(81)}`, `@${'a'.repeat(81)}`],
  ['https://a.example/@ann', link('https://a.example/@ann')],
])('names in %j', (text, expected) => {
  expect(marked(text)).toBe(expected)
})

test('a text is cut into its parts and nothing else', () => {
  expect(splitText('')).toEqual([])
  expect(splitText('Nobody')).toEqual([{ kind: 'text', text: 'Nobody' }])
  expect(splitText('@Ann www.example.com')).toEqual([
    { kind: 'mention', text: '@Ann', handle: 'Ann' },
    { kind: 'text', text: ' ' },
    { kind: 'link', text: 'www.example.com', href: 'https://www.example.com' },
  ])
  expect(splitText('See http://a.example, @bob.')).toEqual([
    { kind: 'text', text: 'See ' },
    { kind: 'link', text: 'http://a.example', href: 'http://a.example' },
    { kind: 'text', text: ', ' },
    { kind: 'mention', text: '@bob', handle: 'bob' },
    { kind: 'text', text: '.' },
  ])
})

const page = 'https://a.example/x'

test.each([...`.,;:!?'*_~…’‘。，、；：！？`])('%j behind a link is the sentence’s', (sign) => {
  expect(marked(`${page}${sign}`)).toBe(`${link(page)}${sign}`)
  expect(marked(`${page}${sign}y`)).toBe(link(`${page}${sign}y`))
})

test.each(['()', '[]', '{}', '（）', '「」'])(
  '%s around a link are the sentence’s, in it its own',
  (pair) => {
    const [open, close] = [...pair]
    expect(marked(`${open}${page}${close}`)).toBe(`${open}${link(page)}${close}`)
    expect(marked(`${page}${open}y${close}`)).toBe(link(`${page}${open}y${close}`))
    expect(marked(`${open}${open}${page}${open}y${close}${close}${close}`)).toBe(
      `${open}${open}${link(`${page}${open}y${close}`)}${close}${close}`,
    )
  },
)

test('what is a link, and what just looks like one', () => {
  const long = `https://a.example/${'x'.repeat(2000 - 18)}`
  expect(long).toHaveLength(2000)
  expect(marked(long)).toBe(link(long))
  expect(marked(`${long}x`)).toBe(`${long}x`)
  // However far behind it stands.
  expect(marked(`${'word '.repeat(1000)}${page}`)).toBe(`${'word '.repeat(1000)}${link(page)}`)
  const there = 'www.a.example/?to=https://b.example'
  expect(marked(there)).toBe(`[${there}](https://${there})`)
  expect(marked('xhttps://a.example')).toBe('xhttps://a.example')
  expect(marked('https://:secret@evil.example')).toBe('https://:secret@evil.example')
  // What is no link is not looked into.
  expect(marked('http://[@ann')).toBe('http://[@ann')
})

test('a name has up to eighty characters', () => {
  const longest = 'a'.repeat(80)
  expect(marked(`@${longest}`)).toBe(`{${longest}}`)
  expect(marked(`@${longest}a`)).toBe(`@${longest}a`)
})

test('names come once, in order, so many at most', () => {
  expect(handlesIn('@Bob @ann @bob @carl @dora', 3)).toEqual(['Bob', 'ann', 'carl'])
})

const hostile = [
  'http://',
  'http://[',
  'https://x.example/(((',
  'https://x.example)))))',
  'www.',
  '@',
  '@a',
  '@a-',
  '(http://a.example',
  'https://a.example/@b ',
  '…',
  ')',
  'a'.repeat(100),
  '😀',
  '\u202E',
  '> ',
]

test.each(hostile)(
  'ten thousand characters of %j are read at once and nothing is lost',
  (piece) => {
    const long = piece.repeat(10_000 / piece.length)
    for (const text of [
      long,
      `https://x.example/${long}`,
      `www.x.example/${long.slice(0, 1900)}`,
    ]) {
      let parts: TextPart[] = []
      expect(processorTime(() => (parts = splitText(text)))).toBeLessThan(250)
      expect(parts.map((part) => part.text).join('')).toBe(text)
    }
  },
)

test('a very long link is shown without its middle', () => {
  expect(shownLink('https://example.com/short')).toBe('https://example.com/short')
  const whole = `https://example.com/${'x'.repeat(40)}`
  expect(whole).toHaveLength(60)
  expect(shownLink(whole)).toBe(whole)
  expect(shownLink(`${whole}yz`)).toBe(`https://example.com/${'x'.repeat(24)}…${'x'.repeat(13)}yz`)
  const shown = shownLink(`https://example.com/${'😀'.repeat(500)}/the-end`)
  expect([...shown]).toHaveLength(60)
  expect(shown).toMatch(/^https:\/\/example\.com\/😀+…😀+\/the-end$/u)
})

const shownExcerpt = (content: string, search: string) =>
  excerptOf(content, search)
    .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join('')

test('an excerpt shows what matched', () => {
  expect(shownExcerpt('Bread, breadth and my bread', 'my bread')).toBe(
    '[Bread], [breadth] and [my] [bread]',
  )
  expect(shownExcerpt('Bread, breadth', 'bread bre')).toBe('[Bread], [breadth]')
  expect(shownExcerpt('<b>ÉLAN</b>\n\nx', 'élan')).toBe('<b>[ÉLAN]</b> x')
  expect(shownExcerpt('Nothing of it', '🙂')).toBe('Nothing of it')
  expect(excerptOf('', 'a')).toEqual([])
})

test('an excerpt of a long text begins and ends at words near the first match', () => {
  const long = `${'before '.repeat(500)}needle ${'after '.repeat(500)}`
  const shown = shownExcerpt(long, 'needle')
  expect(shown).toMatch(/^… (before )+\[needle\] (after ?)+ …$/)
  expect(shown.length).toBeLessThan(220)
  const emojis = excerptOf(`${'😀'.repeat(2000)} needle ${'😀'.repeat(2000)}`, 'needle')
  for (const { text } of emojis) expect(text.isWellFormed()).toBe(true)
  const endless = excerptOf('w'.repeat(10_000), 'w')
  expect(endless.map(({ text }) => text.length)).toEqual([200, 2])
})

test('an excerpt of a short text is the whole of it', () => {
  const whole = `${'a'.repeat(180)} ${'b'.repeat(19)}`
  expect(whole).toHaveLength(200)
  expect(shownExcerpt(whole, '🙂')).toBe(whole)
  expect(shownExcerpt(`${whole}b`, '🙂')).toBe(`${'a'.repeat(180)} …`)
  expect(shownExcerpt(`${whole.replace(' ', '\n')}b`, '🙂')).toBe(`${'a'.repeat(180)} …`)
  // A word that no search asked for.
  expect(shownExcerpt('null', '🙂')).toBe('null')
})

test('an excerpt has sixty characters before the first match, or the beginning', () => {
  const before = `first ${'x'.repeat(53)} `
  expect(before).toHaveLength(60)
  expect(shownExcerpt(`${before}needle`, 'needle')).toBe(`${before}[needle]`)
  expect(shownExcerpt(`0${before}needle`, 'needle')).toBe(`… ${'x'.repeat(53)} [needle]`)
})

test('an excerpt without spaces begins and ends between two characters', () => {
  const smiles = '😀'.repeat(200)
  const [lead, before, match, after] = excerptOf(`x${smiles}/needle/${smiles}`, 'needle')
  expect([lead, match]).toEqual([
    { text: '… ', isMatch: false },
    { text: 'needle', isMatch: true },
  ])
  expect(before).toEqual({ text: `${'😀'.repeat(30)}/`, isMatch: false })
  expect(after).toEqual({ text: `/${'😀'.repeat(66)} …`, isMatch: false })
})

test('an excerpt ends before a match that is far away', () => {
  const between = 'and '.repeat(100)
  const shown = shownExcerpt(`one ${between}one`, 'one')
  expect(shown).toBe(`[one] ${'and '.repeat(48)}and …`)
})
