// What a browser gets for the numbers of a bank account or a card: a token, good for once. Of the numbers only
// the last digits are kept.
import type Stripe from 'stripe'
import { readParams, type Group } from '../params.ts'
import { isCardNumber } from '../read-card.ts'
import { missing, Refusal, wrong } from '../refusal.ts'
import type { Route } from '../route.ts'
import { wallSeconds, type Unit } from '../store.ts'
import { noTestCardDigits, testCardOf } from '../test-cards.ts'

/** Numbers of Stripe's test banks, and why payouts to them come back. */
const testBanks: Record<string, string | null> = {
  '000123456789': null,
  '000111111113': 'account_closed',
  '000111111116': 'no_account',
  '000444444440': 'invalid_currency',
}

/** Why payouts to this bank account fail; null when they arrive. */
export function fateOf(last4: string): string | null {
  const number = Object.keys(testBanks).find((one) => one.endsWith(last4))
  return (number && testBanks[number]) ?? null
}

/** Stripe's own tokens, which every test account has and which are never used up. */
const named: Record<string, { bank: string } | { card: string }> = {
  btok_us_verified: { bank: '000123456789' },
  btok_us_verified_noAccount: { bank: '000111111116' },
  btok_us_verified_accountClosed: { bank: '000111111113' },
  tok_visa: { card: '4242424242424242' },
  tok_visa_debit: { card: '4000056655665556' },
  tok_mastercard_debit: { card: '5200828282828210' },
}

/** The check digit of American routing numbers. */
function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false
  const sum = [...text].reduce(
    (all, digit, place) => all + Number(digit) * [3, 7, 1][place % 3]!,
    0,
  )
  return sum % 10 === 0
}

function readBank(unit: Unit, given: Group): Stripe.BankAccount {
  const bank = readParams(
    given,
    {
      country: 'text!',
      currency: 'text',
      account_number: 'text!',
      routing_number: 'text',
      account_holder_name: 'text',
      account_holder_type: 'text',
      account_type: 'text',
    },
    'bank_account',
  )
  if (bank.country !== 'US') {
    throw wrong('The sandbox knows banks of the US only.', 'bank_account[country]')
  }
  const holderType = bank.account_holder_type || null
  if (holderType !== null && holderType !== 'individual' && holderType !== 'company') {
    const message = 'Invalid account_holder_type: must be one of individual or company'
    throw wrong(message, 'bank_account[account_holder_type]')
  }
  const routing = bank.routing_number?.replaceAll(/[\s-]/g, '') ?? ''
  if (!isRoutingNumber(routing)) {
    const message = 'You did not provide a valid routing number.'
    throw wrong(message, 'bank_account[routing_number]', 'routing_number_invalid')
  }
  const number = bank.account_number.replaceAll(/[\s-]/g, '')
  if (!/^\d{4,17}$/.test(number)) {
    const message = 'You did not provide a valid account number.'
    throw wrong(message, 'bank_account[account_number]', 'account_number_invalid')
  }
  if (!(number in testBanks)) {
    const message =
      'You must use a test bank account number in test mode. Try 000123456789, to which payouts arrive.'
    throw wrong(message, 'bank_account[account_number]', 'account_number_invalid')
  }
  return {
    id: unit.newId('ba_'),
    object: 'bank_account',
    account_holder_name: bank.account_holder_name?.slice(0, 200) || null,
    account_holder_type: holderType,
    account_type: bank.account_type || null,
    bank_name: 'STRIPE TEST BANK',
    country: 'US',
    currency: bank.currency?.toLowerCase() ?? 'usd',
    fingerprint: `sandbox${number.slice(-4)}`,
    last4: number.slice(-4),
    routing_number: routing,
    status: 'new',
  }
}

const cardProblem = (code: string, message: string, param: string) =>
  new Refusal(402, message, { type: 'card_error', code, param })

const brands: Record<string, string> = { visa: 'Visa', mastercard: 'MasterCard' }

function readCard(unit: Unit, given: Group): Stripe.Card {
  const card = readParams(
    given,
    {
      number: 'text!',
      exp_month: 'text!',
      exp_year: 'text!',
      cvc: 'text',
      name: 'text',
      currency: 'text',
      address_country: 'text',
      address_zip: 'text',
    },
    'card',
  )
  const digits = card.number.replaceAll(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(digits)) {
    const message = 'The card number is not a valid credit card number.'
    throw cardProblem('invalid_number', message, 'number')
  }
  if (!isCardNumber(digits)) {
    throw cardProblem('incorrect_number', 'Your card number is incorrect.', 'number')
  }
  const month = Number(card.exp_month)
  const today = new Date()
  const thisYear = today.getUTCFullYear()
  const year = Number(card.exp_year) + (/^\d{2}$/.test(card.exp_year) ? 2000 : 0)
  if (!/^\d{2}(\d{2})?$/.test(card.exp_year) || year < thisYear || year > thisYear + 50) {
    const message = 'Your card’s expiration year is invalid.'
    throw cardProblem('invalid_expiry_year', message, 'exp_year')
  }
  const isPast = year === thisYear && month < today.getUTCMonth() + 1
  if (!/^\d{1,2}$/.test(card.exp_month) || month < 1 || month > 12 || isPast) {
    const message = 'Your card’s expiration month is invalid.'
    throw cardProblem('invalid_expiry_month', message, 'exp_month')
  }
  if (card.cvc !== undefined && !/^\d{3,4}$/.test(card.cvc)) {
    throw cardProblem('invalid_cvc', 'Your card’s security code is invalid.', 'cvc')
  }
  const known = testCardOf(digits)
  // Of a real card not even the last digits are kept.
  const last4 = known ? digits.slice(-4) : noTestCardDigits
  return {
    id: unit.newId('card_'),
    object: 'card',
    address_city: null,
    address_country: card.address_country || null,
    address_line1: null,
    address_line1_check: null,
    address_line2: null,
    address_state: null,
    address_zip: card.address_zip || null,
    address_zip_check: card.address_zip ? 'unchecked' : null,
    brand: brands[known?.brand ?? ''] ?? 'Unknown',
    country: 'US',
    ...(card.currency ? { currency: card.currency.toLowerCase() } : {}),
    cvc_check: card.cvc === undefined ? null : 'unchecked',
    dynamic_last4: null,
    exp_month: month,
    exp_year: year,
    fingerprint: `sandbox${last4}`,
    funding: known?.funding ?? 'unknown',
    last4,
    metadata: {},
    name: card.name?.slice(0, 200) || null,
    networks: { preferred: null },
    regulated_status: 'unregulated',
    tokenization_method: null,
  }
}

/** @throws Refusal of Stripe's own, about what was typed */
export function createToken(unit: Unit, params: Group): Stripe.Token {
  const given = readParams(params, { bank_account: 'group', card: 'group' })
  const id = given.bank_account ? unit.newId('btok_') : unit.newId('tok_')
  if (!given.bank_account === !given.card) {
    throw wrong('You must supply either a card or a bank_account to create a token.')
  }
  const token: Stripe.Token = {
    id,
    object: 'token',
    ...(given.bank_account
      ? { bank_account: readBank(unit, given.bank_account) }
      : { card: readCard(unit, given.card ?? {}) }),
    client_ip: null,
    created: wallSeconds(),
    livemode: false,
    type: given.bank_account ? 'bank_account' : 'card',
    used: false,
  }
  unit.put(token)
  return token
}

function namedToken(unit: Unit, name: string): Stripe.Token | null {
  const found = named[name]
  if (!found) return null
  return createToken(
    unit,
    'bank' in found
      ? {
          bank_account: {
            country: 'US',
            currency: 'usd',
            account_number: found.bank,
            routing_number: '110000000',
          },
        }
      : {
          card: {
            number: found.card,
            exp_month: '12',
            exp_year: String(new Date().getUTCFullYear() + 3),
            currency: 'usd',
          },
        },
  )
}

/** What the token stands for; afterwards it is used up. */
export async function spendToken(
  unit: Unit,
  id: string,
  param: string,
): Promise<Stripe.BankAccount | Stripe.Card> {
  const token = namedToken(unit, id) ?? (await unit.get<Stripe.Token>(id))
  const stands = token?.bank_account ?? token?.card
  if (token?.object !== 'token' || !stands) throw missing('token', id, param)
  if (token.used) {
    const message = `You cannot use a Stripe token more than once: ${id}.`
    throw wrong(message, param, 'token_already_used')
  }
  token.used = true
  unit.put(token)
  return stands
}

export const tokenRoutes: Route[] = [
  ['POST', '/v1/tokens', async ({ unit, params }) => createToken(unit, params)],
  [
    'GET',
    '/v1/tokens/:id',
    async ({ unit, id }) => {
      const token = await unit.require<Stripe.Token>(id)
      if (token.object !== 'token') throw missing('token', id)
      return token
    },
  ],
]
