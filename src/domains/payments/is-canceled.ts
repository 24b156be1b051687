import type Stripe from 'stripe'

/**
 * Whether no period after the present one is wanted. The provider's portal may name the moment instead of saying "at
 * the end"; one that the operator chose there may lie periods ahead, which are paid as before.
 */
export const isCanceled = ({
  cancel_at_period_end: atPeriodEnd,
  cancel_at: at,
  items,
}: Pick<Stripe.Subscription, 'cancel_at_period_end' | 'cancel_at' | 'items'>): boolean =>
  atPeriodEnd || (at !== null && at <= (items.data[0]?.current_period_end ?? Infinity))
