import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { bankFailure, canceled, refusalFrom } from './payout-refusal.ts'

describe('a payout that the bank sent back', () => {
  test.each([
    ['account_closed', 'closed'],
    ['account_frozen', 'frozen'],
    ['bank_account_restricted', 'this kind of payment'],
    ['bank_account_unusable', 'cannot be used'],
    ['bank_ownership_changed', 'another owner'],
    ['debit_not_authorized', 'does not allow'],
    ['declined', 'declined'],
    ['incorrect_account_holder_address', 'address'],
    ['incorrect_account_holder_name', 'name'],
    ['incorrect_account_holder_tax_id', 'tax number'],
    ['incorrect_account_type', 'another type'],
    ['invalid_account_number', 'does not know the account number'],
    ['invalid_account_number_length', 'wrong length'],
    ['invalid_card', 'debit card'],
    ['invalid_currency', 'currency'],
    ['no_account', 'no account'],
    ['unsupported_card', 'this card'],
  ])('because of %s: another place is needed', (code, words) => {
    const { failure, isDestination } = bankFailure(code)
    expect(failure).toContain(words)
    expect(isDestination).toBe(true)
  })

  test('for a reason that will pass can arrive there the next time', () => {
    expect(bankFailure('could_not_process')).toEqual({
      failure: 'The bank could not process it.',
      isDestination: false,
    })
    expect(bankFailure('insufficient_funds')).toEqual({
      failure: 'The bank sent it back.',
      isDestination: false,
    })
  })

  test.each([null, '', 'something_new', 'constructor', 'toString'])(
    'for no reason that we know (%j) is said to be back',
    (code) => {
      expect(bankFailure(code)).toEqual({ failure: 'The bank sent it back.', isDestination: true })
    },
  )

  test('one that was stopped was, and the next one may arrive', () => {
    expect(canceled).toEqual({ failure: 'It was canceled.', isDestination: false })
  })
})

describe('what the provider answers to a payout', () => {
  const { StripeAPIError, StripeCardError, StripeInvalidRequestError, StripePermissionError } =
    Stripe.errors
  const invalid = (code?: string, param?: string) =>
    refusalFrom(new StripeInvalidRequestError({ type: 'invalid_request_error', code, param }))

  test('about the card is told, and the card is what is wrong', () => {
    const error = new StripeCardError({ type: 'card_error', message: 'Your card is expired.' })
    expect(refusalFrom(error)).toEqual({ failure: 'Your card is expired.', isDestination: true })
  })

  test('when the account is gone there, it has to be made again', () => {
    expect(refusalFrom(new StripePermissionError({ type: 'invalid_request_error' }))).toEqual({
      failure: 'Your account at the payment provider is gone.',
      isDestination: true,
    })
  })

  test.each(['balance_insufficient', 'insufficient_funds'])('%s waits', (code) => {
    expect(invalid(code)).toBe('wait')
  })

  test.each([
    'payouts_not_allowed',
    'payouts_limit_exceeded',
    'insufficient_capabilities_for_transfer',
    'transfers_not_allowed',
  ])('%s is about the person’s account, not about where the money goes', (code) => {
    expect(invalid(code)).toEqual({
      failure: 'The payment provider does not pay out to you at the moment.',
      isDestination: false,
    })
  })

  test('a place that it does not know has to be set up again', () => {
    const unknown = {
      failure: 'The payment provider does not know this bank account or card any more.',
      isDestination: true,
    }
    expect(invalid('no_account')).toEqual(unknown)
    expect(invalid('resource_missing', 'destination')).toEqual(unknown)
    expect(invalid(undefined, 'destination')).toEqual(unknown)
  })

  test('anything else that it refuses is told as that', () => {
    const refused = { failure: 'The payment provider did not take it.', isDestination: false }
    expect(invalid('amount_too_small', 'amount')).toEqual(refused)
    expect(invalid()).toEqual(refused)
  })

  test('what may have been done all the same is asked again', () => {
    expect(refusalFrom(new StripeAPIError({ type: 'api_error' }))).toBeNull()
    expect(refusalFrom(new Error('socket hang up'))).toBeNull()
  })
})
