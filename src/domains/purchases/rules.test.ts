import { describe, expect, test } from 'vitest'
import {
  couponIsOpen,
  couponLimits,
  graceEnd,
  mayBeUnpaid,
  normalCode,
  overdueAt,
  reducedPrice,
  standingOf,
} from './rules.ts'

describe('the price with a coupon', () => {
  const percent = (price: number, percentOff: number) =>
    reducedPrice(price, { percentOff, amountOff: null })
  const amount = (price: number, amountOff: number | null) =>
    reducedPrice(price, { percentOff: null, amountOff })

  test('is so many percent less, to the nearest cent', () => {
    expect(percent(2900, 20)).toBe(2320)
    expect(percent(2999, 33)).toBe(2009)
    expect(percent(2900, 0)).toBe(2900)
    expect(percent(2900, 100)).toBe(0)
  })

  test('is so much less, and never below nothing', () => {
    expect(amount(2900, 1000)).toBe(1900)
    expect(amount(2900, 5000)).toBe(0)
    expect(amount(2900, null)).toBe(2900)
  })

  test('that no card can pay is given away', () => {
    expect(amount(2900, 2850)).toBe(50)
    expect(amount(2900, 2851)).toBe(0)
  })
})

describe('a coupon can be used', () => {
  const now = new Date('2026-03-10T12:00:00Z')
  const before = new Date(now.getTime() - 1)
  const after = new Date(now.getTime() + 1)
  const plain = {
    isActive: true,
    startsAt: null,
    endsAt: null,
    maxRedemptions: null,
    maxPerPerson: 1,
  }
  const unused = { all: 0, byPerson: 0 }
  const isOpen = (limits: Partial<Parameters<typeof couponIsOpen>[0]>, uses = unused) =>
    couponIsOpen({ ...plain, ...limits }, uses, now)

  test('while it is on', () => {
    expect(isOpen({})).toBe(true)
    expect(isOpen({ isActive: false })).toBe(false)
  })

  test('from the moment at which it begins to the one at which it ends', () => {
    expect(isOpen({ startsAt: before })).toBe(true)
    expect(isOpen({ startsAt: now })).toBe(true)
    expect(isOpen({ startsAt: after })).toBe(false)
    expect(isOpen({ endsAt: before })).toBe(false)
    expect(isOpen({ endsAt: now })).toBe(false)
    expect(isOpen({ endsAt: after })).toBe(true)
  })

  test('as often as it says, by one person and by all', () => {
    expect(isOpen({ maxPerPerson: 2 }, { all: 1, byPerson: 1 })).toBe(true)
    expect(isOpen({ maxPerPerson: 2 }, { all: 2, byPerson: 2 })).toBe(false)
    expect(isOpen({ maxRedemptions: 3 }, { all: 2, byPerson: 0 })).toBe(true)
    expect(isOpen({ maxRedemptions: 3 }, { all: 3, byPerson: 0 })).toBe(false)
    expect(isOpen({ maxRedemptions: 3 }, { all: 0, byPerson: 1 })).toBe(false)
    expect(isOpen({}, { all: 1_000_000, byPerson: 0 })).toBe(true)
  })

  test('however its code is written', () => {
    expect(normalCode(' Spring20\n')).toBe('SPRING20')
  })

  test('whose code has 6 to 40 letters; a course has 100 of them, for 100,000 people each', () => {
    expect(couponLimits).toEqual({
      code: { least: 6, most: 40 },
      perCourse: 100,
      redemptions: 100_000,
    })
  })
})

describe('what is paid each month', () => {
  test.each([
    ['active', 'active'],
    ['trialing', 'active'],
    ['past_due', 'past_due'],
    ['canceled', 'ended'],
    ['unpaid', 'ended'],
    ['incomplete_expired', 'ended'],
    ['incomplete', null],
    ['paused', null],
    ['', null],
  ])('%s at the provider: %s', (status, standing) => {
    expect(standingOf(status)).toBe(standing)
  })

  test('ends 21 days after the payment that is missing, with a warning 3 days before', () => {
    const missing = new Date('2026-03-01T08:30:00Z')
    expect(graceEnd(missing)).toEqual(new Date('2026-03-22T08:30:00Z'))
    expect(overdueAt(graceEnd(missing)).endedBefore).toEqual(missing)
    expect(overdueAt(new Date('2026-03-19T08:30:00Z')).warnedBefore).toEqual(missing)
  })
})

describe('the present period may be unpaid', () => {
  const since = new Date('2026-10-27T12:00:00Z')
  const periodStart = new Date('2026-11-27T12:00:00Z')
  const periodEnd = new Date('2026-12-27T12:00:00Z')
  const renewed = { since, periodStart, periodEnd, paidAt: since, isCanceled: false }
  const paid = { ...renewed, paidAt: new Date('2026-11-27T13:00:00Z') }

  test.each([
    ['when it began twenty minutes ago', true, renewed, '2026-11-27T12:20:00Z'],
    ['not when it began hours ago', false, renewed, '2026-11-27T14:00:00Z'],
    ['when it should be over', true, renewed, '2026-12-27T12:00:00Z'],
    ['not before it begins, as by another clock', false, renewed, '2026-11-27T11:59:00Z'],
    ['not as the first one', false, { ...renewed, since: periodStart }, '2026-11-27T12:20:00Z'],
    ['not when nothing is known', false, { ...renewed, periodStart: null }, '2026-11-27T12:20:00Z'],
    ['not without an end', false, { ...renewed, periodStart: null, periodEnd: null }, '2030-01-01'],
    ['not once it is paid', false, paid, '2026-11-27T13:30:00Z'],
    [
      'not when it was paid as it began',
      false,
      { ...paid, paidAt: periodStart },
      '2026-11-27T12:20:00Z',
    ],
    [
      'when only the one before it is paid, which should be over',
      true,
      paid,
      '2026-12-27T13:30:00Z',
    ],
    [
      'not when it is paid, of whose beginning nobody has told',
      false,
      { ...paid, paidAt: new Date('2026-12-27T13:00:00Z') },
      '2026-12-27T13:30:00Z',
    ],
    [
      'when nothing of it was ever paid',
      true,
      { ...renewed, paidAt: null },
      '2026-11-27T12:20:00Z',
    ],
    ['not when it is canceled', false, { ...renewed, isCanceled: true }, '2026-11-27T12:20:00Z'],
    [
      'not when it is canceled and over',
      false,
      { ...paid, isCanceled: true },
      '2026-12-27T13:30:00Z',
    ],
    ['not of nothing', false, { ...renewed, since: null }, '2026-11-27T12:20:00Z'],
  ])('%s', (_when, expected, period, now) => {
    expect(mayBeUnpaid(period, new Date(now))).toBe(expected)
  })
})
