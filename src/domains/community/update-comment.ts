import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToCourse } from '../../server/publish.ts'
import type { CourseAccess } from '../courses/access.ts'
import { courses } from '../courses/tables.ts'
import { refusalOfText } from '../moderation/refusal-of-text.ts'
import { holdMembership } from './hold-membership.ts'
import { holdPost } from './hold-post.ts'
import { keepMentions } from './keep-mentions.ts'
import { comments } from './tables.ts'

interface CommentChange {
  userId: string
  course: Pick<CourseAccess, 'courseId' | 'instructorId' | 'slug'>
  commentId: string
  content: string
}

type Result = { postId: string } | { refused: string } | 'no member' | 'gone' | 'not yours'

/** Changes what its author has written; who is named for the first time is told. */
export async function updateComment(
  transaction: Transaction,
  { userId, course, commentId, content }: CommentChange,
): Promise<Result> {
  const { courseId, instructorId } = course
  if (!(await holdMembership(transaction, { userId, courseId, instructorId }))) return 'no member'
  const which = and(eq(comments.id, commentId), eq(comments.courseId, courseId))
  const [place] = await transaction
    .select({ postId: comments.postId, title: courses.title })
    .from(comments)
    .innerJoin(courses, eq(courses.id, comments.courseId))
    .where(which)
  if (!place) return 'gone'
  const { postId } = place
  const post = await holdPost(transaction, { postId, courseId })
  if (post?.status !== 'published') return 'gone'
  const [comment] = await transaction
    .select({
      userId: comments.userId,
      status: comments.status,
      content: comments.content,
      createdAt: comments.createdAt,
    })
    .from(comments)
    .where(which)
  if (comment?.status !== 'published') return 'gone'
  if (comment.userId !== userId) return 'not yours'
  // Saved once more as it was, it is not an edit.
  if (comment.content === content) return { postId }
  const refused = await refusalOfText(transaction, {
    courseId,
    instructorId,
    userId,
    text: content,
    writtenAt: comment.createdAt,
  })
  if (refused !== null) return { refused }
  await transaction
    .update(comments)
    .set({ content, updatedAt: sql`statement_timestamp()` })
    .where(and(which, eq(comments.userId, userId)))
  await keepMentions(transaction, {
    postId,
    commentId,
    course: { ...course, title: place.title },
    authorId: userId,
    text: content,
    told: [],
  })
  await publishToCourse(transaction, courseId, {
    type: 'comment',
    courseId,
    postId,
    commentId,
    change: 'changed',
    commentsCount: post.commentsCount,
  })
  return { postId }
}
