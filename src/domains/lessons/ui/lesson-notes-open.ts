import { useState } from 'react'
import type { LessonNote } from '../schema.ts'
import { inOrder } from './lesson-notes-use.ts'

export interface NoteRow {
  /** Of the note when its form was opened, so that the form stays the same one when its words become a new note. */
  id: string
  seconds: number | null
  note: LessonNote
  /** In its form. */
  isOpen: boolean
  /** It was deleted elsewhere meanwhile. */
  isGone: boolean
}

/** A form that outlives its note: what was written in it would go, too. */
interface KeptForm {
  id: string
  /** As it was last seen, or the new one that its words have become. */
  note: LessonNote
}

const rowOf = (note: LessonNote, isOpen: boolean): NoteRow => ({
  id: note.id,
  seconds: note.seconds,
  note,
  isOpen,
  isGone: false,
})

/** The notes of a lesson with the one that is being changed, and with the forms of those that are gone meanwhile. */
export function useOpenNotes(notes: LessonNote[] | null) {
  const [editing, setEditing] = useState<LessonNote | null>(null)
  const [kept, setKept] = useState<KeptForm[]>([])
  const found = notes ?? []
  const edited = editing && found.find(({ id }) => id === editing.id)
  // As it was last seen.
  if (edited && edited !== editing) setEditing(edited)
  if (editing && !edited) {
    setKept([...kept, { id: editing.id, note: editing }])
    setEditing(null)
  }
  const others = found.filter(({ id }) => !kept.some(({ note }) => note.id === id))
  const rows = inOrder([
    ...others.map((note) => rowOf(note, note.id === editing?.id)),
    ...kept.map((form) => {
      const note = found.find(({ id }) => id === form.note.id)
      return { ...rowOf(note ?? form.note, true), id: form.id, isGone: !note }
    }),
  ])

  return {
    rows,
    edit: setEditing,
    /** Whoever wrote on while it was saved goes on with the new note. */
    becomes: (row: NoteRow, note: LessonNote) =>
      setKept((before) => before.map((form) => (form.id === row.id ? { ...form, note } : form))),
    close: (row: NoteRow) => {
      setEditing((now) => (now?.id === row.id ? null : now))
      setKept((before) => before.filter(({ id }) => id !== row.id))
    },
  }
}
