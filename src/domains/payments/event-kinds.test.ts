import { expect, test } from 'vitest'
import { concernsUs, objectKind } from './event-kinds.ts'
import { applied, dateOf, idOf, ignored } from './outcome.ts'

test.each([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.marked_uncollectible',
  'charge.refunded',
  'charge.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.closed',
  'charge.dispute.funds_reinstated',
  'customer.updated',
  'customer.deleted',
  'account.updated',
  'payout.updated',
  'payout.paid',
  'payout.failed',
  'payout.canceled',
])('%s concerns us', (kind) => {
  expect(concernsUs(kind)).toBe(true)
})

test.each(['charge.succeeded', 'product.created', ''])('“%s” does not', (kind) => {
  expect(concernsUs(kind)).toBe(false)
})

test.each([
  ['cs_test_1', 'checkout'],
  ['sub_1', 'subscription'],
  ['in_1', 'invoice'],
  ['ch_1', 'charge'],
  ['py_1', 'charge'],
  ['re_1', 'refund'],
  ['pyr_1', 'refund'],
  ['dp_1', 'dispute'],
  ['du_1', 'dispute'],
  ['acct_1', 'account'],
  ['po_1', 'payout'],
  ['cus_1', 'customer'],
  ['prod_1', 'other'],
  ['', 'other'],
  // The letters have to be at its beginning.
  ['x_cs_sub_in_ch_py_re_pyr_dp_du_acct_po_cus_', 'other'],
])('%j is the id of: %s', (id, kind) => {
  expect(objectKind(id)).toBe(kind)
})

test('what an event did is said to administrators', () => {
  expect(applied('Done')).toEqual({ status: 'applied', outcome: 'Done' })
  expect(ignored('Not ours')).toEqual({ status: 'ignored', outcome: 'Not ours' })
})

test('the provider names an object by its id, or gives it in whole', () => {
  expect(idOf('cus_1')).toBe('cus_1')
  expect(idOf({ id: 'cus_1' })).toBe('cus_1')
  expect([idOf(null), idOf(undefined), idOf('')]).toEqual([null, null, null])
  expect(dateOf(1_767_225_600)).toEqual(new Date('2026-01-01T00:00:00Z'))
})
