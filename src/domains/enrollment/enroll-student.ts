import { eq } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { planOf } from '../billing/plan.ts'
import { addStudent } from '../courses/add-student.ts'
import { limits } from '../courses/rules.ts'
import { courses } from '../courses/tables.ts'
import { flagshipCourseId } from '../site/flagship.ts'
import { enrollments } from './tables.ts'

export type EnrollmentResult = 'enrolled' | 'already enrolled' | 'full' | 'gone'

/**
 * Enrolls a person, exactly once, within the student limit of the instructor's plan. The owner does not
 * count as a student. After 'full' the caller must roll the transaction back: the row is already in it.
 * 'gone' when the course was deleted at this moment.
 */
export async function enrollStudent(
  transaction: Transaction,
  enrollment: {
    userId: string
    courseId: string
    instructorId: string
    invitationId?: string
    /** Whoever paid is let in, full or not. */
    isPaid?: boolean
  },
): Promise<EnrollmentResult> {
  // Before anything refers to the course: who deletes it holds this lock, and would wait for the reference.
  const [course] = await transaction
    .select({ id: courses.id })
    .from(courses)
    .where(eq(courses.id, enrollment.courseId))
    .for('no key update')
  if (!course) return 'gone'
  const inserted = await transaction
    .insert(enrollments)
    .values({
      userId: enrollment.userId,
      courseId: enrollment.courseId,
      invitationId: enrollment.invitationId,
    })
    .onConflictDoNothing()
    .returning({ id: enrollments.id })
  if (inserted.length === 0) return 'already enrolled'
  if (enrollment.userId === enrollment.instructorId) return 'enrolled'
  const cap = enrollment.isPaid ? null : await studentLimit(transaction, enrollment)
  return (await addStudent(transaction, enrollment.courseId, cap)) ? 'enrolled' : 'full'
}

/** How many students the course may have; null means any number. */
export async function studentLimit(
  executor: Executor,
  course: { courseId: string; instructorId: string },
): Promise<number | null> {
  if ((await flagshipCourseId(executor)) === course.courseId) return null
  return (await planOf(executor, course.instructorId)) === 'pro' ? null : limits.freePlanStudents
}
