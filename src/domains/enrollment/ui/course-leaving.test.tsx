import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { CourseDashboard } from '../../courses/schema.ts'
import type { CoursePurchase } from '../../purchases/schema.ts'
import { WhatLeavingMeans } from './course-leaving.tsx'
import { ComeBack } from './join-course.tsx'

type Facts = Pick<
  CourseDashboard,
  'status' | 'pricingType' | 'priceAmount' | 'applicationRequired' | 'completedCount' | 'purchase'
>

const free: Facts = {
  status: 'published',
  pricingType: 'free',
  priceAmount: 0,
  applicationRequired: false,
  completedCount: 0,
  purchase: null,
}
const sold = { ...free, pricingType: 'monthly', priceAmount: 2900 } as const
const bought: CoursePurchase = {
  pricingType: 'monthly',
  amount: 2900,
  status: 'active',
  currentPeriodEnd: '2026-12-24T12:00:00.000Z',
  cancelAtPeriodEnd: false,
  canRenew: true,
  mayBeUnpaid: false,
}

const said = (course: Facts) =>
  renderToStaticMarkup(<WhatLeavingMeans course={course as CourseDashboard} />).replaceAll(
    /<[^>]+>/g,
    ' ',
  )

describe('who leaves is told of the way back', () => {
  test.each<[string, Facts, string]>([
    ['a free course', free, 'You can join again at any time'],
    ['a course that costs something by now', sold, 'buy it: at the moment it costs $29/month'],
    [
      'one that asks for an application, too',
      { ...sold, applicationRequired: true },
      'You can buy it for $29/month if the instructor approved your application',
    ],
    [
      'a draft',
      { ...free, status: 'draft' },
      'Nobody can join this course at the moment, so there is no way back',
    ],
    ['what one has bought', { ...sold, purchase: bought }, 'You find it on its public page'],
    [
      'what one has bought and nobody else can',
      { ...sold, status: 'draft', purchase: bought },
      'You find it on your billing page',
    ],
  ])('to %s', (_what, course, words) => {
    expect(said(course)).toContain(words)
  })
})

test('who leaves with a payment missing has nothing left to come back to', () => {
  const words = said({ ...sold, purchase: { ...bought, status: 'past_due' } })
  expect(words).toContain('what you bought ends at once')
  expect(words).toContain('you would have to buy it')
  expect(words).not.toContain('without paying again')
})

test('who leaves while a new month begins is promised no way back without paying', () => {
  const words = said({ ...sold, purchase: { ...bought, mayBeUnpaid: true } })
  expect(words).toContain('While it is not paid, what you bought ends at once')
  expect(words).toContain('you would have to buy it')
  expect(words).not.toContain('without paying again')
  // It may be paid a moment later.
  expect(words).toMatch(
    / If the month is paid, you find it on its public page\. If what you bought has ended, to come back you would have to buy it/,
  )
})

test.each<[string, CoursePurchase, RegExp]>([
  [
    'once',
    { ...bought, pricingType: 'one_time', currentPeriodEnd: null },
    /come back whenever you like/,
  ],
  ['monthly', { ...bought, cancelAtPeriodEnd: true }, /until\s+Dec 24, 2026\s*: come back until/],
  ['nothing', { ...bought, amount: 0, currentPeriodEnd: null }, /by a coupon: come back whenever/],
])('who paid %s and has left is told until when the course is theirs', (_what, purchase, words) => {
  const html = renderToStaticMarkup(<ComeBack purchase={purchase} />)
  expect(html.replaceAll(/<[^>]+>/g, ' ')).toMatch(words)
})
