import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { quoted } from '../../isolated.ts'
import type { Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { quotedTitle } from '../courses/rules.ts'
import { followSubscription } from '../purchases/follow-subscription.ts'
import { grantPurchase } from '../purchases/grant-purchase.ts'
import { purchases } from '../purchases/tables.ts'
import { checkoutById, type Checkout, titleOfCheckout } from './checkout-of.ts'
import { closeCheckout } from './close-checkout.ts'
import { ownerOf } from './customer-of.ts'
import { withCustomer } from './hold-customer.ts'
import { isCanceled } from './is-canceled.ts'
import { applied, dateOf, idOf, ignored, type Outcome, unknownCustomer } from './outcome.ts'
import { newChargesOf, type PaidCharge } from './paid-charge.ts'
import { recordCourseCharges } from './record-course-charge.ts'
import { refuseCheckout } from './refuse-checkout.ts'
import { syncPlan } from './sync-plan.ts'

/** Brings all that we know of a subscription in line with the provider: of a monthly course, or to Pro. */
export async function syncSubscription(
  services: Services,
  subscriptionId: string,
  /** What is known already need not be asked for. */
  known: { customerId?: string | null; invoice?: Stripe.Invoice } = {},
): Promise<Outcome> {
  const { stripe } = services.payments
  const { invoice } = known
  const customerId =
    known.customerId ?? idOf((await stripe.subscriptions.retrieve(subscriptionId)).customer)!
  return withCustomer(services.db, customerId, (transaction) =>
    syncHeldSubscription(services, transaction, { customerId, subscriptionId, invoice }),
  )
}

/** The same, for who holds the customer. Everything is asked for before anything is locked or written. */
export async function syncHeldSubscription(
  { payments: { stripe } }: Services,
  transaction: Transaction,
  {
    customerId,
    subscriptionId,
    invoice,
  }: { customerId: string; subscriptionId: string; invoice?: Stripe.Invoice },
): Promise<Outcome> {
  const owner = await ownerOf(transaction, customerId)
  if (!owner) return unknownCustomer
  const subscription = await stripe.subscriptions.retrieve(subscriptionId, {
    expand: ['latest_invoice', 'default_payment_method'],
  })
  const charges = await newChargesOf(transaction, stripe, subscriptionId, invoice)
  const { kind, checkoutId } = subscription.metadata
  const checkout = checkoutId ? await checkoutById(transaction, checkoutId) : null
  const facts = { subscription, charges, checkout, ...owner }
  if (kind === 'plan') return syncPlan(transaction, stripe, facts)
  if (kind === 'course') return syncCourse(transaction, facts)
  return ignored('A subscription that is not of this site')
}

interface CourseFacts {
  subscription: Stripe.Subscription
  /** Those that are not recorded yet. */
  charges: PaidCharge[]
  checkout: Checkout | null
}

async function syncCourse(
  transaction: Transaction,
  { subscription, charges, checkout }: CourseFacts,
): Promise<Outcome> {
  const purchaseId =
    (await purchaseOf(transaction, subscription.id)) ??
    (await firstPayment(transaction, { subscription, charges, checkout }))
  if (typeof purchaseId !== 'string') return purchaseId
  const { purchase } = (await followSubscription(transaction, {
    purchaseId,
    subscription,
    nextAttemptAt: nextAttemptOf(subscription),
  }))!
  await recordCourseCharges(transaction, purchase, charges, checkout?.id ?? null)
  if (checkout) await closeCheckout(transaction, checkout.id, 'paid')
  return applied(wordsOf(subscription, purchase.courseTitle))
}

async function purchaseOf(transaction: Transaction, subscriptionId: string) {
  const [found] = await transaction
    .select({ id: purchases.id })
    .from(purchases)
    .where(eq(purchases.subscriptionId, subscriptionId))
  return found?.id ?? null
}

/** The first month was paid: the person is a member, or gets the money back. */
async function firstPayment(
  transaction: Transaction,
  { subscription, charges, checkout }: CourseFacts,
): Promise<string | Outcome> {
  if (!checkout) return ignored('A subscription without a payment page of ours')
  const wasRefused = checkout.status === 'refused'
  if (charges.length === 0) {
    return ignored(wasRefused ? 'It is being paid back' : 'It is not paid yet')
  }
  const granted = wasRefused
    ? ({ refused: 'gone' } as const)
    : await grantPurchase(transaction, {
        ...termsOf(checkout),
        subscription: { id: subscription.id, ...periodOf(subscription) },
      })
  if (!('refused' in granted)) return granted.purchaseId
  const title = await titleOfCheckout(transaction, checkout)
  await refuseCheckout(transaction, {
    checkoutId: checkout.id,
    userId: checkout.userId,
    what: title ? quotedTitle(title) : 'a course',
    reason: granted.refused,
    paid: charges,
    subscriptionId: subscription.id,
  })
  return applied(`Paid back, because it is ${granted.refused}`)
}

/** What a checkout promised. */
export const termsOf = (checkout: Checkout) => ({
  checkoutId: checkout.id,
  userId: checkout.userId,
  courseId: checkout.courseId,
  pricingType: checkout.pricingType!,
  amount: checkout.amount,
  currency: checkout.currency,
  couponId: checkout.couponId,
  invitationId: checkout.invitationId,
})

/** A period belongs to what is paid for; ours have one thing. */
function periodOf(subscription: Stripe.Subscription) {
  const [item] = subscription.items.data
  return {
    periodStart: item ? dateOf(item.current_period_start) : null,
    periodEnd: item ? dateOf(item.current_period_end) : null,
    cancelAtPeriodEnd: isCanceled(subscription),
  }
}

/** When the provider tries again to be paid; null when it does not. */
function nextAttemptOf({ latest_invoice }: Stripe.Subscription): Date | null {
  // Asked for in whole, not by its id.
  const seconds = (latest_invoice as Stripe.Invoice | null)?.next_payment_attempt
  return seconds ? dateOf(seconds) : null
}

function wordsOf(subscription: Stripe.Subscription, title: string): string {
  const { periodEnd, cancelAtPeriodEnd } = periodOf(subscription)
  const until = periodEnd ? ` until ${periodEnd.toISOString().slice(0, 10)}` : ''
  const about = quoted(title)
  if (subscription.status === 'active' || subscription.status === 'trialing') {
    return cancelAtPeriodEnd ? `Canceled: ${about} stays open${until}` : `${about} is paid${until}`
  }
  return subscription.status === 'past_due'
    ? `The payment of ${about} is missing`
    : `${about} is over`
}
