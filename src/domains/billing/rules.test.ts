import { assert, constantFrom, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { feePercents, shareOf } from './rules.ts'

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
