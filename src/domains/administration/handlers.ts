import { api } from '../../server/api.ts'
import { giveUpJob, retryJob, retryJobsOf } from './act-on-job.ts'
import { announce } from './announce.ts'
import { countAddressed } from './announcement-audience.ts'
import { announcementsOf } from './announcement-queries.ts'
import { answerAppeal, appeal } from './appeal.ts'
import { featuresOf } from './feature-queries.ts'
import { type Lifted, liftSuspension } from './lift-suspension.ts'
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
import { failingJobsOf, jobQueueOf } from './queued-jobs.ts'
import { suspendAccount } from './suspend-account.ts'
import { suspendCourse } from './suspend-course.ts'
import { switchFeature } from './switch-feature.ts'

const wrongPlace = { message: 'This is not a place in the list' }
const noPerson = { message: 'There is no such person.' }
const noCourse = { message: 'Course not found' }
const noSuspension = { message: 'There is no such suspension.' }
const noJob = { message: 'This job is done or gone.' }
const notAdmin = { message: 'Only administrators may do this.' }
const done = { done: true as const }

/** An appeal that is granted lifts, too. */
function mustBeLifted(
  result: Lifted,
  errors: Record<'FORBIDDEN' | 'NOT_FOUND', (words: { message: string }) => Error> &
    Record<'LIFTED_ALREADY' | 'WITH_ACCOUNT', () => Error>,
) {
  if (result === 'not admin') throw errors.FORBIDDEN(notAdmin)
  if (result === 'gone') throw errors.NOT_FOUND(noSuspension)
  if (result === 'lifted already') throw errors.LIFTED_ALREADY()
  if (result === 'comes with the account') throw errors.WITH_ACCOUNT()
}

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
      if (result === 'starter course') throw errors.STARTER_COURSE()
      if (result === 'gone') throw errors.NOT_FOUND(noCourse)
      return { verified: input.verified }
    })
  }),

  liftSuspension: api.administration.liftSuspension.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      mustBeLifted(await liftSuspension(transaction, { ...input, actorId: viewer.id }), errors)
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
      if (result === 'no appeal') throw errors.NO_APPEAL()
      if (result === 'own decision') throw errors.OWN_DECISION()
      mustBeLifted(result, errors)
      return done
    })
  }),

  getActs: api.administration.getActs.handler(async ({ input, context, errors }) => {
    const page = await actsOf(context.services.pool, input)
    if (!page) throw errors.BAD_REQUEST(wrongPlace)
    return page
  }),

  getAnnouncements: api.administration.getAnnouncements.handler(
    async ({ input, context, errors }) => {
      const page = await announcementsOf(context.services.pool, input.cursor)
      if (!page) throw errors.BAD_REQUEST(wrongPlace)
      return page
    },
  ),

  countAudience: api.administration.countAudience.handler(async ({ input, context }) => ({
    people: await countAddressed(context.services.db, input.audience),
  })),

  announce: api.administration.announce.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      const result = await announce(transaction, { ...input, actorId: viewer.id })
      if (result === 'not admin') throw errors.FORBIDDEN(notAdmin)
      if (result === 'another one') throw errors.ANNOUNCED_ALREADY()
      return result
    })
  }),

  getFeatures: api.administration.getFeatures.handler(async ({ context: { services } }) => ({
    features: await featuresOf(services.pool, services.config),
  })),

  switchFeature: api.administration.switchFeature.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    await services.db.transaction(async (transaction) => {
      const result = await switchFeature(transaction, { ...input, actorId: viewer.id })
      if (result === 'not admin') throw errors.FORBIDDEN(notAdmin)
      if (result === 'off already') throw errors.OFF_ALREADY()
      if (result === 'on already') throw errors.ON_ALREADY()
    })
    // The other nodes are told; here it counts before the administrator reads that it does.
    await services.features.read()
    return done
  }),

  getJobQueue: api.administration.getJobQueue.handler(({ context }) =>
    jobQueueOf(context.services.pool),
  ),

  getFailingJobs: api.administration.getFailingJobs.handler(({ input, context }) =>
    failingJobsOf(context.services.pool, input),
  ),

  retryJob: api.administration.retryJob.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      const result = await retryJob(transaction, { ...input, actorId: viewer.id })
      if (result === 'not admin') throw errors.FORBIDDEN(notAdmin)
      if (result === 'gone') throw errors.NOT_FOUND(noJob)
      if (result === 'under way') throw errors.UNDER_WAY()
      if (result === 'not failing') throw errors.NOT_FAILING()
      return done
    })
  }),

  giveUpJob: api.administration.giveUpJob.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      const result = await giveUpJob(transaction, { ...input, actorId: viewer.id })
      if (result === 'not admin') throw errors.FORBIDDEN(notAdmin)
      if (result === 'gone') throw errors.NOT_FOUND(noJob)
      if (result === 'under way') throw errors.UNDER_WAY()
      if (result === 'not failing') throw errors.NOT_FAILING()
      if (result === 'given up') throw errors.GIVEN_UP_ALREADY()
      return done
    })
  }),

  retryJobsOfKind: api.administration.retryJobsOfKind.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      const result = await retryJobsOf(transaction, { ...input, actorId: viewer.id })
      if (result === 'not admin') throw errors.FORBIDDEN(notAdmin)
      return result
    })
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
