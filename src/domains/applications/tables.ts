import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import { courseInvitations } from '../invitations/tables.ts'

/** What somebody who applies to a course is asked. */
export const courseApplicationQuestions = pgTable(
  'course_application_questions',
  {
    id: id(),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    question: text('question').notNull(),
    required: boolean('required').notNull().default(true),
    /** 1-based. */
    orderIndex: integer('order_index').notNull(),
  },
  (table) => [index('course_application_questions_course').on(table.courseId, table.orderIndex)],
)

/** A decision about many applications at once, which is carried out a little later and can be taken back until then. */
export const courseApplicationDecisions = pgTable(
  'course_application_decisions',
  {
    id: id(),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    decision: text('decision', { enum: ['approved', 'rejected'] }).notNull(),
    reviewerNotes: text('reviewer_notes').notNull().default(''),
    notesShared: boolean('notes_shared').notNull().default(false),
    applyAt: moment('apply_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('course_application_decisions_course').on(table.courseId)],
)

/** One person's wish to join one course; a refused person's next try is a row of its own. */
export const courseApplications = pgTable(
  'course_applications',
  {
    id: id(),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** `revoked`: approved once, and ended with the removal of the member. */
    status: text('status', { enum: ['pending', 'approved', 'rejected', 'withdrawn', 'revoked'] })
      .notNull()
      .default('pending'),
    submittedAt: moment('submitted_at').notNull().defaultNow(),
    reviewedAt: moment('reviewed_at'),
    reviewerNotes: text('reviewer_notes').notNull().default(''),
    /** Whether the applicant may read the notes. */
    notesShared: boolean('notes_shared').notNull().default(false),
    /** The decision about many that is about to be carried out; null when none is. */
    decisionId: uuid('decision_id').references(() => courseApplicationDecisions.id, {
      onDelete: 'set null',
    }),
    /** By which the person comes; null without one, and when it was counted. */
    invitationId: uuid('invitation_id').references(() => courseInvitations.id, {
      onDelete: 'set null',
    }),
  },
  (table) => [
    uniqueIndex('course_applications_one_pending')
      .on(table.courseId, table.userId)
      .where(sql`status = 'pending'`),
    index('course_applications_course_status').on(
      table.courseId,
      table.status,
      table.submittedAt.desc(),
      table.id.desc(),
    ),
    index('course_applications_user_course').on(
      table.userId,
      table.courseId,
      table.submittedAt.desc(),
    ),
    index('course_applications_decision')
      .on(table.decisionId)
      .where(sql`decision_id is not null`),
    index('course_applications_invitation')
      .on(table.invitationId)
      .where(sql`invitation_id is not null`),
  ],
)

/** What an applicant answered, beside the question as it was asked then. */
export const courseApplicationAnswers = pgTable(
  'course_application_answers',
  {
    id: id(),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => courseApplications.id, { onDelete: 'cascade' }),
    /** Null when the question was removed since. */
    questionId: uuid('question_id').references(() => courseApplicationQuestions.id, {
      onDelete: 'set null',
    }),
    question: text('question').notNull(),
    required: boolean('required').notNull(),
    /** 1-based. */
    orderIndex: integer('order_index').notNull(),
    /** Empty where an optional question was left out. */
    answer: text('answer').notNull().default(''),
  },
  (table) => [
    index('course_application_answers_application').on(table.applicationId, table.orderIndex),
    index('course_application_answers_question').on(table.questionId),
  ],
)
