import type Stripe from 'stripe'
import { refusalOf } from './refusal-of.ts'

/**
 * Ends a subscription at once. The provider promises to collect no invoice of it that is final, but lets it be paid: it
 * is made void, unless a bank is paying it already. A draft is stopped. Asked for with `expand: ['latest_invoice']`.
 */
export async function cancelNow(
  { invoices, subscriptions }: Stripe,
  { id, latest_invoice }: Stripe.Subscription,
): Promise<void> {
  const invoice = latest_invoice as Stripe.Invoice | null | undefined
  if (invoice?.status === 'draft') await invoices.update(invoice.id!, { auto_advance: false })
  await subscriptions.cancel(id)
  // Not before: without an invoice that is owed, the provider would call it active.
  if (invoice?.status === 'open') await refusalOf(invoices.voidInvoice(invoice.id!))
}
