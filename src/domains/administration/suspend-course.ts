import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import { withoutLightning } from '../courses/rules.ts'
import { lockCourse, stopCourses } from '../courses/stop-course.ts'
import { courses } from '../courses/tables.ts'
import { flagshipCourseId } from '../site/flagship.ts'
import { holdForAct } from './hold-for-act.ts'
import { recordAct } from './record-act.ts'
import { suspensions } from './tables.ts'
import { tellOfCourseSuspension } from './tell-of-suspension.ts'

/** The course, held after its creator and who acts; a word when that cannot be. */
export async function holdCourseForAct(
  transaction: Transaction,
  { actorId, courseId }: { actorId: string; courseId: string },
) {
  const [seen] = await transaction
    .select({ instructorId: courses.instructorId })
    .from(courses)
    .where(eq(courses.id, courseId))
  if (!seen) return 'gone' as const
  const people = await holdForAct(transaction, actorId, [seen.instructorId])
  if (!people) return 'not admin' as const
  const course = await lockCourse(transaction, courseId)
  // Handed over meanwhile, by a creator who left.
  if (!course || course.instructorId !== seen.instructorId) return 'gone' as const
  return { course, creator: people.get(course.instructorId)! }
}

/** Ends the suspension with the creator's account, for one of its own. Null when it has no such. */
async function takeOutOfAccount(
  transaction: Transaction,
  { actorId, courseId }: { actorId: string; courseId: string },
) {
  const [former] = await transaction
    .update(suspensions)
    .set({ liftedAt: sql`now()`, liftedBy: actorId })
    .where(
      and(
        eq(suspensions.courseId, courseId),
        isNull(suspensions.liftedAt),
        isNotNull(suspensions.becauseOf),
      ),
    )
    .returning({ wasPublished: suspensions.wasPublished })
  return former ?? null
}

/**
 * Stops a course: a draft that its creator can mend but not publish. Its members keep it, and so does whoever
 * paid for it. One that is stopped with its creator's account is stopped for itself from here on, and stays so
 * when the account comes back. Answers what stood in the way.
 */
export async function suspendCourse(
  transaction: Transaction,
  act: { actorId: string; courseId: string; reason: string },
): Promise<'not admin' | 'gone' | 'suspended already' | 'starter course' | null> {
  const { actorId, courseId, reason } = act
  const held = await holdCourseForAct(transaction, act)
  if (typeof held === 'string') return held
  const { course, creator } = held
  const former = course.suspendedAt ? await takeOutOfAccount(transaction, act) : null
  if (course.suspendedAt && !former) return 'suspended already'
  if ((await flagshipCourseId(transaction)) === courseId) return 'starter course'
  const wasPublished = former ? former.wasPublished : course.status === 'published'
  await stopCourses(transaction, [courseId])
  await transaction
    .insert(suspensions)
    .values({ courseId, reason, suspendedBy: actorId, wasPublished })
  await enqueue(transaction, 'closeCheckouts', { courseId })
  const title = withoutLightning(course.title)
  await recordAct(transaction, {
    actorId,
    action: 'suspend_course',
    subject: { kind: 'course', id: courseId, name: title },
    reason,
    details: { wasPublished },
  })
  await tellOfCourseSuspension(transaction, {
    userId: course.instructorId,
    slug: course.slug,
    title,
    reason,
    accountIsSuspended: creator.suspendedAt !== null,
  })
  return null
}
