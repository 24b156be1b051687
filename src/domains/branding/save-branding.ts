import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { planOf } from '../billing/plan.ts'
import { touchCourse } from '../courses/touch-course.ts'
import { holdCoursePicture, touchFiles } from '../media/hold-course-picture.ts'
import { brandingOf } from './queries.ts'
import { type Branding, isUnbranded, onlyRemoves } from './rules.ts'
import { courseBrandings } from './tables.ts'

interface Saving {
  courseId: string
  instructorId: string
  branding: Branding
}

/**
 * Makes this the look of a course. What is there can be removed without Pro. On a refusal the caller must roll
 * the transaction back.
 */
export async function saveBranding(
  transaction: Transaction,
  { courseId, instructorId, branding }: Saving,
): Promise<'saved' | 'gone' | 'no pro' | 'no logo' | 'no cover'> {
  // Kept pages notice by it, and two who save at once wait in line.
  if (!(await touchCourse(transaction, { courseId, instructorId }))) return 'gone'
  const before = await brandingOf(transaction, courseId)
  if (!onlyRemoves(before, branding) && (await planOf(transaction, instructorId)) !== 'pro') {
    return 'no pro'
  }
  const { logoId, coverId } = branding
  const place = { courseId, ownerId: instructorId }
  const isOwn = (id: string, purpose: 'course_logo' | 'course_cover') =>
    holdCoursePicture(transaction, { ...place, id, purpose })
  if (logoId && logoId !== before.logoId && !(await isOwn(logoId, 'course_logo'))) return 'no logo'
  if (coverId && coverId !== before.coverId && !(await isOwn(coverId, 'course_cover'))) {
    return 'no cover'
  }
  // What goes stays a while: a certificate that is issued at this moment may show it.
  const gone = [before.logoId, before.coverId].filter((id) => id !== logoId && id !== coverId)
  await touchFiles(transaction, gone)
  if (isUnbranded(branding)) {
    await transaction.delete(courseBrandings).where(eq(courseBrandings.courseId, courseId))
    return 'saved'
  }
  await transaction
    .insert(courseBrandings)
    .values({ courseId, ...branding })
    .onConflictDoUpdate({
      target: courseBrandings.courseId,
      set: { ...branding, updatedAt: sql`now()` },
    })
  return 'saved'
}
