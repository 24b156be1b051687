import { and, asc, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Db } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import type { Services } from '../../server/services.ts'
import { closeCheckout } from './close-checkout.ts'
import { eventKinds, kindsAtOnce } from './event-kinds.ts'
import { isMissing } from './is-missing.ts'
import { enqueueEvent, keepEvent } from './keep-event.ts'
import { syncCheckout } from './sync-checkout.ts'
import { checkouts, paymentEvents, paymentProvider } from './tables.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** What is compared again each time: the provider's list may be a little behind. */
const overlap = 10 * minute

/** The provider forgets its events after 30 days. */
const memory = 29 * day

/** Milliseconds of the provider's history in one step, and steps of one run, after a long time without us. */
const step = 6 * 60 * minute
const mostSteps = 40

/** Payment pages that one run asks about. */
const mostCheckouts = 100

/**
 * A job, every minute and at the start: asks the provider what happened, and does what no webhook told us to.
 * Several at once do no harm.
 */
export async function reconcilePayments(
  /** Seconds for which an event that did not come counts as on its way, not as lost. */
  { onItsWay = 10 }: { onItsWay?: number },
  services: Services,
): Promise<void> {
  const { db, log } = services
  const isReachable = await compareEvents(services, onItsWay).then(
    () => true,
    (error: unknown) => {
      // The next run is in a minute: no tries of this one have to wait for the provider, too.
      if (!(error instanceof Stripe.errors.StripeError)) throw error
      log.warn({ problem: error.message }, 'the payment provider could not be asked')
      return false
    },
  )
  const isOther = await noteReachable(db, isReachable)
  if (!isReachable) return
  if (isOther) await retryWaiting(db)
  await askAboutCheckouts(services)
}

/** For the start of the process: what happened while none ran. */
export const resumePayments = ({ db }: Pick<Services, 'db'>) =>
  enqueue(db, 'reconcilePayments', {}, 'reconcile payments')

/** True when it was otherwise before. */
async function noteReachable(db: Db, isReachable: boolean): Promise<boolean> {
  const changed = await db
    .update(paymentProvider)
    .set({ isReachable })
    .where(eq(paymentProvider.isReachable, !isReachable))
    .returning({ id: paymentProvider.id })
  await db.update(paymentProvider).set({ checkedAt: sql`now()` })
  return changed.length > 0
}

/** Steps forward from where the last run came to; the newest step has no end. */
async function compareEvents({ db, payments }: Services, onItsWay: number): Promise<void> {
  const [state] = await db.select().from(paymentProvider)
  const now = Date.now()
  // A clock that was ahead has compared until now, and not what comes.
  const known = Math.min(state!.comparedUntil?.getTime() ?? now - day, now)
  let from = Math.max(known - overlap, now - memory)
  for (let count = 0; count < mostSteps; count += 1) {
    const isLast = from + step >= now
    const to = isLast ? now : from + step
    const created = {
      gte: Math.floor(from / 1000),
      ...(isLast ? {} : { lt: Math.ceil(to / 1000) }),
    }
    let page: Stripe.Event[] = []
    const keep = async () => {
      await keepMissing(db, page, onItsWay)
      page = []
    }
    for (let kind = 0; kind < eventKinds.length; kind += kindsAtOnce) {
      const types = eventKinds.slice(kind, kind + kindsAtOnce)
      for await (const event of payments.stripe.events.list({ created, types, limit: 100 })) {
        page.push(event)
        if (page.length === 100) await keep()
      }
      await keep()
    }
    await db.update(paymentProvider).set({
      comparedUntil: sql`greatest(least(${paymentProvider.comparedUntil}, ${new Date(now)}), ${new Date(to)})`,
    })
    if (isLast) return
    from = to
  }
}

async function keepMissing(db: Db, events: Stripe.Event[], onItsWay: number): Promise<void> {
  if (events.length === 0) return
  const ids = events.map(({ id }) => id)
  const rows = await db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(inArray(paymentEvents.id, ids))
  const known = new Set(rows.map(({ id }) => id))
  const missing = events.filter(({ id }) => !known.has(id))
  if (missing.length === 0) return
  const lostBefore = Date.now() / 1000 - onItsWay
  await db.transaction(async (transaction) => {
    let repaired = 0
    for (const event of missing.toReversed()) {
      const isNew = await keepEvent(transaction, event, 'reconciler')
      if (isNew && event.created <= lostBefore) repaired += 1
    }
    // Stryker disable next-line ConditionalExpression: adding nothing is the same, but a write each minute
    if (repaired === 0) return
    await transaction
      .update(paymentProvider)
      .set({ repaired: sql`${paymentProvider.repaired} + ${repaired}` })
  })
}

/** What could not be applied while the provider was down need not wait for its next try. */
async function retryWaiting(db: Db): Promise<void> {
  const waiting = await db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(eq(paymentEvents.status, 'waiting'))
    .orderBy(asc(paymentEvents.receivedAt))
    .limit(1000)
  for (const { id } of waiting) await enqueueEvent(db, id)
}

/** Also without any event: whether somebody paid on a page of which we heard nothing more. */
async function askAboutCheckouts(services: Services): Promise<void> {
  const { db, log } = services
  const isOpen = eq(checkouts.status, 'open')
  const open = await db
    .select({ id: checkouts.id, sessionId: checkouts.sessionId })
    .from(checkouts)
    .where(
      and(
        isOpen,
        isNotNull(checkouts.sessionId),
        lt(checkouts.createdAt, sql`now() - interval '1 minute'`),
      ),
    )
    .orderBy(asc(checkouts.expiresAt))
    .limit(mostCheckouts)
  for (const { id, sessionId } of open) {
    // One that makes trouble keeps nobody else from what they paid for.
    await syncCheckout(services, sessionId!).catch(async (error: unknown) => {
      // Of another key of the provider: nobody can pay there any more.
      if (isMissing(error)) await expire(db, id)
      else log.warn({ err: error, sessionId }, 'a payment page could not be asked about')
    })
  }
  // The provider never answered, so nobody was sent there.
  const abandoned = await db
    .select({ id: checkouts.id })
    .from(checkouts)
    .where(
      and(
        isOpen,
        isNull(checkouts.sessionId),
        lt(checkouts.expiresAt, sql`now() - interval '1 minute'`),
      ),
    )
    .limit(mostCheckouts)
  for (const { id } of abandoned) await expire(db, id)
}

const expire = (db: Db, checkoutId: string) =>
  db.transaction((transaction) => closeCheckout(transaction, checkoutId, 'expired'))
