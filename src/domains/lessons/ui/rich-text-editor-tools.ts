import type { ChainedCommands, Editor } from '@tiptap/core'
import {
  Bold,
  Heading1,
  Heading2,
  Heading3,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  RemoveFormatting,
  SquareCode,
  Strikethrough,
  TextQuote,
  Underline,
} from 'lucide-react'

export type Tool = {
  label: string
  icon: LucideIcon
  /** Shown in the tooltip; Mod is Ctrl, or ⌘ on Apple's keyboards. */
  keys?: string
  /** Left out for what is not on or off. */
  isActive?: (editor: Editor) => boolean
  /** Left out for the link, which asks for its address first. */
  run?: (chain: ChainedCommands) => ChainedCommands
  /** Marks text: nothing to do inside a code block. */
  inline?: boolean
}

const heading = (level: 1 | 2 | 3, icon: LucideIcon): Tool => ({
  label: `Heading ${level}`,
  icon,
  keys: `Mod+Alt+${level}`,
  isActive: (editor) => editor.isActive('heading', { level }),
  run: (chain) => chain.toggleHeading({ level }),
})

const mark = (
  name: 'Bold' | 'Italic' | 'Underline' | 'Strike',
  icon: LucideIcon,
  keys: string,
): Tool => ({
  label: name === 'Strike' ? 'Strikethrough' : name,
  icon,
  keys,
  inline: true,
  isActive: (editor) => editor.isActive(name.toLowerCase()),
  run: (chain) => chain.toggleMark(name.toLowerCase()),
})

/** The toolbar in the order of spec 2, section 5; a thin line between the groups. */
export const toolGroups: Tool[][] = [
  [heading(1, Heading1), heading(2, Heading2), heading(3, Heading3)],
  [
    mark('Bold', Bold, 'Mod+B'),
    mark('Italic', Italic, 'Mod+I'),
    mark('Underline', Underline, 'Mod+U'),
    mark('Strike', Strikethrough, 'Mod+Shift+S'),
  ],
  [
    {
      label: 'Ordered list',
      icon: ListOrdered,
      keys: 'Mod+Shift+7',
      isActive: (editor) => editor.isActive('orderedList'),
      run: (chain) => chain.toggleOrderedList(),
    },
    {
      label: 'Bullet list',
      icon: List,
      keys: 'Mod+Shift+8',
      isActive: (editor) => editor.isActive('bulletList'),
      run: (chain) => chain.toggleBulletList(),
    },
  ],
  [
    {
      label: 'Blockquote',
      icon: TextQuote,
      keys: 'Mod+Shift+B',
      isActive: (editor) => editor.isActive('blockquote'),
      run: (chain) => chain.toggleBlockquote(),
    },
    {
      label: 'Code block',
      icon: SquareCode,
      keys: 'Mod+Alt+C',
      isActive: (editor) => editor.isActive('codeBlock'),
      run: (chain) => chain.toggleCodeBlock(),
    },
  ],
  [
    {
      label: 'Link',
      icon: Link,
      keys: 'Mod+K',
      inline: true,
      isActive: (editor) => editor.isActive('link'),
    },
    {
      label: 'Clear formatting',
      icon: RemoveFormatting,
      run: (chain) => chain.unsetAllMarks().clearNodes(),
    },
  ],
]
