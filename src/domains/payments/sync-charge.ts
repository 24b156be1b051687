import type Stripe from 'stripe'
import type { Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { holdPurchase } from '../purchases/hold-purchase.ts'
import { checkoutById } from './checkout-of.ts'
import { withCustomer } from './hold-customer.ts'
import { applied, idOf, ignored, type Outcome, unknownCustomer } from './outcome.ts'
import { fetchCharge, paymentOfCharge } from './paid-charge.ts'
import { recordCharge } from './record-charge.ts'
import { recordCourseCharges } from './record-course-charge.ts'
import { syncHeldCheckout } from './sync-checkout.ts'
import { recordPlanCharges } from './sync-plan.ts'
import { syncHeldSubscription } from './sync-subscription.ts'

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
    if (payment.purchaseId) {
      const held = await holdPurchase(transaction, payment.purchaseId)
      await recordCourseCharges(transaction, held!.purchase, [paid], payment.checkoutId)
    } else if (payment.subscriptionId) {
      await recordPlanCharges(transaction, {
        subscriptionId: payment.subscriptionId,
        charges: [paid],
        checkout: null,
        userId: payment.payerId,
      })
    } else {
      await recordCharge(transaction, { ...paid, ...payment, about: { kind: 'refused' } })
    }
    const now = await paymentOfCharge(transaction, chargeId)
    return applied(wordsOf(now!))
  })
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
