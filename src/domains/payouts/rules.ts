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

/** More goes with the next one: banks and our rows have room for so much at once. */
export const largestPayout = 2_000_000_000

/** Percent that PayPal keeps of what it pays out (spec 2, section 9). */
export const paypalFeePercent = 2

/** What PayPal keeps when so much is taken from the balance; the rest arrives. */
export function payoutFeeOf(method: 'bank_account' | 'debit_card' | 'paypal', amount: number) {
  if (method !== 'paypal') return 0
  return amount - Math.floor((amount * 100) / (100 + paypalFeePercent))
}
