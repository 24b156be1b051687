// What has to be said and proved before an account is deleted.
import { describe, expect, test } from 'vitest'
import { confirmationWord, fateOf, freshMinutes, isFresh, membersLabel } from './leaving-rules.ts'
import { deletion } from './leaving-schema.ts'
import { limits } from './rules.ts'

test('a log-in is proof for ten minutes, to the millisecond', () => {
  const now = new Date('2026-11-24T12:00:00Z')
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  expect(freshMinutes).toBe(10)
  expect(isFresh(now, now)).toBe(true)
  expect(isFresh(ago(600_000), now)).toBe(true)
  expect(isFresh(ago(600_001), now)).toBe(false)
  expect(isFresh(new Date())).toBe(true)
})

test('members are counted in words', () => {
  expect([0, 1, 2, 1202].map(membersLabel)).toEqual([
    '0 members',
    '1 member',
    '2 members',
    '1,202 members',
  ])
})

test('what was paid for stays, what has members is chosen, and the rest goes', () => {
  const fate = (membersCount: number, buyersCount: number) => fateOf({ membersCount, buyersCount })
  expect([fate(0, 0), fate(2, 0), fate(0, 1), fate(2, 1)]).toEqual([
    'no members, deleted',
    '2 members, you choose below',
    'no members, stays for those who paid',
    '2 members, stays for those who paid',
  ])
})

describe('what is sent', () => {
  const read = (sent: object) => deletion.safeParse(sent)
  const problem = (sent: object) => read(sent).error?.issues[0]?.message

  test('needs the word, with blanks around it or without', () => {
    expect(read({ confirmation: ` ${confirmationWord} ` }).success).toBe(true)
    for (const confirmation of ['', 'delete', `${confirmationWord}!`, 7, undefined]) {
      expect(problem({ confirmation }), String(confirmation)).toBe('Type DELETE to confirm')
    }
  })

  test('gives nothing up and decides nothing by itself', () => {
    expect(read({ confirmation: 'DELETE' }).data).toEqual({
      confirmation: 'DELETE',
      password: '',
      giveUpEarnings: false,
    })
  })

  test('says with a box or with a word that earnings are given up', () => {
    const giving = (giveUpEarnings: unknown) =>
      read({ confirmation: 'DELETE', giveUpEarnings }).data?.giveUpEarnings
    expect([giving(true), giving('on'), giving(false)]).toEqual([true, true, false])
    expect(problem({ confirmation: 'DELETE', giveUpEarnings: 'yes' })).toBe(
      'Say whether you give them up',
    )
  })

  test('keeps or deletes courses, and nothing else', () => {
    const choosing = (membersCourses: unknown) => read({ confirmation: 'DELETE', membersCourses })
    expect(choosing('keep').data?.membersCourses).toBe('keep')
    expect(choosing('delete').data?.membersCourses).toBe('delete')
    expect(choosing('sell').error?.issues[0]?.message).toBe(
      'Please say what should happen to your courses: keep or delete',
    )
  })

  test('has a password as the log-in would take it', () => {
    const typed = (password: unknown) => read({ confirmation: 'DELETE', password })
    expect(typed('  correct horse ').data?.password).toBe('correct horse')
    expect(typed('x'.repeat(limits.password)).success).toBe(true)
    expect(typed('x'.repeat(limits.password + 1)).error?.issues[0]?.message).toBe(
      `Password can have at most ${limits.password} characters`,
    )
    expect(typed(7).error?.issues[0]?.message).toBe('Password must be text')
  })
})
