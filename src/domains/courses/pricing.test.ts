import { describe, expect, test } from 'vitest'
import { amountIn, noPrice, pricingOf, textOfAmount } from './pricing.ts'

const oneTime = { pricingType: 'one_time', priceAmount: 4900 } as const

describe('pricingOf', () => {
  test('nothing said is nothing changed, at first free', () => {
    expect(pricingOf(noPrice, {})).toEqual(noPrice)
    expect(pricingOf(oneTime, {})).toEqual(oneTime)
  })

  test('free costs nothing, and nothing is free', () => {
    expect(pricingOf(oneTime, { pricingType: 'free' })).toEqual(noPrice)
    expect(pricingOf(noPrice, { pricingType: 'free', priceAmount: 2900 })).toEqual(noPrice)
    expect(pricingOf(oneTime, { priceAmount: 0 })).toEqual(noPrice)
  })

  test('a price without its type is paid once, or as before', () => {
    expect(pricingOf(noPrice, { priceAmount: 900 })).toEqual({
      pricingType: 'one_time',
      priceAmount: 900,
    })
    const monthly = { pricingType: 'monthly', priceAmount: 500 } as const
    expect(pricingOf(monthly, { priceAmount: 900 })).toEqual({ ...monthly, priceAmount: 900 })
  })

  test('from free to a type without its price it is 29', () => {
    for (const pricingType of ['one_time', 'monthly'] as const) {
      expect(pricingOf(noPrice, { pricingType })).toEqual({ pricingType, priceAmount: 2900 })
    }
    expect(pricingOf(oneTime, { pricingType: 'monthly' })).toEqual({
      pricingType: 'monthly',
      priceAmount: 4900,
    })
  })
})

test.each([
  ['29', 2900],
  [' $29.50 ', 2950],
  ['29,5', 2950],
  ['29,50', 2950],
  ['2,9505', 0],
  ['5$', 0],
  ['1,000', 100_000],
  ['1,000,000', 100_000_000],
  ['1234,000', 0],
  ['1,0000', 0],
  ['10,000.00', 1_000_000],
  ['.99', 99],
  ['5.', 500],
  ['19.99', 1999],
  ['1.005', 100.5],
  ['', 0],
  ['abc', 0],
  ['-5', 0],
  ['1e3', 0],
  ['Infinity', 0],
  ['1.2.3', 0],
  ['9'.repeat(400), Infinity],
])('%j is %d cents', (text, amount) => {
  expect(amountIn(text)).toBe(amount)
})

test('a price is written without needless zeros', () => {
  expect([2900, 2950, 2905, 0].map(textOfAmount)).toEqual(['29', '29.50', '29.05', '0'])
})
