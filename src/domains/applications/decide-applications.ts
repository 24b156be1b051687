// A decision about many: it waits a little, and can be taken back meanwhile.
import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import { publishToPerson } from '../../server/publish.ts'
import { holdCourse } from './hold-application.ts'
import { secondsToUndo } from './rules.ts'
import type { Decision } from './schema.ts'
import {
  courseApplicationDecisions as decisions,
  courseApplications as applications,
} from './tables.ts'

interface Deciding {
  courseId: string
  instructorId: string
  applicationIds: string[]
  decision: Decision
  notes: string
  shareNotes: boolean
}

/** The key takes the place of a job whose process has died. */
export const enqueueDecision = (executor: Executor, decisionId: string, runAt: Date) =>
  enqueue(executor, 'carryOutDecision', { decisionId }, `application-decision:${decisionId}`, runAt)

/**
 * Notes the decision for those of the applications that are pending; a decision that they waited for
 * gives way to this one. 'none pending': the caller must roll the transaction back.
 */
export async function decideApplications(
  transaction: Transaction,
  { courseId, instructorId, applicationIds, decision, notes, shareNotes }: Deciding,
): Promise<{ decisionId: string; count: number; applyAt: Date } | 'gone' | 'none pending'> {
  const course = await holdCourse(transaction, courseId)
  if (course?.instructorId !== instructorId) return 'gone'
  const [due] = await transaction
    .insert(decisions)
    .values({
      courseId,
      decision,
      reviewerNotes: notes,
      notesShared: shareNotes && notes !== '',
      // The queue's clock knows no microseconds, and must not be early.
      applyAt: sql`date_trunc('milliseconds', now()) + ${`${secondsToUndo} seconds`}::interval`,
    })
    .returning({ decisionId: decisions.id, applyAt: decisions.applyAt })
  const { decisionId, applyAt } = due!
  const chosen = await transaction
    .update(applications)
    .set({ decisionId })
    .where(
      and(
        eq(applications.courseId, courseId),
        eq(applications.status, 'pending'),
        inArray(applications.id, applicationIds),
      ),
    )
    .returning({ id: applications.id })
  if (chosen.length === 0) return 'none pending'
  await enqueueDecision(transaction, decisionId, applyAt)
  await publishToPerson(transaction, instructorId, { type: 'applications', courseId })
  return { decisionId, count: chosen.length, applyAt }
}

/**
 * Takes back a decision that is not due yet; again is harmless. The course's row decides between this and
 * the job: whoever holds it second finds the decision gone, or its time come.
 */
export async function undoDecision(
  transaction: Transaction,
  {
    courseId,
    instructorId,
    decisionId,
  }: { courseId: string; instructorId: string; decisionId: string },
): Promise<{ undone: number } | 'gone' | 'carried out'> {
  const course = await holdCourse(transaction, courseId)
  if (course?.instructorId !== instructorId) return 'gone'
  const which = and(eq(decisions.id, decisionId), eq(decisions.courseId, courseId))
  // Not `now()`, which was before the wait for the course.
  const isOpen = gt(decisions.applyAt, sql`clock_timestamp()`)
  const [due] = await transaction
    .select({ isOpen: sql<boolean>`${isOpen}` })
    .from(decisions)
    .where(which)
  if (!due) return { undone: 0 }
  if (!due.isOpen) return 'carried out'
  const freed = await transaction
    .update(applications)
    .set({ decisionId: null })
    .where(and(eq(applications.decisionId, decisionId), eq(applications.courseId, courseId)))
    .returning({ id: applications.id })
  await transaction.delete(decisions).where(which)
  await publishToPerson(transaction, instructorId, { type: 'applications', courseId })
  return { undone: freed.length }
}
