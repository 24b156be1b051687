import { describe, expect, test } from 'vitest'
import { payoutMessages } from '../rules.ts'
import type { PayoutFields } from './payout-fields.ts'
import { expiryIn, payoutProblems, refusedField, tokenRequest } from './payout-form.ts'

const now = new Date('2026-11-30T23:59:59Z')

const bank: PayoutFields = {
  method: 'bank_account',
  accountType: 'individual',
  firstName: 'Cleo',
  lastName: 'Creator',
  email: '',
  bankName: 'First Bank',
  routingNumber: '110000000',
  accountNumber: '000123456789',
  cardNumber: '',
  expiryDate: '',
  cvv: '',
  paypalEmail: '',
}
const card: PayoutFields = {
  ...bank,
  method: 'debit_card',
  cardNumber: '4000 0566 5566 5556',
  expiryDate: '11/26',
  cvv: '123',
}
const paypal: PayoutFields = { ...bank, method: 'paypal', paypalEmail: 'cleo@example.com' }

const problems = (base: PayoutFields, change: Partial<PayoutFields> = {}) =>
  payoutProblems({ ...base, ...change }, now)

test('what is complete has no problems', () => {
  for (const fields of [bank, card, paypal]) expect(problems(fields)).toEqual({})
})

describe('a name', () => {
  test.each([
    [{ firstName: ' ' }, { firstName: payoutMessages.nameMissing }],
    [{ lastName: '' }, { lastName: payoutMessages.nameMissing }],
    [{ firstName: '', lastName: '' }, { firstName: payoutMessages.nameMissing }],
  ])('%j', (change, expected) => {
    for (const fields of [bank, card, paypal]) expect(problems(fields, change)).toEqual(expected)
  })
})

test('an email may be left out, and is one otherwise', () => {
  expect(problems(bank, { email: 'nobody' })).toEqual({ email: payoutMessages.emailWrong })
})

describe('a bank account', () => {
  test.each(['bankName', 'routingNumber', 'accountNumber'] as const)('needs %s', (name) => {
    expect(problems(bank, { [name]: '' })).toEqual({ [name]: payoutMessages.bankMissing })
  })
  test.each(['11000000', '1100000000', '11000000a', '110 000 000'])(
    'has no routing number %s',
    (routingNumber) => {
      expect(problems(bank, { routingNumber })).toEqual({
        routingNumber: payoutMessages.routingWrong,
      })
    },
  )
  test('with nothing filled in is told once', () => {
    const empty = { bankName: '', routingNumber: '', accountNumber: '' }
    expect(problems(bank, empty)).toEqual({ bankName: payoutMessages.bankMissing })
  })
})

describe('a debit card', () => {
  test.each(['cardNumber', 'expiryDate', 'cvv'] as const)('needs %s', (name) => {
    expect(problems(card, { [name]: ' ' })).toEqual({ [name]: payoutMessages.cardMissing })
  })
  test.each(['400005665566', '40000566556655560000', '4000-0566-5566-5556', 'four'])(
    'has no number %s',
    (cardNumber) => {
      expect(problems(card, { cardNumber })).toEqual({ cardNumber: payoutMessages.cardWrong })
    },
  )
  test.each(['4000056655665', '4000056655665556123', ' 4000 0566 5566 5556 '])(
    'has the number %s',
    (cardNumber) => expect(problems(card, { cardNumber })).toEqual({}),
  )
  test.each(['12', '12345', '12a'])('has no CVV %s', (cvv) => {
    expect(problems(card, { cvv })).toEqual({ cvv: payoutMessages.cvvWrong })
  })
  test.each([
    ['10/26', 'This card has expired'],
    ['13/30', 'Enter the expiry date as MM/YY'],
    ['00/30', 'Enter the expiry date as MM/YY'],
    ['1230', 'Enter the expiry date as MM/YY'],
    ['11/26', undefined],
    ['1 / 2030', undefined],
  ])('expires at %s: %s', (expiryDate, expected) => {
    expect(problems(card, { expiryDate }).expiryDate).toBe(expected)
  })
  test('tells all that is wrong at once', () => {
    expect(problems(card, { cardNumber: '42', cvv: '1' })).toEqual({
      cardNumber: payoutMessages.cardWrong,
      cvv: payoutMessages.cvvWrong,
    })
  })
})

describe('PayPal', () => {
  test.each([
    ['', payoutMessages.paypalMissing],
    ['cleo', payoutMessages.emailWrong],
    ['cleo@example', payoutMessages.emailWrong],
  ])('is not at %s', (paypalEmail, message) => {
    expect(problems(paypal, { paypalEmail })).toEqual({ paypalEmail: message })
  })
})

test('another method is none', () => {
  expect(Object.keys(problems(bank, { method: 'cash' }))).toEqual(['method'])
})

test('an expiry date has a month and a year', () => {
  expect(expiryIn(' 3 / 31 ')).toEqual({ month: 3, year: 2031 })
  expect(expiryIn('soon')).toBeNull()
})

test('the provider is asked in its own words', () => {
  expect(tokenRequest({ ...bank, accountType: 'business' })).toMatchObject({
    'bank_account[account_holder_name]': 'Cleo Creator',
    'bank_account[account_holder_type]': 'company',
    'bank_account[routing_number]': '110000000',
  })
  expect(tokenRequest(card)).toMatchObject({
    'card[number]': '4000056655665556',
    'card[exp_month]': '11',
    'card[exp_year]': '2026',
  })
})

test.each([
  ['routing_number_invalid', '', 'routingNumber'],
  ['account_number_invalid', '', 'accountNumber'],
  ['incorrect_number', 'number', 'cardNumber'],
  ['invalid_number', '', 'cardNumber'],
  ['invalid_expiry_year', 'exp_year', 'expiryDate'],
  ['expired_card', '', 'expiryDate'],
  ['invalid_cvc', 'cvc', 'cvv'],
  ['parameter_missing', 'bank_account[account_number]', 'accountNumber'],
  ['api_key_expired', '', null],
])('a refusal %s %s is shown at %s', (code, parameter, field) => {
  expect(refusedField(code, parameter)).toBe(field)
})
