import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { Mark, RichTextNode } from '../rich-text.ts'
import { RichTextView } from './rich-text-view.tsx'

const text = (words: string, ...marks: Mark[]): RichTextNode => ({
  type: 'text',
  text: words,
  marks,
})
const paragraph = (...content: RichTextNode[]): RichTextNode => ({ type: 'paragraph', content })
const heading = (level: number, words: string): RichTextNode => ({
  type: 'heading',
  attrs: { level },
  content: [text(words)],
})
const link = (href: string): Mark => ({ type: 'link', attrs: { href } })

const html = (...content: RichTextNode[]) =>
  renderToStaticMarkup(<RichTextView content={{ type: 'doc', content }} />).replaceAll(
    / class="[^"]*"/g,
    '',
  )

describe('rich text for readers', () => {
  test('has every format of the editor', () => {
    const item: RichTextNode = { type: 'listItem', content: [paragraph(text('one'))] }
    expect(
      html(
        paragraph(
          text('b', { type: 'bold' }),
          text('i', { type: 'italic' }),
          text('u', { type: 'underline' }),
          text('s', { type: 'strike' }),
          { type: 'hardBreak' },
          text('both', { type: 'bold' }, { type: 'italic' }),
        ),
        { type: 'bulletList', content: [item] },
        { type: 'orderedList', attrs: { start: 3 }, content: [item] },
        { type: 'blockquote', content: [paragraph(text('said'))] },
        { type: 'codeBlock', content: [text('let x = 1')] },
      ),
    ).toBe(
      '<div><p dir="auto"><strong>b</strong><em>i</em><u>u</u><s>s</s><br/><em><strong>both</strong></em></p>' +
        '<ul dir="auto"><li><p>one</p></li></ul><ol dir="auto" start="3"><li><p>one</p></li></ol>' +
        '<blockquote dir="auto"><p>said</p></blockquote>' +
        '<pre dir="ltr" tabindex="0"><code>let x = 1</code></pre></div>',
    )
  })

  test('has directions of its own, whatever a document says of them', () => {
    const said = { ...paragraph(text('שלום.')), attrs: { dir: 'ltr' } as object }
    expect(html(said, { type: 'blockquote', content: [said] })).toBe(
      '<div><p dir="auto">שלום.</p><blockquote dir="auto"><p>שלום.</p></blockquote></div>',
    )
  })

  test('stays text, whatever it says', () => {
    expect(html(paragraph(text('<img src=x onerror=alert(1)>')))).toBe(
      '<div><p dir="auto">&lt;img src=x onerror=alert(1)&gt;</p></div>',
    )
  })

  test('joins the pieces of one link, which opens in a new tab', () => {
    const to = link('https://example.com/')
    expect(html(paragraph(text('a '), text('long ', to), text('link', { type: 'bold' }, to)))).toBe(
      '<div><p dir="auto">a <a href="https://example.com/" target="_blank" rel="noopener noreferrer nofollow">' +
        'long <strong>link</strong></a></p></div>',
    )
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'java\nscript:alert(1)'])(
    'does not link to %j',
    (href) => {
      expect(html(paragraph(text('press', link(href))))).toBe('<div><p dir="auto">press</p></div>')
    },
  )

  test('leaves out parts that it does not know', () => {
    expect(html({ type: 'iframe', content: [text('x')] })).toBe('<div></div>')
  })

  test('gives headings an outline without gaps', () => {
    expect(html(heading(3, 'a'), heading(1, 'b'), heading(3, 'c'), heading(2, 'd'))).toBe(
      '<div><h2 dir="auto">a</h2><h2 dir="auto">b</h2><h3 dir="auto">c</h3><h3 dir="auto">d</h3></div>',
    )
  })
})
