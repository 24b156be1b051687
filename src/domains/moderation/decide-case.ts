import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { setCommentHidden } from '../community/hide-comment.ts'
import { setPostHidden } from '../community/hide-post.ts'
import { removeComment } from '../community/remove-comment.ts'
import { removePost } from '../community/remove-post.ts'
import { withoutLightning } from '../courses/rules.ts'
import { courses } from '../courses/tables.ts'
import { removeMember } from '../enrollment/remove-member.ts'
import { enrollments } from '../enrollment/tables.ts'
import { holdSubject } from './hold-subject.ts'
import { type CaseAction, staysAsItIs } from './rules.ts'
import { moderationActions, moderationCases } from './tables.ts'
import { publishToModerators } from './tell-moderators.ts'
import { tellAuthor, tellReporters } from './tell-of-decision.ts'

interface Decision {
  caseId: string
  courseId: string
  instructorId: string
  moderatorId: string
  /** Also about what the instructor wrote. */
  withInstructors: boolean
  action: CaseAction
  note: string
}

type Case = typeof moderationCases.$inferSelect
type Subject = Awaited<ReturnType<typeof holdSubject>>

/** Why nothing was done, in words for people. */
interface Obstacle {
  obstacle: string
}
type Done = 'done' | 'gone' | 'already decided' | 'creator stays' | Obstacle

const deletedAlready: Obstacle = {
  obstacle: 'It was deleted already. You can dismiss the case, or warn its author.',
}
const notHidden: Obstacle = { obstacle: 'There is nothing to restore: it is not hidden.' }
const belowHidden: Obstacle = {
  obstacle: 'The post above it is hidden. It can be restored after the post.',
}
const hasLeft: Obstacle = { obstacle: 'This person is not a member of the course any more.' }

/**
 * Nothing below waits for somebody who has one of these locks and waits for us: people, course, the author's enrollment
 * if it ends, post, comment, case. Who writes holds their own enrollment before the post (`holdMembership`).
 */
async function hold(
  transaction: Transaction,
  { caseId, courseId, instructorId, moderatorId, withInstructors, action }: Decision,
) {
  const own = and(
    eq(moderationCases.id, caseId),
    eq(moderationCases.courseId, courseId),
    withInstructors ? undefined : eq(moderationCases.aboutInstructor, false),
  )
  const [found] = await transaction.select().from(moderationCases).where(own)
  if (!found) return null
  const { authorId } = found
  const people = new Set([moderatorId, instructorId, ...(authorId === null ? [] : [authorId])])
  await holdPeople(transaction, [...people])
  const [course] = await transaction
    .select({ courseId: courses.id, slug: courses.slug, title: courses.title })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.instructorId, instructorId)))
    .for(action === 'remove_member' ? 'no key update' : 'key share')
  if (!course) return null
  if (action === 'remove_member' && authorId !== null) {
    await transaction
      .select({ id: enrollments.id })
      .from(enrollments)
      .where(and(eq(enrollments.courseId, courseId), eq(enrollments.userId, authorId)))
      .for('update')
  }
  // A comment that is gone is named by its case no more, and the post above it is not what was reported.
  const isGone = found.subject === 'comment' && found.commentId === null
  const subject = isGone ? null : await holdSubject(transaction, found, action === 'delete')
  const [held] = await transaction.select().from(moderationCases).where(own).for('no key update')
  if (!held) return null
  return {
    course: { ...course, instructorId, title: withoutLightning(course.title) },
    subject: subject?.status === 'deleted' ? null : subject,
    held,
  }
}

/** A member, or the instructor, of whom nobody else decides whether they are there. */
async function isThere(
  transaction: Transaction,
  { authorId }: Case,
  { courseId, instructorId }: Decision,
): Promise<boolean> {
  if (authorId === null) return false
  if (authorId === instructorId) return true
  const membership = and(eq(enrollments.courseId, courseId), eq(enrollments.userId, authorId))
  return (await transaction.$count(enrollments, membership)) > 0
}

/** False when there was nothing to do. */
async function setHidden(transaction: Transaction, held: Case, hidden: boolean): Promise<boolean> {
  const { courseId, subject, postId, commentId } = held
  if (subject === 'post') {
    return postId !== null && setPostHidden(transaction, { postId, courseId, hidden })
  }
  return commentId !== null && setCommentHidden(transaction, { commentId, courseId, hidden })
}

async function remove(transaction: Transaction, held: Case): Promise<boolean> {
  const { courseId, subject, postId, commentId } = held
  if (subject === 'post') return postId !== null && removePost(transaction, { postId, courseId })
  return commentId !== null && removeComment(transaction, { commentId, courseId })
}

/** What the action does to the post or comment and to its author; an obstacle when it cannot be done. */
async function carryOut(
  transaction: Transaction,
  decision: Decision,
  { held, subject, authorIsThere }: { held: Case; subject: Subject; authorIsThere: boolean },
): Promise<Exclude<Done, 'gone' | 'already decided'>> {
  const { courseId, instructorId, action, note } = decision
  switch (action) {
    case 'note':
    case 'dismiss':
      return 'done'
    case 'warn':
      return authorIsThere ? 'done' : hasLeft
    case 'hide':
      if (!subject) return deletedAlready
      await setHidden(transaction, held, true)
      return 'done'
    case 'delete':
      return (await remove(transaction, held)) ? 'done' : deletedAlready
    case 'restore':
      if (subject?.isBelowHidden) return belowHidden
      return (await setHidden(transaction, held, false)) ? 'done' : notHidden
    case 'remove_member': {
      const { authorId } = held
      if (authorId === instructorId) return 'creator stays'
      const removal = { courseId, instructorId, reason: note, by: 'The moderators' } as const
      const removed =
        authorId !== null && (await removeMember(transaction, { ...removal, userId: authorId }))
      if (!removed) return hasLeft
      await setHidden(transaction, held, true)
      return 'done'
    }
  }
}

/**
 * Does in a case what a moderator decided, writes it into its history, and tells the author, those who
 * reported once it is closed, and the open pages of all who moderate. Who comes second decides nothing.
 * A member who is removed loses what was reported as well: it is hidden, and can be restored.
 */
export async function decideCase(transaction: Transaction, decision: Decision): Promise<Done> {
  const { caseId, courseId, moderatorId, action, note } = decision
  const everything = await hold(transaction, decision)
  if (!everything) return 'gone'
  const { course, subject, held } = everything
  if (held.status === 'closed' && !staysAsItIs(action)) return 'already decided'
  const authorIsThere = await isThere(transaction, held, decision)
  const done = await carryOut(transaction, decision, { held, subject, authorIsThere })
  if (done !== 'done') return done
  await transaction.insert(moderationActions).values({ caseId, moderatorId, action, note })
  const told = { ...held, caseId, course, action, note, moderatorId, isGone: subject === null }
  const { authorId } = held
  if (authorId !== null && authorIsThere && authorId !== moderatorId) {
    await tellAuthor(transaction, { ...told, authorId })
  }
  if (!staysAsItIs(action)) {
    await transaction
      .update(moderationCases)
      .set({ status: 'closed', outcome: action, closedAt: sql`now()` })
      .where(and(eq(moderationCases.id, caseId), eq(moderationCases.courseId, courseId)))
    await tellReporters(transaction, told)
  }
  const { instructorId } = course
  await publishToModerators(transaction, {
    courseId,
    instructorId,
    aboutInstructor: held.aboutInstructor,
  })
  return 'done'
}
