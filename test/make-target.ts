import type { Services } from '../src/server/services.ts'
import type { Target } from './contract-inputs.ts'
import { lessonsOf, makeCase, makeComment, makeMedia, makePost, makeReview } from './factories.ts'

/** What the calls of the contract can be about, in a course: one of each, posts and comments by `by`. */
export async function makeTarget(
  services: Services,
  course: { id: string; slug: string; instructorId: string },
  by: { id: string } = { id: course.instructorId },
): Promise<Target> {
  const [lesson] = await lessonsOf(services, course.id)
  const { rows } = await services.pool.query<{ id: string }>(
    'select id from chapters where course_id = $1',
    [course.id],
  )
  const owner = { id: course.instructorId }
  const postId = await makePost(services, course, { by })
  return {
    courseId: course.id,
    slug: course.slug,
    chapterId: rows[0]!.id,
    lessonId: lesson!.id,
    lessonSlug: lesson!.slug,
    mediaId: await makeMedia(services, owner, { purpose: 'video', courseId: course.id }),
    reviewId: await makeReview(services, course),
    postId,
    commentId: await makeComment(services, postId, { by }),
    caseId: await makeCase(services, course),
  }
}
