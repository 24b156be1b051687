import type Stripe from 'stripe'
import { isCanceled } from './is-canceled.ts'

/**
 * Whether nothing is paid of its present period. It renews at once, but for about an hour the invoice is a draft that
 * nobody is charged for, while the subscription is said to be active. Asked for with `expand: ['latest_invoice']`.
 */
export function isUnpaid({ status, latest_invoice }: Stripe.Subscription): boolean {
  if (status === 'past_due') return true
  const invoice = latest_invoice as Stripe.Invoice | null | undefined
  if (status !== 'active' || invoice?.billing_reason !== 'subscription_cycle') return false
  // One that was tried and is open still is being paid from a bank account, which takes days.
  return invoice.status === 'draft' || (invoice.status === 'open' && !invoice.attempted)
}

/** It would end with a period that nobody has paid: nothing could be used up, and the provider would ask for it. */
export const isGivenUp = (subscription: Stripe.Subscription): boolean =>
  isCanceled(subscription) && !isLastOnPurpose(subscription) && isUnpaid(subscription)

/** Whoever named the moment of the end before the present period began wanted that period, too. */
function isLastOnPurpose({
  cancel_at_period_end: atPeriodEnd,
  canceled_at: canceledAt,
  items,
}: Stripe.Subscription): boolean {
  const start = items.data[0]?.current_period_start
  return !atPeriodEnd && start !== undefined && canceledAt !== null && canceledAt < start
}
