// Pure decisions about payouts. Amounts are minor units.

/** The spec's words (2, sections 5 and 8). */
export const payoutMessages = {
  nameMissing: 'Please enter your full name',
  bankMissing: 'Please fill in all bank account details',
  routingWrong: 'Routing number must be 9 digits',
  cardMissing: 'Please fill in all card details',
  cardWrong: 'Please enter a valid card number',
  cvvWrong: 'CVV must be 3 or 4 digits',
  paypalMissing: 'Please enter your PayPal email',
  emailWrong: 'Please enter a valid email address',
  failed: 'Failed to set up payout method. Please try again.',
} as const

/** Less is not worth a transfer. */
export const leastPayout = 100

type Method = 'bank_account' | 'debit_card' | 'paypal'

/** Percent that PayPal keeps of what it pays out (spec 2, section 9). */
export const paypalFeePercent = 2

/** PayPal sends no more at once. */
export const largestPaypalPayment = 2_000_000

/** So much can be taken from the balance at once; more goes with the next payout. */
export function largestPayoutOf(method: Method): number {
  // Banks and our rows have room for so much.
  if (method !== 'paypal') return 2_000_000_000
  return (largestPaypalPayment / 100) * (100 + paypalFeePercent)
}

/** What PayPal keeps when so much is taken from the balance; the rest arrives. */
export function payoutFeeOf(method: Method, amount: number) {
  if (method !== 'paypal') return 0
  return amount - Math.floor((amount * 100) / (100 + paypalFeePercent))
}
