import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToCourse } from '../../server/publish.ts'
import type { CourseAccess } from '../courses/access.ts'
import { courses } from '../courses/tables.ts'
import { refusalOfText } from '../moderation/refusal-of-text.ts'
import { keepingEvent } from '../webhooks/keep-event.ts'
import { countComment } from './count-comment.ts'
import { holdMembership } from './hold-membership.ts'
import { holdPost } from './hold-post.ts'
import { comments, posts } from './tables.ts'
import { tellOfComment } from './tell-of-comment.ts'

interface NewComment {
  userId: string
  course: Pick<CourseAccess, 'courseId' | 'instructorId' | 'slug'>
  postId: string
  parentId: string | null
  content: string
}

type Result =
  | { id: string }
  | { refused: string }
  | 'no member'
  | 'post gone'
  | 'parent of another post'
  | 'parent gone'

/** Who would be told of it: their accounts are held before the post is. And in which course. */
async function findPlace(
  transaction: Transaction,
  { postId, parentId, course }: NewComment,
): Promise<{ post: string; parent: string | null; title: string } | null> {
  const [found] = await transaction
    .select({ post: posts.userId, parent: comments.userId, title: courses.title })
    .from(posts)
    .innerJoin(courses, eq(courses.id, posts.courseId))
    .leftJoin(comments, and(eq(comments.postId, posts.id), eq(comments.id, sql`${parentId}::uuid`)))
    .where(and(eq(posts.id, postId), eq(posts.courseId, course.courseId)))
  return found ?? null
}

/**
 * Writes a comment, or an answer to one. The post's row puts those who write and delete below it in line,
 * so that the counts are those of the comments and nothing is answered that is going.
 */
export async function createComment(
  transaction: Transaction,
  comment: NewComment,
): Promise<Result> {
  const { userId, course, postId, parentId, content } = comment
  const { courseId, instructorId } = course
  const place = await findPlace(transaction, comment)
  const others = [place?.post, place?.parent].filter((id) => typeof id === 'string')
  if (!(await holdMembership(transaction, { userId, courseId, instructorId, others }))) {
    return 'no member'
  }
  const post = await holdPost(transaction, { postId, courseId })
  if (!place || post?.status !== 'published') return 'post gone'
  let threadId: string | null = null
  if (parentId !== null) {
    const [parent] = await transaction
      .select({ postId: comments.postId, threadId: comments.threadId, status: comments.status })
      .from(comments)
      .where(and(eq(comments.id, parentId), eq(comments.courseId, courseId)))
    if (parent && parent.postId !== postId) return 'parent of another post'
    if (parent?.status !== 'published') return 'parent gone'
    threadId = parent.threadId ?? parentId
  }
  const refused = await refusalOfText(transaction, {
    courseId,
    instructorId,
    userId,
    text: content,
  })
  if (refused !== null) return { refused }
  const [made] = await transaction
    .insert(comments)
    .values({
      postId,
      courseId,
      userId,
      parentId,
      threadId,
      content,
      // Not `now()`, which was before the wait for the post: who waited longest would stand above what
      // others have read already.
      createdAt: sql`statement_timestamp()`,
      updatedAt: sql`statement_timestamp()`,
    })
    .returning({ id: comments.id })
  const { id: commentId } = made!
  await countComment(transaction, { postId, threadId }, 1)
  await tellOfComment(transaction, {
    postId,
    commentId,
    course: { ...course, title: place.title },
    authorId: userId,
    text: content,
    postAuthorId: place.post,
    parentAuthorId: place.parent,
  })
  await publishToCourse(
    transaction,
    courseId,
    {
      type: 'comment',
      courseId,
      postId,
      commentId,
      change: 'created',
      commentsCount: post.commentsCount + 1,
    },
    keepingEvent({
      type: 'comment.created',
      courseId,
      personId: userId,
      more: { comment: { id: commentId, postId, parentId, content } },
    }),
  )
  return { id: commentId }
}
