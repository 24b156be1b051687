import { describe, expect, test } from 'vitest'
import {
  invitationLimits,
  invitationMail,
  invitationState,
  isCode,
  mailLimitProblem,
} from './rules.ts'

const now = new Date('2026-11-22T12:00:00Z')
const unlimited = { maxUses: null, usesCount: 500, expiresAt: null, revokedAt: null }

describe('an invitation', () => {
  test.each([
    ['open', {}],
    ['open', { maxUses: 501 }],
    ['open', { expiresAt: new Date('2026-11-22T12:00:01Z') }],
    ['usedUp', { maxUses: 500 }],
    ['expired', { expiresAt: now }],
    ['revoked', { revokedAt: now, maxUses: 500, expiresAt: now }],
  ])('is %s with %o', (state, facts) => {
    expect(invitationState({ ...unlimited, ...facts }, now)).toBe(state)
  })

  test('has a code of 128 bits, and nothing else is asked for in the database', () => {
    expect(isCode(Buffer.alloc(16, 255).toString('base64url'))).toBe(true)
    for (const text of [
      '',
      'short',
      'x'.repeat(23),
      'NUL \0 inside the text xx',
      '\ud800'.repeat(22),
    ])
      expect(isCode(text)).toBe(false)
  })
})

test('mails have a limit, which says what is left', () => {
  const { mailsPerDay, mailsPerDayOfPerson } = invitationLimits
  expect(mailLimitProblem(1000, { toCourse: 0, byPerson: 1000 })).toBeNull()
  expect(mailLimitProblem(0, { toCourse: mailsPerDay, byPerson: mailsPerDayOfPerson })).toBeNull()
  expect(mailLimitProblem(13, { toCourse: 990, byPerson: 1990 })).toEqual({
    of: 'toCourse',
    excess: 3,
    message:
      'At most 1,000 invitations to a course can be mailed within 24 hours. 10 are left now.',
  })
  expect(mailLimitProblem(1, { toCourse: 1000, byPerson: 0 })?.message).toMatch(
    /None is left now\.$/,
  )
  expect(mailLimitProblem(2, { toCourse: 0, byPerson: 1999 })).toEqual({
    of: 'byPerson',
    excess: 1,
    message:
      'At most 2,000 invitations can be mailed by one person within 24 hours. 1 is left now.',
  })
})

test('the mail names the course without its mark, says who invites, and that one may ignore it', () => {
  const mail = invitationMail({
    courseTitle: 'Knots ⚡',
    summary: '',
    instructorName: 'Ada',
    url: 'https://thunder.example/invite/x',
    appUrl: 'https://thunder.example',
  })
  expect(mail.subject).toBe('Ada invites you to “Knots”')
  expect(mail.paragraphs).toHaveLength(2)
  expect(mail.paragraphs.join()).toMatch(/ignore this email: nothing happens/)
  expect(mail.reason).toMatch(/because Ada gave your address/)
})
