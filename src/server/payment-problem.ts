import { ORPCError } from '@orpc/server'
import Stripe from 'stripe'

/** What to tell people when the payment provider refused or did not answer; null for any other error. */
export function paymentProblem(error: unknown): ORPCError<string, unknown> | null {
  if (!(error instanceof Stripe.errors.StripeError)) return null
  if (error instanceof Stripe.errors.StripeConnectionError) {
    return new ORPCError('PAYMENT_SERVICE_UNREACHABLE', {
      status: 503,
      message:
        'Unable to connect to the payment service. Please check your internet connection and try again.',
    })
  }
  if (error instanceof Stripe.errors.StripeCardError) {
    return new ORPCError('CARD_DECLINED', { status: 402, message: error.message })
  }
  return new ORPCError('PAYMENT_SERVICE_FAILED', {
    status: 503,
    message: 'Server error occurred. Please try again later.',
  })
}
