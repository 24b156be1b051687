import { eq } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import type { CourseAccess } from '../courses/access.ts'
import { courses } from '../courses/tables.ts'
import { applyingObstacle } from './answer-rules.ts'
import { ownApplication } from './queries.ts'

/** Whether an application of this person would be accepted now; `submitApplication` decides it again. */
export async function mayApply(
  executor: Executor,
  userId: string,
  { courseId, standing, status }: CourseAccess,
): Promise<boolean> {
  if (status !== 'published') return false
  const [course] = await executor
    .select({ applicationRequired: courses.applicationRequired })
    .from(courses)
    .where(eq(courses.id, courseId))
  if (!course) return false
  const latest = (await ownApplication(executor, { userId, courseId }))?.status ?? null
  const { applicationRequired } = course
  return (
    latest !== 'pending' && applyingObstacle({ standing, applicationRequired, latest }) === null
  )
}
