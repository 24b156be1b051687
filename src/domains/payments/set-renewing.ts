import type Stripe from 'stripe'

/** Whether a subscription goes on when the present period ends. Answers with it and its invoice, as the provider has them then. */
export async function setRenewing(
  { subscriptions }: Stripe,
  subscriptionId: string,
  renews: boolean,
): Promise<Stripe.Subscription> {
  const said = await subscriptions.update(subscriptionId, {
    cancel_at_period_end: !renews,
    expand: ['latest_invoice'],
  })
  // Whoever canceled in the provider's portal named the moment, of which the flag says nothing. It takes one at a time.
  return renews && said.cancel_at !== null
    ? subscriptions.update(subscriptionId, { cancel_at: '' })
    : said
}
