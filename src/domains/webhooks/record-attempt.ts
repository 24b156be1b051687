import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import type { Outcome } from '../../server/post-outside.ts'
import { publishToPerson } from '../../server/publish.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { notify } from '../notifications/notify.ts'
import { queueDelivery } from './keep-event.ts'
import {
  endpointPath,
  isDelivered,
  isGone,
  isHanging,
  mayBeGivenUp,
  pauseAfter,
  restAfter,
} from './rules.ts'
import {
  webhookAttempts as attempts,
  webhookEndpoints as endpoints,
  webhookMessages as messages,
} from './tables.ts'

interface Place {
  endpointId: string
  messageId: string
}

/** The endpoint as it was when something was sent. */
interface Attempted extends Place {
  url: string
  failingSince: Date | null
}

/** Writes down what became of an attempt, and decides what comes next: another one, none, or the end of the endpoint. */
export async function recordAttempt(
  transaction: Transaction,
  { endpointId, messageId, ...attempted }: Attempted,
  outcome: Outcome,
): Promise<void> {
  const [owner] = await transaction
    .select({ userId: endpoints.userId })
    .from(endpoints)
    .where(eq(endpoints.id, endpointId))
  // Deleted meanwhile. Who may be told is held before anything else.
  if (!owner || !(await holdPeople(transaction, [owner.userId])).has(owner.userId)) return
  const [endpoint] = await transaction
    .select({
      url: endpoints.url,
      failingSince: endpoints.failingSince,
      failingSeconds: sql<number>`coalesce(extract(epoch from now() - ${endpoints.failingSince}), 0)::int`,
    })
    .from(endpoints)
    .where(eq(endpoints.id, endpointId))
    .for('no key update')
  const [message] = await transaction
    .select({ failures: messages.failures })
    .from(messages)
    .where(and(eq(messages.id, messageId), eq(messages.endpointId, endpointId)))
    .for('no key update')
  if (!endpoint || !message) return
  const { status, milliseconds, answer, problem } = outcome
  await transaction.insert(attempts).values({ messageId, status, milliseconds, answer, problem })
  const place = { endpointId, messageId, userId: owner.userId }
  if (isDelivered(status)) await succeed(transaction, place)
  else if (!hasBegunAnew(endpoint, attempted)) {
    await fail(transaction, { ...place, ...endpoint, failures: message.failures + 1 }, outcome)
  }
  await publishToPerson(transaction, owner.userId, { type: 'webhook', endpointId })
}

/**
 * Whether its owner named another address or turned it on while the attempt was under way: then that is not held
 * against it, and what was sent is due as before.
 */
const hasBegunAnew = (
  now: Omit<Attempted, keyof Place>,
  attempted: Omit<Attempted, keyof Place>,
): boolean =>
  now.url !== attempted.url || Number(now.failingSince) !== Number(attempted.failingSince)

async function succeed(transaction: Transaction, { endpointId, messageId }: Place) {
  await transaction
    .update(messages)
    .set({ status: 'delivered' })
    .where(and(eq(messages.id, messageId), eq(messages.endpointId, endpointId)))
  await transaction
    .update(endpoints)
    .set({ failingSince: null, restsUntil: null })
    .where(eq(endpoints.id, endpointId))
}

interface Failing extends Place {
  userId: string
  url: string
  failingSeconds: number
  failures: number
}

async function fail(
  transaction: Transaction,
  { endpointId, messageId, userId, url, failingSeconds, failures }: Failing,
  { status, milliseconds }: Outcome,
): Promise<void> {
  const pause = pauseAfter(failures)
  const nextAttemptAt = new Date(Date.now() + (pause ?? 0) * 1000)
  await transaction
    .update(messages)
    .set(pause === null ? { status: 'failed', failures } : { failures, nextAttemptAt })
    .where(and(eq(messages.id, messageId), eq(messages.endpointId, endpointId)))
  if (isGone(status) || mayBeGivenUp(failingSeconds, failures)) {
    return disable(transaction, { endpointId, userId, url, isGone: isGone(status) })
  }
  const restsUntil = isHanging(status, milliseconds)
    ? new Date(Date.now() + restAfter(failingSeconds) * 1000)
    : null
  await transaction
    .update(endpoints)
    .set({ failingSince: sql`coalesce(${endpoints.failingSince}, now())`, restsUntil })
    .where(eq(endpoints.id, endpointId))
  if (pause !== null) await queueDelivery(transaction, endpointId, nextAttemptAt)
  if (restsUntil) await queueDelivery(transaction, endpointId, restsUntil)
}

interface Disabled {
  endpointId: string
  userId: string
  url: string
  isGone: boolean
}

/** What waits for it is over, too: it can be asked for again from the log. */
async function disable(transaction: Transaction, { endpointId, userId, url, ...why }: Disabled) {
  await transaction
    .update(endpoints)
    .set({ status: 'disabled', restsUntil: null })
    .where(and(eq(endpoints.id, endpointId), eq(endpoints.userId, userId)))
  await transaction
    .update(messages)
    .set({ status: 'failed' })
    .where(and(eq(messages.endpointId, endpointId), eq(messages.status, 'pending')))
  const reason = why.isGone
    ? 'Its server answered that it is gone for good (410).'
    : 'For five days nothing could be delivered to it.'
  await notify(transaction, {
    userId,
    kind: 'webhook_disabled',
    title: 'A Webhook Was Turned Off',
    message: `Your webhook ${url} was turned off. ${reason} What happens from now on is not kept for it. When it works again, turn it on; what could not be delivered before can be sent again from its log for 30 days.`,
    href: endpointPath(endpointId),
  })
}
