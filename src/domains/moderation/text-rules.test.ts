// What the rules of a community say about a text.
import { describe, expect, test } from 'vitest'
import { blockedWordIn, comparable, linksIn, tooManyLinks } from './text-rules.ts'
import { processorTime } from '../../../test/processor-time.ts'

describe('a blocked word', () => {
  test.each([
    ['You IDIOT!', 'idiot'],
    ['you (idiot)', 'idiot'],
    ['ＩＤＩＯＴ', 'idiot'],
    ['id\u200biot, id\u00adiot', 'idiot'],
    ['Buy\n  now', 'buy now'],
    ['I like c++!', 'c++'],
    ['Größe zählt', 'größe'],
    ['Gro\u0308ße', 'größe'],
    ['我喜欢垃圾食品', '垃圾'],
    ['no 🤬 here', '🤬'],
    ['𝐢𝐝𝐢𝐨𝐭', 'idiot'],
    ['say idiots, then idiot', 'idiot'],
  ])('in “%s” is found: %s', (text, word) => {
    expect(blockedWordIn(text, ['something', word])).toBe(word)
  })

  test.each([
    ['idiots', 'idiot'],
    ['class', 'ass'],
    ['ass_embly', 'ass'],
    ['𝒳ass', 'ass'],
    ['\u{11C00}ass', 'ass'],
    ['\u{133FF}ass', 'ass'],
    ['ass\u{11C00}', 'ass'],
    ['año', 'ano'],
    ['buynow', 'buy now'],
    ['aaaa', 'a+'],
    ['anything', '.*'],
    ['anything', ''],
    ['', 'idiot'],
  ])('in “%s” is not: %s', (text, word) => {
    expect(blockedWordIn(text, [word])).toBeNull()
  })

  test('is looked for quickly, also in a text that is made to be slow', () => {
    const words = Array.from({ length: 200 }, (_, i) => 'a'.repeat((i % 50) + 1) + 'b'.repeat(i))
    const took = processorTime(() => {
      expect(blockedWordIn('a'.repeat(10_000), words.slice(1))).toBeNull()
      expect(blockedWordIn('(a+)+$ '.repeat(1_400), ['(a+)+$x', '[', '\\'])).toBeNull()
    })
    expect(took).toBeLessThan(1_000)
  })
})

test('a word is kept as it is compared', () => {
  expect(comparable('  Ｂｕｙ \t NOW\u200b ')).toBe('buy now')
})

test('the links that can be clicked are counted', () => {
  expect(linksIn('See https://a.example, http://b.example/x and www.c.example.')).toBe(3)
  expect(linksIn('Nothing: a.example, me@b.example, https://, www.')).toBe(0)
})

test.each([
  [3, 1, 'In your first 3 posts here, you can use at most 1 link.'],
  [1, 2, 'In your first post here, you can use at most 2 links.'],
  [5, 0, 'In your first 5 posts here, you cannot use links.'],
])('the limit in words: %i posts, %i links', (posts, links, sentence) => {
  expect(tooManyLinks(posts, links)).toBe(sentence)
})
