import { and, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Executor } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { planSubscriptions } from '../billing/tables.ts'
import { purchases } from '../purchases/tables.ts'
import { defaultMethodOf } from './default-method.ts'
import { withCustomer } from './hold-customer.ts'
import { applied, ignored, type Outcome } from './outcome.ts'
import { syncSubscription } from './sync-subscription.ts'
import { paymentCustomers } from './tables.ts'

/**
 * The card that was given last pays for all that goes on. One that is given on the provider's page is the customer's;
 * a subscription has its own, from the page that it was bought on, which the provider would go on charging.
 */
export async function payWithNewCard(services: Services, customerId: string): Promise<Outcome> {
  const running = await runningOf(services.db, customerId)
  if (running.length === 0) return ignored('Nothing is paid with it')
  const ids = new Set(running.map(({ id }) => id))
  const { stripe } = services.payments
  await withCustomer(services.db, customerId, () => giveCard(stripe, { customerId, ids }))
  for (const { id, isPlan } of running) {
    if (isPlan) await syncSubscription(services, id, { customerId })
  }
  return applied('The card was looked up')
}

/** What somebody pays for again and again: Pro, and monthly courses. */
async function runningOf(executor: Executor, customerId: string) {
  const plans = executor
    .select({ id: planSubscriptions.id, isPlan: sql<boolean>`true` })
    .from(planSubscriptions)
    .where(
      and(
        eq(planSubscriptions.customerId, customerId),
        inArray(planSubscriptions.status, ['active', 'trialing', 'past_due']),
      ),
    )
  const courses = executor
    .select({ id: sql<string>`${purchases.subscriptionId}`, isPlan: sql<boolean>`false` })
    .from(purchases)
    .innerJoin(paymentCustomers, eq(paymentCustomers.userId, purchases.userId))
    .where(
      and(
        eq(paymentCustomers.id, customerId),
        isNotNull(purchases.subscriptionId),
        ne(purchases.status, 'ended'),
      ),
    )
  return plans.unionAll(courses)
}

async function giveCard(
  stripe: Stripe,
  { customerId, ids }: { customerId: string; ids: Set<string> },
): Promise<void> {
  const card = await defaultMethodOf(stripe, customerId)
  if (!card) return
  const listed = stripe.subscriptions.list({
    customer: customerId,
    limit: 100,
    expand: ['data.default_payment_method'],
  })
  for await (const { id, default_payment_method } of listed) {
    const own = default_payment_method as Stripe.PaymentMethod | null
    if (!ids.has(id) || !own || own.id === card.id) continue
    // What was bought since has the card that was given for it.
    if (own.created > card.created) continue
    await stripe.subscriptions.update(id, { default_payment_method: card.id })
  }
}
