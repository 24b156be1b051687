import { eq } from 'drizzle-orm'
import { quoted } from '../../isolated.ts'
import type { Transaction } from '../../server/db.ts'
import { holdForAct } from '../administration/hold-for-act.ts'
import { recordAct } from '../administration/record-act.ts'
import { recountReviews } from '../courses/recount-reviews.ts'
import { quotedTitle, withoutLightning } from '../courses/rules.ts'
import { lockCourse } from '../courses/stop-course.ts'
import { notify } from '../notifications/notify.ts'
import { pageForWriter } from './page-for-writer.ts'
import { courseReviews } from './tables.ts'

/**
 * For an administrator: removes what somebody wrote, with the answer to it. The writer reads why, and not by whom.
 * Answers what stood in the way.
 */
export async function takeDownReview(
  transaction: Transaction,
  { actorId, reviewId, reason }: { actorId: string; reviewId: string; reason: string },
): Promise<'not admin' | 'gone' | null> {
  const which = eq(courseReviews.id, reviewId)
  const [seen] = await transaction
    .select({ userId: courseReviews.userId, courseId: courseReviews.courseId })
    .from(courseReviews)
    .where(which)
  if (!seen) return 'gone'
  const { userId, courseId } = seen
  if (!(await holdForAct(transaction, actorId, [userId]))) return 'not admin'
  const course = await lockCourse(transaction, courseId)
  const removed = await transaction
    .delete(courseReviews)
    .where(which)
    .returning({ id: courseReviews.id })
  if (!course || removed.length === 0) return 'gone'
  await recountReviews(transaction, [courseId])
  await recordAct(transaction, {
    actorId,
    action: 'remove_review',
    subject: { kind: 'course', id: courseId, name: withoutLightning(course.title) },
    reason,
  })
  await notify(transaction, {
    userId,
    kind: 'content_moderated',
    title: 'Your review was removed',
    message: `The administrators have removed your review of ${quotedTitle(course.title)}. The reason: ${quoted(reason)}`,
    href: await pageForWriter(transaction, userId, { ...course, courseId }),
  })
  return null
}
