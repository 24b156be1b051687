import { and, eq } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { comments, posts } from './tables.ts'

/** Who wrote a post; null when it is gone, or hidden from everybody but who moderates. */
export async function authorOf(
  executor: Executor,
  { postId, courseId, canModerate }: { postId: string; courseId: string; canModerate: boolean },
): Promise<string | null> {
  const [post] = await executor
    .select({ userId: posts.userId })
    .from(posts)
    .where(
      and(
        eq(posts.id, postId),
        eq(posts.courseId, courseId),
        canModerate ? undefined : eq(posts.status, 'published'),
      ),
    )
  return post?.userId ?? null
}

/** Whose comment it is, and whether it is shown; null when it is gone. */
export async function commentFor(
  executor: Executor,
  { commentId, courseId }: { commentId: string; courseId: string },
) {
  const [comment] = await executor
    .select({ userId: comments.userId, status: comments.status })
    .from(comments)
    .where(and(eq(comments.id, commentId), eq(comments.courseId, courseId)))
  return comment ?? null
}
