import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import type { Coupon } from '../schema.ts'
import { CouponList } from './coupon-list.tsx'

const course = { id: 'c', slug: 'bread', pricingType: 'one_time', priceAmount: 4900 } as const
const coupon: Coupon = {
  id: 'i',
  code: 'SPRING25',
  percentOff: 25,
  amountOff: null,
  startsAt: null,
  endsAt: null,
  maxRedemptions: null,
  redemptionsCount: 0,
  heldCount: 0,
  maxPerPerson: 1,
  isActive: true,
  createdAt: '2026-11-01T00:00:00.000Z',
}

function listOf(facts: Partial<Coupon>): string {
  const list = { course, coupons: [{ ...coupon, ...facts }], at: new Date(), appUrl: '' }
  const Stub = createRoutesStub([{ path: '/', Component: () => <CouponList {...list} /> }])
  return renderToStaticMarkup(<Stub />)
}

test.each([
  [null, 0, 'not used yet · '],
  [null, 1, 'used 1 time · '],
  [null, 1200, 'used 1,200 times · '],
  [1, 0, 'used 0 of 1 time · '],
  [1, 1, 'used 1 of 1 time · '],
  [5, 1, 'used 1 of 5 times · '],
])('of %j uses, %j were made: %s', (maxRedemptions, redemptionsCount, words) => {
  expect(listOf({ maxRedemptions, redemptionsCount })).toContain(words)
})

test('what a payment page holds is not called used, nor the coupon used up', () => {
  const held = listOf({ maxRedemptions: 1, redemptionsCount: 1, heldCount: 1 })
  expect(held).toContain('used 0 of 1 time · 1 on a payment page at this moment · ')
  expect(held).toContain('Taken for now')
  expect(listOf({ redemptionsCount: 3, heldCount: 3 })).toContain(
    'not used yet · 3 on a payment page at this moment · ',
  )
  expect(listOf({ maxRedemptions: 1, redemptionsCount: 1 })).toContain('Used up')
})
