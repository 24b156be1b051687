import { eq, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Executor, Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import { concernsUs } from './event-kinds.ts'
import { dateOf, idOf } from './outcome.ts'
import { paymentEvents } from './tables.ts'

const notOurs = 'Nothing of ours depends on this kind of event'

/** What an event is about; null for one about nothing that has an id. */
function subjectOf({ data }: Stripe.Event): { objectId: string; customerId: string | null } | null {
  const object = data.object as {
    id?: string
    object?: string
    customer?: string | { id: string } | null
  }
  if (!object.id) return null
  const customerId = object.object === 'customer' ? object.id : idOf(object.customer)
  return { objectId: object.id, customerId }
}

/** A webhook of an event that is noted: nothing follows from it. False when it is not noted yet. */
export async function noteRepeat(executor: Executor, eventId: string): Promise<boolean> {
  const noted = await executor
    .update(paymentEvents)
    .set({ deliveries: sql`${paymentEvents.deliveries} + 1` })
    .where(eq(paymentEvents.id, eventId))
    .returning({ id: paymentEvents.id })
  return noted.length > 0
}

/** Notes an event, once; what it means is found out by a job. True when it had not come before. */
export async function keepEvent(
  transaction: Transaction,
  event: Stripe.Event,
  source: 'webhook' | 'reconciler',
): Promise<boolean> {
  const deliveries = source === 'webhook' ? 1 : 0
  const subject = subjectOf(event)
  const isOurs = subject !== null && concernsUs(event.type)
  const [kept] = await transaction
    .insert(paymentEvents)
    .values({
      id: event.id,
      type: event.type,
      objectId: subject?.objectId ?? '',
      customerId: subject?.customerId ?? null,
      occurredAt: dateOf(event.created),
      source,
      deliveries,
      ...(isOurs ? {} : { status: 'ignored' as const, outcome: notOurs }),
    })
    .onConflictDoUpdate({
      target: paymentEvents.id,
      set: { deliveries: sql`${paymentEvents.deliveries} + ${deliveries}` },
    })
    .returning({ isNew: sql<boolean>`xmax = 0` })
  const { isNew } = kept!
  if (isNew && isOurs) await enqueueEvent(transaction, event.id)
  return isNew
}

/** One job for an event, however often it is asked for; now, also when it waited for another try. */
export const enqueueEvent = (executor: Executor, eventId: string) =>
  enqueue(executor, 'applyPaymentEvent', { eventId }, `payment event ${eventId}`)

/** What a job would have applied that is given up failed: nobody tries it by himself any more. */
export const giveUpEventOf = (transaction: Transaction, jobId: string) =>
  transaction.execute(sql`
    update payment_events set status = 'failed'
     where status = 'waiting' and id = (
       select j.payload->>'eventId' from graphile_worker._private_jobs j
         join graphile_worker._private_tasks t on t.id = j.task_id
        where j.id = ${jobId}::bigint and t.identifier = 'applyPaymentEvent')`)

/** To be applied anew, whatever became of it; null when there is no such event. */
export async function replayEvent(transaction: Transaction, eventId: string) {
  const [waiting] = await transaction
    .update(paymentEvents)
    .set({ status: 'waiting', outcome: '', attempts: 0, appliedAt: null })
    .where(eq(paymentEvents.id, eventId))
    .returning()
  if (!waiting) return null
  await enqueueEvent(transaction, eventId)
  return waiting
}
