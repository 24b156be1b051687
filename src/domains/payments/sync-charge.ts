import type Stripe from 'stripe'
import type { Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { holdPurchase } from '../purchases/hold-purchase.ts'
import { tellOfRefused } from '../purchases/tell-of-payment.ts'
import { checkoutById } from './checkout-of.ts'
import { withCustomer } from './hold-customer.ts'
import { applied, idOf, ignored, type Outcome, unknownCustomer } from './outcome.ts'
import { fetchCharge, type PaidCharge, paymentOfCharge } from './paid-charge.ts'
import { recordCharge, type RecordedCharge } from './record-charge.ts'
import { recordCourseCharges } from './record-course-charge.ts'
import { syncHeldCheckout } from './sync-checkout.ts'
import { recordPlanCharges } from './sync-plan.ts'
import { syncHeldSubscription } from './sync-subscription.ts'
import type { payments } from './tables.ts'

/** In the log, at which an operator is told to look. */
const unreceived = 'a refund did not arrive: it has to go another way'

/** Brings refunds and disputes of a charge in line with the provider. */
export async function syncCharge(services: Services, chargeId: string): Promise<Outcome> {
  const { stripe } = services.payments
  const seen = await stripe.charges.retrieve(chargeId)
  const customerId = idOf(seen.customer)
  if (!customerId) return unknownCustomer
  return withCustomer(services.db, customerId, async (transaction) => {
    const invoice = await invoiceOf(stripe, seen)
    const subscriptionId = idOf(invoice?.parent?.subscription_details?.subscription)
    const paid = await fetchCharge(stripe, chargeId)
    if (!paid) return ignored('It was not paid')
    // First what the charge belongs to: its own event may still be to come, or a newer month's.
    if (subscriptionId) {
      const about = { customerId, subscriptionId, invoice: invoice! }
      await syncHeldSubscription(services, transaction, about)
    } else if (!(await paymentOfCharge(transaction, chargeId))) {
      const sessionId = await sessionOf(transaction, seen)
      if (sessionId) await syncHeldCheckout(services, transaction, { customerId, sessionId })
    }
    const payment = await paymentOfCharge(transaction, chargeId)
    if (!payment) return ignored('No payment that we keep')
    const recorded = await recordAgain(transaction, payment, paid)
    const amount = recorded.reduce((sum, { cameBack }) => sum + cameBack, 0)
    if (amount > 0) services.log.error({ charge: chargeId, amount }, unreceived)
    const now = await paymentOfCharge(transaction, chargeId)
    return applied(wordsOf(now!))
  })
}

/** What is known of a payment already, and what follows from what is new. */
async function recordAgain(
  transaction: Transaction,
  payment: typeof payments.$inferSelect,
  paid: PaidCharge,
): Promise<RecordedCharge[]> {
  const { purchaseId, subscriptionId, payerId, checkoutId } = payment
  if (purchaseId) {
    const { purchase } = await holdPurchase(transaction, purchaseId)
    return recordCourseCharges(transaction, purchase, [paid], checkoutId)
  }
  if (subscriptionId) {
    const facts = { subscriptionId, charges: [paid], checkout: null, userId: payerId }
    return recordPlanCharges(transaction, facts)
  }
  const about = { kind: 'refused' } as const
  const recorded = await recordCharge(transaction, { ...paid, ...payment, about })
  await tellOfRefused(transaction, recorded)
  return [recorded]
}

/** Null of a charge that no invoice asked for. */
async function invoiceOf(stripe: Stripe, charge: Stripe.Charge): Promise<Stripe.Invoice | null> {
  const intentId = idOf(charge.payment_intent)
  if (!intentId || charge.metadata.checkoutId) return null
  const made = await stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: intentId },
    limit: 1,
  })
  const invoiceId = idOf(made.data[0]?.invoice)
  return invoiceId ? stripe.invoices.retrieve(invoiceId) : null
}

async function sessionOf(transaction: Transaction, { metadata }: Stripe.Charge) {
  const checkout = metadata.checkoutId ? await checkoutById(transaction, metadata.checkoutId) : null
  return checkout?.sessionId ?? null
}

function wordsOf(payment: { refunded: number; gross: number; dispute: string | null }): string {
  const refund =
    payment.refunded === 0
      ? 'Nothing is paid back'
      : payment.refunded >= payment.gross
        ? 'Paid back in full'
        : 'Paid back in part'
  return payment.dispute ? `${refund}; dispute ${payment.dispute}` : refund
}
