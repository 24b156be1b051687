import Stripe from 'stripe'
import type { Services } from '../../server/services.ts'
import type { Checkout } from './checkout-of.ts'
import { closeCheckout } from './close-checkout.ts'
import { syncCheckout } from './sync-checkout.ts'

/**
 * Makes sure that a checkout cannot be paid any more; or, where it was paid already, that we know it.
 * Without a page that was shown to somebody there is nothing to do at the provider.
 */
export async function giveUpCheckout(services: Services, checkout: Checkout): Promise<void> {
  const { id, sessionId } = checkout
  if (sessionId && !(await expireThere(services, sessionId))) {
    await syncCheckout(services, sessionId)
    return
  }
  await services.db.transaction((transaction) => closeCheckout(transaction, id, 'expired'))
}

/** False when it was open no longer: then it may have been paid. */
async function expireThere({ payments }: Services, sessionId: string): Promise<boolean> {
  const answer = await payments.stripe.checkout.sessions
    .expire(sessionId)
    .catch((error: unknown) => error)
  if (!(answer instanceof Error)) return true
  // Of one that is not there, as after a change of the provider's keys, there is nothing to know either.
  if (answer instanceof Stripe.errors.StripeInvalidRequestError) {
    return answer.code === 'resource_missing'
  }
  throw answer
}
