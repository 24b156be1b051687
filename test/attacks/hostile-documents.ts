// Documents of the rich editor that no editor makes, sent past it: marks, nodes and attributes that would be code.
import { everyScript, scripts, wayOut } from './scripts.ts'

type Node = Record<string, unknown>

const text = (words: string, more: Node = {}): Node => ({ type: 'text', text: words, ...more })
const paragraph = (...content: Node[]): Node => ({ type: 'paragraph', content })
const doc = (...content: unknown[]): Node => ({ type: 'doc', content })
const linked = (href: unknown, more: Node = {}) =>
  doc(paragraph(text('a link', { marks: [{ type: 'link', attrs: { href, ...more } }] })))

/** Addresses that lead to code, elsewhere than they look, or out of what they stand in. */
export const hostileAddresses: readonly string[] = [
  ...scripts.filter((script) => /^[^<[]*(?:script|data|blob|filesystem|feed)[^<]*:/i.test(script)),
  '//evil.invalid/x',
  '/\\evil.invalid',
  '\\\\evil.invalid',
  'https:/\\evil.invalid',
  `https://ok.invalid/${wayOut}`,
  `https://ok.invalid/?q=" onmouseover="__hit(-2)" x="`,
  `https://ok.invalid/#' onclick='__hit(-3)`,
  'https://ok.invalid@evil.invalid/"><x-hit>',
  'http://[::1]/"><x-hit>',
  `mailto:a@ok.invalid?body=${wayOut}`,
]

export const hostileDocuments: readonly Node[] = [
  doc(...everyScript.split('\n').map((line) => paragraph(text(line || ' ')))),
  doc({ type: 'codeBlock', attrs: { language: wayOut }, content: [text(everyScript)] }),
  doc({
    type: 'heading',
    attrs: { level: 1, id: wayOut, onclick: '__hit(-4)' },
    content: [text(wayOut)],
  }),
  doc({ type: 'heading', attrs: { level: `1><script>__hit(-5)</script>` }, content: [text('x')] }),
  doc({ type: 'heading', attrs: { level: 'script' }, content: [text('__hit(-6)')] }),
  doc({
    type: 'orderedList',
    attrs: { start: `1" onload="__hit(-7)` },
    content: [{ type: 'listItem', content: [paragraph(text('x'))] }],
  }),
  doc({
    type: 'paragraph',
    attrs: { style: 'background:url(//evil.invalid/x)', class: wayOut },
    content: [text('x')],
  }),
  doc({ type: 'paragraph', dangerouslySetInnerHTML: { __html: wayOut }, content: [text('x')] }),
  doc({ type: 'script', content: [text('__hit(-8)')] }),
  doc({ type: 'html', attrs: { html: wayOut }, content: [text(wayOut)] }),
  doc({ type: 'image', attrs: { src: 'x', onerror: '__hit(-9)' } }),
  doc({ type: 'iframe', attrs: { src: 'javascript:__hit(-10)', srcdoc: wayOut } }),
  doc({ type: 'svg', content: [{ type: 'script', content: [text('__hit(-11)')] }] }),
  doc({ type: 'constructor', content: [text('x')] }),
  doc({ type: '__proto__', content: [text('x')] }),
  doc({ type: 'toString', content: [text('x')] }),
  doc({ type: { toString: 'paragraph' }, content: [text('x')] }),
  doc(paragraph(text('x', { marks: [{ type: 'script' }] }))),
  doc(paragraph(text('x', { marks: [{ type: 'bold', attrs: { onclick: '__hit(-12)' } }] }))),
  doc(
    paragraph(
      text('x', {
        marks: [{ type: 'textStyle', attrs: { color: 'red;background:url(//evil.invalid/x)' } }],
      }),
    ),
  ),
  doc(paragraph(text('x', { marks: [{ type: '__proto__' }] }))),
  doc(paragraph(text('x', { marks: { type: 'link', attrs: { href: 'javascript:__hit(-13)' } } }))),
  doc(paragraph(text('x', { dangerouslySetInnerHTML: { __html: wayOut } }))),
  doc(paragraph({ type: 'text', text: { __html: wayOut } })),
  doc(paragraph({ type: 'text', text: [wayOut] })),
  linked('https://ok.invalid/', {
    target: '_self',
    rel: 'opener',
    onclick: '__hit(-14)',
    class: wayOut,
  }),
  linked({ toString: 'javascript:__hit(-15)' }),
  linked(['javascript:__hit(-16)']),
  linked(null),
  ...hostileAddresses.map((address) => linked(address)),
]
