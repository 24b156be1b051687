import { and, eq, ne, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Transaction } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import { notify } from '../notifications/notify.ts'
import { isCanceled } from '../payments/is-canceled.ts'
import { idOf } from '../payments/outcome.ts'
import type { PayerLabel } from '../payments/payer-label.ts'
import { brand } from '../site/brand.ts'
import { planOf } from './plan.ts'
import type { PlanName } from './rules.ts'
import { planStanding, type PlanStanding } from './standing.ts'
import { planSubscriptions } from './tables.ts'

interface KeptPlan {
  userId: string
  /** As the provider just told it. */
  subscription: Stripe.Subscription
  /** What pays. */
  card: PayerLabel | null
}

/**
 * Brings our record of a subscription to Pro in line with the provider's, and tells the person when Pro
 * starts, stops or comes back. The caller holds the customer: what was fetched is not older than the record.
 */
export async function keepPlanSubscription(
  transaction: Transaction,
  { userId, subscription, card }: KeptPlan,
): Promise<void> {
  const [before] = await transaction
    .select()
    .from(planSubscriptions)
    .where(eq(planSubscriptions.id, subscription.id))
    .for('update')
  const values = {
    ...recordOf(subscription),
    userId,
    cardBrand: card?.brand ?? null,
    cardLast4: card?.last4 ?? null,
  }
  const [kept] = await transaction
    .insert(planSubscriptions)
    .values({ id: subscription.id, ...values })
    .onConflictDoUpdate({ target: planSubscriptions.id, set: values })
    .returning()
  if (before && same(before, kept!)) return
  await tellOfPlan(transaction, userId, { before, after: kept! })
}

/**
 * The same for one that the provider does not know, as of another account or mode there: nobody is charged for it, and
 * nobody will ever tell us of its end.
 */
export async function endUnknownPlan(transaction: Transaction, id: string): Promise<void> {
  const [before] = await transaction
    .select()
    .from(planSubscriptions)
    .where(eq(planSubscriptions.id, id))
    .for('update')
  if (!before || planStanding(before.status) === 'over') return
  const [after] = await transaction
    .update(planSubscriptions)
    .set({ status: 'canceled', cancelAtPeriodEnd: false, endedAt: new Date() })
    .where(eq(planSubscriptions.id, id))
    .returning()
  if (before.userId) await tellOfPlan(transaction, before.userId, { before, after: after! })
}

async function tellOfPlan(
  transaction: Transaction,
  userId: string,
  { before, after }: { before: Row | undefined; after: Row },
): Promise<void> {
  await publishToPerson(transaction, userId, { type: 'plan' })
  const is = planStanding(after.status)
  const words = wordsOf(before && planStanding(before.status), is)
  if (!words) return
  const keepsPro = is !== 'live' && (await planOf(transaction, userId)) === 'pro'
  // Nothing ends for who has another one, as after buying twice.
  if (keepsPro && (await hasAnotherLive(transaction, userId, after.id))) return
  await notify(transaction, {
    userId,
    ...words,
    ...(keepsPro && wordsBesideGift(is)),
    href: '/billing',
  })
}

function recordOf(subscription: Stripe.Subscription) {
  const [item] = subscription.items.data
  const dateOf = (seconds: number | null | undefined) =>
    typeof seconds === 'number' ? new Date(seconds * 1000) : null
  return {
    customerId: idOf(subscription.customer)!,
    plan: planOfItem(subscription.metadata.plan, item),
    status: subscription.status,
    currentPeriodStart: dateOf(item?.current_period_start),
    currentPeriodEnd: dateOf(item?.current_period_end),
    cancelAtPeriodEnd: isCanceled(subscription),
    startedAt: new Date(subscription.start_date * 1000),
    endedAt: dateOf(subscription.ended_at),
  }
}

/** By the price that is paid: the plan may have been changed since it was bought. */
function planOfItem(
  bought: string | undefined,
  item: Stripe.SubscriptionItem | undefined,
): PlanName {
  const interval = item?.price.recurring?.interval
  if (interval) return interval === 'year' ? 'annual' : 'monthly'
  return bought === 'annual' ? 'annual' : 'monthly'
}

type Row = typeof planSubscriptions.$inferSelect

const same = (one: Row, other: Row) => JSON.stringify(one) === JSON.stringify(other)

async function hasAnotherLive(
  transaction: Transaction,
  userId: string,
  id: string,
): Promise<boolean> {
  const others = await transaction
    .select({ id: planSubscriptions.id })
    .from(planSubscriptions)
    .where(
      and(
        eq(planSubscriptions.userId, userId),
        ne(planSubscriptions.id, id),
        sql`${planSubscriptions.status} in ('active', 'trialing')`,
      ),
    )
  return others.length > 0
}

function wordsOf(was: PlanStanding | undefined, is: PlanStanding) {
  if (was === is) return null
  if (is === 'live') {
    if (was === 'past due') {
      return {
        kind: 'plan_started',
        title: 'Pro is back',
        message: 'The payment went through. Everything that Pro opens is open again.',
      } as const
    }
    return {
      kind: 'plan_started',
      title: `Welcome to ${brand.name} Pro`,
      message:
        'Your subscription is active: any number of courses and students, and no fee on your sales.',
    } as const
  }
  if (is === 'past due') {
    return {
      kind: 'payment_failed',
      title: 'The payment for Pro failed',
      message:
        'You are on the Free plan until it is paid. We try again in the next days; you can also change your card now.',
    } as const
  }
  if (is === 'over' && (was === 'live' || was === 'past due')) {
    return {
      kind: 'plan_ended',
      title: 'Pro has ended',
      message:
        'You are on the Free plan again. Your courses and their members stay as they are; the limits of the Free plan hold for new ones.',
    } as const
  }
  return null
}

/** In place of these, for whom an administrator gave Pro as well. */
function wordsBesideGift(is: Exclude<PlanStanding, 'live'>) {
  const kept = 'You keep Pro for as long as it was given to you.'
  return is === 'over'
    ? {
        title: 'Your subscription has ended',
        message: kept,
      }
    : {
        message: `${kept} Your own subscription is still to be paid: we try again in the next days; you can also change your card or cancel it now.`,
      }
}
