import { useEffect, useState } from 'react'
import { client } from '../../../web/api-client.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import type { LessonNote } from '../schema.ts'
import type { NoteWords } from './lesson-notes-form.tsx'

const notSaved =
  'Your note could not be saved. It is kept in this browser: please check your connection and try again.'
const notDeleted = 'Your note could not be deleted. Please check your connection and try again.'

/** As the server lists them: through the video, then those about all of it. */
const inOrder = (notes: LessonNote[]) =>
  notes.toSorted(
    (a, b) => (a.seconds ?? Infinity) - (b.seconds ?? Infinity) || (a.id < b.id ? -1 : 1),
  )

/** This person's notes beside a lesson, and what can be done with them. Failures come back in words. */
export function useNotes(lessonId: string) {
  const [notes, setNotes] = useState<LessonNote[] | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const isWaiting = notes === null && !hasFailed

  useEffect(() => {
    if (!isWaiting) return
    let isHere = true
    client.lessons.listNotes({ lessonId }).then(
      (found) => isHere && setNotes(found),
      () => isHere && setFailed(true),
    )
    return () => {
      isHere = false
    }
  }, [lessonId, isWaiting])

  async function attempt(work: () => Promise<void>, fallback: string): Promise<string | null> {
    try {
      await work()
      return null
    } catch (error) {
      return callProblem(error, fallback)
    }
  }

  return {
    notes,
    hasFailed,
    retry: () => setFailed(false),
    add: (words: NoteWords) =>
      attempt(async () => {
        const added = await client.lessons.addNote({ lessonId, ...words })
        setNotes((before) => inOrder([...(before ?? []), added]))
      }, notSaved),
    change: (noteId: string, words: NoteWords) =>
      attempt(async () => {
        const changed = await client.lessons.updateNote({ lessonId, noteId, ...words })
        setNotes((before) =>
          inOrder((before ?? []).map((one) => (one.id === noteId ? changed : one))),
        )
      }, notSaved),
    remove: (noteId: string) =>
      attempt(async () => {
        await client.lessons.deleteNote({ lessonId, noteId })
        setNotes((before) => before?.filter(({ id }) => id !== noteId) ?? null)
      }, notDeleted),
  }
}
