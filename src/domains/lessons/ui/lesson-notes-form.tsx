import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { isBlank } from '../../../is-blank.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { useLatest } from '../../../ui/use-latest.ts'
import { noteLimits } from '../note-limits.ts'
import { clockTime } from './clock-time.ts'
import { ChangedElsewhere, DeletedElsewhere } from './lesson-notes-changed.tsx'
import { type NoteWords, type SentWords, useNoteDraft } from './lesson-notes-draft.ts'

type NoteFormProps = {
  lessonId: string
  /** The note that is being changed; null for a new one. */
  note: (NoteWords & { id: string }) | null
  /** It was deleted elsewhere meanwhile. */
  isGone?: boolean
  /** Where the video is; null where there is none, or none that tells. */
  currentTime: () => number | null
  /** Why it was not saved, in words; null when it was. */
  onSave: (words: SentWords) => Promise<string | null>
  /** There is no more to change; `hadFocus`: the focus is in what goes away. */
  onClose?: (hadFocus: boolean) => void
}

const empty = { text: '', seconds: null, before: '', secondsBefore: null }

/** A note to write or to change, with the moment of the video that it is about. */
export function NoteForm(props: NoteFormProps) {
  const { lessonId, note, isGone = false, currentTime, onSave, onClose } = props
  const writing = useNoteDraft(lessonId, note?.id ?? 'new', note ?? empty)
  const { draft, written, setDraft, forget } = writing
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  /** The moment that the checkbox offers: where the video was when the writing began. */
  const [begunAt, setMoment] = useState(draft.seconds ?? currentTime())
  const moment = draft.seconds ?? begunAt
  const field = useRef<HTMLTextAreaElement>(null)
  /** As it is by the time that the server answers, also where this form is gone. */
  const latest = useLatest(written)
  const id = useId()
  const isEdit = note !== null
  const isTooLong = draft.text.length > noteLimits.text

  // Who presses 'Edit' wants to type.
  useEffect(() => {
    if (isEdit) field.current?.focus()
  }, [isEdit])

  function begin() {
    if (note || draft.text !== '') return
    const now = currentTime()
    const seconds = now === null ? null : Math.floor(now)
    setMoment(seconds)
    setDraft({ ...empty, seconds })
  }

  async function save(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (busy) return
    if (isBlank(draft.text)) return setProblem('Please write something first.')
    if (isTooLong) return
    setBusy(true)
    setProblem(null)
    const saved = draft.text.trim()
    // Otherwise it stays as it is by now, whatever was made of it elsewhere.
    const hasMoment = writing.isMomentOwn || isGone
    const failure = await onSave({ text: saved, ...(hasMoment && { seconds: draft.seconds }) })
    setBusy(false)
    if (failure) return setProblem(failure)
    const now = latest.current
    // Who wrote on in the meantime keeps it.
    if (now !== written && (now.text !== draft.text || now.seconds !== draft.seconds)) {
      // From here on it is kept with the new note.
      if (isGone) forget()
      const secondsBefore = hasMoment ? draft.seconds : now.secondsBefore
      return setDraft({ ...now, before: note && saved, secondsBefore })
    }
    forget()
    setDraft(empty)
    if (form.isConnected) onClose?.(form.contains(document.activeElement))
  }

  return (
    <form
      onSubmit={(event) => void save(event)}
      noValidate
      aria-describedby={problem ? id : undefined}
      className="grid gap-3"
    >
      <Field
        label={note ? 'Your note' : 'New note'}
        aside={<CharacterCount value={draft.text} max={noteLimits.text} />}
        error={isTooLong && 'A note can have at most 2,000 characters'}
      >
        <Textarea
          rows={3}
          value={draft.text}
          ref={field}
          onFocus={begin}
          onChange={(event) => {
            setDraft({ ...draft, text: event.target.value })
            setProblem(null)
          }}
        />
      </Field>
      {note && !isGone && writing.isChangedElsewhere && <ChangedElsewhere text={note.text} />}
      {isGone && <DeletedElsewhere />}
      {problem && (
        <div id={id}>
          <Banner tone="danger">{problem}</Banner>
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        {moment === null ? (
          <span />
        ) : (
          <Checkbox
            label={`At ${clockTime(moment)}`}
            checked={draft.seconds !== null}
            onChange={(event) => {
              setMoment(moment)
              setDraft({ ...draft, seconds: event.target.checked ? moment : null })
            }}
          />
        )}
        <div className="flex gap-2">
          {onClose && (
            <Button
              variant="ghost"
              size="sm"
              onClick={() => {
                forget()
                onClose(true)
              }}
            >
              Cancel
            </Button>
          )}
          <Button type="submit" size="sm" busy={busy} busyText="Saving...">
            {note ? 'Save note' : 'Add note'}
          </Button>
        </div>
      </div>
    </form>
  )
}
