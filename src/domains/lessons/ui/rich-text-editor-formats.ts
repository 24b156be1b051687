import { Extension } from '@tiptap/core'
import type { EditorState } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { StarterKit } from '@tiptap/starter-kit'
import { storableHref } from './rich-text-editor-link-address.ts'

/** Spec 2, section 5: indent levels 1 to 8. */
const maxListLevel = 8

/** Tab indents list items, at most to level 8; there it does nothing rather than leave the editor. */
const ListIndent = Extension.create({
  name: 'listIndent',
  // Before the list item's own Tab.
  priority: 1000,
  addKeyboardShortcuts() {
    return {
      Tab: ({ editor }) => {
        const { $from } = editor.state.selection
        let level = 0
        for (let depth = $from.depth; depth > 0; depth--) {
          if ($from.node(depth).type.name === 'listItem') level++
        }
        return level >= maxListLevel
      },
    }
  },
})

/** Exactly the formats that rich-text.ts lets through; whatever else is pasted loses its format. */
export const formats = [
  StarterKit.configure({
    heading: { levels: [1, 2, 3] },
    code: false,
    horizontalRule: false,
    // It would end every text with an empty paragraph that learners see as a gap.
    trailingNode: false,
    codeBlock: { HTMLAttributes: { dir: 'ltr' } },
    dropcursor: { color: 'var(--color-primary)', width: 2 },
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (url) => storableHref(url) !== null,
      HTMLAttributes: { rel: null, target: null },
    },
  }),
  ListIndent,
]

/** Each block runs in the direction of its words, as readers see it; what is stored has no direction. */
export function ownDirections({ doc }: EditorState): DecorationSet {
  const directions: Decoration[] = []
  doc.forEach((block, at) => {
    if (block.type.name === 'codeBlock') return
    directions.push(Decoration.node(at, at + block.nodeSize, { dir: 'auto' }))
  })
  return DecorationSet.create(doc, directions)
}

/** Pasted links get the form in which they are stored; what is no link here keeps its words only. */
export function withStorableLinks(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const link of page.querySelectorAll('a')) {
    const href = storableHref(link.getAttribute('href') ?? '')
    if (href) link.setAttribute('href', href)
    else link.replaceWith(...link.childNodes)
  }
  return page.body.innerHTML
}
