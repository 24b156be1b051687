import { eq, type SQL, sql } from 'drizzle-orm'
import { isQueued } from '../../server/jobs.ts'
import type { Services } from '../../server/services.ts'
import { applied, dateOf, ignored, type Outcome } from '../payments/outcome.ts'
import { isAccountGone } from './connected-account.ts'
import { failPayout } from './fail-payout.ts'
import { bankFailure, canceled } from './payout-refusal.ts'
import { enqueueSending } from './request-payout.ts'
import { markPaid, markUnclaimed } from './settle-payout.ts'
import { payouts } from './tables.ts'

type Payout = typeof payouts.$inferSelect

/** Payouts that one run asks about. */
const mostAtOnce = 50

/** Once a minute at first, then ever less often, to once an hour; a day before it can arrive once an hour. */
const isDue = sql`
  checked_at < now() - case
    when arrives_at > now() then interval '1 hour'
    else least(interval '1 hour',
               greatest(interval '1 minute', (now() - coalesce(arrives_at, sent_at)) / 10)) end`

/** Not sent for an hour, and no job is about it: it waited for money of ours, or its job gave up. */
const isStuck = sql`
  checked_at < now() - interval '1 hour'
    and not ${isQueued(sql`'payout ' || payouts.id`)}`

/** A job, every minute: asks the provider about payouts of which no webhook told us, and sends those that wait. */
export async function followPayouts(services: Services): Promise<void> {
  for (const { id } of await some(services, sql`status = 'requested' and ${isStuck}`)) {
    await enqueueSending(services.db, id)
  }
  await followEach(services, await some(services, sql`status = 'in_transit' and ${isDue}`))
}

/** A bank may send money back for some days after it has arrived: for once a day, beside the webhooks. */
export const followArrived = async (services: Services): Promise<void> =>
  followEach(
    services,
    await some(
      services,
      sql`status = 'paid' and ended_at > now() - interval '7 days'
            and checked_at < now() - interval '20 hours'`,
      1000,
    ),
  )

const some = ({ db }: Services, condition: SQL, most = mostAtOnce) =>
  db.select().from(payouts).where(condition).orderBy(payouts.checkedAt).limit(most)

async function followEach(services: Services, found: Payout[]): Promise<void> {
  for (const payout of found) {
    // One that makes trouble keeps nobody else from hearing of theirs.
    await followPayout(services, payout).catch((error: unknown) =>
      services.log.warn({ err: error, payoutId: payout.id }, 'a payout could not be asked about'),
    )
    await services.db
      .update(payouts)
      .set({ checkedAt: sql`now()` })
      .where(eq(payouts.id, payout.id))
  }
}

/** For an event of the provider about a payout of a connected account. */
export async function syncPayout(services: Services, providerPayoutId: string): Promise<Outcome> {
  const [payout] = await services.db
    .select()
    .from(payouts)
    .where(eq(payouts.providerPayoutId, providerPayoutId))
  return payout ? followPayout(services, payout) : ignored('A payout that we did not ask for')
}

/** Brings our row in line with the provider's. Doing it twice, late or in another order changes nothing. */
async function followPayout(services: Services, payout: Payout): Promise<Outcome> {
  if (payout.status === 'failed') return ignored('It has failed before')
  if (!payout.providerPayoutId) return ignored('It was not sent yet')
  return payout.method === 'paypal'
    ? followPaypal(services, payout, payout.providerPayoutId)
    : followBank(services, payout, payout.providerPayoutId)
}

/** In the log, at which an operator is told to look. */
const unknownThere =
  'a payout on its way is not known to the provider any more: it has to be settled by hand'

async function followBank(services: Services, payout: Payout, id: string): Promise<Outcome> {
  const { db, payments, log } = services
  const stripeAccount = payout.connectedAccountId ?? undefined
  const there = await payments.stripe.payouts
    .retrieve(id, {}, { stripeAccount })
    .catch((error: unknown) => {
      if (isAccountGone(error)) return null
      throw error
    })
  if (!there) {
    // Of one that has arrived nothing more is wanted.
    if (payout.status !== 'paid') log.error({ payoutId: payout.id }, unknownThere)
    return ignored('The provider does not know it any more')
  }
  if (there.status === 'paid') {
    await markPaid(db, payout)
    return applied('It has arrived')
  }
  if (there.status === 'failed' || there.status === 'canceled') {
    const why = there.status === 'failed' ? bankFailure(there.failure_code) : canceled
    await failPayout(services, payout, why)
    return applied(`It has ${there.status === 'failed' ? 'failed' : 'been canceled'}`)
  }
  await db
    .update(payouts)
    .set({ arrivesAt: dateOf(there.arrival_date) })
    .where(eq(payouts.id, payout.id))
  return applied('It is on its way')
}

async function followPaypal(services: Services, payout: Payout, batchId: string): Promise<Outcome> {
  if (!services.paypal) return ignored('PayPal is not configured any more')
  const { status, reason, isOurs, fee } = await services.paypal.payoutState(batchId)
  if (status === 'paid') {
    await markPaid(services.db, payout, fee)
    return applied('It has arrived')
  }
  if (status === 'pending') {
    if (reason === null) return ignored('It is on its way')
    await markUnclaimed(services.db, payout, reason)
    return applied('Nobody has claimed it')
  }
  await failPayout(services, payout, {
    failure: reason!,
    isDestination: !isOurs,
  })
  return applied('It has failed')
}
