import type Stripe from 'stripe'

/** Whether no further period of it is wanted. The provider's portal may name the moment instead of saying "at the end". */
export const isCanceled = ({
  cancel_at_period_end: atPeriodEnd,
  cancel_at: at,
}: Pick<Stripe.Subscription, 'cancel_at_period_end' | 'cancel_at'>): boolean =>
  atPeriodEnd || at !== null
