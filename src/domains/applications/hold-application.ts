import { eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { courses } from '../courses/tables.ts'

/**
 * Holds an applicant, the instructor and the course, in the order in which everybody locks them: nobody
 * edits the questions, decides, joins or leaves meanwhile. Null when one of them is gone, or the course
 * is not this instructor's any more.
 */
export async function holdApplication(
  transaction: Transaction,
  { userId, courseId, instructorId }: { userId: string; courseId: string; instructorId: string },
) {
  const present = await holdPeople(transaction, [userId, instructorId])
  const course = await holdCourse(transaction, courseId)
  const isWhole = present.has(userId) && course?.instructorId === instructorId
  return isWhole ? course : null
}

/** The course alone: for what concerns nobody's account. */
export async function holdCourse(transaction: Transaction, courseId: string) {
  const [course] = await transaction
    .select({
      courseId: courses.id,
      instructorId: courses.instructorId,
      slug: courses.slug,
      title: courses.title,
      status: courses.status,
      suspendedAt: courses.suspendedAt,
      pricingType: courses.pricingType,
      studentsCount: courses.studentsCount,
      applicationRequired: courses.applicationRequired,
    })
    .from(courses)
    .where(eq(courses.id, courseId))
    .for('no key update')
  return course ?? null
}
export type HeldCourse = NonNullable<Awaited<ReturnType<typeof holdCourse>>>
