import { setTimeout } from 'node:timers/promises'
import type { Pool } from 'pg'
import { patienceSeconds } from './patience.ts'

/** Jobs that payments have; each is gone when all that it did is there. */
const jobs = [
  'applyPaymentEvent',
  'reconcilePayments',
  'cancelSubscription',
  'refundCharge',
  'refundSale',
  'closeCheckouts',
  'payBack',
  'tellCustomer',
  'deleteCustomer',
  'sendPayout',
  'payOutAvailable',
  'deleteConnectedAccount',
]

/** One look at everything at once: what one step leaves behind is there before the step is gone. Not what is meant for later. */
const left = `
  select (select count(*)::int from stripe_sandbox.deliveries) as webhooks,
         (select count(*)::int from payment_events where status = 'waiting') as events,
         (select count(*)::int from graphile_worker.jobs where task_identifier = any($1) and (attempts > 0 or run_at <= now())) as jobs`

/** Waits until every webhook was delivered and applied, and all that followed from it was done. */
export async function settled(
  app: { services: { pool: Pool } },
  seconds = patienceSeconds,
): Promise<void> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const { rows } = await app.services.pool.query<Record<string, number>>(left, [jobs])
    const [now] = rows
    if (Object.values(now!).every((count) => count === 0)) return
    if (Date.now() > end) throw new Error(`payments did not settle: ${JSON.stringify(now)}`)
    await setTimeout(15)
  }
}
