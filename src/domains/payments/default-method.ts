import type Stripe from 'stripe'

/** What this customer pays with by default: the last one given on the provider's page for cards, or null. */
export async function defaultMethodOf(
  { customers }: Stripe,
  customerId: string,
): Promise<Stripe.PaymentMethod | null> {
  const found = await customers.retrieve(customerId, {
    expand: ['invoice_settings.default_payment_method'],
  })
  // Asked for in whole, not by its id.
  return found.deleted
    ? null
    : (found.invoice_settings.default_payment_method as Stripe.PaymentMethod | null)
}
