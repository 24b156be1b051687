import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Transaction } from '../../server/db.ts'
import { isFirstTime } from '../../server/first-time.ts'
import { publishToPerson } from '../../server/publish.ts'
import { quotedTitle } from '../courses/rules.ts'
import { notify } from '../notifications/notify.ts'
import { isCanceled } from '../payments/is-canceled.ts'
import { isGivenUp } from '../payments/is-unpaid.ts'
import { dayLabel } from './day-label.ts'
import { endHeldPurchase, type EndedReason } from './end-purchase.ts'
import { type HeldPurchase, holdPurchase } from './hold-purchase.ts'
import type { Purchase } from './live-purchase.ts'
import { graceEnd, standingOf } from './rules.ts'
import { purchases } from './tables.ts'

export interface Followed {
  purchaseId: string
  /** As the provider just told it, with its latest invoice. */
  subscription: Stripe.Subscription
  /** When the provider tries a failed payment again; null when it does not. */
  nextAttemptAt: Date | null
}

const momentOf = (seconds: number | null | undefined) =>
  typeof seconds === 'number' ? new Date(seconds * 1000) : null

/**
 * Brings a monthly purchase in line with the provider's subscription. The caller holds the customer: what was
 * fetched is not older than our row. What has ended stays so. Answers with the purchase as it was, held.
 */
export async function followSubscription(
  transaction: Transaction,
  { purchaseId, ...fetched }: Followed,
): Promise<HeldPurchase> {
  const held = await holdPurchase(transaction, purchaseId)
  if (held.purchase.status !== 'ended') await follow(transaction, held, fetched)
  return held
}

async function follow(
  transaction: Transaction,
  held: HeldPurchase,
  { subscription, nextAttemptAt }: Omit<Followed, 'purchaseId'>,
): Promise<void> {
  const before = held.purchase
  const standing = standingOf(subscription.status)
  if (standing === null) return
  const [item] = subscription.items.data
  const periodStart = momentOf(item?.current_period_start) ?? before.currentPeriodStart
  const currentPeriodEnd = momentOf(item?.current_period_end) ?? before.currentPeriodEnd
  const isOver = standing === 'ended'
  if (isOver || isGivenUp(subscription)) {
    // In which period it ended: payments of earlier ones may still be heard of.
    await transaction
      .update(purchases)
      .set({ currentPeriodStart: periodStart, currentPeriodEnd })
      .where(eq(purchases.id, before.id))
    await endHeldPurchase(transaction, held, {
      reason: isOver ? reasonOf(before, subscription) : 'canceled',
      endedThere:
        !isOver || subscription.status === 'unpaid'
          ? undefined
          : (momentOf(subscription.ended_at) ?? new Date()),
    })
    return
  }
  const pastDueSince =
    standing === 'past_due' ? (before.pastDueSince ?? missingSince(periodStart)) : null
  const now = {
    status: standing,
    currentPeriodStart: periodStart,
    currentPeriodEnd,
    cancelAtPeriodEnd: isCanceled(subscription),
    pastDueSince,
  }
  const { userId } = before
  if (JSON.stringify(before) !== JSON.stringify({ ...before, ...now })) {
    await transaction.update(purchases).set(now).where(eq(purchases.id, before.id))
    if (userId && held.course) {
      await publishToPerson(transaction, userId, { type: 'purchase', courseId: held.course.id })
    }
  }
  if (userId && pastDueSince) {
    await tellOfFailure(transaction, { ...before, userId, pastDueSince }, nextAttemptAt)
  }
}

/** A period begins when its payment is due; not before now, should the provider have begun it early. */
const missingSince = (periodStart: Date | null) =>
  new Date(Math.max(Date.now(), periodStart?.getTime() ?? 0))

/** Whoever cancels ends it themselves; everything else ended because nobody paid. */
function reasonOf(before: Purchase, { cancellation_details: details }: Stripe.Subscription) {
  const unpaid = before.status === 'past_due' || details?.reason === 'payment_failed'
  return (unpaid ? 'payment_failed' : 'canceled') satisfies EndedReason
}

/** Once for each try of the provider. */
async function tellOfFailure(
  transaction: Transaction,
  purchase: Purchase & { userId: string; pastDueSince: Date },
  nextAttemptAt: Date | null,
): Promise<void> {
  const { id, userId, pastDueSince } = purchase
  // After the last one of these there may be months that are paid, and another one that is not.
  const attempt = nextAttemptAt?.toISOString() ?? `last since ${pastDueSince.toISOString()}`
  if (!(await isFirstTime(transaction, 'payment-failed', `${userId} ${id} ${attempt}`))) return
  const until = dayLabel(graceEnd(pastDueSince))
  const next = nextAttemptAt
    ? `It is tried again on ${dayLabel(nextAttemptAt)}.`
    : 'It is not tried again by itself.'
  await notify(transaction, {
    userId,
    kind: 'payment_failed',
    title: 'Your Payment Failed',
    message: `The monthly payment for ${quotedTitle(purchase.courseTitle)} failed. ${next} Please check your card: your access stays until ${until} at the latest, and ends when the payment fails for good.`,
    href: '/billing#purchases',
  })
}
