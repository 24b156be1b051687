import { describe, expect, test } from 'vitest'
import { lessonSlugs, linkAddress } from './rules.ts'

describe('linkAddress', () => {
  test.each([
    ['https://example.com/a?b#c', 'https://example.com/a?b#c'],
    ['http://example.com', 'http://example.com'],
    ['example.com', 'https://example.com'],
    ['example.com:8080/x', 'https://example.com:8080/x'],
    ['www.bücher.example/regal', 'https://www.bücher.example/regal'],
    ['me@example.com', 'mailto:me@example.com'],
    ['mailto:me@example.com', 'mailto:me@example.com'],
    ['/dashboard', '/dashboard'],
  ])('%j leads to %j', (text, address) => {
    expect(linkAddress(text)).toBe(address)
  })

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//example.com',
    'not an address',
    'word',
  ])('%j leads nowhere', (text) => {
    expect(linkAddress(text)).toBeNull()
  })
})

test.each([
  ['me@mail.host.example', 'mailto:me@mail.host.example'],
  ['me@example.c', 'mailto:me@example.c'],
  ['m.e+x@example.com', 'mailto:m.e+x@example.com'],
  ['films.example2.com', 'https://films.example2.com'],
  ['2.example.com/x', 'https://2.example.com/x'],
  ['a-b.c-d.example', 'https://a-b.c-d.example'],
  ['example.com:80', 'https://example.com:80'],
  ['example.com./x', 'https://example.com./x'],
])('%j is meant as %j', (text, address) => {
  expect(linkAddress(text)).toBe(address)
})

test.each([
  'me@.example',
  'me@example.',
  '@example.com',
  'm e@example.com',
  'me@@example.com',
  'me@exam ple.com',
  'me@example.c om',
  'me@example.com@example.com',
  'x/me@example.com',
  'me@example.com/x',
  'example.com:x',
  'example.com and more',
  '.example.com',
  'x example.com',
])('%j is meant as nothing', (text) => {
  expect(linkAddress(text)).toBeNull()
})

const slugs = (...titles: string[]) => lessonSlugs(titles.map((title) => ({ title })))

describe('lessonSlugs', () => {
  test('numbers equal titles', () => {
    expect(slugs('Intro', 'Intro!', 'intro')).toEqual(['intro', 'intro-2', 'intro-3'])
  })

  test('does not run into a title that has a number already', () => {
    expect(slugs('Part 2', 'Part', 'Part')).toEqual(['part-2', 'part', 'part-3'])
  })

  test('falls back where there is no Latin letter', () => {
    expect(slugs('漢字', '⚡')).toEqual(['lesson', 'lesson-2'])
  })

  test('keeps the address of a lesson whose title makes the same one', () => {
    const before = { title: 'Intro', slug: 'intro-2' }
    expect(lessonSlugs([{ title: 'Intro' }, { title: 'Intro?', before }])).toEqual([
      'intro',
      'intro-2',
    ])
    expect(lessonSlugs([{ title: 'Outro', before }])).toEqual(['outro'])
  })

  test('lets two lessons swap titles', () => {
    expect(
      lessonSlugs([
        { title: 'B', before: { title: 'A', slug: 'a' } },
        { title: 'A', before: { title: 'B', slug: 'b' } },
      ]),
    ).toEqual(['b', 'a'])
  })

  test('is quick for a thousand equal titles', () => {
    const many = slugs(...Array.from({ length: 1000 }, () => 'Same'))
    expect(new Set(many).size).toBe(1000)
    expect(many.at(-1)).toBe('same-1000')
  })
})
