import { describe, expect, test } from 'vitest'
import {
  adminChallengePath,
  alwaysHolds,
  challengePath,
  drawAddress,
  kindWords,
  phaseLabel,
  phaseOf,
  phases,
} from './rules.ts'

const opensAt = new Date('2026-12-01T08:00:00Z')
const closesAt = new Date('2026-12-08T08:00:00Z')
const published = { status: 'published', opensAt, closesAt } as const
const before = (moment: Date) => new Date(moment.getTime() - 1)

describe('what a published challenge is', () => {
  test('is coming until the moment it opens', () => {
    expect(phaseOf(published, before(opensAt))).toBe('coming')
    expect(phaseOf(published, opensAt)).toBe('open')
  })

  test('is open until the moment it closes', () => {
    expect(phaseOf(published, before(closesAt))).toBe('open')
    expect(phaseOf(published, closesAt)).toBe('closing')
  })
})

test.each(['draft', 'closed', 'drawn', 'canceled'] as const)(
  'a challenge that is %s is that at any time',
  (status) => {
    for (const now of [before(opensAt), opensAt, closesAt]) {
      expect(phaseOf({ status, opensAt, closesAt }, now)).toBe(status)
    }
  },
)

describe('a challenge that is closed', () => {
  test('waits for its draw when somebody takes part', () => {
    expect(phaseLabel('closed', 1)).toBe('Closed, to be drawn')
  })

  test('waits for nothing when nobody does', () => {
    expect(phaseLabel('closed', 0)).toBe('Closed, without entries')
    expect(phaseLabel('open', 0)).toBe('Open')
  })
})

test('a challenge has an address for everybody, one for its draw, and one for who runs it', () => {
  expect([challengePath('spring'), drawAddress('spring'), adminChallengePath('an-id')]).toEqual([
    '/challenges/spring',
    '/rest/v1/challenges/spring/draw',
    '/admin/challenges/an-id',
  ])
})

test('kinds and phases have their words', () => {
  expect(kindWords).toEqual({ challenge: 'Prize challenge', giveaway: 'Giveaway' })
  expect(phases.map((phase) => phaseLabel(phase, 1))).toEqual([
    'Draft',
    'Coming',
    'Open',
    'Closing',
    'Closed, to be drawn',
    'Winner drawn',
    'Canceled',
  ])
})

test('what always holds says who may enter, that chances are equal, what is dropped, and what stays', () => {
  expect(alwaysHolds).toEqual([
    expect.stringMatching(/^Creators on Pro enter one published course of their own/),
    expect.stringMatching(/^Every entry has the same chance\. Entering costs nothing/),
    expect.stringMatching(
      /course is published, .* on Pro, .* suspended\. Other entries are dropped/,
    ),
    expect.stringMatching(/frozen, numbered and published .* stays in the list without a name/),
  ])
})
