import type Stripe from 'stripe'
import { quoted } from '../../isolated.ts'
import type { Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { quotedTitle } from '../courses/rules.ts'
import { cancelAtProvider } from '../purchases/end-purchase.ts'
import { grantPurchase } from '../purchases/grant-purchase.ts'
import { holdPurchase } from '../purchases/hold-purchase.ts'
import { checkoutById, type Checkout, titleOfCheckout } from './checkout-of.ts'
import { closeCheckout } from './close-checkout.ts'
import { ownerOf } from './customer-of.ts'
import { failCheckout } from './fail-checkout.ts'
import { withCustomer } from './hold-customer.ts'
import { applied, idOf, ignored, type Outcome, unknownCustomer } from './outcome.ts'
import { chargeOfIntent, type PaidCharge } from './paid-charge.ts'
import { recordCourseCharges } from './record-course-charge.ts'
import { refuseCheckout } from './refuse-checkout.ts'
import { syncHeldSubscription, termsOf } from './sync-subscription.ts'

/** Asks the provider what became of a payment page, and does what follows from it. */
export async function syncCheckout(services: Services, sessionId: string): Promise<Outcome> {
  return syncSeenCheckout(
    services,
    await services.payments.stripe.checkout.sessions.retrieve(sessionId),
  )
}

/** The same, for who has asked a moment ago. */
export async function syncSeenCheckout(
  services: Services,
  seen: Stripe.Checkout.Session,
): Promise<Outcome> {
  const customerId = idOf(seen.customer)
  if (!customerId) return unknownCustomer
  // Without the lock: pages ask this again and again, and mostly there is nothing to do.
  if (seen.status === 'open') return ignored('It is not paid yet')
  return withCustomer(services.db, customerId, (transaction) =>
    syncHeldCheckout(services, transaction, { customerId, sessionId: seen.id }),
  )
}

/** The same, for who holds the customer. */
export async function syncHeldCheckout(
  services: Services,
  transaction: Transaction,
  { customerId, sessionId }: { customerId: string; sessionId: string },
): Promise<Outcome> {
  const { stripe } = services.payments
  if (!(await ownerOf(transaction, customerId))) return unknownCustomer
  const session = await stripe.checkout.sessions.retrieve(sessionId)
  const checkout = await checkoutOf(transaction, session)
  if (!checkout) return ignored('A payment page that is not of this site')
  if (session.status === 'expired') {
    const isClosed = await closeCheckout(transaction, checkout.id, 'expired')
    return isClosed ? applied('The payment page expired') : ignored('It had ended before')
  }
  if (session.status !== 'complete') return ignored('It is not paid yet')
  const subscriptionId = idOf(session.subscription)
  if (subscriptionId) {
    const outcome = await syncHeldSubscription(services, transaction, {
      customerId,
      subscriptionId,
    })
    const isUnpaid = outcome.status === 'ignored' && session.payment_status === 'unpaid'
    if (!isUnpaid || !(await isNeverPaid(stripe, { subscriptionId }))) return outcome
    // Nor does another try of the provider bring money for what nobody waits for any more.
    await cancelAtProvider(transaction, subscriptionId, 'now')
    return failCheckout(transaction, checkout)
  }
  const intentId = idOf(session.payment_intent)
  const paid = intentId ? await chargeOfIntent(stripe, intentId) : null
  if (session.payment_status !== 'paid' || !paid) {
    const isOver = intentId !== null && (await isNeverPaid(stripe, { intentId }))
    return isOver ? failCheckout(transaction, checkout) : ignored('It is not paid yet')
  }
  return fulfil(transaction, checkout, paid)
}

/** Whether the payment of a page that was filled in, which may take a bank days, has failed. */
async function isNeverPaid(
  stripe: Stripe,
  of: { intentId: string } | { subscriptionId: string },
): Promise<boolean> {
  if ('intentId' in of) {
    const { status } = await stripe.paymentIntents.retrieve(of.intentId)
    return status === 'requires_payment_method' || status === 'canceled'
  }
  const { status } = await stripe.subscriptions.retrieve(of.subscriptionId)
  return ['past_due', 'unpaid', 'canceled', 'incomplete_expired'].includes(status)
}

const checkoutOf = async (transaction: Transaction, { metadata }: Stripe.Checkout.Session) =>
  metadata?.checkoutId ? checkoutById(transaction, metadata.checkoutId) : null

/** A course that is paid once. */
async function fulfil(
  transaction: Transaction,
  checkout: Checkout,
  paid: PaidCharge,
): Promise<Outcome> {
  if (checkout.status === 'refused') return ignored('It is being paid back')
  const title = await titleOfCheckout(transaction, checkout)
  const granted = await grantPurchase(transaction, { ...termsOf(checkout), subscription: null })
  if ('refused' in granted) {
    await refuseCheckout(transaction, {
      checkoutId: checkout.id,
      userId: checkout.userId,
      what: title ? quotedTitle(title) : 'a course',
      reason: granted.refused,
      paid: [paid],
      subscriptionId: null,
    })
    return applied(`Paid back, because it is ${granted.refused}`)
  }
  const held = await holdPurchase(transaction, granted.purchaseId)
  const { purchase } = held!
  await recordCourseCharges(transaction, purchase, [paid], checkout.id)
  await closeCheckout(transaction, checkout.id, 'paid')
  return applied(
    granted.isNew ? `Enrolled in ${quoted(purchase.courseTitle)}` : 'It had been applied before',
  )
}
