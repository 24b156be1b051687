import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { users } from '../accounts/tables.ts'
import { holdMembership } from '../community/hold-membership.ts'
import { comments, posts } from '../community/tables.ts'
import { withoutLightning } from '../courses/rules.ts'
import { courses } from '../courses/tables.ts'
import { holdSubject } from './hold-subject.ts'
import type { ReportReason } from './rules.ts'
import { moderationCases, moderationReports } from './tables.ts'
import { isForAdministrators, publishToModerators, tellOfCase } from './tell-moderators.ts'

interface Report {
  courseId: string
  instructorId: string
  reporterId: string
  /** Either of a post or of a comment. */
  postId?: string
  commentId?: string
  reason: ReportReason
  note: string
}

/** Whether the person had reported it before, and who looks at it. */
interface Receipt {
  again: boolean
  lookedAtBy: 'instructor' | 'administrators'
}

interface Subject {
  postId: string
  commentId: string | null
  authorId: string | null
}

async function subjectOf(
  transaction: Transaction,
  { courseId, postId, commentId }: Report,
): Promise<Subject | null> {
  if (commentId === undefined) {
    if (postId === undefined) return null
    const [post] = await transaction
      .select({ authorId: posts.userId })
      .from(posts)
      .where(and(eq(posts.id, postId), eq(posts.courseId, courseId)))
    return post ? { ...post, postId, commentId: null } : null
  }
  const [comment] = await transaction
    .select({ postId: comments.postId, authorId: comments.userId })
    .from(comments)
    .where(and(eq(comments.id, commentId), eq(comments.courseId, courseId)))
  return comment ? { ...comment, commentId } : null
}

const casesAbout = ({ postId, commentId }: Subject) =>
  commentId === null
    ? and(eq(moderationCases.postId, postId), eq(moderationCases.subject, 'post'))
    : and(eq(moderationCases.commentId, commentId), eq(moderationCases.subject, 'comment'))

const editedAt = ({ postId, commentId }: Subject) =>
  commentId === null
    ? sql`(select updated_at from posts where id = ${postId})`
    : sql`(select updated_at from comments where id = ${commentId})`

/** Moderators looked at it for this person already, and it still says the same and was not edited since. */
async function isDecided(
  transaction: Transaction,
  subject: Subject,
  { reporterId, content }: { reporterId: string; content: string },
): Promise<boolean> {
  const [decided] = await transaction
    .select({ id: moderationCases.id })
    .from(moderationCases)
    .innerJoin(moderationReports, eq(moderationReports.caseId, moderationCases.id))
    .where(
      and(
        casesAbout(subject),
        eq(moderationCases.status, 'closed'),
        eq(moderationCases.content, content),
        // Edited since, it may show other images, or may have said something else in between.
        sql`${moderationCases.closedAt} >= ${editedAt(subject)}`,
        eq(moderationReports.reporterId, reporterId),
      ),
    )
    .limit(1)
  return decided !== undefined
}

/** The open case about it, which this report opens when there is none; its subject is locked. */
async function openCase(
  transaction: Transaction,
  subject: Subject,
  facts: { courseId: string; content: string; aboutInstructor: boolean },
): Promise<{ id: string; isNew: boolean }> {
  const { postId, commentId, authorId } = subject
  const [opened] = await transaction
    .insert(moderationCases)
    .values({
      ...facts,
      // What it says was read when the lock was had, which may be after an edit that came before.
      createdAt: sql`clock_timestamp()`,
      subject: commentId === null ? 'post' : 'comment',
      postId,
      commentId,
      authorId,
    })
    .onConflictDoNothing()
    .returning({ id: moderationCases.id })
  if (opened) return { ...opened, isNew: true }
  const [open] = await transaction
    .select({ id: moderationCases.id })
    .from(moderationCases)
    .where(and(casesAbout(subject), eq(moderationCases.status, 'open')))
    .for('no key update')
  return { id: open!.id, isNew: false }
}

/**
 * Takes a report by somebody who can read the post or comment. All reports of one thing join one open case,
 * one of each person; one more changes nothing, and neither does one of what was decided for this person
 * before, as long as it says the same and was not edited since.
 */
export async function reportContent(
  transaction: Transaction,
  report: Report,
): Promise<Receipt | 'gone' | 'own' | 'not a member'> {
  const { courseId, reporterId, reason, note } = report
  const subject = await subjectOf(transaction, report)
  if (!subject) return 'gone'
  const { authorId } = subject
  const isMember = await holdMembership(transaction, {
    userId: reporterId,
    courseId,
    instructorId: report.instructorId,
    others: authorId === null ? [] : [authorId],
  })
  if (!isMember) return 'not a member'
  const held = await holdSubject(transaction, { ...subject, courseId })
  if (held?.status !== 'published') return 'gone'
  if (held.authorId === reporterId) return 'own'
  const course = await courseOf(transaction, courseId)
  const { instructorId } = course
  const { content } = held
  const aboutInstructor = held.authorId === instructorId
  const lookedAtBy = isForAdministrators({ ...course, aboutInstructor })
    ? 'administrators'
    : 'instructor'
  const before = { again: true, lookedAtBy } as const
  if (await isDecided(transaction, subject, { reporterId, content })) return before
  const { id: caseId, isNew } = await openCase(
    transaction,
    { ...subject, authorId: held.authorId },
    { courseId, content, aboutInstructor },
  )
  const added = await transaction
    .insert(moderationReports)
    .values({ caseId, reporterId, reason, note })
    .onConflictDoNothing({ target: [moderationReports.caseId, moderationReports.reporterId] })
    .returning({ id: moderationReports.id })
  if (added.length === 0) return before
  await transaction
    .update(moderationCases)
    .set({ reportsCount: sql`${moderationCases.reportsCount} + 1` })
    .where(and(eq(moderationCases.id, caseId), eq(moderationCases.courseId, courseId)))
  const moderated = { courseId, instructorId, aboutInstructor }
  const isNewToThem =
    isNew ||
    (course.instructorIsSuspended &&
      (await isFirstSinceSuspension(transaction, { caseId, reporterId })))
  if (isNewToThem) {
    const kind = subject.commentId === null ? 'post' : 'comment'
    await tellOfCase(transaction, { ...course, ...moderated, caseId, reporterId, subject: kind })
  }
  await publishToModerators(transaction, moderated)
  return { again: false, lookedAtBy }
}

/** The instructor was told of the case, and is suspended since: administrators are told with the first report after that. */
async function isFirstSinceSuspension(
  transaction: Transaction,
  { caseId, reporterId }: { caseId: string; reporterId: string },
): Promise<boolean> {
  const { rows } = await transaction.execute(sql`
    select 1 from moderation_cases m
      join courses c on c.id = m.course_id
      join users u on u.id = c.instructor_id
     where m.id = ${caseId} and not m.about_instructor
       and not exists (select 1 from moderation_reports r
                        where r.case_id = m.id and r.reporter_id <> ${reporterId}
                          and r.created_at >= u.suspended_at)`)
  return rows.length > 0
}

/** The membership that is held keeps it. Its creator may have left it to its members a moment ago. */
async function courseOf(transaction: Transaction, courseId: string) {
  const [course] = await transaction
    .select({
      slug: courses.slug,
      title: courses.title,
      instructorId: courses.instructorId,
      suspendedAt: users.suspendedAt,
    })
    .from(courses)
    .innerJoin(users, eq(users.id, courses.instructorId))
    .where(eq(courses.id, courseId))
  const { title, suspendedAt, ...facts } = course!
  return { ...facts, title: withoutLightning(title), instructorIsSuspended: suspendedAt !== null }
}
