import Stripe from 'stripe'

/** What was asked for is not at the provider any more, or never was. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'

/** Null for what is not there any more, or never was. */
export const unlessMissing = <Result>(asking: Promise<Result>): Promise<Result | null> =>
  asking.catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
