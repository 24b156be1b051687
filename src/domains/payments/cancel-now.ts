import type Stripe from 'stripe'

/**
 * Ends a subscription at once. The provider promises to collect no invoice of it that is final; a draft is stopped
 * here. Asked for with `expand: ['latest_invoice']`.
 */
export async function cancelNow(
  { invoices, subscriptions }: Stripe,
  { id, latest_invoice }: Stripe.Subscription,
): Promise<void> {
  const invoice = latest_invoice as Stripe.Invoice | null | undefined
  if (invoice?.status === 'draft') await invoices.update(invoice.id!, { auto_advance: false })
  await subscriptions.cancel(id)
}
