import Stripe from 'stripe'

const codes = new Set<string | undefined>(['balance_insufficient', 'insufficient_funds'])

/** Nothing was paid back, as we have too little at the provider: another try can mend it, nobody else can. */
export const isTooPoor = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof Stripe.errors.StripeInvalidRequestError && codes.has(error.code)

/** In the log, at which an operator is told to look. */
export const tooPoor = 'our balance is too low for a refund'
