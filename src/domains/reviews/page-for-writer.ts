import type { Executor } from '../../server/db.ts'
import { isEnrolled } from '../enrollment/queries.ts'

interface Reviewed {
  courseId: string
  slug: string
  status: 'draft' | 'published'
}

/** The reviews of a course, for a notice; none where the writer has left a course that is a draft by now. */
export async function pageForWriter(
  executor: Executor,
  userId: string,
  { courseId, slug, status }: Reviewed,
): Promise<string | undefined> {
  const canSee = status === 'published' || (await isEnrolled(executor, { userId, courseId }))
  return canSee ? `/course/${slug}/reviews` : undefined
}
