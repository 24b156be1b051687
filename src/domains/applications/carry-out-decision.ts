import { and, asc, eq, exists, lt, sql } from 'drizzle-orm'
import { quoted } from '../../isolated.ts'
import type { Executor, Transaction } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import type { Services } from '../../server/services.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { limits, withoutLightning } from '../courses/rules.ts'
import { courses } from '../courses/tables.ts'
import { notify } from '../notifications/notify.ts'
import { enqueueDecision } from './decide-applications.ts'
import { holdCourse } from './hold-application.ts'
import { reviewApplication } from './review-application.ts'
import {
  courseApplicationDecisions as decisions,
  courseApplications as applications,
} from './tables.ts'

class Full extends Error {}

/**
 * A job: decides the applications one by one, who waited longest first. Each has a transaction of its own,
 * so a second run after a crash goes on with those that still wait for it.
 */
export async function carryOutDecision(
  { decisionId }: { decisionId: string },
  { db }: Pick<Services, 'db'>,
): Promise<void> {
  const [due] = await db
    .select({
      courseId: decisions.courseId,
      decision: decisions.decision,
      notes: decisions.reviewerNotes,
      shareNotes: decisions.notesShared,
      instructorId: courses.instructorId,
      isDue: sql<boolean>`${decisions.applyAt} <= clock_timestamp()`,
    })
    .from(decisions)
    .innerJoin(courses, eq(courses.id, decisions.courseId))
    .where(eq(decisions.id, decisionId))
  if (!due) return
  if (!due.isDue) throw new Error('this decision can still be taken back')
  const waiting = await db
    .select({ applicationId: applications.id })
    .from(applications)
    .where(and(eq(applications.decisionId, decisionId), eq(applications.status, 'pending')))
    .orderBy(asc(applications.submittedAt), asc(applications.id))
  for (const { applicationId } of waiting) {
    const hindrance = await db
      .transaction(async (transaction) => {
        const review = { ...due, applicationId, decisionId }
        const reviewed = await reviewApplication(transaction, review)
        if (reviewed === 'full') throw new Full()
        return reviewed === 'suspended' ? reviewed : null
      })
      .catch((error: unknown) => {
        if (error instanceof Full) return 'full' as const
        throw error
      })
    if (hindrance) {
      const left = { ...due, decisionId, hindrance }
      await db.transaction((transaction) => leavePending(transaction, left))
      break
    }
  }
  await forgetOldDecisions(db, due.courseId)
}

const why = {
  full: `has reached its maximum of ${limits.freePlanStudents} students`,
  suspended: 'is suspended, so nobody new can join it',
}

/** The course is full, or suspended: the rest waits on as before, and the instructor is told. */
async function leavePending(
  transaction: Transaction,
  {
    courseId,
    instructorId,
    decisionId,
    hindrance,
  }: {
    courseId: string
    instructorId: string
    decisionId: string
    hindrance: 'full' | 'suspended'
  },
): Promise<void> {
  const present = await holdPeople(transaction, [instructorId])
  const course = await holdCourse(transaction, courseId)
  const left = await transaction
    .update(applications)
    .set({ decisionId: null })
    .where(and(eq(applications.decisionId, decisionId), eq(applications.status, 'pending')))
    .returning({ id: applications.id })
  if (!course || left.length === 0 || !present.has(course.instructorId)) return
  const number = left.length === 1 ? '1 application' : `${left.length} applications`
  const name = withoutLightning(course.title)
  await publishToPerson(transaction, instructorId, { type: 'applications', courseId })
  await notify(transaction, {
    userId: instructorId,
    kind: 'applications_not_admitted',
    title: hindrance === 'full' ? 'Your Course Is Full' : 'Your Course Is Suspended',
    message: `${number} to ${quoted(name)} could not be approved: the course ${why[hindrance]}. ${left.length === 1 ? 'It is' : 'They are'} still pending.`,
    href: `/course/${course.slug}/dashboard?tab=applications`,
  })
}

/** Those that are carried out; undoing says so for a day. */
async function forgetOldDecisions(executor: Executor, courseId: string): Promise<void> {
  await executor
    .delete(decisions)
    .where(
      and(
        eq(decisions.courseId, courseId),
        lt(decisions.applyAt, sql`now() - interval '1 day'`),
        sql`not exists (select 1 from course_applications a where a.decision_id = ${decisions.id})`,
      ),
    )
}

/** For the start of the process: decisions that were being carried out when an earlier one ended. */
export async function resumeDecisions({ db }: Pick<Services, 'db'>): Promise<void> {
  const waiting = await db
    .select({ id: decisions.id, applyAt: decisions.applyAt })
    .from(decisions)
    .where(
      exists(
        db
          .select({ id: applications.id })
          .from(applications)
          .where(eq(applications.decisionId, decisions.id)),
      ),
    )
  for (const { id, applyAt } of waiting) await enqueueDecision(db, id, applyAt)
}
