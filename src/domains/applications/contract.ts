import * as z from 'zod'
import { row } from '../../contract-row.ts'
import { byCourseId } from '../courses/schema.ts'
import {
  allQuestions,
  application,
  applicationForm,
  applicationPage,
  applicationQuestions,
  applicationQuestionsSave,
  applicationReview,
  applicationsQuery,
  applicationSubmission,
  bulkDecision,
  byApplicationId,
  byDecisionId,
  dueBulkDecision,
  ownApplication,
} from './schema.ts'

const courseFull = {
  COURSE_FULL: {
    status: 403,
    message:
      'This course has reached its maximum enrollment limit (25 students for free instructors)',
  },
} as const

export const applications = {
  /** For everybody who may see the course: who applies reads them before. */
  getApplicationQuestions: row(
    'signedIn',
    'GET',
    '/rest/v1/courses/{courseId}/application-questions',
    'What an applicant is asked',
    { scope: 'courses:read' },
  )
    .input(byCourseId)
    .output(applicationForm),

  saveApplicationQuestions: row(
    'instructor',
    'PUT',
    '/rest/v1/courses/{courseId}/application-questions',
    'Save what an applicant is asked',
    { scope: 'courses:write', description: allQuestions },
  )
    .input(applicationQuestionsSave)
    .output(applicationQuestions),

  /** A second one while the first is pending is harmless: the answer is the first. */
  submitApplication: row('signedIn', 'POST', '/rest/v1/course_applications', 'Apply to a course', {
    scope: 'learning:write',
  })
    .errors({
      MAY_NOT_APPLY: { status: 409, message: 'You cannot apply to this course.' },
    })
    .input(applicationSubmission)
    .output(ownApplication),

  /** Withdrawing twice is harmless. */
  withdrawApplication: row(
    'signedIn',
    'DELETE',
    '/rest/v1/course_applications/{applicationId}',
    'Withdraw my pending application',
    { scope: 'learning:write' },
  )
    .errors({
      NOT_PENDING: { status: 409, message: 'This application has been decided already.' },
    })
    .input(byApplicationId)
    .output(ownApplication),

  canApplyToCourse: row(
    'signedIn',
    'POST',
    '/rest/v1/rpc/can_apply_to_course',
    'May I apply to this course?',
    { scope: 'learning:read' },
  )
    .input(z.object({ course_id_param: byCourseId.shape.courseId }))
    .output(z.boolean()),

  getApplications: row(
    'instructor',
    'GET',
    '/rest/v1/courses/{courseId}/applications',
    'Applications to my course, a page at a time',
    { scope: 'members:read' },
  )
    .input(applicationsQuery)
    .output(applicationPage),

  reviewApplication: row(
    'instructor',
    'POST',
    '/rest/v1/courses/{courseId}/applications/{applicationId}/review',
    'Approve or reject an application',
    { scope: 'members:write' },
  )
    .errors({
      ...courseFull,
      NOT_PENDING: { status: 409, message: 'Only pending applications can be reviewed.' },
    })
    .input(applicationReview)
    .output(application),

  /** Nothing happens before `applyAt`: until then the decision can be taken back. */
  decideApplications: row(
    'instructor',
    'POST',
    '/rest/v1/courses/{courseId}/application-decisions',
    'Approve or reject several applications, in ten seconds',
    { scope: 'members:write' },
  )
    .input(bulkDecision)
    .output(dueBulkDecision),

  undoDecision: row(
    'instructor',
    'DELETE',
    '/rest/v1/courses/{courseId}/application-decisions/{decisionId}',
    'Take back a decision about several applications',
    { scope: 'members:write' },
  )
    .errors({
      CARRIED_OUT: { status: 409, message: 'This decision was carried out already.' },
    })
    .input(byDecisionId)
    .output(z.object({ undone: z.number().int() })),
}
