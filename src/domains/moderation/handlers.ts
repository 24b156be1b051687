import { api } from '../../server/api.ts'
import type { Services } from '../../server/services.ts'
import type { Viewer } from '../../server/viewer.ts'
import { recordAct } from '../administration/record-act.ts'
import { saveSettings, settingsOf } from './community-settings.ts'
import { decideCase } from './decide-case.ts'
import { caseById, casesOf } from './queries.ts'
import { reportContent } from './report-content.ts'
import { tooManyWords } from './rules.ts'

const wrongPlace = { message: 'This is not a place in the list' }
const caseGone = { message: 'Case not found' }

/** Instructors do not decide about themselves. */
const withInstructors = (viewer: Viewer) => viewer.role === 'admin'

type Reading = { viewer: Viewer; services: Services }

/** The addresses of its videos are good for this person only. */
const readerOf = ({ viewer, services }: Reading, { caseId }: { caseId: string }) => ({
  caseId,
  viewerId: viewer.id,
  secret: services.secret,
})

export const moderation = {
  reportContent: api.moderation.reportContent.handler(async ({ input, context, errors }) => {
    const { services, viewer, course } = context
    const { courseId, instructorId } = course
    if ((await services.rateLimits.reportsByAccount.count(viewer.id)) > 0) {
      throw errors.TOO_MANY({ message: 'You have reported a lot. Please wait an hour.' })
    }
    const receipt = await services.db.transaction(async (transaction) => {
      const report = { ...input, courseId, instructorId, reporterId: viewer.id }
      const result = await reportContent(transaction, report)
      if (result === 'not a member') {
        throw errors.FORBIDDEN({ message: 'Only members of this course can report something.' })
      }
      if (result === 'gone') throw errors.NOT_FOUND({ message: 'This is not there any more.' })
      if (result === 'own') throw errors.OWN_CONTENT()
      return result
    })
    return { reported: true as const, ...receipt }
  }),

  getCourseCases: api.moderation.getCourseCases.handler(async ({ input, context, errors }) => {
    const { services, viewer, course } = context
    const scope = { courseId: course.courseId, withInstructors: withInstructors(viewer) }
    const page = await casesOf(services.pool, scope, input)
    if (!page) throw errors.BAD_REQUEST(wrongPlace)
    return page
  }),

  getAllCases: api.moderation.getAllCases.handler(async ({ input, context, errors }) => {
    const scope = { courseId: null, withInstructors: true }
    const page = await casesOf(context.services.pool, scope, input)
    if (!page) throw errors.BAD_REQUEST(wrongPlace)
    return page
  }),

  getCase: api.moderation.getCase.handler(async ({ input, context, errors }) => {
    const { services, viewer, course } = context
    const scope = { courseId: course.courseId, withInstructors: withInstructors(viewer) }
    const found = await caseById(services.db, scope, readerOf(context, input))
    if (!found) throw errors.NOT_FOUND(caseGone)
    return found
  }),

  decideCase: api.moderation.decideCase.handler(async ({ input, context, errors }) => {
    const { services, viewer, course } = context
    const { courseId, instructorId } = course
    const scope = { courseId, withInstructors: withInstructors(viewer) }
    return services.db.transaction(async (transaction) => {
      const decision = { ...input, ...scope, instructorId, moderatorId: viewer.id }
      const done = await decideCase(transaction, decision)
      if (done === 'gone') throw errors.NOT_FOUND(caseGone)
      if (done === 'already decided') throw errors.ALREADY_DECIDED()
      if (done === 'creator stays') throw errors.CREATOR_STAYS()
      if (done !== 'done') throw errors.CONFLICT({ message: done.obstacle })
      // A creator who moderates the own course is no administrator in this; a case keeps its own history.
      if (viewer.role === 'admin' && viewer.id !== instructorId) {
        await recordAct(transaction, {
          actorId: viewer.id,
          action: 'decide_case',
          subject: { kind: 'moderation_case', id: input.caseId, name: course.slug },
          reason: input.note,
          details: { decision: input.action },
        })
      }
      const decided = await caseById(transaction, scope, readerOf(context, input))
      return decided!
    })
  }),

  getCommunitySettings: api.moderation.getCommunitySettings.handler(({ context }) => {
    const { services, viewer, course } = context
    return settingsOf(services.db, { courseId: course.courseId, instructorId: viewer.id })
  }),

  saveCommunitySettings: api.moderation.saveCommunitySettings.handler(
    async ({ input, context, errors }) => {
      const { services, viewer, course } = context
      const owned = { courseId: course.courseId, instructorId: viewer.id }
      const saved = await saveSettings(services.db, owned, input)
      if (!saved) throw errors.NOT_FOUND({ message: 'Course not found' })
      if (saved === 'too many words') throw errors.BAD_REQUEST({ message: tooManyWords })
      return saved
    },
  ),
}
