import { symmetricDecrypt } from 'better-auth/crypto'
import { and, asc, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { courses } from '../courses/tables.ts'
import type { OwnEndpoint } from './manage-endpoint.ts'
import { webhookId } from './signature.ts'
import {
  webhookAttempts as attempts,
  webhookEndpoints as endpoints,
  webhookMessages as messages,
} from './tables.ts'

const own = ({ endpointId, userId }: OwnEndpoint) =>
  and(eq(endpoints.id, endpointId), eq(endpoints.userId, userId))

const presented = (executor: Executor, where: SQL | undefined) =>
  executor
    .select({
      id: endpoints.id,
      url: endpoints.url,
      description: endpoints.description,
      events: endpoints.events,
      course: { id: courses.id, title: courses.title },
      status: endpoints.status,
      failingSince: endpoints.failingSince,
      createdAt: endpoints.createdAt,
    })
    .from(endpoints)
    .leftJoin(courses, eq(courses.id, endpoints.courseId))
    .where(where)
    .orderBy(asc(endpoints.id))

export async function endpointsOf(executor: Executor, userId: string) {
  return {
    endpoints: await presented(executor, eq(endpoints.userId, userId)),
    courses: await executor
      .select({ id: courses.id, title: courses.title })
      .from(courses)
      .where(eq(courses.instructorId, userId))
      .orderBy(asc(courses.title), asc(courses.id)),
  }
}

export async function endpointOf(executor: Executor, which: OwnEndpoint) {
  const [endpoint] = await presented(executor, own(which))
  return endpoint ?? null
}

/** Null when the endpoint is not this person's; 'unreadable' when the server's secret was changed since. */
export async function secretOf(executor: Executor, secret: string, which: OwnEndpoint) {
  const [endpoint] = await executor
    .select({ sealed: endpoints.sealedSecret })
    .from(endpoints)
    .where(own(which))
  if (!endpoint) return null
  const opened = await symmetricDecrypt({ key: secret, data: endpoint.sealed }).catch(() => null)
  return opened ?? ('unreadable' as const)
}

const perPage = 20

const ofOwn = (which: OwnEndpoint) =>
  and(
    eq(messages.endpointId, which.endpointId),
    sql`exists (select 1 from webhook_endpoints e
                 where e.id = ${which.endpointId}::uuid and e.user_id = ${which.userId}::uuid)`,
  )

const columns = {
  id: messages.id,
  type: messages.type,
  status: messages.status,
  attempts: sql<number>`(select count(*)::int from webhook_attempts a where a.message_id = webhook_messages.id)`,
  createdAt: messages.createdAt,
  nextAttemptAt: messages.nextAttemptAt,
}

type Listed = { status: string; nextAttemptAt: Date }

const withNext = <Row extends Listed>(row: Row) => ({
  ...row,
  nextAttemptAt: row.status === 'pending' ? row.nextAttemptAt : null,
})

/** A page of what was sent to an endpoint, newest first. */
export async function deliveriesOf(
  executor: Executor,
  { cursor, ...which }: OwnEndpoint & { cursor?: string },
) {
  const rows = await executor
    .select(columns)
    .from(messages)
    .where(and(ofOwn(which), cursor === undefined ? undefined : lt(messages.id, cursor)))
    .orderBy(desc(messages.id))
    .limit(perPage + 1)
  const page = rows.slice(0, perPage)
  return {
    deliveries: page.map(withNext),
    nextCursor: rows.length > perPage ? page.at(-1)!.id : null,
  }
}

/** Attempts that are shown: the last ones of those that were made by hand again and again. */
const shownAttempts = 50

export async function deliveryOf(
  executor: Executor,
  { messageId, ...which }: OwnEndpoint & { messageId: string },
) {
  const [message] = await executor
    .select({ ...columns, data: messages.data })
    .from(messages)
    .where(and(ofOwn(which), eq(messages.id, messageId)))
  if (!message) return null
  const log = await executor
    .select({
      id: attempts.id,
      at: attempts.createdAt,
      status: attempts.status,
      milliseconds: attempts.milliseconds,
      answer: attempts.answer,
      problem: attempts.problem,
    })
    .from(attempts)
    .where(eq(attempts.messageId, messageId))
    .orderBy(desc(attempts.id))
    .limit(shownAttempts)
  const { data, ...listed } = message
  const { type, createdAt } = listed
  return {
    ...withNext(listed),
    webhookId: webhookId(messageId),
    body: JSON.stringify({ type, timestamp: createdAt.toISOString(), data }, null, 2),
    log,
  }
}
