import { useEffect, useRef, useState } from 'react'
import { isServerError } from '../../../web/call-outcome.ts'
import { client } from '../../../web/api-client.ts'
import { doneOnce } from '../../../web/done-once.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import type { LessonNote } from '../schema.ts'
import type { SentWords } from './lesson-notes-draft.ts'
import { useComingBack } from './use-coming-back.ts'

const notSaved =
  'Your note could not be saved. It is kept in this browser: please check your connection and try again.'
const notSavedYet =
  'Your note is not saved yet. Please read what it says by now, then save it again.'
const isAddedAlready = 'Your note was added already. Load the page again to see it.'
const notDeleted = 'Your note could not be deleted. Please check your connection and try again.'

/** As the server lists them: through the video, then those about all of it. */
export const inOrder = <Note extends Pick<LessonNote, 'id' | 'seconds'>>(notes: Note[]) =>
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

  /** Calls that change something, when they begin and when they end. */
  const changes = useRef(0)
  const once = useRef(doneOnce())
  async function attempt(work: () => Promise<void>, fallback: string): Promise<string | null> {
    changes.current++
    try {
      await work()
      return null
    } catch (error) {
      return callProblem(error, fallback, isAddedAlready)
    } finally {
      changes.current++
    }
  }

  useComingBack(0, () => void readAgain())
  async function readAgain() {
    if (!notes) return
    const earlier = changes.current
    const found = await client.lessons.listNotes({ lessonId }).catch(() => null)
    // What was changed here meanwhile may be newer than this answer.
    if (found && changes.current === earlier) setNotes(found)
  }

  const drop = (noteId: string) =>
    setNotes((before) => before?.filter(({ id }) => id !== noteId) ?? null)
  const put = (note: LessonNote) =>
    setNotes((before) => inOrder([...(before ?? []).filter(({ id }) => id !== note.id), note]))

  return {
    notes,
    hasFailed,
    retry: () => setFailed(false),
    add: (words: SentWords, onAdded?: (added: LessonNote) => void) =>
      attempt(async () => {
        const note = { lessonId, ...words }
        const added = await once.current(note, (idempotencyKey) =>
          client.lessons.addNote(note, { context: { idempotencyKey } }),
        )
        put(added)
        onAdded?.(added)
      }, notSaved),
    /** Of a note that says something else by now than `textBefore`, or is gone, that is shown and nothing changed. */
    change: async (noteId: string, words: SentWords, textBefore: string) => {
      let isOther = false
      const problem = await attempt(async () => {
        const update = { lessonId, noteId, ...words, textBefore }
        put(
          await client.lessons.updateNote(update).catch((error: unknown) => {
            const code = isServerError(error) ? error.code : null
            if (code === 'NOT_FOUND') drop(noteId)
            if (!isServerError(error) || code !== 'NOTE_CHANGED') throw error
            isOther = true
            return (error.data as { note: LessonNote }).note
          }),
        )
      }, notSaved)
      return isOther ? notSavedYet : problem
    },
    /** One that says something else by now than `textBefore` is shown, and stays. */
    remove: (noteId: string, textBefore: string) =>
      attempt(async () => {
        await client.lessons
          .deleteNote({ lessonId, noteId, textBefore })
          .catch((error: unknown) => {
            if (isServerError(error) && error.code === 'NOTE_CHANGED')
              put((error.data as { note: LessonNote }).note)
            throw error
          })
        drop(noteId)
      }, notDeleted),
  }
}
