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
  const going = {
    cancel_at: null,
    cancel_at_period_end: false,
    items: { data: [] as unknown[] },
    ...facts,
  } as Stripe.Subscription
  expect([isUnpaid(going), isGivenUp(going)]).toEqual([expected, false])
  expect(isGivenUp({ ...going, cancel_at_period_end: true })).toBe(expected)
})

const [start, end] = [1_790_000_000, 1_792_592_000]
const day = 24 * 60 * 60

// In the provider's dashboard the operator chooses the day, which may lie periods ahead.
test.each([
  ['with the unpaid period', true, { cancel_at: end, canceled_at: start + 60 }],
  ['within it', true, { cancel_at: end - day, canceled_at: start + 60 }],
  ['two periods later', false, { cancel_at: end + 60 * day, canceled_at: start + 60 }],
  [
    'two periods later, as chosen long before',
    false,
    { cancel_at: end + 60 * day, canceled_at: 0 },
  ],
  ['with it, as chosen before it began', false, { cancel_at: end, canceled_at: start - 30 * day }],
  ['within it, as chosen before', false, { cancel_at: end - day, canceled_at: start - day }],
])('one that is to end %s is given up: %j', (_when, expected, facts) => {
  for (const unpaid of [
    { status: 'past_due', latest_invoice: null },
    renewal({ status: 'draft' }),
  ]) {
    const subscription = {
      cancel_at_period_end: false,
      items: { data: [{ current_period_start: start, current_period_end: end }] },
      ...unpaid,
      ...facts,
    } as Stripe.Subscription
    expect(isGivenUp(subscription)).toBe(expected)
  }
})
