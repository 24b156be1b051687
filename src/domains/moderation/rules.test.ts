// What can be reported and decided, and where moderators look at it.
import { expect, test } from 'vitest'
import { casePath, communitySettingsPath, moderationPath, needsNote, staysAsItIs } from './rules.ts'
import { caseDecision, report } from './schema.ts'

const id = '01999999-9999-7999-8999-999999999999'

test('each reason can be given, of a post or of a comment', () => {
  for (const reason of [
    'spam',
    'harassment',
    'hate',
    'sexual',
    'dangerous',
    'copyright',
    'other',
  ] as const) {
    expect(report.parse({ postId: id, reason })).toEqual({ postId: id, reason, note: '' })
    const about = { commentId: id, reason, note: 'Look' }
    expect(report.parse(about)).toEqual(about)
  }
  expect(report.safeParse({ postId: id, reason: '' }).success).toBe(false)
  expect(report.safeParse({ reason: 'spam' }).success).toBe(false)
})

test('each decision can be made; to warn and to note needs words, and two leave the case as it is', () => {
  const problemOf = (action: string, note?: string) =>
    caseDecision
      .safeParse({ caseId: id, action, note })
      .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  for (const action of ['dismiss', 'hide', 'delete', 'remove_member', 'restore'] as const) {
    expect(problemOf(action)).toBeUndefined()
    expect(needsNote(action)).toBe(false)
    expect(staysAsItIs(action)).toBe(action === 'restore')
  }
  expect([problemOf('warn'), problemOf('note', ' ')]).toEqual([
    ['note: Please write what you warn about'],
    ['note: Please write a note'],
  ])
  expect([problemOf('warn', 'Be kind'), problemOf('note', 'Seen')]).toEqual([undefined, undefined])
  expect([staysAsItIs('note'), staysAsItIs('warn')]).toEqual([true, false])
})

test('cases and settings have addresses below the course', () => {
  expect([moderationPath('knots'), communitySettingsPath('knots'), casePath('knots', '7')]).toEqual(
    [
      '/course/knots/moderation',
      '/course/knots/moderation?view=settings',
      '/course/knots/moderation?case=7',
    ],
  )
})
