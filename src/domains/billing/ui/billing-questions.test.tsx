import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { PurchasedCourse } from '../schema.ts'
import { cancelCourseQuestion, courseCanceled } from './billing-questions.tsx'

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
  isFree: false,
  isMember: true,
  boughtAt: '2026-11-24T12:00:00.000Z',
  receipts: [],
  hasMoreReceipts: false,
}

const asked = (course: PurchasedCourse) =>
  renderToStaticMarkup(<>{cancelCourseQuestion(course).text}</>).replaceAll(/<[^>]+>/g, ' ')

test('who cancels a course that is paid keeps it until then, and is told so', () => {
  expect(asked(monthly)).toMatch(/access until\s+Dec 24, 2026/)
  expect(asked(monthly)).toContain('Until then you can keep it after all.')
  expect(courseCanceled({ status: 'active' })).toContain('until the end of the paid period')
})

test('who cancels one whose payment is missing loses it at once, and is told so', () => {
  const missing = asked({ ...monthly, status: 'past_due' })
  expect(missing).toContain('your access ends at once')
  expect(missing).not.toContain('keep it')
  expect(courseCanceled({ status: 'ended' })).toContain('Your access has ended')
})
