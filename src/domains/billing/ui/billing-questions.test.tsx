import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { BillingPage, PurchasedCourse } from '../schema.ts'
import { cancelCourseQuestion, cancelPlanQuestion, courseCanceled } from './billing-questions.tsx'

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
  receipts: [],
  hasMoreReceipts: false,
}

const wordsOf = ({ text }: { text: ReactNode }) =>
  renderToStaticMarkup(<>{text}</>).replaceAll(/<[^>]+>/g, ' ')
const asked = (course: PurchasedCourse) => wordsOf(cancelCourseQuestion(course))

test('who cancels a course that is paid keeps it until then, and is told so', () => {
  expect(asked(monthly)).toMatch(/access until\s+Dec 24, 2026/)
  expect(asked(monthly)).toContain('Until then you can keep it after all.')
  expect(courseCanceled(monthly, monthly)).toContain('until the end of the paid period')
})

test('who cancels one whose payment is missing loses it at once, and is told so', () => {
  const missing = asked({ ...monthly, status: 'past_due' })
  expect(missing).toContain('your access ends at once')
  expect(missing).not.toContain('keep it')
  const ended = { status: 'ended' } as const
  for (const unpaid of [
    { ...monthly, status: 'past_due' as const },
    { ...monthly, mayBeUnpaid: true },
  ]) {
    expect(courseCanceled(unpaid, ended)).toBe(
      'The course is canceled. Your access has ended, as the present month was not paid.',
    )
  }
})

test('one that ended at once for another reason is not said to be unpaid', () => {
  for (const before of [monthly, undefined]) {
    expect(courseCanceled(before, { status: 'ended' })).toBe(
      'The course is canceled, and your access has ended.',
    )
  }
})

test('who cancels while a new period begins is promised nothing that the click takes away', () => {
  const beginning = asked({ ...monthly, mayBeUnpaid: true })
  expect(beginning).toContain('While it is not paid, your access ends at once')
  expect(beginning).not.toMatch(/until|keep it/)
  const pro = (mayBeUnpaid: boolean) =>
    wordsOf(
      cancelPlanQuestion({
        subscription: { subscription_status: 'active', current_period_end: 1_798_000_000 },
        mayBeUnpaid,
      } as BillingPage),
    )
  expect(pro(true)).toContain('While it is not paid, Pro ends at once')
  expect(pro(true)).not.toMatch(/You keep Pro|reactivate/)
  expect(pro(false)).toMatch(/You keep Pro until .* reactivate it/)
})
