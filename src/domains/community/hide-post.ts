import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToCourse } from '../../server/publish.ts'
import { queueAnnouncement } from './announce-post.ts'
import { posts } from './tables.ts'
import { takeBackAnnouncements } from './take-back-announcement.ts'

/**
 * Hides a published post from everybody but the moderation, or brings it back. It is not pinned any more
 * then: nobody could unpin what nobody sees. False when there was nothing to do.
 */
export async function setPostHidden(
  transaction: Transaction,
  { postId, courseId, hidden }: { postId: string; courseId: string; hidden: boolean },
): Promise<boolean> {
  const [from, to] = hidden
    ? (['published', 'hidden'] as const)
    : (['hidden', 'published'] as const)
  const changed = await transaction
    .update(posts)
    .set({ status: to, isPinned: false, pinnedAt: null })
    .where(and(eq(posts.id, postId), eq(posts.courseId, courseId), eq(posts.status, from)))
    .returning({ isAnnouncement: posts.isAnnouncement })
  if (changed.length === 0) return false
  if (changed[0]!.isAnnouncement) {
    if (hidden) await takeBackAnnouncements(transaction, sql`p.id = ${postId}`)
    // It may have been hidden before its turn.
    else await queueAnnouncement(transaction, postId)
  }
  const change = hidden ? 'removed' : 'changed'
  await publishToCourse(transaction, courseId, { type: 'post', courseId, postId, change })
  return true
}
