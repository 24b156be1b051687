import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import { ensureQuestions, saveQuestions } from '../applications/save-questions.ts'
import { plainText, type RichText } from '../lessons/rich-text.ts'
import { richText } from '../lessons/rich-text-schema.ts'
import { holdThumbnail, touchFiles } from '../media/hold-course-picture.ts'
import { flagshipSlug } from '../site/flagship.ts'
import { claimSlug } from './claim-slug.ts'
import { pricingOf } from './pricing.ts'
import { slugOf, withoutLightning } from './rules.ts'
import type { CourseUpdate } from './schema.ts'
import { courses } from './tables.ts'

/**
 * Changes what is set. A new title gets a new address, and the earlier one keeps leading to the course.
 * A new price binds new buyers only; where there is none any more, no page stays open on which it could be paid.
 * 'gone' when the course is not this instructor's.
 */
export async function updateCourse(
  transaction: Transaction,
  instructorId: string,
  courseId: string,
  update: Omit<CourseUpdate, 'courseId'>,
): Promise<{ id: string; slug: string } | 'gone' | 'no thumbnail' | 'other description'> {
  const { descriptionBefore, ...changes } = update
  const own = and(eq(courses.id, courseId), eq(courses.instructorId, instructorId))
  const [course] = await transaction
    .select({
      title: courses.title,
      slug: courses.slug,
      thumbnailId: courses.thumbnailId,
      description: descriptionBefore ? courses.description : sql<null>`null`,
      pricingType: courses.pricingType,
      priceAmount: courses.priceAmount,
      applicationRequired: courses.applicationRequired,
    })
    .from(courses)
    .where(own)
    // A new slug is a new key: with less than this, renaming and joining could wait for each other.
    .for('update')
  if (!course) return 'gone'
  if (descriptionBefore && !isOneOf(course.description, [descriptionBefore, update.description])) {
    return 'other description'
  }
  if (!(await exchangeThumbnail(transaction, instructorId, course.thumbnailId, update))) {
    return 'no thumbnail'
  }
  const { description, applicationQuestions, applicationInstructions, ...information } = changes
  const pricing = pricingOf(course, update)
  const applicationRequired = update.applicationRequired ?? course.applicationRequired
  const title = update.title && withoutLightning(update.title)
  const keepsSlug =
    title === undefined || slugOf(title) === slugOf(course.title) || course.slug === flagshipSlug
  const slug = keepsSlug ? course.slug : await claimSlug(transaction, courseId, title)
  await transaction
    .update(courses)
    .set({
      ...information,
      ...pricing,
      // Empty ones change nothing (spec 1, section 5).
      applicationInstructions: applicationInstructions || undefined,
      title,
      slug,
      description,
      descriptionText: description && plainText(description),
      updatedAt: sql`now()`,
    })
    .where(own)
  if (course.pricingType !== 'free' && pricing.pricingType === 'free') {
    await enqueue(transaction, 'closeCheckouts', { courseId })
  }
  if (applicationQuestions) await saveQuestions(transaction, courseId, applicationQuestions)
  else if (applicationRequired) await ensureQuestions(transaction, courseId)
  return { id: courseId, slug }
}

/** Compared as they are checked on their way in: the database keeps the keys of a text in an order of its own. */
function isOneOf(stored: RichText | null, texts: (RichText | undefined)[]): boolean {
  const checked = JSON.stringify(richText('Description').safeParse(stored).data)
  return texts.some((one) => JSON.stringify(one) === checked)
}

/** Holds the picture that a course takes, and says that its former one lies unused from now on. False when it cannot be taken. */
async function exchangeThumbnail(
  transaction: Transaction,
  instructorId: string,
  before: string | null,
  { thumbnailId }: Pick<CourseUpdate, 'thumbnailId'>,
): Promise<boolean> {
  if (thumbnailId === undefined || thumbnailId === before) return true
  // After the course, as by whoever deletes it.
  if (thumbnailId && !(await holdThumbnail(transaction, instructorId, thumbnailId))) return false
  await touchFiles(transaction, [before])
  return true
}
