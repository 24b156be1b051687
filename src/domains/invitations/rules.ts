// Pure decisions about invitations: how many, how long, and what they say when they are not open.
import { isolated } from '../../isolated.ts'
import { quotedTitle } from '../courses/rules.ts'

export const invitationLimits = {
  maxUses: 10_000,
  days: 365,
  openLinks: 100,
  /** Addresses in one list. */
  addresses: 1000,
  /** Characters of one list. */
  listLength: 1_000_000,
  mailsPerDay: 1000,
  /** Over all courses of one person, also those that are gone. */
  mailsPerDayOfPerson: 2000,
} as const

export const invitationStates = ['open', 'expired', 'usedUp', 'revoked'] as const
export type InvitationState = (typeof invitationStates)[number]

interface Uses {
  maxUses: number | null
  usesCount: number
  expiresAt: Date | null
  revokedAt: Date | null
}

/** Whether somebody may still come by it. */
export function invitationState(invitation: Uses, now: Date): InvitationState {
  const { maxUses, usesCount, expiresAt, revokedAt } = invitation
  if (revokedAt) return 'revoked'
  if (maxUses !== null && usesCount >= maxUses) return 'usedUp'
  return expiresAt && expiresAt <= now ? 'expired' : 'open'
}

/** What somebody hears who comes by one that is not open; `unknown` when there is none with this code. */
export const closedInvitation: Record<Exclude<InvitationState, 'open'> | 'unknown', string> = {
  expired: 'This invitation has expired.',
  usedUp: 'This invitation has been used up.',
  revoked: 'This invitation has been revoked.',
  unknown: 'This invitation does not exist.',
}

/** What codes look like: 128 bits in base64url. */
export const isCode = (text: string): boolean => /^[\w-]{22}$/.test(text)

/** What becomes of one line of a list of addresses. */
export const verdicts = ['invite', 'member', 'invited', 'repeated', 'self', 'invalid'] as const
export type Verdict = (typeof verdicts)[number]

export const verdictLabel: Record<Verdict, string> = {
  invite: 'Will be invited',
  member: 'Already a member',
  invited: 'Invited before',
  repeated: 'Twice in this list',
  self: 'Your own address',
  invalid: 'Not an email address',
}

export const tooManyAddresses =
  'A list can have at most 1,000 addresses. Please split it into several lists.'

export const unpublishedProblem =
  'This course is not published, so nobody could join it. Invite people once it is.'

interface MailsOfDay {
  toCourse: number
  byPerson: number
}

export interface MailLimit {
  /** Whose limit it is. */
  of: keyof MailsOfDay
  /** How many are too many. */
  excess: number
  message: string
}

/** Why no `wanted` mails can be sent now, with so many in the last 24 hours; null when they can. */
export function mailLimitProblem(wanted: number, sent: MailsOfDay): MailLimit | null {
  const { mailsPerDay, mailsPerDayOfPerson } = invitationLimits
  return (
    problemOf('toCourse', mailsPerDay, 'invitations to a course can be mailed') ??
    problemOf('byPerson', mailsPerDayOfPerson, 'invitations can be mailed by one person')
  )

  function problemOf(of: keyof MailsOfDay, limit: number, what: string): MailLimit | null {
    const left = Math.max(0, limit - sent[of])
    if (wanted <= left) return null
    const rest = left < 2 ? `${left || 'None'} is left now` : `${left} are left now`
    const message = `At most ${limit.toLocaleString('en-US')} ${what} within 24 hours. ${rest}.`
    return { of, excess: wanted - left, message }
  }
}

interface Invited {
  courseTitle: string
  summary: string
  instructorName: string
  url: string
  appUrl: string
}

/** The words of the mail that invites. */
export function invitationMail(invited: Invited) {
  const { summary, url, appUrl } = invited
  const instructorName = isolated(invited.instructorName)
  const course = quotedTitle(invited.courseTitle)
  return {
    subject: `${instructorName} invites you to ${course}`,
    heading: `You are invited to ${course}`,
    paragraphs: [
      `${instructorName} would like you to take the course ${course}.`,
      ...(summary ? [summary] : []),
      'Have a look at it, and join when you like it. If you do not, ignore this email: nothing happens.',
    ],
    action: { label: 'See the invitation', url },
    reason: `You get this email because ${instructorName} gave your address to invite you, at ${appUrl}. No account was made for you.`,
  }
}
