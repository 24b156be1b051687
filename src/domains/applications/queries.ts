import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { courses } from '../courses/tables.ts'
import {
  courseApplicationQuestions as questions,
  courseApplications as applications,
} from './tables.ts'

/** What the course asks, in its order. */
export function questionsOf(executor: Executor, courseId: string) {
  return executor
    .select({ id: questions.id, question: questions.question, required: questions.required })
    .from(questions)
    .where(eq(questions.courseId, courseId))
    .orderBy(asc(questions.orderIndex), asc(questions.id))
}

/** What an applicant reads and answers; null when there is no such course. */
export async function applicationForm(executor: Executor, courseId: string) {
  const [course] = await executor
    .select({ instructions: courses.applicationInstructions })
    .from(courses)
    .where(eq(courses.id, courseId))
  return course ? { ...course, questions: await questionsOf(executor, courseId) } : null
}

const newestFirst = [desc(applications.submittedAt), desc(applications.id)]

/** As the person may see it. */
async function latestOf(executor: Executor, which: SQL | undefined) {
  const [row] = await executor
    .select({
      id: applications.id,
      status: applications.status,
      submittedAt: applications.submittedAt,
      reviewedAt: applications.reviewedAt,
      reviewerNotes: sql<
        string | null
      >`case when ${applications.notesShared} then ${applications.reviewerNotes} end`,
    })
    .from(applications)
    .where(which)
    .orderBy(...newestFirst)
    .limit(1)
  return row ?? null
}
export type OwnApplicationRow = NonNullable<Awaited<ReturnType<typeof latestOf>>>

/** The latest application of a person to a course, as the person may see it. */
export const ownApplication = (
  executor: Executor,
  { userId, courseId }: { userId: string; courseId: string },
) => latestOf(executor, and(eq(applications.userId, userId), eq(applications.courseId, courseId)))

export const ownApplicationById = (
  executor: Executor,
  { userId, applicationId }: { userId: string; applicationId: string },
) => latestOf(executor, and(eq(applications.userId, userId), eq(applications.id, applicationId)))

/** By what the instructor let the person in, and has not taken it back since; null when neither is so. */
export async function approvedApplication(
  executor: Executor,
  { userId, courseId }: { userId: string; courseId: string },
): Promise<{ invitationId: string | null } | null> {
  const [latest] = await executor
    .select({ status: applications.status, invitationId: applications.invitationId })
    .from(applications)
    .where(and(eq(applications.userId, userId), eq(applications.courseId, courseId)))
    .orderBy(...newestFirst)
    .limit(1)
  return latest?.status === 'approved' ? latest : null
}

/** How many wait for a decision. */
export const pendingApplications = (executor: Executor, courseId: string): Promise<number> =>
  executor.$count(
    applications,
    and(eq(applications.courseId, courseId), eq(applications.status, 'pending')),
  )
