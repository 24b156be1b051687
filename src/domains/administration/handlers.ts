import { api } from '../../server/api.ts'
import { answerAppeal, appeal } from './appeal.ts'
import { liftSuspension } from './lift-suspension.ts'
import { endSessionsOf, verifyAccount, verifyCourse } from './mark-and-sign-out.ts'
import {
  actsOf,
  courseById,
  coursesOf,
  openSuspension,
  overviewOf,
  peopleOf,
  personById,
  waitingAppeals,
} from './queries.ts'
import { suspendAccount } from './suspend-account.ts'
import { suspendCourse } from './suspend-course.ts'

const wrongPlace = { message: 'This is not a place in the list' }
const noPerson = { message: 'There is no such person.' }
const noCourse = { message: 'Course not found' }
const noSuspension = { message: 'There is no such suspension.' }
const notAdmin = { message: 'Only administrators may do this.' }
const done = { done: true as const }

export const administration = {
  getOverview: api.administration.getOverview.handler(({ context }) =>
    overviewOf(context.services.pool),
  ),

  getPeople: api.administration.getPeople.handler(async ({ input, context, errors }) => {
    const page = await peopleOf(context.services.pool, input)
    if (!page) throw errors.BAD_REQUEST(wrongPlace)
    return page
  }),

  getPerson: api.administration.getPerson.handler(async ({ input, context, errors }) => {
    const person = await personById(context.services.pool, input.userId)
    if (!person) throw errors.NOT_FOUND(noPerson)
    return person
  }),

  suspendAccount: api.administration.suspendAccount.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      const result = await suspendAccount(transaction, { ...input, actorId: viewer.id })
      if (result === 'oneself') throw errors.ONESELF()
      if (result === 'not admin') throw errors.FORBIDDEN(notAdmin)
      if (result === 'gone') throw errors.NOT_FOUND(noPerson)
      if (result === 'suspended already') throw errors.SUSPENDED_ALREADY()
      return done
    })
  }),

  verifyAccount: api.administration.verifyAccount.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      const result = await verifyAccount(transaction, { ...input, actorId: viewer.id })
      if (result === 'not admin') throw errors.FORBIDDEN(notAdmin)
      if (result === 'gone') throw errors.NOT_FOUND(noPerson)
      return { verified: input.verified }
    })
  }),

  endAllSessions: api.administration.endAllSessions.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      const result = await endSessionsOf(transaction, { ...input, actorId: viewer.id })
      if (result === 'not admin') throw errors.FORBIDDEN(notAdmin)
      if (result === 'gone') throw errors.NOT_FOUND(noPerson)
      return result
    })
  }),

  getCourses: api.administration.getCourses.handler(async ({ input, context, errors }) => {
    const page = await coursesOf(context.services.pool, input)
    if (!page) throw errors.BAD_REQUEST(wrongPlace)
    return page
  }),

  getCourse: api.administration.getCourse.handler(async ({ input, context, errors }) => {
    const course = await courseById(context.services.pool, input.courseId)
    if (!course) throw errors.NOT_FOUND(noCourse)
    return course
  }),

  suspendCourse: api.administration.suspendCourse.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      const result = await suspendCourse(transaction, { ...input, actorId: viewer.id })
      if (result === 'not admin') throw errors.FORBIDDEN(notAdmin)
      if (result === 'gone') throw errors.NOT_FOUND(noCourse)
      if (result === 'suspended already') throw errors.SUSPENDED_ALREADY()
      if (result === 'starter course') throw errors.STARTER_COURSE()
      return done
    })
  }),

  verifyCourse: api.administration.verifyCourse.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      const result = await verifyCourse(transaction, { ...input, actorId: viewer.id })
      if (result === 'not admin') throw errors.FORBIDDEN(notAdmin)
      if (result === 'gone') throw errors.NOT_FOUND(noCourse)
      return { verified: input.verified }
    })
  }),

  liftSuspension: api.administration.liftSuspension.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      const result = await liftSuspension(transaction, { ...input, actorId: viewer.id })
      if (result === 'not admin') throw errors.FORBIDDEN(notAdmin)
      if (result === 'gone') throw errors.NOT_FOUND(noSuspension)
      if (result === 'lifted already') throw errors.LIFTED_ALREADY()
      if (result === 'comes with the account') throw errors.WITH_ACCOUNT()
      return done
    })
  }),

  getAppeals: api.administration.getAppeals.handler(async ({ input, context, errors }) => {
    const page = await waitingAppeals(context.services.pool, input.cursor)
    if (!page) throw errors.BAD_REQUEST(wrongPlace)
    return page
  }),

  answerAppeal: api.administration.answerAppeal.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      const result = await answerAppeal(transaction, { ...input, actorId: viewer.id })
      if (result === 'not admin') throw errors.FORBIDDEN(notAdmin)
      if (result === 'gone') throw errors.NOT_FOUND(noSuspension)
      if (result === 'no appeal') throw errors.NO_APPEAL()
      if (result === 'lifted already') throw errors.LIFTED_ALREADY()
      if (result === 'comes with the account') throw errors.WITH_ACCOUNT()
      return done
    })
  }),

  getActs: api.administration.getActs.handler(async ({ input, context, errors }) => {
    const page = await actsOf(context.services.pool, input)
    if (!page) throw errors.BAD_REQUEST(wrongPlace)
    return page
  }),

  getMySuspension: api.administration.getMySuspension.handler(({ context }) =>
    openSuspension(context.services.pool, { userId: context.viewer.id }),
  ),

  appealMySuspension: api.administration.appealMySuspension.handler(
    ({ input, context, errors }) => {
      const { services, viewer } = context
      return services.db.transaction(async (transaction) => {
        const result = await appeal(transaction, { userId: viewer.id }, input.appeal)
        if (result === 'not suspended') throw errors.NOT_SUSPENDED()
        if (result === 'appealed already') throw errors.APPEALED_ALREADY()
        return done
      })
    },
  ),

  getCourseSuspension: api.administration.getCourseSuspension.handler(({ context }) =>
    openSuspension(context.services.pool, { courseId: context.course.courseId }),
  ),

  appealCourseSuspension: api.administration.appealCourseSuspension.handler(
    ({ input, context, errors }) => {
      const { services, viewer, course } = context
      const own = { courseId: course.courseId, instructorId: viewer.id }
      return services.db.transaction(async (transaction) => {
        const result = await appeal(transaction, own, input.appeal)
        if (result === 'not suspended') throw errors.NOT_SUSPENDED()
        if (result === 'appealed already') throw errors.APPEALED_ALREADY()
        return done
      })
    },
  ),
}
