import { api } from '../../server/api.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { forgetInvitation } from '../applications/forget-invitation.ts'
import { approvedApplication } from '../applications/queries.ts'
import { withdrawWhenLeaving } from '../applications/withdraw-application.ts'
import { planOf } from '../billing/plan.ts'
import { courseAccess } from '../courses/access.ts'
import { countKeptUse, countUse, holdInvitation } from '../invitations/use-invitation.ts'
import { livePurchase } from '../purchases/live-purchase.ts'
import { stopRenewalOf } from '../purchases/stop-renewal.ts'
import { admitStudent } from './admit-student.ts'
import { dischargeStudent } from './discharge-student.ts'
import { enrollStudent, studentLimit } from './enroll-student.ts'
import { membersOf } from './member-queries.ts'
import { membersFile } from './members-file.ts'
import { hasBeenIn, holdJoinTerms, joinTerms } from './queries.ts'
import { removeMember } from './remove-member.ts'

const notFound = { message: 'Course not found' }

export const enrollment = {
  enroll: api.enrollment.enroll.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    const course = await courseAccess(services.db, viewer, input)
    if (!course) throw errors.NOT_FOUND(notFound)
    const { courseId, slug, instructorId, standing } = course
    if (standing === 'member') return { courseId, slug }
    const own = { userId: viewer.id, courseId }
    // Who bought a course comes back to it, also after it became a draft.
    if (!course.canSee && !(await livePurchase(services.db, own))) throw errors.NOT_FOUND(notFound)
    return services.db.transaction(async (transaction) => {
      const joining = { userId: viewer.id, courseId, instructorId }
      if (standing === 'instructor') {
        await holdPeople(transaction, [viewer.id])
        if ((await enrollStudent(transaction, joining)) === 'gone') throw errors.NOT_FOUND(notFound)
        return { courseId, slug }
      }
      await holdPeople(transaction, [viewer.id, instructorId])
      const terms = await holdJoinTerms(transaction, courseId)
      if (terms && (await livePurchase(transaction, own))) {
        const paid = { ...joining, slug, courseTitle: terms.title, isPaid: true }
        await admitStudent(transaction, paid)
        return { courseId, slug }
      }
      // An administrator sees drafts, but nobody joins them.
      if (terms?.status !== 'published') throw errors.NOT_FOUND(notFound)
      const application = terms.applicationRequired
        ? await approvedApplication(transaction, joining)
        : undefined
      if (application === null) throw errors.APPLICATION_REQUIRED()
      if (terms.pricingType !== 'free') throw errors.PAYMENT_REQUIRED()
      const invitation = await holdInvitation(transaction, { courseId, code: input.invitation })
      // Who says nothing else still comes by what the application came by.
      const kept = invitation ? null : application?.invitationId
      const result = await admitStudent(transaction, {
        ...joining,
        slug,
        courseTitle: terms.title,
        invitationId: invitation?.id ?? kept ?? undefined,
      })
      if (result === 'already enrolled') return { courseId, slug }
      // Thrown inside the transaction, so that the enrollment is taken back with it.
      if (result === 'full') throw errors.COURSE_FULL()
      if (result === 'gone') throw errors.NOT_FOUND(notFound)
      // Only where there is room: who reads this can join without it.
      if (invitation?.closed) throw errors.INVITATION_CLOSED({ message: invitation.closed })
      if (invitation?.id) await countUse(transaction, invitation.id)
      if (kept) await countKeptUse(transaction, { invitationId: kept, courseId })
      if (application?.invitationId) await forgetInvitation(transaction, joining)
      return { courseId, slug }
    })
  }),

  leaveCourse: api.enrollment.leaveCourse.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    const course = await courseAccess(services.db, viewer, input)
    if (!course) throw errors.NOT_FOUND(notFound)
    if (course.standing === 'instructor') throw errors.CREATOR_STAYS()
    const { courseId, slug, instructorId } = course
    const leaving = { userId: viewer.id, courseId, instructorId }
    // Who left a draft sees it no more, and may well leave it again.
    if (!course.canSee && !(await hasBeenIn(services.db, leaving))) throw errors.NOT_FOUND(notFound)
    await services.db.transaction(async (transaction) => {
      await stopRenewalOf(transaction, leaving)
      if (await dischargeStudent(transaction, leaving)) {
        await withdrawWhenLeaving(transaction, leaving)
      }
    })
    return { courseId, slug }
  }),

  getMembers: api.enrollment.getMembers.handler(({ input, context }) =>
    membersOf(context.services.pool, context.course, input),
  ),

  removeMember: api.enrollment.removeMember.handler(async ({ input, context, errors }) => {
    const { services, course } = context
    const { userId, reason } = input
    if (userId === course.instructorId) throw errors.CREATOR_STAYS()
    const removed = await services.db.transaction((transaction) =>
      removeMember(transaction, { ...course, userId, reason }),
    )
    return { userId, removed }
  }),

  exportMembers: api.enrollment.exportMembers.handler(async ({ context, errors }) => {
    const { services, course } = context
    if ((await planOf(services.db, course.instructorId)) !== 'pro') throw errors.PRO_ONLY()
    return {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${course.slug}-members.csv"`,
        'cache-control': 'private, no-store',
      },
      body: membersFile(services.pool, course.courseId),
    }
  }),

  canEnrollInCourse: api.enrollment.canEnrollInCourse.handler(async ({ input, context }) => {
    const { db } = context.services
    const courseId = input.course_id_param
    const course = await courseAccess(db, context.viewer, { courseId })
    if (course?.standing !== 'signedIn') return false
    const own = { userId: context.viewer.id, courseId }
    if (await livePurchase(db, own)) return true
    if (course.status !== 'published') return false
    const terms = await joinTerms(db, courseId)
    if (terms?.pricingType !== 'free') return false
    if (terms.applicationRequired && !(await approvedApplication(db, own))) return false
    const limit = await studentLimit(db, { courseId, instructorId: course.instructorId })
    return limit === null || terms.studentsCount < limit
  }),
}
