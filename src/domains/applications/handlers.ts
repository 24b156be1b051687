import { api } from '../../server/api.ts'
import { courseAccess } from '../courses/access.ts'
import { touchCourse } from '../courses/touch-course.ts'
import { decideApplications, undoDecision } from './decide-applications.ts'
import { applicationById, listApplications } from './list-applications.ts'
import { mayApply } from './may-apply.ts'
import { applicationForm, questionsOf } from './queries.ts'
import { reviewApplication } from './review-application.ts'
import { saveQuestions } from './save-questions.ts'
import { submitApplication } from './submit-application.ts'
import { withdrawApplication } from './withdraw-application.ts'

const notFound = { message: 'Course not found' }
const applicationNotFound = { message: 'Application not found' }
const noSuchPage = {
  message: 'This page of applications does not exist. Start from the first one.',
}
const nonePending = { message: 'None of these applications is pending any more.' }

export const applications = {
  submitApplication: api.applications.submitApplication.handler(
    async ({ input, context, errors }) => {
      const { services, viewer } = context
      const course = await courseAccess(services.db, viewer, input)
      if (!course?.canSee) throw errors.NOT_FOUND(notFound)
      const { courseId, instructorId } = course
      const submitted = await services.db.transaction((transaction) =>
        submitApplication(transaction, {
          userId: viewer.id,
          courseId,
          instructorId,
          given: input.answers,
          code: input.invitation,
        }),
      )
      if (submitted === 'gone') throw errors.NOT_FOUND(notFound)
      if ('obstacle' in submitted) throw errors.MAY_NOT_APPLY({ message: submitted.obstacle })
      if ('problem' in submitted) throw errors.BAD_REQUEST({ message: submitted.problem })
      return submitted.application
    },
  ),

  withdrawApplication: api.applications.withdrawApplication.handler(
    async ({ input, context, errors }) => {
      const { services, viewer } = context
      const own = { userId: viewer.id, applicationId: input.applicationId }
      const withdrawn = await services.db.transaction((transaction) =>
        withdrawApplication(transaction, own),
      )
      if (withdrawn === 'gone') throw errors.NOT_FOUND(applicationNotFound)
      if (withdrawn === 'decided') throw errors.NOT_PENDING()
      return withdrawn
    },
  ),

  canApplyToCourse: api.applications.canApplyToCourse.handler(async ({ input, context }) => {
    const { services, viewer } = context
    const course = await courseAccess(services.db, viewer, { courseId: input.course_id_param })
    return course !== null && mayApply(services.db, viewer.id, course)
  }),

  getApplications: api.applications.getApplications.handler(async ({ input, context, errors }) => {
    const page = await listApplications(context.services.db, {
      ...input,
      courseId: context.course.courseId,
    })
    if (!page) throw errors.BAD_REQUEST(noSuchPage)
    return page
  }),

  reviewApplication: api.applications.reviewApplication.handler(({ input, context, errors }) => {
    const { services, course } = context
    const { courseId, instructorId } = course
    return services.db.transaction(async (transaction) => {
      const reviewed = await reviewApplication(transaction, { ...input, courseId, instructorId })
      if (reviewed === 'gone') throw errors.NOT_FOUND(applicationNotFound)
      if (reviewed === 'not pending') throw errors.NOT_PENDING()
      // Thrown inside the transaction, so that the decision is taken back with the enrollment.
      if (reviewed === 'full') throw errors.COURSE_FULL()
      if (reviewed === 'suspended') {
        throw errors.CONFLICT({
          message: 'This course is suspended, so nobody new can join it. The application waits.',
        })
      }
      const application = await applicationById(transaction, { ...input, courseId })
      if (!application) throw errors.NOT_FOUND(applicationNotFound)
      return application
    })
  }),

  decideApplications: api.applications.decideApplications.handler(({ input, context, errors }) => {
    const { services, course } = context
    const { courseId, instructorId } = course
    return services.db.transaction(async (transaction) => {
      const due = await decideApplications(transaction, { ...input, courseId, instructorId })
      if (due === 'gone') throw errors.NOT_FOUND(notFound)
      if (due === 'none pending') throw errors.CONFLICT(nonePending)
      return due
    })
  }),

  undoDecision: api.applications.undoDecision.handler(async ({ input, context, errors }) => {
    const { services, course } = context
    const { courseId, instructorId } = course
    const undone = await services.db.transaction((transaction) =>
      undoDecision(transaction, { courseId, instructorId, decisionId: input.decisionId }),
    )
    if (undone === 'gone') throw errors.NOT_FOUND(notFound)
    if (undone === 'carried out') throw errors.CARRIED_OUT()
    return undone
  }),

  getApplicationQuestions: api.applications.getApplicationQuestions.handler(
    async ({ input, context, errors }) => {
      const { db } = context.services
      const course = await courseAccess(db, context.viewer, input)
      const form = course?.canSee && (await applicationForm(db, course.courseId))
      if (!form) throw errors.NOT_FOUND(notFound)
      return form
    },
  ),

  saveApplicationQuestions: api.applications.saveApplicationQuestions.handler(
    ({ input, context, errors }) => {
      const { services, course } = context
      return services.db.transaction(async (transaction) => {
        if (!(await touchCourse(transaction, course))) throw errors.NOT_FOUND(notFound)
        await saveQuestions(transaction, course.courseId, input.questions)
        return { questions: await questionsOf(transaction, course.courseId) }
      })
    },
  ),
}
