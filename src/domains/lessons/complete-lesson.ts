import { and, eq, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { recordActivity } from '../analytics/record-activity.ts'
import { lessonCompletions, lessons } from './tables.ts'

/** A learner in a lesson, in the course that the learner was let into. */
type Place = { userId: string; courseId: string; lessonId: string }

/**
 * True when the lesson is one of the course. The lesson then stays until the transaction ends, so that
 * what is stored about it finds it there.
 */
export async function holdLesson(executor: Executor, place: Place): Promise<boolean> {
  const rows = await executor
    .select({ id: lessons.id })
    .from(lessons)
    .where(and(eq(lessons.id, place.lessonId), eq(lessons.courseId, place.courseId)))
    .for('key share')
  return rows.length === 1
}

/**
 * Like `holdLesson`, before a completion changes: the completions of a person in a course stand in line until the
 * transaction ends, so that whoever completes the last lesson sees all others. In the same statement, which costs nothing.
 */
export async function holdProgress(executor: Executor, place: Place): Promise<boolean> {
  const line = sql`hashtextextended(${`progress ${place.userId} ${place.courseId}`}, 0)`
  const rows = await executor
    .select({ id: lessons.id, held: sql`pg_advisory_xact_lock(${line})` })
    .from(lessons)
    .where(and(eq(lessons.id, place.lessonId), eq(lessons.courseId, place.courseId)))
    .for('key share')
    .prepare('hold-progress')
    .execute()
  return rows.length === 1
}

/** True when the lesson was not complete before; the first time of completion is kept. */
export async function completeLesson(executor: Executor, place: Place): Promise<boolean> {
  const added = await executor
    .insert(lessonCompletions)
    .values(place)
    .onConflictDoNothing()
    .returning({ id: lessonCompletions.id })
    .prepare('complete-lesson')
    .execute()
  if (added.length === 0) return false
  await recordActivity(executor, { ...place, activityType: 'lesson_completed' })
  return true
}

/** True when the lesson was complete before. */
export async function uncompleteLesson(executor: Executor, place: Place): Promise<boolean> {
  const removed = await executor
    .delete(lessonCompletions)
    .where(
      and(
        eq(lessonCompletions.userId, place.userId),
        eq(lessonCompletions.lessonId, place.lessonId),
        eq(lessonCompletions.courseId, place.courseId),
      ),
    )
    .returning({ id: lessonCompletions.id })
    .prepare('uncomplete-lesson')
    .execute()
  return removed.length === 1
}
