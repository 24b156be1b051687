import { expect, test } from 'vitest'
import type { Sale } from '../schema.ts'
import { refundEffect } from './sale-words.ts'

const sale = { gross: 2000, feePercent: 5, refunded: 0, disputed: 0 } as Sale

test.each([
  [sale, 2000, { feeBack: 100, balance: 1900, isFull: true }],
  [sale, 500, { feeBack: 25, balance: 475, isFull: false }],
  [{ ...sale, refunded: 500 }, 1500, { feeBack: 75, balance: 1425, isFull: true }],
  [{ ...sale, feePercent: 0 }, 2000, { feeBack: 0, balance: 2000, isFull: true }],
  // Cents that do not divide: the parts give back as much as the whole.
  [{ ...sale, gross: 999 }, 333, { feeBack: 17, balance: 316, isFull: false }],
  [{ ...sale, gross: 999, refunded: 333 }, 333, { feeBack: 16, balance: 317, isFull: false }],
  [{ ...sale, gross: 999, refunded: 666 }, 333, { feeBack: 17, balance: 316, isFull: true }],
])('what a refund of %j by %i does', (of, amount, effect) => {
  expect(refundEffect(of, amount)).toEqual(effect)
})
