import Stripe from 'stripe'

/** Why the provider does not change something, as with what ended there a moment ago; null when it did. */
export const refusalOf = (change: Promise<unknown>): Promise<Error | null> =>
  change.then(
    () => null,
    (error: unknown) => {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return error
      throw error
    },
  )
