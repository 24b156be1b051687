import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { plainText } from '../lessons/rich-text.ts'
import { flagshipSlug } from '../site/flagship.ts'
import { claimSlug } from './claim-slug.ts'
import { slugOf, withoutLightning } from './rules.ts'
import type { CourseUpdate } from './schema.ts'
import { courses } from './tables.ts'

/**
 * Changes what is set. A new title gets a new address, and the earlier one keeps leading to the course.
 * Null when the course is not this instructor's.
 */
export async function updateCourse(
  transaction: Transaction,
  instructorId: string,
  courseId: string,
  update: Omit<CourseUpdate, 'courseId'>,
): Promise<{ id: string; slug: string } | null> {
  const own = and(eq(courses.id, courseId), eq(courses.instructorId, instructorId))
  const [course] = await transaction
    .select({ title: courses.title, slug: courses.slug })
    .from(courses)
    .where(own)
    // A new slug is a new key: with less than this, renaming and joining could wait for each other.
    .for('update')
  if (!course) return null
  // A title of nothing but the mark stays as it is.
  const title = update.title && (withoutLightning(update.title) || update.title)
  const keepsSlug =
    title === undefined || slugOf(title) === slugOf(course.title) || course.slug === flagshipSlug
  const slug = keepsSlug ? course.slug : await claimSlug(transaction, courseId, title)
  const { description } = update
  await transaction
    .update(courses)
    .set({
      ...update,
      title,
      slug,
      descriptionText: description && plainText(description),
      updatedAt: sql`now()`,
    })
    .where(own)
  return { id: courseId, slug }
}
