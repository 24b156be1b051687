import { EditorContent, useEditor } from '@tiptap/react'
import { type KeyboardEvent, type Ref, useImperativeHandle, useRef, useState } from 'react'
import { FieldError } from '../../../ui/field.tsx'
import type { RichText } from '../rich-text.ts'
import { richText } from '../rich-text-schema.ts'
import { formats, ownDirections, withStorableLinks } from './rich-text-editor-formats.ts'
import { RichTextLinkPanel } from './rich-text-editor-link.tsx'
import { RichTextToolbar } from './rich-text-editor-toolbar.tsx'

export type SurfaceProps = {
  ref?: Ref<{ focus: () => void }>
  id: string
  label: string
  labelledBy: string
  describedBy: string
  invalid: boolean
  required: boolean
  disabled: boolean
  initialValue: RichText
  onChange: (value: RichText) => void
  onBlur?: () => void
}

/** The editor itself, in a chunk of its own: most of its weight is ProseMirror. */
export default function RichTextSurface(props: SurfaceProps) {
  const { ref, id, label, disabled, initialValue, onChange, onBlur } = props
  const [linkOpen, setLinkOpen] = useState(false)
  const [problem, setProblem] = useState<string>()
  // In a list Tab indents, so leaving by keyboard needs a way: Escape makes the next Tab an ordinary one.
  const escaped = useRef(false)

  const editor = useEditor({
    extensions: formats,
    content: initialValue,
    editable: !disabled,
    injectCSS: false,
    immediatelyRender: true,
    onBlur,
    onUpdate: ({ editor: now }) => {
      const document = now.getJSON() as RichText
      const checked = richText(label).safeParse(document)
      setProblem(checked.error?.issues[0]?.message)
      onChange(checked.data ?? document)
    },
    editorProps: {
      attributes: {
        id,
        class: 'rich-text-area prose',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': props.labelledBy,
        'aria-describedby':
          `${props.describedBy} ${id}-keys ${problem ? `${id}-problem` : ''}`.trim(),
        'aria-required': String(props.required),
        'aria-invalid': String(props.invalid || Boolean(problem)),
      },
      decorations: ownDirections,
      transformPastedHTML: withStorableLinks,
      handleDOMEvents: {
        keydown: (_view, event) => {
          if (event.key === 'Shift') return false
          const leaves = escaped.current && event.key === 'Tab'
          escaped.current = event.key === 'Escape'
          return leaves
        },
      },
    },
  })

  useImperativeHandle(ref, () => ({ focus: () => editor.commands.focus() }), [editor])

  function onKeyDown(event: KeyboardEvent) {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (!editor.isActive('codeBlock')) setLinkOpen(true)
  }

  return (
    <>
      <div className="sticky top-16 z-10 rounded-t-control border-b bg-surface">
        <RichTextToolbar
          editor={editor}
          controls={id}
          label={label}
          linkOpen={linkOpen}
          onLink={() => setLinkOpen(!linkOpen)}
        />
        {linkOpen && <RichTextLinkPanel editor={editor} onClose={() => setLinkOpen(false)} />}
      </div>
      <EditorContent editor={editor} onKeyDown={onKeyDown} />
      <p id={`${id}-keys`} className="sr-only">
        In lists, Tab indents and Shift and Tab move back. Press Escape, then Tab, to leave the
        text.
      </p>
      {problem && !props.invalid && (
        <div className="border-t px-4 py-2.5" role="alert">
          <FieldError id={`${id}-problem`}>{problem}</FieldError>
        </div>
      )}
    </>
  )
}
