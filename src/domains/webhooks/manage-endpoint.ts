import { symmetricEncrypt } from 'better-auth/crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import { queueDelivery } from './keep-event.ts'
import { webhookLimits } from './rules.ts'
import type { EndpointChange, NewEndpoint } from './schema.ts'
import { makeSecret } from './signature.ts'
import { webhookEndpoints as endpoints, webhookMessages as messages } from './tables.ts'

export interface OwnEndpoint {
  endpointId: string
  userId: string
}

const own = ({ endpointId, userId }: OwnEndpoint) =>
  and(eq(endpoints.id, endpointId), eq(endpoints.userId, userId))

/** Whether this is a course of this person; with none, whether there is any. */
async function teaches(executor: Executor, userId: string, courseId: string | null) {
  const [course] = await executor
    .select({ id: courses.id })
    .from(courses)
    .where(
      and(
        eq(courses.instructorId, userId),
        courseId === null ? undefined : eq(courses.id, courseId),
      ),
    )
    .limit(1)
  return course !== undefined
}

type Created = { endpointId: string } | 'no course' | 'not your course' | 'too many'

export async function createEndpoint(
  transaction: Transaction,
  secret: string,
  { userId, ...endpoint }: NewEndpoint & { userId: string },
): Promise<Created> {
  // So that the number of endpoints is exact.
  await transaction
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update')
  if (!(await teaches(transaction, userId, null))) return 'no course'
  if (!(await teaches(transaction, userId, endpoint.courseId))) return 'not your course'
  const total = await transaction.$count(endpoints, eq(endpoints.userId, userId))
  if (total >= webhookLimits.endpoints) return 'too many'
  const sealedSecret = await symmetricEncrypt({ key: secret, data: makeSecret() })
  const [made] = await transaction
    .insert(endpoints)
    .values({ ...endpoint, userId, sealedSecret })
    .returning({ id: endpoints.id })
  const endpointId = made!.id
  // Delivers nothing, and makes its queue: what happens at the same moment later would wait for it.
  await queueDelivery(transaction, endpointId)
  return { endpointId }
}

export async function updateEndpoint(
  transaction: Transaction,
  which: OwnEndpoint,
  { active, ...change }: EndpointChange,
): Promise<'updated' | 'moved' | 'gone' | 'not your course'> {
  const [found] = await transaction
    .select({ url: endpoints.url })
    .from(endpoints)
    .where(own(which))
    .for('no key update')
  if (!found) return 'gone'
  if (change.courseId && !(await teaches(transaction, which.userId, change.courseId))) {
    return 'not your course'
  }
  const isElsewhere = change.url !== undefined && change.url !== found.url
  const again = { status: 'active', failingSince: null, restsUntil: null } as const
  await transaction
    .update(endpoints)
    .set({
      ...change,
      // Whoever names another address is not to wait until the rest of the old one is over.
      ...(isElsewhere ? { failingSince: null, restsUntil: null } : {}),
      ...(active === undefined ? {} : active ? again : { status: 'paused' }),
      // Something has to be set, also when nothing changes.
      userId: which.userId,
    })
    .where(own(which))
  await queueDelivery(transaction, which.endpointId)
  return isElsewhere ? 'moved' : 'updated'
}

/** Twice is harmless. Its log goes with it. */
export async function deleteEndpoint(executor: Executor, which: OwnEndpoint): Promise<void> {
  await executor.delete(endpoints).where(own(which))
}

/** Those that still sign, with the one that was the newest before them: its server may not have had that one. */
const formerSecrets = sql`
  array_to_string((${endpoints.sealedSecret} || case
    when ${endpoints.formerUntil} > now() then string_to_array(${endpoints.sealedFormerSecret}, ' ')
    else '{}'::text[] end)[1:${webhookLimits.formerSecrets}::int], ' ')`

/**
 * From now on a new secret signs; the one before signs beside it for a day, and so do those that signed beside that one,
 * as after an answer that was lost. Answers the new one.
 */
export async function rotateSecret(
  executor: Executor,
  secret: string,
  which: OwnEndpoint,
): Promise<string | null> {
  const made = makeSecret()
  const rotated = await executor
    .update(endpoints)
    .set({
      sealedSecret: await symmetricEncrypt({ key: secret, data: made }),
      sealedFormerSecret: formerSecrets,
      formerUntil: sql`now() + make_interval(hours => ${webhookLimits.rotationHours}::int)`,
    })
    .where(own(which))
    .returning({ id: endpoints.id })
  return rotated.length === 0 ? null : made
}

/** What is sent by hand is tried at once, also where an endpoint that gave no answer rests. */
export async function endRest(executor: Executor, which: OwnEndpoint): Promise<void> {
  await executor.update(endpoints).set({ restsUntil: null }).where(own(which))
}

/** Sends an event again, with the id that it has; harmless while it waits. */
export async function replayMessage(
  transaction: Transaction,
  { messageId, ...which }: OwnEndpoint & { messageId: string },
): Promise<'replayed' | 'gone' | 'off'> {
  const [endpoint] = await transaction
    .select({ status: endpoints.status })
    .from(endpoints)
    .where(own(which))
    // As whoever writes an attempt down: the endpoint, then the event.
    .for('no key update')
  if (!endpoint) return 'gone'
  if (endpoint.status !== 'active') return 'off'
  const replayed = await transaction
    .update(messages)
    .set({ status: 'pending', failures: 0, nextAttemptAt: sql`now()` })
    .where(and(eq(messages.id, messageId), eq(messages.endpointId, which.endpointId)))
    .returning({ id: messages.id })
  if (replayed.length === 0) return 'gone'
  await endRest(transaction, which)
  await queueDelivery(transaction, which.endpointId)
  return 'replayed'
}
