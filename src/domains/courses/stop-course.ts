import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { courses } from './tables.ts'

const facts = {
  courseId: courses.id,
  title: courses.title,
  slug: courses.slug,
  status: courses.status,
  instructorId: courses.instructorId,
  verified: courses.verified,
  suspendedAt: courses.suspendedAt,
}

/** A course as it is until the transaction ends; its people are locked before it. Null when it is gone. */
export async function lockCourse(transaction: Transaction, courseId: string) {
  const [course] = await transaction
    .select(facts)
    .from(courses)
    .where(eq(courses.id, courseId))
    .for('no key update')
  return course ?? null
}

/** The same for all that a creator has published; who publishes one at this moment locks the creator. */
export function lockPublished(transaction: Transaction, instructorId: string) {
  return transaction
    .select(facts)
    .from(courses)
    .where(and(eq(courses.instructorId, instructorId), eq(courses.status, 'published')))
    .orderBy(asc(courses.id))
    .for('no key update')
}

/** Drafts that nobody can publish: members keep them, nobody new finds, joins or buys them. */
export async function stopCourses(transaction: Transaction, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await transaction
    .update(courses)
    .set({ status: 'draft', suspendedAt: sql`now()`, updatedAt: sql`now()` })
    .where(inArray(courses.id, ids))
}

/**
 * Open to be published again; those that were are published at once, unless their lessons have gone meanwhile. Answers
 * how many were, and stay drafts for that.
 */
export async function releaseCourses(
  transaction: Transaction,
  released: { courseId: string; wasPublished: boolean }[],
): Promise<{ withoutLessons: number }> {
  const ids = released.map(({ courseId }) => courseId).toSorted()
  if (ids.length === 0) return { withoutLessons: 0 }
  await transaction
    .select({ id: courses.id })
    .from(courses)
    .where(inArray(courses.id, ids))
    .orderBy(asc(courses.id))
    .for('no key update')
  await transaction
    .update(courses)
    .set({ suspendedAt: null, updatedAt: sql`now()` })
    .where(inArray(courses.id, ids))
  const again = released.filter(({ wasPublished }) => wasPublished).map((one) => one.courseId)
  if (again.length === 0) return { withoutLessons: 0 }
  const published = await transaction
    .update(courses)
    .set({ status: 'published' })
    .where(and(inArray(courses.id, again), sql`${courses.lessonsCount} > 0`))
    .returning({ id: courses.id })
  return { withoutLessons: again.length - published.length }
}

export async function markCourseVerified(
  transaction: Transaction,
  courseId: string,
  verified: boolean,
): Promise<void> {
  await transaction
    .update(courses)
    .set({ verified, updatedAt: sql`now()` })
    .where(eq(courses.id, courseId))
}
