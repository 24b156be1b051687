import type { RichText, RichTextNode } from '../../src/domains/lessons/rich-text.ts'

const words = (text: string): RichTextNode[] => [{ type: 'text', text }]
const paragraph = (text: string): RichTextNode => ({ type: 'paragraph', content: words(text) })

/** Paragraphs, '## ' headings and '- ' items, written as plain text. */
export function demoText(source: string): RichText {
  const content: RichTextNode[] = []
  for (const line of source.split('\n').map((part) => part.trim())) {
    if (line === '') continue
    if (line.startsWith('## ')) {
      content.push({ type: 'heading', attrs: { level: 2 }, content: words(line.slice(3)) })
    } else if (line.startsWith('- ')) {
      const item = { type: 'listItem', content: [paragraph(line.slice(2))] }
      const last = content.at(-1)
      if (last?.type === 'bulletList') last.content?.push(item)
      else content.push({ type: 'bulletList', content: [item] })
    } else content.push(paragraph(line))
  }
  return { type: 'doc', content }
}
