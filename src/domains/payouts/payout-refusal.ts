// Why a payout did not work, in words for the creator. Pure.
import Stripe from 'stripe'

export interface PayoutFailure {
  /** In words for people. */
  failure: string
  /** Nothing can arrive there until the creator has set it up again. */
  isDestination: boolean
  /** What the creator does next, where that is not to ask for it again, or to set the destination up anew. */
  next?: string
}

/** What banks say, by the provider's word for it (`failure_code` of a payout). */
const bankWords: Record<string, string> = {
  account_closed: 'The bank account is closed.',
  account_frozen: 'The bank account is frozen.',
  bank_account_restricted: 'The bank account does not take this kind of payment.',
  bank_account_unusable: 'The bank account cannot be used.',
  bank_ownership_changed: 'The bank account has another owner now.',
  could_not_process: 'The bank could not process it.',
  debit_not_authorized: 'The bank does not allow it.',
  declined: 'The bank declined it.',
  incorrect_account_holder_address: 'The address does not match that of the bank account.',
  incorrect_account_holder_name: 'The name does not match that of the bank account.',
  incorrect_account_holder_tax_id: 'The tax number does not match that of the bank account.',
  incorrect_account_type: 'The bank account is of another type.',
  invalid_account_number: 'The bank does not know the account number.',
  invalid_account_number_length: 'The account number has the wrong length.',
  invalid_card: 'The debit card does not work.',
  invalid_currency: 'The bank account does not take this currency.',
  no_account: 'The bank found no account with these numbers.',
  unsupported_card: 'The bank does not take payouts to this card.',
}

/** Of these the destination knows nothing: another try may arrive. */
const ofUs = new Set<string | null>(['insufficient_funds', 'could_not_process'])

/** A payout that the bank sent back. */
export function bankFailure(code: string | null): PayoutFailure {
  const words = code && Object.hasOwn(bankWords, code) ? bankWords[code] : undefined
  return {
    failure: words ?? 'The bank sent it back.',
    isDestination: !ofUs.has(code),
  }
}

/** Somebody stopped it in the provider's dashboard. */
export const canceled: PayoutFailure = { failure: 'It was canceled.', isDestination: false }

const notAllowed: PayoutFailure = {
  failure: 'The payment provider does not pay out to you at the moment.',
  isDestination: false,
}

/** Words of the provider that are about the person's account there, not about where the money should go. */
const accountCodes = new Set<string | undefined>([
  'payouts_not_allowed',
  'payouts_limit_exceeded',
  'insufficient_capabilities_for_transfer',
  'transfers_not_allowed',
])

/**
 * What an error of the provider means for a payout: 'wait' when we have too little there, null when it is not
 * known whether it was done, so that it has to be asked again.
 */
export function refusalFrom(error: unknown): PayoutFailure | 'wait' | null {
  if (error instanceof Stripe.errors.StripeCardError) {
    return { failure: error.message, isDestination: true }
  }
  if (error instanceof Stripe.errors.StripePermissionError) {
    return { failure: 'Your account at the payment provider is gone.', isDestination: true }
  }
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return null
  const { code, param } = error
  if (code === 'balance_insufficient' || code === 'insufficient_funds') return 'wait'
  if (accountCodes.has(code)) return notAllowed
  const isDestination = code === 'no_account' || param === 'destination'
  return {
    failure: isDestination
      ? 'The payment provider does not know this bank account or card any more.'
      : 'The payment provider did not take it.',
    isDestination,
  }
}
