import type { Editor } from '@tiptap/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { storableHref, suggestedAddress } from './rich-text-editor-link-address.ts'

type LinkPanelProps = { editor: Editor; onClose: () => void }

/** Asks for the address of the selected text or of the link at the cursor. Not a form: it lies in one. */
export function RichTextLinkPanel({ editor, onClose }: LinkPanelProps) {
  const [start] = useState(() => whatIsLinked(editor))
  const [text, setText] = useState('')
  const [address, setAddress] = useState(start.address)
  const [error, setError] = useState<string>()
  const panel = useRef<HTMLDialogElement>(null)
  const firstInput = useRef<HTMLInputElement>(null)

  /** At once: the editor's own `focus` waits for the next frame, and what is typed until then would go nowhere. */
  function goBack() {
    onClose()
    editor.view.focus()
  }

  function apply() {
    const href = storableHref(address)
    if (!href) {
      setError('Enter a web address, such as https://example.com, or an email address.')
      return
    }
    if (start.text === '') {
      const words = text.trim() || address.trim()
      editor
        .chain()
        .insertContent({ type: 'text', text: words, marks: [{ type: 'link', attrs: { href } }] })
        .unsetMark('link')
        .run()
    } else {
      editor.chain().extendMarkRange('link').setLink({ href }).run()
    }
    goBack()
  }

  function remove() {
    editor.chain().extendMarkRange('link').unsetLink().run()
    goBack()
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') goBack()
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) apply()
    else return
    // Neither a form nor a dialog around the editor shall answer the same key.
    event.preventDefault()
    event.stopPropagation()
  })
  const onLeave = useEffectEvent((event: FocusEvent) => {
    if (event.relatedTarget instanceof Node && !panel.current?.contains(event.relatedTarget))
      onClose()
  })

  useEffect(() => {
    const element = panel.current
    firstInput.current?.select()
    element?.scrollIntoView({ block: 'nearest' })
    element?.addEventListener('keydown', onKey)
    element?.addEventListener('focusout', onLeave)
    return () => {
      element?.removeEventListener('keydown', onKey)
      element?.removeEventListener('focusout', onLeave)
    }
  }, [])

  return (
    <dialog
      ref={panel}
      open
      aria-label={start.linked ? 'Edit link' : 'Add link'}
      className={
        'absolute inset-x-2 top-full z-20 m-0 mt-1 grid w-auto max-w-md animate-appear gap-4 rounded-card ' +
        'border bg-raised p-4 text-ink shadow-raised sm:left-auto sm:w-full'
      }
    >
      {start.text === '' ? (
        <Field label="Text" optional>
          <Input ref={firstInput} value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
      ) : (
        <p className="truncate text-sm text-muted">
          Links <span className="font-semibold text-ink">{start.text}</span>
        </p>
      )}
      <Field label="Address" error={error}>
        <Input
          ref={start.text === '' ? undefined : firstInput}
          value={address}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://"
          onChange={(event) => {
            setAddress(event.target.value)
            setError(undefined)
          }}
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        {start.linked && (
          <Button variant="ghost" size="sm" onClick={remove} className="mr-auto text-danger">
            Remove link
          </Button>
        )}
        <Button variant="secondary" size="sm" onClick={goBack}>
          Cancel
        </Button>
        <Button size="sm" onClick={apply}>
          {start.linked ? 'Change link' : 'Add link'}
        </Button>
      </div>
    </dialog>
  )
}

function whatIsLinked(editor: Editor) {
  const linked = editor.isActive('link')
  // The link as a whole, so that the panel names all of it.
  if (linked) editor.commands.extendMarkRange('link')
  const { from, to } = editor.state.selection
  const text = editor.state.doc.textBetween(from, to, ' ')
  const href: unknown = editor.getAttributes('link').href
  return {
    linked,
    text,
    address: linked && typeof href === 'string' ? href : suggestedAddress(text),
  }
}
