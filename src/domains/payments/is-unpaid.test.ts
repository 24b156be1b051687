import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { isGivenUp, isUnpaid } from './is-unpaid.ts'

const renewal = (facts: Partial<Stripe.Invoice>) => ({
  status: 'active',
  latest_invoice: { billing_reason: 'subscription_cycle', attempted: false, ...facts },
})

test.each([
  ['missing', true, { status: 'past_due', latest_invoice: null }],
  ['a draft', true, renewal({ status: 'draft' })],
  ['about to be asked for', true, renewal({ status: 'open' })],
  ['on its way from a bank account', false, renewal({ status: 'open', attempted: true })],
  ['paid', false, renewal({ status: 'paid' })],
  [
    'the first one, which the bank has not confirmed',
    false,
    renewal({ status: 'open', billing_reason: 'subscription_create' }),
  ],
  ['for a trial', false, { ...renewal({ status: 'draft' }), status: 'trialing' }],
  ['not asked about', false, { status: 'active', latest_invoice: null }],
] as const)('the payment of the present period is %s', (_which, expected, facts) => {
  const going = { cancel_at: null, cancel_at_period_end: false, ...facts } as Stripe.Subscription
  expect([isUnpaid(going), isGivenUp(going)]).toEqual([expected, false])
  expect(isGivenUp({ ...going, cancel_at_period_end: true })).toBe(expected)
})
