import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { comments, posts } from '../community/tables.ts'

interface Subject {
  courseId: string
  /** The post, or the one that the comment stands below. */
  postId: string | null
  /** Null for a post. */
  commentId: string | null
}

interface HeldSubject {
  authorId: string | null
  content: string
  status: 'published' | 'scheduled' | 'hidden' | 'deleted'
  /** A comment, of which nothing is read while its post is hidden. */
  isBelowHidden: boolean
}

/**
 * Locks a post, or a comment after its post, so that nobody else changes, reports or decides about it
 * meanwhile: cases come after it. Null when it is gone, or is of another course.
 */
export async function holdSubject(
  transaction: Transaction,
  { courseId, postId, commentId }: Subject,
  forDeletion = false,
): Promise<HeldSubject | null> {
  if (postId === null) return null
  const strength = forDeletion ? 'update' : 'no key update'
  const [post] = await transaction
    .select({ authorId: posts.userId, content: posts.content, status: posts.status })
    .from(posts)
    .where(and(eq(posts.id, postId), eq(posts.courseId, courseId)))
    .for(commentId === null ? strength : 'no key update')
  if (!post) return null
  if (commentId === null) return { ...post, isBelowHidden: false }
  const [comment] = await transaction
    .select({ authorId: comments.userId, content: comments.content, status: comments.status })
    .from(comments)
    .where(and(eq(comments.id, commentId), eq(comments.postId, postId)))
    .for(strength)
  if (!comment) return null
  // What nobody reads any more is not read below it either.
  const isBelowHidden = post.status === 'hidden'
  const status = post.status === 'published' ? comment.status : post.status
  return { ...comment, status, isBelowHidden }
}
