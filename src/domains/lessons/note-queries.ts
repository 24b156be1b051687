import { and, asc, eq, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { lessonNotes } from './tables.ts'

/** What a caller sees of a note. */
export const noteColumns = {
  id: lessonNotes.id,
  text: lessonNotes.text,
  seconds: lessonNotes.seconds,
  createdAt: lessonNotes.createdAt,
  updatedAt: lessonNotes.updatedAt,
}

/** This person's notes in a lesson, in the order of the video; those without a moment come last. */
export function notesOf(
  executor: Executor,
  { userId, courseId, lessonId }: { userId: string; courseId: string; lessonId: string },
) {
  return executor
    .select(noteColumns)
    .from(lessonNotes)
    .where(
      and(
        eq(lessonNotes.userId, userId),
        eq(lessonNotes.lessonId, lessonId),
        eq(lessonNotes.courseId, courseId),
      ),
    )
    .orderBy(sql`${lessonNotes.seconds} asc nulls last`, asc(lessonNotes.id))
}
