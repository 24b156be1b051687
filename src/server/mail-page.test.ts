import { expect, test } from 'vitest'
import { mailPage } from './mail-page.ts'

const page = (message: string) =>
  mailPage({
    heading: 'News',
    paragraphs: [message],
    groups: [{ title: 'More', items: [{ title: 'One', text: message, url: null }] }],
    reason: 'Because.',
  })

test('lines that somebody wrote are lines in both forms, and nothing else becomes of them', () => {
  const { text, html } = page('First <b>\n\nSecond')
  expect(text).toContain('First <b>\n\nSecond')
  expect(html).toContain('>First &#60;b&#62;<br><br>Second</p>')
  expect(html).toContain('<br>First &#60;b&#62;<br><br>Second</li>')
})

test('a long word is broken, and a text stands in its own direction', () => {
  const { html } = page('https://example.com/'.repeat(10))
  const elements = [...html.matchAll(/<(?:h1|p|li) dir="auto" style="([^"]+)"/g)]
  expect(elements).toHaveLength(3)
  for (const [, style] of elements) expect(style).toContain('overflow-wrap:anywhere')
})
