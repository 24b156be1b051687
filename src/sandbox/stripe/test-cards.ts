// The cards that the sandbox knows, by their last four digits: numbers are never kept.

export interface TestCard {
  number: string
  brand: 'visa' | 'mastercard'
  funding: 'credit' | 'debit'
  /** What it is for, in the words of the page. */
  label: string
}

export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', funding: 'credit', label: 'Succeeds' },
  { number: '4000000000000002', brand: 'visa', funding: 'credit', label: 'Is declined' },
  { number: '4000000000009995', brand: 'visa', funding: 'credit', label: 'Insufficient funds' },
  { number: '4000002760003184', brand: 'visa', funding: 'credit', label: '3-D Secure, always' },
  { number: '4000002500003155', brand: 'visa', funding: 'credit', label: '3-D Secure, once' },
  { number: '4000000000000341', brand: 'visa', funding: 'credit', label: 'Pays once, then fails' },
  { number: '4000000000000259', brand: 'visa', funding: 'credit', label: 'Pays, then is disputed' },
  { number: '5555555555554444', brand: 'mastercard', funding: 'credit', label: 'Succeeds' },
]

/** Payouts go to debit cards only. */
const debitCards: readonly TestCard[] = [
  { number: '4000056655665556', brand: 'visa', funding: 'debit', label: 'Succeeds' },
  { number: '5200828282828210', brand: 'mastercard', funding: 'debit', label: 'Succeeds' },
]

/** Undefined of a real card. */
export const testCardOf = (number: string) =>
  [...testCards, ...debitCards].find((card) => card.number === number)

export interface Refusal {
  code: string
  declineCode: string | null
  message: string
}

const declined: Refusal = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
}

/** Of a real card, of which nothing was kept. */
const noTestCard: Refusal = {
  code: 'card_declined',
  declineCode: 'test_mode_live_card',
  message: 'Your card was declined. Your request was in test mode, but used a non test card.',
}

export const noTestCardDigits = '0000'

const notEnough: Refusal = {
  code: 'card_declined',
  declineCode: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
}

const wantsItsOwner: Refusal = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

/** Who is there when a card is asked: its owner who pays, its owner who only leaves it, or nobody. */
export type Occasion = 'payment' | 'setup' | 'off session'

export type Verdict = 'ok' | '3-D Secure' | 'dispute' | Refusal

/** What the bank of a test card says. */
export function askCard(last4: string, occasion: Occasion): Verdict {
  const isAlone = occasion === 'off session'
  switch (last4) {
    case noTestCardDigits:
      return noTestCard
    case '0002':
      return declined
    case '9995':
      return notEnough
    case '3184':
      return isAlone ? wantsItsOwner : occasion === 'setup' ? 'ok' : '3-D Secure'
    case '3155':
      return occasion === 'payment' ? '3-D Secure' : 'ok'
    case '0341':
      return isAlone ? declined : 'ok'
    case '0259':
      return occasion === 'setup' ? 'ok' : 'dispute'
    default:
      return 'ok'
  }
}
