import { assert, constantFrom, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catalogue, feePercents, platformFeeOf, shareOf, titleOfPlan } from './rules.ts'

test('Pro costs 20 dollars a month or 200 a year, and we keep 5 % or nothing of a sale', () => {
  expect(catalogue).toEqual({
    monthly: {
      name: 'Monthly Plan',
      plan: 'monthly',
      priceId: 'pro_monthly',
      mode: 'subscription',
      amount: 2000,
      currency: 'usd',
      interval: 'month',
    },
    annual: {
      name: 'Annual Plan',
      plan: 'annual',
      priceId: 'pro_annual',
      mode: 'subscription',
      amount: 20_000,
      currency: 'usd',
      interval: 'year',
    },
  })
  expect(titleOfPlan('annual')).toMatch(/ Pro Annual Plan$/)
  expect(feePercents).toEqual({ free: 5, pro: 0 })
})

test('of half a cent we keep nothing, and never less than nothing', () => {
  expect([10, 11, 29, 30, 31].map((gross) => platformFeeOf(gross, 5))).toEqual([0, 1, 1, 1, 2])
  expect(Object.is(platformFeeOf(0, 5), 0)).toBe(true)
})

describe('what becomes of a price', () => {
  test('the default one on both plans', () => {
    expect(shareOf(2900, feePercents.free)).toEqual({
      platformFee: 145,
      cardFee: 114,
      received: 2641,
    })
    expect(shareOf(2900, feePercents.pro)).toEqual({
      platformFee: 0,
      cardFee: 114,
      received: 2786,
    })
  })

  test('adds up to the cent, whatever it is', () => {
    assert(
      property(integer({ min: 100, max: 1_000_000 }), constantFrom(0, 5), (price, percent) => {
        const { platformFee, cardFee, received } = shareOf(price, percent)
        expect(platformFee + cardFee + received).toBe(price)
        expect(platformFee).toBeLessThanOrEqual(Math.ceil((price * percent) / 100))
      }),
    )
  })
})
