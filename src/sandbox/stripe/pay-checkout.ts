// What happens when somebody presses "Pay" on a payment page.
import type Stripe from 'stripe'
import { answerThreeDSecure, chargeCard } from './charge-card.ts'
import { expireSession, type CheckoutSession } from './checkout-sessions.ts'
import { newCardMethod, readCard, type CardErrors, type CardForm } from './read-card.ts'
import { wallSeconds, type Unit } from './store.ts'
import { abandonSubscription, createSubscription, finishFirstPayment } from './subscriptions.ts'
import { askCard } from './test-cards.ts'

export type PaidCheckout =
  | { outcome: 'paid' | 'closed'; session: CheckoutSession }
  | { outcome: 'confirm'; session: CheckoutSession; intent: Stripe.PaymentIntent }
  | { outcome: 'refused'; session: CheckoutSession; problem: string }
  | { outcome: 'mistaken'; session: CheckoutSession; errors: CardErrors }

/** The payment page as it is now: when its time is over, it closes. */
export async function openCheckout(unit: Unit, id: string): Promise<CheckoutSession | null> {
  const session = await unit.get<CheckoutSession>(id)
  if (session?.object !== 'checkout.session') return null
  if (session.status === 'open' && session.expires_at <= wallSeconds()) {
    await expireSession(unit, session)
  }
  return session
}

function complete(
  unit: Unit,
  session: CheckoutSession,
  paid: { method: Stripe.PaymentMethod | null } & Partial<
    Pick<Stripe.Checkout.Session, 'payment_intent' | 'subscription' | 'invoice'>
  >,
): PaidCheckout {
  const { method, ...parts } = paid
  const { email = null, name = null } = method?.billing_details ?? {}
  Object.assign(session, parts)
  session.status = 'complete'
  session.payment_status = 'paid'
  session.url = null
  session.customer_details = {
    address: null,
    business_name: null,
    email: email ?? session.customer_details?.email ?? null,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  }
  unit.put(session)
  unit.emit('checkout.session.completed', session)
  return { outcome: 'paid', session }
}

function keepIntent(unit: Unit, session: CheckoutSession, intent: Stripe.PaymentIntent) {
  session._intent = intent.id
  unit.put(session)
  // How the page of 3-D Secure finds the way back.
  unit.put(Object.assign(intent, { _session: session.id }))
}

export async function payCheckout(
  unit: Unit,
  session: CheckoutSession,
  form: CardForm,
): Promise<PaidCheckout> {
  // A second press, a second tab: it was paid once.
  if (session.status !== 'open') return { outcome: 'closed', session }
  const read = readCard(form, { asksEmail: true, now: wallSeconds() })
  if ('errors' in read) return { outcome: 'mistaken', session, errors: read.errors }

  const customer = session.customer as string | null
  const isSubscription = session.mode === 'subscription'
  const created = await unit.now(customer)
  const method = newCardMethod(unit, read.card, {
    customer: isSubscription ? customer : null,
    created,
  })
  const { description, metadata } = session._terms
  const [item] = session._line_items.data
  const verdict = askCard(read.card.last4, 'payment')
  if (!isSubscription || typeof verdict === 'object') {
    const result = await chargeCard(unit, {
      customer,
      amount: session.amount_total ?? 0,
      currency: session.currency ?? 'usd',
      paymentMethod: method.id,
      description: description ?? (isSubscription ? 'Subscription creation' : null),
      metadata: isSubscription ? {} : metadata,
      offSession: false,
      paymentIntent: isSubscription ? null : session._intent,
    })
    if (!isSubscription) keepIntent(unit, session, result.paymentIntent)
    if (result.outcome === 'requires_action') {
      return { outcome: 'confirm', session, intent: result.paymentIntent }
    }
    if (result.outcome === 'declined') {
      return { outcome: 'refused', session, problem: result.message }
    }
    return complete(unit, session, { method, payment_intent: result.paymentIntent.id })
  }

  if (!customer || !item) throw new Error(`${session.id} has no customer or no item`)
  if (session._subscription) await abandonSubscription(unit, session._subscription)
  const { subscription, invoice, result } = await createSubscription(unit, {
    customer,
    items: session._line_items.data.map(({ price, quantity }) => ({
      price: price as Stripe.Price,
      quantity: quantity ?? 1,
    })),
    paymentMethod: method.id,
    metadata,
    description,
  })
  session._subscription = subscription.id
  unit.put(session)
  if (result.outcome === 'requires_action') {
    keepIntent(unit, session, result.paymentIntent)
    return { outcome: 'confirm', session, intent: result.paymentIntent }
  }
  if (result.outcome === 'declined') {
    return { outcome: 'refused', session, problem: result.message }
  }
  return complete(unit, session, { method, subscription: subscription.id, invoice: invoice.id })
}

/** What the owner of the card answered on the page of 3-D Secure. */
export async function confirmCheckout(
  unit: Unit,
  intent: Stripe.PaymentIntent,
  session: CheckoutSession,
  isConfirmed: boolean,
): Promise<PaidCheckout> {
  if (session.status !== 'open') return { outcome: 'closed', session }
  if (intent.status !== 'requires_action' || session._intent !== intent.id) {
    return { outcome: 'refused', session, problem: 'Please try to pay again.' }
  }
  const methodId = String(intent.payment_method)
  const method = await unit.get<Stripe.PaymentMethod>(methodId)
  const result = await answerThreeDSecure(unit, intent, isConfirmed)
  if (session._subscription) {
    if (result.outcome === 'declined') {
      await abandonSubscription(unit, session._subscription)
      session._subscription = null
      session._intent = null
      unit.put(session)
      return { outcome: 'refused', session, problem: result.message }
    }
    if (result.outcome !== 'succeeded') return { outcome: 'confirm', session, intent }
    const { subscription, invoice } = await finishFirstPayment(unit, session._subscription, result)
    return complete(unit, session, { method, subscription: subscription.id, invoice: invoice.id })
  }
  if (result.outcome === 'requires_action') return { outcome: 'confirm', session, intent }
  if (result.outcome === 'declined') {
    return { outcome: 'refused', session, problem: result.message }
  }
  return complete(unit, session, { method, payment_intent: intent.id })
}
