import { and, eq, ne, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { users } from '../accounts/tables.ts'
import { recordActivity } from '../analytics/record-activity.ts'
import { ensureQuestions, saveQuestions } from '../applications/save-questions.ts'
import { planOf } from '../billing/plan.ts'
import { enrollStudent } from '../enrollment/enroll-student.ts'
import { plainText } from '../lessons/rich-text.ts'
import { flagshipCourseId } from '../site/flagship.ts'
import { claimSlug } from './claim-slug.ts'
import { noPrice, pricingOf } from './pricing.ts'
import { limits } from './rules.ts'
import type { CourseForm } from './schema.ts'
import { courses } from './tables.ts'

/** Keeps a person's attempts to make courses in line until the transaction ends, so that the limit is exact. */
export async function lockCreator(transaction: Transaction, userId: string): Promise<void> {
  await transaction
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update')
}

/** Whether the plan of this person leaves room for one more course. Drafts count, the flagship does not. */
export async function mayCreateCourse(executor: Executor, userId: string): Promise<boolean> {
  if ((await planOf(executor, userId)) === 'pro') return true
  const flagshipId = await flagshipCourseId(executor)
  const own = await executor.$count(
    courses,
    and(
      eq(courses.instructorId, userId),
      flagshipId === null ? undefined : ne(courses.id, flagshipId),
    ),
  )
  return own < limits.freePlanCourses
}

/** Stores a draft with its address and its application questions, and enrolls its creator. Asks for no limit: the caller did. */
export async function createCourse(
  transaction: Transaction,
  instructorId: string,
  form: CourseForm,
): Promise<{ id: string; slug: string }> {
  const { applicationQuestions, applicationInstructions, ...information } = form
  const [course] = await transaction
    .insert(courses)
    .values({
      ...information,
      ...pricingOf(noPrice, form),
      // Without any, the column has the ones of the specification.
      applicationInstructions: applicationInstructions || undefined,
      slug: sql`uuidv7()::text`,
      descriptionText: plainText(form.description),
      instructorId,
    })
    .returning({ id: courses.id })
  const { id } = course!
  if (applicationQuestions) await saveQuestions(transaction, id, applicationQuestions)
  else if (form.applicationRequired) await ensureQuestions(transaction, id)
  const slug = await claimSlug(transaction, id, form.title)
  await transaction.update(courses).set({ slug }).where(eq(courses.id, id))
  await enrollStudent(transaction, { userId: instructorId, courseId: id, instructorId })
  const activity = { userId: instructorId, courseId: id, activityType: 'course_created' } as const
  await recordActivity(transaction, activity)
  return { id, slug }
}
