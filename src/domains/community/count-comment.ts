import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { comments, posts } from './tables.ts'

interface Place {
  /** Its row is held. */
  postId: string
  /** Null for a comment that begins a thread. */
  threadId: string | null
}

/** One comment more or less below a post, and in its thread. */
export async function countComment(
  transaction: Transaction,
  { postId, threadId }: Place,
  difference: 1 | 0 | -1,
): Promise<void> {
  await transaction
    .update(posts)
    .set({ commentsCount: sql`${posts.commentsCount} + ${difference}` })
    .where(eq(posts.id, postId))
  if (threadId === null) return
  await transaction
    .update(comments)
    .set({ repliesCount: sql`${comments.repliesCount} + ${difference}` })
    .where(eq(comments.id, threadId))
}
