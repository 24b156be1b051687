// Pure: which entries a movement of money makes. Amounts are minor units; a debit is positive.
import type { ledgerAccounts, ledgerEntries } from './tables.ts'

export interface Entry {
  account: (typeof ledgerAccounts.$inferSelect)['kind']
  what: (typeof ledgerEntries.$inferSelect)['what']
  amount: number
}

/** What was paid for; a refused one for nothing, so that it goes back. */
export type Sale = 'course' | 'plan' | 'refused'

/** `amount` goes from one account to the other; nothing is written when nothing moves. */
function move(
  what: Entry['what'],
  amount: number,
  from: Entry['account'],
  to: Entry['account'],
): Entry[] {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new Error(`${amount} cannot be moved`)
  if (amount === 0) return []
  return [
    { account: to, what, amount },
    { account: from, what, amount: -amount },
  ]
}

/** Who earns by a sale, and who bears what the provider takes for it. */
const parties = {
  course: { earner: 'creator', bearer: 'creator' },
  plan: { earner: 'plan_revenue', bearer: 'provider_costs' },
  refused: { earner: 'refused_payments', bearer: 'provider_costs' },
} as const

const reversed = (entries: Entry[]): Entry[] =>
  entries.map((entry) => ({ ...entry, amount: -entry.amount }))

/** A payment arrived. Only of a course is there a fee of ours. */
export function paymentEntries(
  sale: Sale,
  { gross, platformFee, providerFee }: { gross: number; platformFee: number; providerFee: number },
): Entry[] {
  const { earner, bearer } = parties[sale]
  return [
    ...move('gross', gross, earner, 'provider'),
    ...(sale === 'course' ? move('platform_fee', platformFee, 'platform_fees', 'creator') : []),
    ...move('provider_fee', providerFee, 'provider', bearer),
  ]
}

/** Paid back. `platformFee` is what of our fee goes back with it; the provider's fee does not. */
export function refundEntries(
  sale: Sale,
  { amount, platformFee }: { amount: number; platformFee: number },
): Entry[] {
  return [
    ...move('refund', amount, 'provider', parties[sale].earner),
    ...(sale === 'course' ? move('platform_fee', platformFee, 'creator', 'platform_fees') : []),
  ]
}

/** The bank could not pay it back after all; `platformFee` is what of our fee we have again. */
export const failedRefundEntries = (
  sale: Sale,
  refund: { amount: number; platformFee: number },
): Entry[] => reversed(refundEntries(sale, refund))

interface Dispute {
  amount: number
  /** Of the provider. */
  fee: number
  /** What of our fee goes back with it, as with a refund. */
  platformFee: number
}

/** The customer's bank took the payment back, and the provider its fee for the trouble. */
export function disputeEntries(sale: Sale, { amount, fee, platformFee }: Dispute): Entry[] {
  const { earner, bearer } = parties[sale]
  return [
    ...move('dispute', amount, 'provider', earner),
    ...move('dispute_fee', fee, 'provider', bearer),
    ...(sale === 'course' ? move('platform_fee', platformFee, 'creator', 'platform_fees') : []),
  ]
}

/** The bank gave it back; `fee` is what the provider gave back of its own, `platformFee` what of our fee we have again. */
export const wonDisputeEntries = (sale: Sale, dispute: Dispute): Entry[] =>
  reversed(disputeEntries(sale, dispute))

/**
 * What of our fee the creator has back when refunds and disputes took so much of a payment: the same share, and
 * never more than the fee, also where a bank and we both gave the same money back.
 */
export const returnedFee = (
  payment: { gross: number; platformFee: number },
  taken: number,
): number => Math.round((payment.platformFee * Math.min(payment.gross, taken)) / payment.gross)

/** Paid out of a creator's balance; `fee` is PayPal's, which PayPal takes from what we have there. */
export function payoutEntries(
  through: 'provider' | 'paypal',
  { amount, fee }: { amount: number; fee: number },
): Entry[] {
  return [
    ...move('payout', amount - fee, through, 'creator'),
    ...move('payout_fee', fee, through, 'creator'),
  ]
}

/** PayPal kept less than was booked: that is the creator's again. */
export const payoutFeeBackEntries = (through: 'provider' | 'paypal', back: number): Entry[] =>
  move('payout_fee', back, 'creator', through)

/** It did not arrive: all of it is the creator's again. */
export const failedPayoutEntries = (
  through: 'provider' | 'paypal',
  payout: { amount: number; fee: number },
): Entry[] => reversed(payoutEntries(through, payout))

/** What a creator who goes leaves behind is ours; what the creator owes, we bear. `balance` is what we owed. */
export const givenUpEntries = (balance: number): Entry[] => [
  ...move('given_up', Math.max(0, balance), 'given_up', 'creator'),
  ...move('given_up', Math.max(0, -balance), 'creator', 'given_up'),
]
