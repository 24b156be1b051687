import Stripe from 'stripe'

/** What was asked for is not at the provider any more, or never was. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
