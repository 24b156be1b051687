import { Download, Play, StickyNote } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import type { LessonNote } from '../schema.ts'
import { clockTime } from './clock-time.ts'
import { NoteForm } from './lesson-notes-form.tsx'
import { NotesSkeleton } from './lesson-notes-skeleton.tsx'
import { useOpenNotes } from './lesson-notes-open.ts'
import { notesAsText } from './lesson-notes-text.ts'
import { useNotes } from './lesson-notes-use.ts'

export type LessonNotesProps = {
  lesson: { id: string; slug: string; title: string }
  /** Where the video is; null where there is none, or none that tells. */
  currentTime: () => number | null
  onSeek: (seconds: number) => void
}

/** What this person wrote down beside a lesson, and the field for more. */
export function LessonNotesList({ lesson, currentTime, onSeek }: LessonNotesProps) {
  const { notes: found, hasFailed, retry, add, change, remove } = useNotes(lesson.id)
  const { rows, edit, becomes, close } = useOpenNotes(found)
  const [deleting, setDeleting] = useState<LessonNote | null>(null)
  const top = useRef<HTMLDivElement>(null)
  const canSeek = currentTime() !== null
  /** What was pressed is gone with its form or its dialog. */
  const takeFocus = () => top.current?.focus({ preventScroll: true })

  if (hasFailed) {
    return (
      <ErrorState
        level={3}
        title="Your notes could not be loaded"
        description="Please check your connection."
        onRetry={retry}
        className="py-8"
      />
    )
  }
  if (!found) return <NotesSkeleton />
  const notes = rows.map(({ note }) => note)

  return (
    <div ref={top} tabIndex={-1} className="grid gap-6 outline-none">
      <NoteForm lessonId={lesson.id} note={null} currentTime={currentTime} onSave={add} />
      {notes.length === 0 ? (
        <p className="flex items-center gap-3 rounded-card border border-dashed border-edge/60 px-5 py-4 text-muted">
          <StickyNote size={20} aria-hidden className="shrink-0" />
          No notes in this lesson yet.
        </p>
      ) : (
        <>
          <ul className="divide-y overflow-hidden rounded-card border bg-surface shadow-card">
            {rows.map((row) => (
              <li key={row.id} className="px-5 py-4">
                {row.isOpen ? (
                  <NoteForm
                    lessonId={lesson.id}
                    note={row.note}
                    isGone={row.isGone}
                    currentTime={currentTime}
                    onSave={(words) =>
                      row.isGone
                        ? add(words, (added) => becomes(row, added))
                        : change(row.note.id, words, row.note.text)
                    }
                    onClose={(hadFocus) => {
                      close(row)
                      if (hadFocus) takeFocus()
                    }}
                  />
                ) : (
                  <Note
                    note={row.note}
                    onSeek={canSeek ? onSeek : undefined}
                    onEdit={() => edit(row.note)}
                    onDelete={() => setDeleting(row.note)}
                  />
                )}
              </li>
            ))}
          </ul>
          <a
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(notesAsText(lesson.title, notes))}`}
            download={`notes-${lesson.slug}.txt`}
            className={cn(
              buttonClass({ variant: 'ghost', size: 'sm' }),
              '-ml-3.5 w-fit text-muted',
            )}
          >
            <span className="inline-flex items-center gap-2">
              <Download size={16} aria-hidden />
              Download notes
            </span>
          </a>
        </>
      )}
      {deleting && (
        <DeleteNote
          // As it is by now: another tab may have changed it since the question was asked.
          note={found?.find(({ id }) => id === deleting.id) ?? deleting}
          onDelete={remove}
          onClose={(isDeleted) => {
            setDeleting(null)
            if (isDeleted) takeFocus()
          }}
        />
      )}
    </div>
  )
}

type NoteProps = {
  note: LessonNote
  onSeek?: (seconds: number) => void
  onEdit: () => void
  onDelete: () => void
}

function Note({ note, onSeek, onEdit, onDelete }: NoteProps) {
  const { text, seconds } = note
  const about = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return (
    <div className="grid gap-1">
      {seconds !== null && <Stamp seconds={seconds} onPress={onSeek && (() => onSeek(seconds))} />}
      <p className="wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]">{text}</p>
      <div className="-mb-1.5 -ml-3.5 flex">
        <Button variant="ghost" size="sm" onClick={onEdit} className="text-muted">
          Edit<span className="sr-only"> the note “{about}”</span>
        </Button>
        <Button variant="ghost" size="sm" onClick={onDelete} className="text-muted">
          Delete<span className="sr-only"> the note “{about}”</span>
        </Button>
      </div>
    </div>
  )
}

const stamp =
  'inline-flex min-h-7 w-fit items-center gap-1 rounded-full bg-primary-soft px-2.5 text-xs font-semibold text-primary tabular-nums'

function Stamp({ seconds, onPress }: { seconds: number; onPress?: () => void }) {
  if (!onPress) return <span className={stamp}>{clockTime(seconds)}</span>
  return (
    <button type="button" onClick={onPress} className={cn(stamp, 'hover:underline')}>
      <Play size={12} fill="currentColor" aria-hidden />
      <span className="sr-only">Go to </span>
      {clockTime(seconds)}
      <span className="sr-only"> in the video</span>
    </button>
  )
}

type DeleteNoteProps = {
  note: LessonNote
  onDelete: (noteId: string, textBefore: string) => Promise<string | null>
  onClose: (isDeleted: boolean) => void
}

function DeleteNote({ note, onDelete, onClose }: DeleteNoteProps) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function confirm() {
    setBusy(true)
    const problem = await onDelete(note.id, note.text)
    setBusy(false)
    if (problem) setError(problem)
    else onClose(true)
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={() => onClose(false)}
      title="Delete this note?"
      description={<span className="line-clamp-4 whitespace-pre-wrap">{note.text}</span>}
      confirmLabel="Delete note"
      busyLabel="Deleting..."
      busy={busy}
      error={error}
      onConfirm={() => void confirm()}
    />
  )
}
