import { and, count, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToCourse } from '../../server/publish.ts'
import { courses } from '../courses/tables.ts'
import { communityLimits } from './rules.ts'
import { posts } from './tables.ts'

interface Pin {
  postId: string
  courseId: string
  instructorId: string
  isPinned: boolean
}

/** Puts a post before the others, or back to its place. The course puts those who pin in line. */
export async function pinPost(
  transaction: Transaction,
  { postId, courseId, instructorId, isPinned }: Pin,
): Promise<'done' | 'gone' | 'too many'> {
  const [course] = await transaction
    .select({ id: courses.id })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.instructorId, instructorId)))
    .for('no key update')
  if (!course) return 'gone'
  const shown = and(
    eq(posts.id, postId),
    eq(posts.courseId, courseId),
    eq(posts.status, 'published'),
  )
  const [post] = await transaction
    .select({ isPinned: posts.isPinned })
    .from(posts)
    .where(shown)
    .for('no key update')
  if (!post) return 'gone'
  if (post.isPinned === isPinned) return 'done'
  if (isPinned && (await pinnedPosts(transaction, courseId)) >= communityLimits.pinned) {
    return 'too many'
  }
  await transaction
    .update(posts)
    .set({ isPinned, pinnedAt: isPinned ? sql`now()` : null })
    .where(shown)
  await publishToCourse(transaction, courseId, {
    type: 'post',
    courseId,
    postId,
    change: 'changed',
  })
  return 'done'
}

async function pinnedPosts(transaction: Transaction, courseId: string): Promise<number> {
  const [pinned] = await transaction
    .select({ number: count() })
    .from(posts)
    .where(and(eq(posts.courseId, courseId), eq(posts.isPinned, true)))
  return pinned!.number
}
