// What an instructor's invitations ask the server. Loaded after the page.
import { safe } from '@orpc/client'
import { client } from '../../../web/api-client.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'

const calls = client.invitations

export async function createLink(link: Parameters<typeof calls.createInvitation>[0]) {
  const [error, made] = await safe(calls.createInvitation(link))
  return error
    ? { problem: callProblem(error, 'The link could not be made. Please try again.') }
    : made
}

/** Why it failed, in words; null when it did not. */
export async function revokeInvitation(courseId: string, invitationId: string) {
  const [error] = await safe(calls.revokeInvitation({ courseId, invitationId }))
  return error ? callProblem(error, 'The invitation could not be revoked. Please try again.') : null
}

export async function inviteList(list: { courseId: string; csv: string; dryRun: boolean }) {
  const [error, report] = await safe(calls.inviteByList(list))
  const fallback = list.dryRun
    ? 'The list could not be checked. Please try again.'
    : 'We did not hear whether the invitations were sent. Check the list again: who has been invited is marked there.'
  return error ? { problem: callProblem(error, fallback) } : report
}
