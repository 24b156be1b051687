import { api } from '../../server/api.ts'
import { addToDay, askToWaitForDay, countOfDay } from '../../server/day-count.ts'
import type { Transaction } from '../../server/db.ts'
import { askToWait } from '../../server/under-way.ts'
import { courseAccess } from '../courses/access.ts'
import { holdCourse } from './hold-course.ts'
import { countVerdicts, inviteAddresses, judgeList } from './invite-by-list.ts'
import { makeLink, revokeInvitation } from './make-link.ts'
import {
  courseToJoin,
  invitationByCode,
  invitationsOf,
  mailsOfLastDay,
  presentInvitation,
  secondsUntilFewer,
} from './queries.ts'
import { readAddressList } from './read-address-list.ts'
import {
  unpublishedProblem,
  invitationState,
  isCode,
  type MailLimit,
  mailLimitProblem,
} from './rules.ts'

const courseNotFound = { message: 'Course not found' }
const notFound = { message: 'Invitation not found' }
const mailsByPerson = 'invitation-mails'

async function askToWaitForMails(
  transaction: Transaction,
  { of, excess }: MailLimit,
  { userId, courseId }: { userId: string; courseId: string },
): Promise<void> {
  if (of === 'byPerson') await askToWaitForDay(transaction, mailsByPerson, userId)
  else askToWait(await secondsUntilFewer(transaction, courseId, excess))
}

export const invitations = {
  createInvitation: api.invitations.createInvitation.handler(({ input, context, errors }) => {
    const { services, course } = context
    return services.db.transaction(async (transaction) => {
      // So that the number of open links is exact.
      if (!(await holdCourse(transaction, course))) throw errors.NOT_FOUND(courseNotFound)
      const link = await makeLink(transaction, { ...input, courseId: course.courseId })
      if (!link) throw errors.TOO_MANY_LINKS()
      return presentInvitation(link, services.config.appUrl)
    })
  }),

  getInvitations: api.invitations.getInvitations.handler(async ({ input, context, errors }) => {
    const { services, course } = context
    const query = { ...input, courseId: course.courseId }
    const page = await invitationsOf(services.db, query, services.config.appUrl)
    if (!page) throw errors.BAD_REQUEST({ message: 'This is not a place in the list' })
    return page
  }),

  revokeInvitation: api.invitations.revokeInvitation.handler(async ({ input, context, errors }) => {
    const { services, course } = context
    const { invitationId } = input
    const revoked = await revokeInvitation(services.db, { courseId: course.courseId, invitationId })
    if (!revoked) throw errors.NOT_FOUND(notFound)
    return { revoked: true as const }
  }),

  inviteByList: api.invitations.inviteByList.handler(async ({ input, context, errors }) => {
    const { services, viewer, course } = context
    const { courseId } = course
    const { dryRun } = input
    const list = readAddressList(input.csv)
    if (!list) throw errors.LIST_TOO_LONG()
    const place = { courseId, ownAddress: viewer.email }
    return services.db.transaction(async (transaction) => {
      // So that the number of mails is exact, and nobody is invited twice.
      const held = dryRun ? course : await holdCourse(transaction, course)
      if (!held) throw errors.NOT_FOUND(courseNotFound)
      const entries = await judgeList(transaction, place, list)
      const counts = countVerdicts(entries)
      const sent = {
        toCourse: await mailsOfLastDay(transaction, courseId),
        byPerson: dryRun
          ? await countOfDay(transaction, mailsByPerson, viewer.id)
          : await addToDay(transaction, mailsByPerson, viewer.id, counts.invite),
      }
      const isUnpublished = held.status !== 'published'
      const limit = mailLimitProblem(counts.invite, sent)
      if (!dryRun) {
        // Thrown inside the transaction, so that nothing is counted that was not mailed.
        if (isUnpublished) throw errors.NOT_PUBLISHED()
        if (limit) {
          await askToWaitForMails(transaction, limit, { userId: viewer.id, courseId })
          throw errors.MAIL_LIMIT({ message: limit.message })
        }
        const chosen = entries.filter(({ verdict }) => verdict === 'invite')
        const addresses = chosen.map(({ text }) => text)
        await inviteAddresses(transaction, courseId, addresses)
      }
      const obstacle = isUnpublished ? unpublishedProblem : (limit?.message ?? null)
      return { dryRun, counts, entries, obstacle }
    })
  }),

  getInvitation: api.invitations.getInvitation.handler(async ({ input, context }) => {
    const { services, visitor } = context
    const found = isCode(input.code) ? await invitationByCode(services.db, input.code) : null
    if (!found) return { state: 'unknown' as const, course: null }
    const state = invitationState(found, new Date())
    const access = await courseAccess(services.db, visitor, { courseId: found.courseId })
    if (!access?.canSee) return { state, course: null }
    const course = await courseToJoin(services.pool, access.courseId)
    return { state, course: course && { ...course, standing: access.standing } }
  }),
}
