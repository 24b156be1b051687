import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Services } from '../../server/services.ts'
import { syncPayout } from '../payouts/follow-payouts.ts'
import { syncConnectedAccount } from '../payouts/sync-connected-account.ts'
import { objectKind } from './event-kinds.ts'
import { isMissing } from './is-missing.ts'
import { applied, idOf, ignored, type Outcome } from './outcome.ts'
import { payWithNewCard } from './pay-with-new-card.ts'
import { syncCharge } from './sync-charge.ts'
import { syncCheckout } from './sync-checkout.ts'
import { syncSubscription } from './sync-subscription.ts'
import { paymentCustomers, paymentEvents } from './tables.ts'

/** Tries that an event has; the queue's pauses between them grow to six hours. */
const mostAttempts = 12

type PaymentEvent = typeof paymentEvents.$inferSelect

/**
 * A job: asks the provider how what the event is about is now, and brings our rows in line with that. Doing it
 * twice, late or in another order changes nothing.
 */
export async function applyPaymentEvent(
  { eventId }: { eventId: string },
  services: Services,
): Promise<void> {
  const { db } = services
  // A failed one has a job only where somebody has it tried again.
  const isIt = and(
    eq(paymentEvents.id, eventId),
    inArray(paymentEvents.status, ['waiting', 'failed']),
  )
  const [event] = await db.select().from(paymentEvents).where(isIt)
  if (!event) return
  const attempts = sql`${paymentEvents.attempts} + 1`
  const outcome = await apply(services, event).catch(async (error: unknown) => {
    if (isMissing(error)) return ignored('The provider does not know it any more')
    const reason = error instanceof Error ? error.message : String(error)
    await db
      .update(paymentEvents)
      .set({
        attempts,
        status: event.attempts + 1 >= mostAttempts ? 'failed' : 'waiting',
        outcome: reason.slice(0, 500),
      })
      .where(isIt)
    throw error
  })
  await db
    .update(paymentEvents)
    .set({ ...outcome, attempts, appliedAt: sql`now()` })
    .where(isIt)
}

async function apply(services: Services, event: PaymentEvent): Promise<Outcome> {
  const { stripe } = services.payments
  const { objectId } = event
  switch (objectKind(objectId)) {
    case 'checkout':
      return syncCheckout(services, objectId)
    case 'subscription':
      return syncSubscription(services, objectId, { customerId: event.customerId })
    case 'charge':
      return syncCharge(services, objectId)
    case 'refund':
      return ofCharge(services, idOf((await stripe.refunds.retrieve(objectId)).charge))
    case 'dispute':
      return ofCharge(services, idOf((await stripe.disputes.retrieve(objectId)).charge))
    case 'invoice': {
      const invoice = await stripe.invoices.retrieve(objectId)
      const subscriptionId = idOf(invoice.parent?.subscription_details?.subscription)
      if (!subscriptionId) return ignored('An invoice that belongs to no subscription')
      return syncSubscription(services, subscriptionId, { customerId: event.customerId, invoice })
    }
    case 'customer':
      return event.type === 'customer.deleted'
        ? forgetCustomer(services, objectId)
        : payWithNewCard(services, objectId)
    case 'account':
      return syncConnectedAccount(services, objectId)
    case 'payout':
      return syncPayout(services, objectId)
    case 'other':
      return ignored('Nothing of ours depends on it')
  }
}

const ofCharge = async (services: Services, chargeId: string | null) =>
  chargeId ? syncCharge(services, chargeId) : ignored('It belongs to no charge')

/** Who pays again is a new customer. */
async function forgetCustomer({ db }: Services, customerId: string): Promise<Outcome> {
  const forgotten = await db
    .update(paymentCustomers)
    .set({ userId: null })
    .where(eq(paymentCustomers.id, customerId))
    .returning({ id: paymentCustomers.id })
  return forgotten.length > 0
    ? applied('The customer is gone')
    : ignored('About a customer whom we do not know')
}
