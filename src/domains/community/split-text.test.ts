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
