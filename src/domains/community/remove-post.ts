import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToCourse } from '../../server/publish.ts'
import { removeAttachmentsOf } from './keep-attachments.ts'
import { posts } from './tables.ts'
import { takeBackAnnouncements } from './take-back-announcement.ts'

/** Deletes a post with its comments, likes and files. False when it was gone. */
export async function removePost(
  transaction: Transaction,
  { postId, courseId }: { postId: string; courseId: string },
): Promise<boolean> {
  const own = and(eq(posts.id, postId), eq(posts.courseId, courseId))
  // From here on nothing is added to it.
  const [post] = await transaction
    .select({ isAnnouncement: posts.isAnnouncement })
    .from(posts)
    .where(own)
    .for('update')
  if (!post) return false
  if (post.isAnnouncement) await takeBackAnnouncements(transaction, sql`p.id = ${postId}`)
  await removeAttachmentsOf(transaction, postId)
  await transaction.delete(posts).where(own)
  await publishToCourse(transaction, courseId, {
    type: 'post',
    courseId,
    postId,
    change: 'removed',
  })
  return true
}
