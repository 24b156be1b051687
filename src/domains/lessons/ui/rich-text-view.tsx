import type { ReactNode } from 'react'
import { cn } from '../../../ui/cn.ts'
import { isSafeHref, type Mark, type RichText, type RichTextNode } from '../rich-text.ts'

type RichTextViewProps = {
  content: RichText
  /** The level of the outermost heading: one below the heading that this text stands under. */
  topLevel?: 2 | 3
  className?: string
}

/** Rich text for readers: React elements, so that no text can become markup. */
export function RichTextView({ content, topLevel = 2, className }: RichTextViewProps) {
  const headings = headingLevels(content, topLevel)
  return <div className={cn('prose', className)}>{blocks(content.content, headings, 'auto')}</div>
}

type Levels = Map<RichTextNode, number>

/**
 * What authors choose is a size; what assistive technology reads is an outline. A heading is one level
 * below the nearest larger one before it, so that the page's outline has no gaps.
 */
function headingLevels(doc: RichText, topLevel: number): Levels {
  const levels: Levels = new Map()
  const open: number[] = []
  const walk = (node: RichTextNode) => {
    if (node.type === 'heading') {
      const size = node.attrs?.level ?? 1
      while ((open.at(-1) ?? 0) >= size) open.pop()
      open.push(size)
      levels.set(node, topLevel + open.length - 1)
    }
    node.content?.forEach(walk)
  }
  doc.content.forEach(walk)
  return levels
}

/**
 * Each block of the document runs in the direction of its words, with all that is in it: an own direction
 * further inside would hide those words from the list or quote around it.
 */
function blocks(nodes: RichTextNode[] | undefined, levels: Levels, dir?: 'auto'): ReactNode {
  return nodes?.map((node, index) => (
    // A stored document has no ids and does not change while it is read.
    <Block key={index} node={node} levels={levels} dir={dir} />
  ))
}

const headingSizes = ['text-3xl', 'text-2xl', 'text-xl']

type BlockProps = { node: RichTextNode; levels: Levels; dir?: 'auto' }

function Block({ node, levels, dir }: BlockProps) {
  switch (node.type) {
    case 'paragraph':
      return <p dir={dir}>{inline(node.content)}</p>
    case 'heading': {
      const Heading = `h${Math.min(levels.get(node) ?? 2, 6)}` as 'h2'
      const size = headingSizes[(node.attrs?.level ?? 1) - 1]
      return (
        <Heading dir={dir} className={cn('mt-[1.6em] mb-[0.5em] first:mt-0', size)}>
          {inline(node.content)}
        </Heading>
      )
    }
    case 'bulletList':
      return <ul dir={dir}>{blocks(node.content, levels)}</ul>
    case 'orderedList':
      return (
        <ol dir={dir} start={node.attrs?.start}>
          {blocks(node.content, levels)}
        </ol>
      )
    case 'listItem':
      return <li>{blocks(node.content, levels)}</li>
    case 'blockquote':
      return <blockquote dir={dir}>{blocks(node.content, levels)}</blockquote>
    case 'codeBlock':
      return (
        // Wide code scrolls sideways: the keyboard has to get there. It runs from the left in every language.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre dir="ltr" tabIndex={0}>
          <code>{inline(node.content)}</code>
        </pre>
      )
    default:
      return null
  }
}

/** Text that a link spans in pieces (some of it bold) becomes one link. */
function inline(nodes: RichTextNode[] = []): ReactNode {
  const pieces: { href: string | null; nodes: RichTextNode[] }[] = []
  for (const node of nodes) {
    const href = linkOf(node)
    const last = pieces.at(-1)
    if (last && last.href === href) last.nodes.push(node)
    else pieces.push({ href, nodes: [node] })
  }
  return pieces.map((piece, index) => {
    const text = piece.nodes.map(formatted)
    return piece.href === null ? (
      text
    ) : (
      <a key={index} href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
        {text}
      </a>
    )
  })
}

/** The address that this text leads to, or null: also for one that must not be followed. */
function linkOf(node: RichTextNode): string | null {
  for (const mark of node.marks ?? []) {
    if (mark.type === 'link') return isSafeHref(mark.attrs.href) ? mark.attrs.href : null
  }
  return null
}

const elements = { bold: 'strong', italic: 'em', underline: 'u', strike: 's' } as const

function formatted(node: RichTextNode, index: number): ReactNode {
  if (node.type === 'hardBreak') return <br key={index} />
  return (node.marks ?? []).reduce<ReactNode>((text, mark: Mark) => {
    if (mark.type === 'link') return text
    const Element = elements[mark.type]
    return <Element key={index}>{text}</Element>
  }, node.text)
}
