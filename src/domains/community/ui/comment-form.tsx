import {
  type FormEvent,
  type KeyboardEvent,
  type Ref,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { isBlank } from '../../../is-blank.ts'
import { Button } from '../../../ui/button.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { FieldError } from '../../../ui/field.tsx'
import { communityLimits } from '../rules.ts'
import type { Comment } from '../schema.ts'
import { keepComment, keptComment } from './comment-drafts.ts'
import { EmojiPicker } from './emoji-picker.tsx'
import { insertAtCaret } from './insert-at-caret.ts'
import { MentionField } from './mention-field.tsx'

type CommentFormProps = {
  slug: string
  /** Under which the text is kept: what it belongs to. */
  draft: string
  /** The comment that is answered or changed. */
  about?: Comment
  /** How often words came to it from elsewhere. */
  moves?: number
  /** The text to change. */
  saved?: string
  label: string
  placeholder?: string
  sendLabel: string
  busyLabel: string
  /** Answers why it could not be sent; null when it was. */
  onSend: (content: string) => Promise<string | null>
  /** Why it could not be sent, where the form has gone meanwhile; what was typed is kept. */
  onLateRefusal: (problem: string) => void
  /** Where there is something to go back to; Escape does it, too. */
  onCancel?: () => void
  ref?: Ref<HTMLTextAreaElement>
}

/** A field for a comment, with what it takes to write one. */
export function CommentForm({
  slug,
  draft,
  about,
  moves = 0,
  saved = '',
  label,
  placeholder,
  sendLabel,
  busyLabel,
  onSend,
  onLateRefusal,
  onCancel,
  ref,
}: CommentFormProps) {
  const [text, setText] = useState(() => keptComment(draft) ?? saved)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  // Once: whoever takes the focus then would take it again with each key.
  useImperativeHandle(ref, () => field.current!, [])
  const errorId = useId()

  // Words that came go behind what is here: who is writing goes on where the caret is.
  useLayoutEffect(() => {
    const area = field.current
    const kept = keptComment(draft)
    if (moves === 0 || !area || kept === undefined || kept === area.value) return
    const { selectionStart, selectionEnd, selectionDirection } = area
    area.value = kept
    if (document.activeElement === area) {
      area.setSelectionRange(selectionStart, selectionEnd, selectionDirection)
    }
    setText(kept)
  }, [moves, draft])

  function write(next: string) {
    setText(next)
    keepComment(draft, next === saved || next.trim() === '' ? null : next, about)
  }

  async function send() {
    if (busy) return
    const mistake = problemOf(text)
    setProblem(mistake)
    if (mistake) return field.current?.focus()
    setBusy(true)
    const refused = await onSend(text.trim())
    setBusy(false)
    setProblem(refused)
    if (refused !== null) return field.current ? field.current.focus() : onLateRefusal(refused)
    // In a form that was opened meanwhile more may have been written.
    if (keptComment(draft) === text) keepComment(draft, null)
    setText(keptComment(draft) ?? saved)
  }

  function cancel() {
    keepComment(draft, null)
    onCancel?.()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void send()
    }
    // What was typed is kept, so that a press too many loses nothing. The dialog stays open.
    const isInPanel = event.currentTarget.querySelector(':popover-open') !== null
    if (event.key === 'Escape' && onCancel && !isInPanel) {
      event.preventDefault()
      if (!busy) onCancel()
    }
  }

  return (
    // The keys send and cancel from every field.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      aria-label={label}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void send()
      }}
      onKeyDown={onKeyDown}
      className="grid grid-cols-1 gap-2"
    >
      <MentionField
        ref={field}
        slug={slug}
        value={text}
        onChange={write}
        label={label}
        placeholder={placeholder}
        rows={1}
        readOnly={busy}
        invalid={problem !== null}
        describedBy={problem === null ? undefined : errorId}
      />
      <div role="alert">{problem && <FieldError id={errorId}>{problem}</FieldError>}</div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <EmojiPicker
          disabled={busy}
          onPick={(emoji) => insertAtCaret(field.current, emoji, write)}
        />
        <div className="flex items-center gap-2">
          {text.length > communityLimits.comment * 0.9 && (
            <span className="text-sm">
              <CharacterCount value={text} max={communityLimits.comment} />
            </span>
          )}
          {onCancel && (
            <Button variant="ghost" size="sm" disabled={busy} onClick={cancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" size="sm" busy={busy} busyText={busyLabel}>
            {sendLabel}
          </Button>
        </div>
      </div>
    </form>
  )
}

/** Why it cannot be sent yet; null when it can. */
function problemOf(text: string): string | null {
  if (isBlank(text)) return 'Please write a comment'
  if (text.trim().length <= communityLimits.comment) return null
  return `Comment can have at most ${communityLimits.comment.toLocaleString('en')} characters`
}
