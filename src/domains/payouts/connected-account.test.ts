import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { externalFacts, isAccountGone, stateOf } from './connected-account.ts'
import { destinationOf } from './ready-method.ts'

test('an account is gone when the provider says so, and for nothing else that it says', () => {
  const { StripeInvalidRequestError, StripePermissionError } = Stripe.errors
  const type = 'invalid_request_error'
  const notOurs = new StripePermissionError({ type, code: 'account_invalid' })
  expect(isAccountGone(notOurs)).toBe(true)
  expect(isAccountGone(new StripeInvalidRequestError({ type, code: 'resource_missing' }))).toBe(
    true,
  )
  expect(isAccountGone(new StripePermissionError({ type, code: 'testmode_only' }))).toBe(false)
  expect(isAccountGone(new StripeInvalidRequestError({ type, code: 'account_invalid' }))).toBe(
    false,
  )
  expect(isAccountGone(new Error('socket hang up'))).toBe(false)
})

const account = (facts: object) => facts as Stripe.Account

test('an account is paid out when it may be, and money can reach it', () => {
  const isPaid = (payouts_enabled: boolean, transfers?: string) =>
    stateOf(account({ payouts_enabled, ...(transfers && { capabilities: { transfers } }) }))
      .payoutsEnabled
  expect(isPaid(true, 'active')).toBe(true)
  expect(isPaid(true, 'inactive')).toBe(false)
  expect(isPaid(true)).toBe(false)
  expect(isPaid(false, 'active')).toBe(false)
})

test('an account of which nothing is required is asked for nothing', () => {
  expect(stateOf(account({}))).toMatchObject({ disabledReason: null, currentlyDue: [] })
  const requirements = { disabled_reason: 'other', currently_due: ['external_account'] }
  expect(stateOf(account({ requirements }))).toMatchObject({
    disabledReason: 'other',
    currentlyDue: ['external_account'],
  })
})

test('a bank is called as the provider calls it, or else as the creator does', () => {
  const external = (facts: object) => facts as Parameters<typeof externalFacts>[0]
  const named = external({ object: 'bank_account', bank_name: 'A BANK', last4: '6789' })
  const unnamed = external({ object: 'bank_account', bank_name: null, last4: '6789' })
  expect(externalFacts(named, 'My bank')).toEqual({
    method: 'bank_account',
    label: 'A BANK',
    last4: '6789',
  })
  expect(externalFacts(unnamed, 'My bank').label).toBe('My bank')
  expect(externalFacts(unnamed).label).toBe('')
  const card = external({ object: 'card', brand: 'Visa', last4: '5556' })
  expect(externalFacts(card)).toEqual({ method: 'debit_card', label: 'Visa', last4: '5556' })
})

test('where money goes is said in few words, also of a bank without a name', () => {
  const bank = { method: 'bank_account', label: '', last4: '6789', paypalEmail: null } as const
  expect(destinationOf(bank)).toBe('•••• 6789')
  expect(destinationOf({ ...bank, label: 'A BANK' })).toBe('A BANK •••• 6789')
  expect(destinationOf({ ...bank, method: 'paypal' })).toBe('')
  const paypalEmail = 'cleo@example.com'
  expect(destinationOf({ ...bank, method: 'paypal', paypalEmail })).toBe(paypalEmail)
})
