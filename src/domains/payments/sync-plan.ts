import { eq, inArray } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Transaction } from '../../server/db.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { keepPlanSubscription } from '../billing/keep-plan-subscription.ts'
import { titleOfPlan } from '../billing/rules.ts'
import { planStanding } from '../billing/standing.ts'
import { planSubscriptions } from '../billing/tables.ts'
import { cancelAtProvider } from '../purchases/end-purchase.ts'
import { tellOfPayment } from '../purchases/tell-of-payment.ts'
import { brand } from '../site/brand.ts'
import type { Checkout } from './checkout-of.ts'
import { closeCheckout } from './close-checkout.ts'
import { defaultMethodOf } from './default-method.ts'
import { isGivenUp } from './is-unpaid.ts'
import { applied, idOf, ignored, type Outcome } from './outcome.ts'
import type { PaidCharge } from './paid-charge.ts'
import { payBackLate } from './pay-back-late.ts'
import { payerLabel } from './payer-label.ts'
import { recordCharge, type RecordedCharge } from './record-charge.ts'
import { refuseCheckout } from './refuse-checkout.ts'

interface PlanFacts {
  subscription: Stripe.Subscription
  /** Those that are not recorded yet. */
  charges: PaidCharge[]
  /** Null of one that was not bought on a payment page. */
  checkout: Checkout | null
  /** Null when the account is gone, or the customer at the provider. */
  userId: string | null
}

/** A subscription to Pro. The customer is held. */
export async function syncPlan(
  transaction: Transaction,
  stripe: Stripe,
  { subscription, charges, checkout, userId }: PlanFacts,
): Promise<Outcome> {
  const { id, status } = subscription
  const card = await cardOf(stripe, subscription)
  const [before] = await kept(transaction, [id])
  if (!before) {
    const wasRefused = checkout?.status === 'refused'
    if (wasRefused && charges.length === 0) return ignored('It is being paid back')
    if (!isLive(status) && charges.every(({ charge }) => charge.refunded)) {
      if (charges.length === 0) return ignored('It is not paid yet')
      // Else the page, which nobody can pay a second time, stands in the way of the next one.
      if (checkout) await closeCheckout(transaction, checkout.id, 'refused')
      return ignored('It was paid back')
    }
    if (charges.length === 0 && isOpen(subscription)) return ignored('It is not paid yet')
    const reason =
      userId && !wasRefused ? await olderOne(transaction, stripe, subscription) : 'gone'
    if (reason) {
      await refuseCheckout(transaction, {
        checkoutId: checkout?.id ?? null,
        userId,
        what: `${brand.name} Pro`,
        reason,
        paid: charges,
        subscriptionId: id,
      })
      return applied(`Canceled and paid back, because it is ${reason}`)
    }
  }
  // What ends may be heard of after its customer was deleted at the provider: we know whose it was.
  const whose = userId ?? before?.userId ?? null
  // Before the rows that go with an account: who deletes it takes them in this order.
  if (whose && (await holdPeople(transaction, [whose])).has(whose)) {
    await keepPlanSubscription(transaction, { userId: whose, subscription, card })
  }
  const facts = { subscriptionId: id, charges, checkout, userId: whose }
  const recorded = await recordPlanCharges(transaction, facts)
  if (before && planStanding(before.status) === 'over' && planStanding(status) === 'over') {
    for (const charge of recorded) {
      await payBackLate(transaction, charge, before.currentPeriodStart)
    }
  }
  if (isGivenUp(subscription)) await cancelAtProvider(transaction, id, 'now')
  if (checkout) await closeCheckout(transaction, checkout.id, 'paid')
  return applied(`Pro is ${status}`)
}

/** Records charges of a subscription to Pro that is kept, and tells who paid. */
export async function recordPlanCharges(
  transaction: Transaction,
  {
    subscriptionId,
    charges,
    checkout,
    userId,
  }: {
    subscriptionId: string
    charges: PaidCharge[]
    checkout: Pick<Checkout, 'id'> | null
    userId: string | null
  },
): Promise<RecordedCharge[]> {
  const all: RecordedCharge[] = []
  // Of a subscription whose person left before we heard of it there is no row.
  const [{ plan } = { plan: 'monthly' as const }] = await transaction
    .select({ plan: planSubscriptions.plan })
    .from(planSubscriptions)
    .where(eq(planSubscriptions.id, subscriptionId))
  for (const paid of charges) {
    const recorded = await recordCharge(transaction, {
      ...paid,
      about: { kind: 'plan', subscriptionId },
      payerId: userId,
      description: titleOfPlan(plan),
      checkoutId: paid.isRenewal ? null : (checkout?.id ?? null),
    })
    all.push(recorded)
    await tellOfPayment(transaction, recorded)
    // Whose bank took the payment back for good does not go on paying.
    if (recorded.disputeChanged && recorded.dispute === 'lost') {
      await cancelAtProvider(transaction, subscriptionId, 'now')
    }
  }
  return all
}

const isLive = (status: string) => status === 'active' || status === 'trialing'

/** While a bank has not confirmed the first payment, the provider calls the subscription active. */
function isOpen({ latest_invoice }: Stripe.Subscription): boolean {
  // Asked for in whole, not by its id.
  return (latest_invoice as Stripe.Invoice | null)?.status === 'open'
}

/**
 * Nobody pays for Pro twice: of two subscriptions the one that we know stays, else the older one. The provider
 * is asked, because what we know of the other may be old. One whose payment is missing gives way.
 */
async function olderOne(
  transaction: Transaction,
  stripe: Stripe,
  { id, customer, status }: Stripe.Subscription,
): Promise<'bought already' | null> {
  if (!isLive(status)) return null
  const listed = await stripe.subscriptions.list({
    customer: idOf(customer)!,
    status: 'all',
    limit: 100,
  })
  // Newest first.
  const place = listed.data.findIndex((other) => other.id === id)
  const isOlder = (other: Stripe.Subscription) => listed.data.indexOf(other) > place
  const others = listed.data.filter((other) => other.metadata.kind === 'plan')
  const live = others.filter((other) => isLive(other.status))
  const known = await kept(
    transaction,
    live.map((other) => other.id),
  )
  if (known.length > 0 || live.some(isOlder)) return 'bought already'
  for (const other of others) {
    if (other.status === 'past_due') await cancelAtProvider(transaction, other.id, 'now')
  }
  return null
}

const kept = (transaction: Transaction, ids: string[]) =>
  transaction
    .select({
      userId: planSubscriptions.userId,
      status: planSubscriptions.status,
      currentPeriodStart: planSubscriptions.currentPeriodStart,
    })
    .from(planSubscriptions)
    .where(inArray(planSubscriptions.id, ids))

/** What pays: the subscription's own card or account, else the customer's. */
async function cardOf(stripe: Stripe, subscription: Stripe.Subscription) {
  // Asked for in whole, not by its id.
  const own = subscription.default_payment_method as Stripe.PaymentMethod | null
  // Of a customer who is gone there is nothing to ask.
  const isOver = subscription.ended_at !== null
  const general = () => defaultMethodOf(stripe, idOf(subscription.customer)!)
  return payerLabel(own ?? (isOver ? null : await general()))
}
