import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { comments, posts } from './tables.ts'

/** Puts those in line who change what stands below a post; null when it is not of this course. */
export async function holdPost(
  transaction: Transaction,
  { postId, courseId }: { postId: string; courseId: string },
) {
  const [post] = await transaction
    .select({ status: posts.status, userId: posts.userId, commentsCount: posts.commentsCount })
    .from(posts)
    .where(and(eq(posts.id, postId), eq(posts.courseId, courseId)))
    .for('no key update')
  return post ?? null
}

/** The same for the post of a comment, found before it is waited for: a comment never changes its post. */
export async function holdPostOf(
  transaction: Transaction,
  { commentId, courseId }: { commentId: string; courseId: string },
) {
  const [comment] = await transaction
    .select({ postId: comments.postId })
    .from(comments)
    .where(and(eq(comments.id, commentId), eq(comments.courseId, courseId)))
  const post = comment && (await holdPost(transaction, { postId: comment.postId, courseId }))
  return post ? { ...post, postId: comment.postId } : null
}
