import type Stripe from 'stripe'
import type { Checkout } from './checkout-of.ts'

/** What the provider is asked for, from what a checkout says: always the same for the same checkout. */
export function sessionParams(
  checkout: Checkout,
  { customer, name }: { customer: string; name: string },
): Stripe.Checkout.SessionCreateParams {
  const { amount, currency, kind, courseId, plan } = checkout
  const interval = kind === 'plan' ? yearOrMonth(plan) : monthOrNone(checkout.pricingType)
  const metadata = {
    checkoutId: checkout.id,
    kind,
    ...(plan && { plan }),
    ...(courseId && { courseId }),
  }
  return {
    customer,
    // The price stays in the currency that our books are kept in.
    adaptive_pricing: { enabled: false },
    success_url: checkout.successUrl,
    cancel_url: checkout.cancelUrl,
    expires_at: Math.floor(checkout.expiresAt.getTime() / 1000),
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency,
          unit_amount: amount,
          product_data: { name },
          ...(interval && { recurring: { interval } }),
        },
      },
    ],
    metadata,
    // Neither of them inherits what the session says.
    ...(interval
      ? { mode: 'subscription', subscription_data: { metadata, description: name } }
      : { mode: 'payment', payment_intent_data: { metadata, description: name } }),
  }
}

const yearOrMonth = (plan: 'monthly' | 'annual' | null) => (plan === 'annual' ? 'year' : 'month')

const monthOrNone = (pricingType: 'one_time' | 'monthly' | null) =>
  pricingType === 'monthly' ? 'month' : null
