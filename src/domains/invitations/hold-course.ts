import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { courses } from '../courses/tables.ts'

/** Puts in line what is decided about the invitations to a course; null when it is not this instructor's. */
export async function holdCourse(
  transaction: Transaction,
  { courseId, instructorId }: { courseId: string; instructorId: string },
): Promise<{ status: 'draft' | 'published' } | null> {
  const [course] = await transaction
    .select({ status: courses.status })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.instructorId, instructorId)))
    .for('no key update')
  return course ?? null
}
