import { and, count, eq, inArray, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { users } from '../accounts/tables.ts'
import { noteLimits } from './note-limits.ts'
import { noteColumns } from './note-queries.ts'
import { lessonNotes } from './tables.ts'

type Place = { userId: string; courseId: string; lessonId: string }
type NotePlace = Place & { noteId: string }

const inPlace = (place: Place) =>
  and(
    eq(lessonNotes.userId, place.userId),
    eq(lessonNotes.lessonId, place.lessonId),
    eq(lessonNotes.courseId, place.courseId),
  )

/** The new note; null when there are as many as there may be. The lesson is held by the caller. */
export async function addNote(
  transaction: Transaction,
  place: Place,
  note: { text: string; seconds: number | null },
) {
  // Their person's row is locked, so that two notes at once are counted one after the other.
  await transaction
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, place.userId))
    .for('no key update')
  const [existing] = await transaction
    .select({ notes: count() })
    .from(lessonNotes)
    .where(inPlace(place))
  if ((existing?.notes ?? 0) >= noteLimits.perLesson) return null
  const [added] = await transaction
    .insert(lessonNotes)
    .values({ ...place, ...note })
    .returning(noteColumns)
  return added ?? null
}

/** The changed note; null when it is none of this person's in this lesson, or says neither what it did nor what it shall. */
export async function updateNote(
  executor: Executor,
  { noteId, ...place }: NotePlace,
  {
    textBefore,
    ...change
  }: { text?: string; seconds?: number | null; textBefore?: string | undefined },
) {
  const isAsBefore =
    textBefore === undefined
      ? undefined
      : inArray(lessonNotes.text, [textBefore, change.text ?? textBefore])
  const [updated] = await executor
    .update(lessonNotes)
    .set({ ...change, updatedAt: sql`now()` })
    .where(and(eq(lessonNotes.id, noteId), inPlace(place), isAsBefore))
    .returning(noteColumns)
  return updated ?? null
}

/** The note as it is; null when it is none of this person's in this lesson. */
export async function noteOf(executor: Executor, { noteId, ...place }: NotePlace) {
  const [note] = await executor
    .select(noteColumns)
    .from(lessonNotes)
    .where(and(eq(lessonNotes.id, noteId), inPlace(place)))
  return note ?? null
}

/** False when it is not there, or says something else than `textBefore` by now. */
export async function deleteNote(
  executor: Executor,
  { noteId, ...place }: NotePlace,
  textBefore?: string,
): Promise<boolean> {
  const isAsBefore = textBefore === undefined ? undefined : eq(lessonNotes.text, textBefore)
  const deleted = await executor
    .delete(lessonNotes)
    .where(and(eq(lessonNotes.id, noteId), inPlace(place), isAsBefore))
    .returning({ id: lessonNotes.id })
  return deleted.length > 0
}
