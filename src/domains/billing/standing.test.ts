import { expect, test } from 'vitest'
import { planStanding } from './standing.ts'

test.each([
  ['active', 'live'],
  ['trialing', 'live'],
  ['past_due', 'past due'],
  ['incomplete', 'none'],
  ['incomplete_expired', 'none'],
  ['canceled', 'over'],
  ['unpaid', 'over'],
  ['paused', 'over'],
])('a subscription that is %s is: %s', (status, standing) => {
  expect(planStanding(status)).toBe(standing)
})
