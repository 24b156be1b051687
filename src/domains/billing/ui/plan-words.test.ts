import { expect, test } from 'vitest'
import {
  annualSaving,
  isPlanName,
  money,
  planTitle,
  shortMoney,
  statusBadge,
} from './plan-words.ts'

test('a year saves 40 dollars: 17 %, two months, 16.67 a month', () => {
  expect(annualSaving()).toEqual({ amount: 4000, percent: 17, monthsFree: 2, perMonth: 1667 })
})

test.each([
  ['active', 'Active', 'success'],
  ['trialing', 'Trial', 'primary'],
  ['past_due', 'Past Due', 'warning'],
  ['canceled', 'Canceled', 'danger'],
  ['incomplete', 'Incomplete', 'neutral'],
  ['not_started', 'Not Started', 'neutral'],
  ['inactive', 'Inactive', 'neutral'],
  ['incomplete_expired', 'Incomplete expired', 'neutral'],
  ['constructor', 'Constructor', 'neutral'],
])('the status %s reads %s in the tone %s', (status, label, tone) => {
  expect(statusBadge(status)).toEqual({ label, tone })
})

test('money is that of its currency, in American English', () => {
  expect(money(1667, 'usd')).toBe('$16.67')
  expect(money(123_456, 'eur')).toBe('€1,234.56')
  expect(money(-500, 'usd')).toBe('-$5.00')
  expect(shortMoney(20_000, 'usd')).toBe('$200')
  expect(shortMoney(2050, 'usd')).toBe('$20.50')
})

test('plans are called as in the catalogue', () => {
  expect(planTitle('pro_annual')).toBe('Thunder Pro: Annual Plan')
  expect(planTitle(null)).toBe('Thunder Pro')
  expect([isPlanName('monthly'), isPlanName('toString'), isPlanName(null)]).toEqual([
    true,
    false,
    false,
  ])
})
