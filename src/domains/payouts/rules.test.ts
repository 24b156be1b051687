import { expect, test } from 'vitest'
import { largestPayoutOf, payoutFeeOf, payoutMessages } from './rules.ts'

test('PayPal keeps two percent of what arrives, and nobody keeps anything of other payouts', () => {
  expect(payoutFeeOf('paypal', 10_200)).toBe(200)
  expect(payoutFeeOf('paypal', 10_000)).toBe(197)
  expect(payoutFeeOf('paypal', 100)).toBe(2)
  expect(payoutFeeOf('bank_account', 10_200)).toBe(0)
  expect(payoutFeeOf('debit_card', 10_200)).toBe(0)
})

test('PayPal sends at most $20,000 at once, to which its fee comes', () => {
  const largest = largestPayoutOf('paypal')
  expect(largest - payoutFeeOf('paypal', largest)).toBe(2_000_000)
  expect(payoutFeeOf('paypal', largest)).toBe(40_000)
  for (const method of ['bank_account', 'debit_card'] as const) {
    expect(largestPayoutOf(method)).toBe(2_000_000_000)
  }
})

test('what is wrong is said in the words of the specification', () => {
  expect(payoutMessages).toEqual({
    nameMissing: 'Please enter your full name',
    bankMissing: 'Please fill in all bank account details',
    routingWrong: 'Routing number must be 9 digits',
    cardMissing: 'Please fill in all card details',
    cardWrong: 'Please enter a valid card number',
    cvvWrong: 'CVV must be 3 or 4 digits',
    paypalMissing: 'Please enter your PayPal email',
    emailWrong: 'Please enter a valid email address',
    failed: 'Failed to set up payout method. Please try again.',
  })
})
