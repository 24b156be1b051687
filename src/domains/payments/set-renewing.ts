import type Stripe from 'stripe'

/** Whether a subscription goes on when the period that is paid ends. Answers with it, as the provider has it then. */
export async function setRenewing(
  { subscriptions }: Stripe,
  subscriptionId: string,
  renews: boolean,
): Promise<Stripe.Subscription> {
  const said = await subscriptions.update(subscriptionId, { cancel_at_period_end: !renews })
  // Whoever canceled in the provider's portal named the moment, of which the flag says nothing. It takes one at a time.
  return renews && said.cancel_at !== null
    ? subscriptions.update(subscriptionId, { cancel_at: '' })
    : said
}
