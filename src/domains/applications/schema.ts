// What crosses the wire about applications. Forms and handlers share it.
import * as z from 'zod'
import { clearableLine, clearableText, line, timestamp, uuid } from '../../fields.ts'
import { invitationCode } from '../invitations/invitation-code.ts'
import { applicationLimits, applicationsShown, emptyQuestion, questionLimits } from './rules.ts'

export const allQuestions =
  'These become all questions, in this order. One that is not sent with its id is removed; what was answered to it stays with the applications.'

/** At least one question, in their order; `empty` is said of one without words. */
export const questionList = (empty: string) =>
  z
    .array(
      z.object({
        /** Absent for a new one: the server gives the id, and it never changes after. */
        id: uuid('A question').optional(),
        question: line('A question', questionLimits.question, empty),
        required: z.boolean('Required must be true or false').default(true),
      }),
      'The questions must be a list',
    )
    .min(1, 'At least one question must remain.')
    .max(
      questionLimits.questions,
      `There can be at most ${questionLimits.questions} application questions`,
    )
    .meta({ description: allQuestions })
export type QuestionList = z.output<ReturnType<typeof questionList>>

export const applicationQuestions = z.object({
  questions: z.array(z.object({ id: z.uuid(), question: z.string(), required: z.boolean() })),
})

/** What an applicant reads and answers. */
export const applicationForm = applicationQuestions.extend({ instructions: z.string() })
export type ApplicationForm = z.output<typeof applicationForm>

export const applicationQuestionsSave = z.object({
  courseId: uuid('The course'),
  questions: questionList(emptyQuestion.inList),
})

// Applying -------------------------------------------------------------------------------------

/** `revoked`: approved once, and ended with the removal of the member; counts like none. */
const applicationStatus = z.enum(['pending', 'approved', 'rejected', 'withdrawn', 'revoked'])
export type ApplicationStatus = z.output<typeof applicationStatus>

/** What applicants see of their own application. */
export const ownApplication = z.object({
  id: z.uuid(),
  status: applicationStatus,
  submittedAt: timestamp,
  reviewedAt: timestamp.nullable(),
  /** Null unless the instructor chose to share them. */
  reviewerNotes: z.string().nullable(),
})
export type OwnApplication = z.output<typeof ownApplication>

export const applicationSubmission = z.object({
  courseId: uuid('The course'),
  answers: z
    .array(
      z.object({
        questionId: uuid('A question'),
        answer: clearableText('An answer', applicationLimits.answer),
        /** The words that were read: where the question has others by now, it is asked again. */
        question: clearableLine('A question', questionLimits.question).optional(),
      }),
      'The answers must be a list',
    )
    .max(questionLimits.questions, `There can be at most ${questionLimits.questions} answers`),
  /** The code of the invitation by which the person comes; one that is not open is passed over. */
  invitation: invitationCode.optional(),
})

export const byApplicationId = z.object({ applicationId: uuid('The application') })

// Reviewing ------------------------------------------------------------------------------------

const decision = z.enum(['approved', 'rejected'], 'Choose approved or rejected')
export type Decision = z.output<typeof decision>

const reviewFields = {
  decision,
  /** Optional; only the instructor reads them unless they are shared. */
  notes: clearableText('Notes', applicationLimits.notes).default(''),
  shareNotes: z.boolean('Sharing must be true or false').default(false),
}

export const applicationReview = z.object({
  courseId: uuid('The course'),
  applicationId: uuid('The application'),
  ...reviewFields,
})

export const applicationsQuery = z.object({
  courseId: uuid('The course'),
  status: z.enum(applicationsShown).default('pending'),
  /** Part of the applicant's name, email address or answers. */
  search: clearableLine('Search text', 200).default(''),
  /** `nextCursor` of the page before. */
  cursor: z.string().max(200).optional(),
})

/** As the instructor reads it. Pending ones come oldest first: who waits longest is next. */
export const application = z.object({
  id: z.uuid(),
  status: applicationStatus,
  submittedAt: timestamp,
  reviewedAt: timestamp.nullable(),
  reviewerNotes: z.string(),
  notesShared: z.boolean(),
  /** A decision about many that is about to be carried out. */
  dueDecision: z
    .object({
      id: z.uuid(),
      decision,
      applyAt: timestamp,
      /** When this was answered; for who does not set the clock by this server. */
      millisecondsLeft: z.number().int().min(0),
    })
    .nullable(),
  user: z.object({
    id: z.uuid(),
    name: z.string(),
    username: z.string().nullable(),
    email: z.string(),
    avatarUrl: z.string().nullable(),
  }),
  answers: z.array(
    z.object({
      id: z.uuid(),
      /** As it was asked. */
      question: z.string(),
      required: z.boolean(),
      answer: z.string(),
    }),
  ),
})
export type Application = z.output<typeof application>

export const applicationPage = z.object({
  applications: z.array(application),
  nextCursor: z.string().nullable(),
  counts: z.object({
    pending: z.number().int(),
    approved: z.number().int(),
    rejected: z.number().int(),
    /** With those that were withdrawn or revoked. */
    all: z.number().int(),
  }),
})
export type ApplicationPage = z.output<typeof applicationPage>

/** A decision about many, carried out after `secondsToUndo`. */
export const bulkDecision = z.object({
  courseId: uuid('The course'),
  applicationIds: z
    .array(uuid('An application'), 'The applications must be a list')
    .min(1, 'Choose at least one application.')
    .max(
      applicationLimits.atOnce,
      `At most ${applicationLimits.atOnce} applications can be decided at once`,
    ),
  ...reviewFields,
})

export const dueBulkDecision = z.object({
  decisionId: z.uuid(),
  /** How many of them are still pending, and will be decided. */
  count: z.number().int(),
  applyAt: timestamp,
})

export const byDecisionId = z.object({
  courseId: uuid('The course'),
  decisionId: uuid('The decision'),
})
