import { expect, test } from 'vitest'
import type { Coupon } from '../schema.ts'
import { emptyCoupon } from './coupon-form-fields.ts'
import { couponIn } from './coupon-in.ts'
import { couponState } from './coupon-state.ts'
import { priceNow } from './price-now.ts'
import { reductionLabel } from './reduction-label.ts'

const courseId = '0199f0de-0000-7000-8000-000000000001'
const made = (fields: Partial<typeof emptyCoupon>) =>
  couponIn(courseId, { ...emptyCoupon, code: 'summer-26', ...fields })

test('what a coupon takes off, in words', () => {
  expect(reductionLabel({ percentOff: 20, amountOff: null })).toBe('20% off')
  expect(reductionLabel({ percentOff: null, amountOff: 500 })).toBe('$5 off')
  expect(reductionLabel({ percentOff: null, amountOff: 123_450 })).toBe('$1,234.50 off')
})

test('the coupon that the fields describe: the last day is included', () => {
  expect(made({ off: '20 %', starts: '2026-12-01', ends: '2026-12-31' })).toEqual({
    coupon: {
      courseId,
      code: 'summer-26',
      percentOff: 20,
      amountOff: null,
      startsAt: '2026-12-01T00:00:00.000Z',
      endsAt: '2027-01-01T00:00:00.000Z',
      maxRedemptions: null,
      maxPerPerson: 1,
    },
  })
  expect(made({ kind: 'amount', off: '$4.50', maxRedemptions: '10' })).toMatchObject({
    coupon: { percentOff: null, amountOff: 450, maxRedemptions: 10 },
  })
})

test.each([
  [{ code: 'abc' }, 'code', 'A code needs at least 6 characters'],
  [{ code: 'with blanks' }, 'code', 'A code has letters, digits and hyphens'],
  [{ off: '' }, 'off', 'The percentage must be at least 1'],
  [{ off: '101' }, 'off', 'The percentage can be at most 100'],
  [{ off: 'half' }, 'off', 'The percentage must be a number'],
  [{ kind: 'amount', off: 'much' }, 'off', 'Enter an amount'],
  [{ kind: 'amount', off: '15000' }, 'off', 'The amount can be at most $10,000'],
  [{ kind: 'amount', off: '0.005' }, 'off', 'The amount must be a whole number of cents'],
  [{ starts: '2026-12-02', ends: '2026-12-01' }, 'ends', 'The end must be after the start'],
  [{ starts: 'soon' }, 'starts', 'The start is no date'],
  [{ maxRedemptions: '0' }, 'maxRedemptions', 'The number of uses must be at least 1'],
  [{ maxPerPerson: '' }, 'maxPerPerson', 'The number of uses for each person must be at least 1'],
])('%j is wrong in %s', (fields, name, problem) => {
  expect(made(fields)).toEqual({ problems: { [name]: problem } })
})

test('why a code works now, or does not', () => {
  const now = new Date('2026-12-10T12:00:00Z')
  const coupon: Coupon = {
    id: courseId,
    code: 'SUMMER-26',
    percentOff: 20,
    amountOff: null,
    startsAt: null,
    endsAt: null,
    maxRedemptions: null,
    maxPerPerson: 1,
    redemptionsCount: 0,
    heldCount: 0,
    isActive: true,
    createdAt: '2026-12-01T00:00:00.000Z',
  }
  const stateOf = (change: Partial<Coupon>) => couponState({ ...coupon, ...change }, now)
  expect(stateOf({})).toBe('active')
  expect(stateOf({ isActive: false, endsAt: '2026-12-01T00:00:00.000Z' })).toBe('off')
  expect(stateOf({ endsAt: '2026-12-10T12:00:00.000Z' })).toBe('over')
  expect(stateOf({ startsAt: '2026-12-10T12:00:01.000Z' })).toBe('waiting')
  expect(stateOf({ maxRedemptions: 3, redemptionsCount: 2 })).toBe('active')
  expect(stateOf({ maxRedemptions: 3, redemptionsCount: 3 })).toBe('usedUp')
  expect(stateOf({ maxRedemptions: 3, redemptionsCount: 3, heldCount: 1 })).toBe('held')
})

test('a coupon for everything leaves nothing to pay, also of a monthly course', () => {
  const course = { pricingType: 'monthly', priceAmount: 2900 } as const
  const quote = { code: 'GIFTED', percentOff: 100, amountOff: null, priceAmount: 2900, amount: 0 }
  const offer = { code: 'GIFTED', problem: null, quote: { ...quote, currency: 'usd' } }
  expect(priceNow(course, offer)).toEqual({ pricingType: 'monthly', priceAmount: 0 })
  expect(priceNow(course, { ...offer, quote: null })).toEqual(course)
})
