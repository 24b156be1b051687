import * as z from 'zod'
import { row } from '../../contract-row.ts'
import { unpublishedProblem, invitationLimits, tooManyAddresses } from './rules.ts'
import {
  addressList,
  byCode,
  byInvitationId,
  followedInvitation,
  invitation,
  invitationPage,
  invitationsQuery,
  listReport,
  newLink,
} from './schema.ts'

// An invitation opens no door: who comes by one joins through `enroll`, on the course's own terms.
export const invitations = {
  createInvitation: row(
    'instructor',
    'POST',
    '/rest/v1/courses/{courseId}/invitations',
    'Make a link that invites',
    { scope: 'members:write' },
  )
    .errors({
      TOO_MANY_LINKS: {
        status: 409,
        message: `A course can have at most ${invitationLimits.openLinks} open links. Please revoke one that is no longer needed.`,
      },
    })
    .input(newLink)
    .output(invitation),

  getInvitations: row(
    'instructor',
    'GET',
    '/rest/v1/courses/{courseId}/invitations',
    'Links to a course, or mailed invitations',
    { scope: 'members:read' },
  )
    .input(invitationsQuery)
    .output(invitationPage),

  /** Revoking twice is harmless. Who has joined by it stays. */
  revokeInvitation: row(
    'instructor',
    'DELETE',
    '/rest/v1/courses/{courseId}/invitations/{invitationId}',
    'Revoke an invitation',
    { scope: 'members:write' },
  )
    .input(byInvitationId)
    .output(z.object({ revoked: z.literal(true) })),

  /** At most 1,000 addresses in a list, and within 24 hours 1,000 mails a course and 2,000 a person. */
  inviteByList: row(
    'instructor',
    'POST',
    '/rest/v1/courses/{courseId}/invitations/csv',
    'Invite a list of email addresses, or see what that would do',
    {
      scope: 'members:write',
      maxBody: 4 * 1024 * 1024,
      description:
        'Only says what would happen, and invites nobody, unless dryRun is false: it is true when left out.',
    },
  )
    .errors({
      LIST_TOO_LONG: { status: 422, message: tooManyAddresses },
      NOT_PUBLISHED: {
        status: 409,
        message: unpublishedProblem,
      },
      MAIL_LIMIT: { status: 429 },
    })
    .input(addressList)
    .output(listReport),

  getInvitation: row('public', 'GET', '/rest/v1/invitations/{code}', 'What an invitation is to', {
    scope: 'courses:read',
  })
    .input(byCode)
    .output(followedInvitation),
}
