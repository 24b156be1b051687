import { api } from '../../server/api.ts'
import { courseAccess } from '../courses/access.ts'
import { enrollStudent, studentLimit } from './enroll-student.ts'
import { leaveCourse } from './leave-course.ts'
import { holdJoinTerms, joinTerms } from './queries.ts'

const notFound = { message: 'Course not found' }

export const enrollment = {
  enroll: api.enrollment.enroll.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    const course = await courseAccess(services.db, viewer, input)
    if (!course?.canSee) throw errors.NOT_FOUND(notFound)
    const { courseId, slug, instructorId, standing } = course
    if (standing === 'member') return { courseId, slug }
    return services.db.transaction(async (transaction) => {
      if (standing !== 'instructor') {
        const terms = await holdJoinTerms(transaction, courseId)
        // An administrator sees drafts, but nobody joins them.
        if (terms?.status !== 'published') throw errors.NOT_FOUND(notFound)
        if (terms.applicationRequired) throw errors.APPLICATION_REQUIRED()
        if (terms.pricingType !== 'free') throw errors.PAYMENT_REQUIRED()
      }
      const result = await enrollStudent(transaction, { userId: viewer.id, courseId, instructorId })
      // Thrown inside the transaction, so that the enrollment is taken back with it.
      if (result === 'full') throw errors.COURSE_FULL()
      if (result === 'gone') throw errors.NOT_FOUND(notFound)
      if (result === 'enrolled' && standing !== 'instructor') {
        await services.events.publish(transaction, instructorId, { type: 'joined', courseId })
      }
      return { courseId, slug }
    })
  }),

  leaveCourse: api.enrollment.leaveCourse.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    const course = await courseAccess(services.db, viewer, input)
    if (!course?.canSee) throw errors.NOT_FOUND(notFound)
    if (course.standing === 'instructor') throw errors.CREATOR_STAYS()
    const { courseId, slug, instructorId } = course
    await services.db.transaction(async (transaction) => {
      if (!(await leaveCourse(transaction, { userId: viewer.id, courseId }))) return
      await services.events.publish(transaction, instructorId, { type: 'left', courseId })
    })
    return { courseId, slug }
  }),

  canEnrollInCourse: api.enrollment.canEnrollInCourse.handler(async ({ input, context }) => {
    const { db } = context.services
    const courseId = input.course_id_param
    const course = await courseAccess(db, context.viewer, { courseId })
    if (course?.standing !== 'signedIn' || course.status !== 'published') return false
    const terms = await joinTerms(db, courseId)
    if (terms?.pricingType !== 'free' || terms.applicationRequired) return false
    const limit = await studentLimit(db, { courseId, instructorId: course.instructorId })
    return limit === null || terms.studentsCount < limit
  }),
}
