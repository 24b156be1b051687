import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToCourse } from '../../server/publish.ts'
import { countComment } from './count-comment.ts'
import { holdPostOf } from './hold-post.ts'
import { comments } from './tables.ts'

interface Hiding {
  commentId: string
  courseId: string
  hidden: boolean
}

/** Takes a comment out of sight, or brings it back; false when it is not there, or is so already. */
export async function setCommentHidden(
  transaction: Transaction,
  { commentId, courseId, hidden }: Hiding,
): Promise<boolean> {
  const post = await holdPostOf(transaction, { commentId, courseId })
  if (!post) return false
  const { postId } = post
  const [changed] = await transaction
    .update(comments)
    .set({ status: hidden ? 'hidden' : 'published' })
    .where(
      and(
        eq(comments.id, commentId),
        eq(comments.courseId, courseId),
        eq(comments.status, hidden ? 'published' : 'hidden'),
      ),
    )
    .returning({ threadId: comments.threadId })
  if (!changed) return false
  const difference = hidden ? -1 : 1
  await countComment(transaction, { postId, threadId: changed.threadId }, difference)
  await publishToCourse(transaction, courseId, {
    type: 'comment',
    courseId,
    postId,
    commentId,
    // What is answered leaves a place: whoever shows it asks what is to be seen there.
    change: hidden ? 'changed' : 'created',
    commentsCount: post.commentsCount + difference,
  })
  return true
}
