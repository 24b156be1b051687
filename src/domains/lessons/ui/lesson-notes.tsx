import { useId, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { LessonNotesProps } from './lesson-notes-list.tsx'
import { NotesSkeleton } from './lesson-notes-skeleton.tsx'
import { useLater } from '../../../ui/use-later.ts'
import { useNear } from '../../../ui/use-near.ts'

const load = () => import('./lesson-notes-list.tsx')

/** 'Your notes': fetched when somebody comes near them. */
export function LessonNotes(props: LessonNotesProps) {
  const section = useRef<HTMLElement>(null)
  const isNear = useNear(section)
  const id = useId()

  return (
    <section ref={section} aria-labelledby={id} className="grid grid-cols-1 content-start gap-4">
      <div className="grid gap-1">
        <h2 id={id} className="text-xl">
          Your notes
        </h2>
        <p className="text-sm text-muted">Only you can see your notes.</p>
      </div>
      <noscript>
        <p>Notes need JavaScript.</p>
      </noscript>
      <div className="noscript:hidden">
        {isNear ? <NotesLater {...props} /> : <NotesSkeleton />}
      </div>
    </section>
  )
}

function NotesLater(props: LessonNotesProps) {
  const { value, failed, retry } = useLater(load)
  if (value) return <value.LessonNotesList key={props.lesson.id} {...props} />
  if (!failed) return <NotesSkeleton />
  return (
    <p role="alert" className="flex flex-wrap items-center gap-3">
      Your notes could not be loaded.
      <Button variant="secondary" size="sm" onClick={retry}>
        Try again
      </Button>
    </p>
  )
}
