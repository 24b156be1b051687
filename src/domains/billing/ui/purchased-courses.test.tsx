import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { describe, expect, test } from 'vitest'
import type { BillingPage, PurchasedCourse } from '../schema.ts'
import { PurchasedCourses } from './purchased-courses.tsx'

const receipt = {
  id: '00000000-0000-7000-8000-000000000003',
  amount: 900,
  refunded: 0,
  currency: 'usd',
  paidAt: '2026-11-24T12:00:00.000Z',
  receiptUrl: '/billing/receipts/00000000-0000-7000-8000-000000000003/receipt',
  invoicePdf: null,
}

const monthly: PurchasedCourse = {
  id: '00000000-0000-7000-8000-000000000001',
  courseId: '00000000-0000-7000-8000-000000000002',
  title: 'Knots',
  slug: 'knots',
  pricingType: 'monthly',
  amount: 900,
  currency: 'usd',
  status: 'active',
  endedReason: null,
  currentPeriodEnd: '2026-12-24T12:00:00.000Z',
  cancelAtPeriodEnd: false,
  canRenew: true,
  mayBeUnpaid: false,
  isFree: false,
  isMember: true,
  boughtAt: '2026-11-24T12:00:00.000Z',
  receipts: [receipt, { ...receipt, id: '00000000-0000-7000-8000-000000000004' }],
  hasMoreReceipts: false,
}

function shown(purchases: PurchasedCourse[], hasMorePurchases = false): string {
  const billing: BillingPage = {
    plan: 'free',
    isGranted: false,
    subscription: {
      customer_id: 'cus_1',
      subscription_id: null,
      subscription_status: 'inactive',
      price_id: null,
      current_period_start: null,
      current_period_end: null,
      cancel_at_period_end: false,
      payment_method_brand: null,
      payment_method_last4: null,
    },
    mayBeUnpaid: false,
    checkout: 'none',
    isTest: true,
    hasDemoUpgrade: true,
    purchases,
    hasMorePurchases,
  }
  const Stub = createRoutesStub([
    { path: '/', Component: () => <PurchasedCourses billing={billing} /> },
  ])
  return renderToStaticMarkup(<Stub />)
}

describe('the card can be changed', () => {
  const update = 'Update card'
  const times = (purchases: PurchasedCourse[]) => shown(purchases).split(update).length - 1

  test('once, before a payment fails and afterwards', () => {
    expect(times([monthly, { ...monthly, id: receipt.id }])).toBe(1)
    expect(times([monthly, { ...monthly, id: receipt.id, status: 'past_due' }])).toBe(1)
    expect(times([{ ...monthly, status: 'past_due' }])).toBe(1)
  })

  test.each<Partial<PurchasedCourse>>([
    { pricingType: 'one_time' },
    { status: 'ended' },
    { cancelAtPeriodEnd: true },
    { amount: 0 },
  ])('not where nothing more is paid: %j', (more) => {
    expect(times([{ ...monthly, ...more }])).toBe(0)
  })
})

describe('a list that leaves something out', () => {
  const cut = 'Only the courses that you bought last are listed here.'
  const older = 'Older ones are among'

  test('says so, and where the rest is', () => {
    const html = shown([{ ...monthly, hasMoreReceipts: true }], true)
    for (const words of [cut, older, 'Receipts (the newest 2)']) expect(html).toContain(words)
    expect(html.split('href="/billing/receipts"')).toHaveLength(4)
  })

  test('is told apart from one that is whole', () => {
    const html = shown([monthly])
    for (const words of [cut, older]) expect(html).not.toContain(words)
    expect(html).toContain('Receipts (2)')
    expect(html.split('href="/billing/receipts"')).toHaveLength(2)
    expect(shown([])).not.toContain('/billing/receipts')
  })
})

test('what is given by a coupon for all of the price cannot be canceled', () => {
  const given = { ...monthly, amount: 0, currentPeriodEnd: null, receipts: [] }
  expect(shown([monthly])).toContain('Cancel Knots')
  expect(shown([given])).toContain('Nothing to pay.')
  expect(shown([given])).not.toContain('Cancel Knots')
})
