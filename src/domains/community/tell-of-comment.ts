import { sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { quotedTitle } from '../courses/rules.ts'
import { type Notice, tellPeople } from '../notifications/tell-people.ts'
import { keepMentions } from './keep-mentions.ts'
import { postPath } from './rules.ts'

interface Written {
  postId: string
  commentId: string
  course: { courseId: string; instructorId: string; slug: string; title: string }
  authorId: string
  text: string
  postAuthorId: string
  /** Null where nothing is answered, or its author has left. */
  parentAuthorId: string | null
}

/**
 * Keeps whom a new comment names, and tells whoever it concerns, each person for one reason: an answer
 * counts more than a mention, and that more than a comment on the own post.
 */
export async function tellOfComment(transaction: Transaction, written: Written): Promise<void> {
  const { postId, commentId, course, authorId, text, postAuthorId, parentAuthorId } = written
  const about = {
    sameAs: postPath(course.slug, postId),
    href: postPath(course.slug, postId, commentId),
  }
  const where = `in the discussion of ${quotedTitle(course.title)}`
  const told: string[] = []
  if (parentAuthorId !== null && parentAuthorId !== authorId) {
    told.push(parentAuthorId)
    await tellMember(transaction, course, parentAuthorId, {
      ...about,
      kind: 'comment_replied',
      title: 'New Reply',
      // Nobody's name: notices stay when the person who wrote the comment goes.
      message: `Somebody replied to your comment ${where}.`,
    })
  }
  const mentioning = { postId, commentId, course, authorId, text, told }
  told.push(...(await keepMentions(transaction, mentioning)))
  if (postAuthorId === authorId || told.includes(postAuthorId)) return
  await tellMember(transaction, course, postAuthorId, {
    ...about,
    kind: 'comment_written',
    title: 'New Comment',
    message: `Somebody commented on your post ${where}.`,
  })
}

/** Unless that person has left the course. */
async function tellMember(
  transaction: Transaction,
  { courseId, instructorId }: Written['course'],
  userId: string,
  notice: Notice,
): Promise<void> {
  const person = sql`
    select u.id as user_id from users u
     where u.id = ${userId}
       and (u.id = ${instructorId} or exists (select 1 from enrollments e
                                               where e.course_id = ${courseId} and e.user_id = u.id))
       for key share of u`
  await tellPeople(transaction, person, notice)
}
