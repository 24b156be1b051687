import { performance } from 'node:perf_hooks'
import { symmetricDecrypt } from 'better-auth/crypto'
import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../server/db.ts'
import { type Outcome, postOutside } from '../../server/post-outside.ts'
import type { Services } from '../../server/services.ts'
import { users } from '../accounts/tables.ts'
import { brand } from '../site/brand.ts'
import { beginTurn, queueNextTurn } from './delivery-turn.ts'
import { deliveryJob } from './keep-event.ts'
import { recordAttempt } from './record-attempt.ts'
import { longestRest } from './rules.ts'
import { signatureHeaders } from './signature.ts'
import { webhookEndpoints as endpoints, webhookMessages as messages } from './tables.ts'

/** After so many milliseconds another endpoint has its turn. */
const turn = 5000

/**
 * A job: delivers what waits for an endpoint, the longest due first. The queue works one such job of an endpoint
 * at a time, so one that hangs holds a single place, and that for one attempt.
 */
export async function deliverWebhooks(
  { endpointId }: { endpointId: string },
  services: Pick<Services, 'db' | 'secret' | 'config'>,
): Promise<void> {
  const { db } = services
  const started = performance.now()
  await beginTurn(db, endpointId)
  for (;;) {
    const endpoint = await ready(db, endpointId)
    const message = endpoint && (await nextMessage(db, endpointId))
    if (!message) return
    if (performance.now() - started > turn) return queueNextTurn(db, endpointId)
    const outcome = await attempt(services, endpoint, message)
    const { url, failingSince } = endpoint
    const attempted = { endpointId, messageId: message.id, url, failingSince }
    await db.transaction((transaction) => recordAttempt(transaction, attempted, outcome))
  }
}

/** Not resting. Longer than one ever rests is of a clock that was ahead. */
const isAwake = (restsUntil: SQL) =>
  sql`coalesce(${restsUntil} not between now() and now() + make_interval(secs => ${longestRest}), true)`

/** The endpoint when something may be sent to it now. */
async function ready(db: Db, endpointId: string) {
  const [endpoint] = await db
    .select({
      url: endpoints.url,
      failingSince: endpoints.failingSince,
      sealedSecret: endpoints.sealedSecret,
      // Null when it signs no more.
      former: sql<
        string | null
      >`case when ${endpoints.formerUntil} > now() then ${endpoints.sealedFormerSecret} end`,
    })
    .from(endpoints)
    .innerJoin(users, eq(users.id, endpoints.userId))
    .where(
      and(
        eq(endpoints.id, endpointId),
        eq(endpoints.status, 'active'),
        sql`${users.suspendedAt} is null`,
        isAwake(sql`${endpoints.restsUntil}`),
      ),
    )
  return endpoint
}

type Endpoint = NonNullable<Awaited<ReturnType<typeof ready>>>

async function nextMessage(db: Db, endpointId: string) {
  const [message] = await db
    .select({
      id: messages.id,
      type: messages.type,
      data: messages.data,
      createdAt: messages.createdAt,
    })
    .from(messages)
    .where(
      and(
        eq(messages.endpointId, endpointId),
        eq(messages.status, 'pending'),
        lte(messages.nextAttemptAt, sql`now()`),
      ),
    )
    .orderBy(asc(messages.nextAttemptAt))
    .limit(1)
  return message
}

type Message = NonNullable<Awaited<ReturnType<typeof nextMessage>>>

async function attempt(
  { secret, config }: Pick<Services, 'secret' | 'config'>,
  { url, sealedSecret, former }: Endpoint,
  { id, type, data, createdAt }: Message,
): Promise<Outcome> {
  const opened = (sealed: string) =>
    symmetricDecrypt({ key: secret, data: sealed }).catch(() => null)
  const current = await opened(sealedSecret)
  if (current === null) {
    const problem = 'The secret of this endpoint cannot be read any more. Make a new one.'
    return { status: null, milliseconds: 0, answer: '', problem }
  }
  // Whoever made a new secret because the former one cannot be read is helped at once.
  const beside = await Promise.all((former?.split(' ') ?? []).map(opened))
  const secrets = [current, ...beside.filter((one) => one !== null)]
  const body = JSON.stringify({ type, timestamp: createdAt.toISOString(), data })
  const headers = {
    'content-type': 'application/json',
    'user-agent': `${brand.name.replace(/[^\w.-]+/g, '-')}-webhooks`,
    ...signatureHeaders({ messageId: id, body, secrets, at: new Date() }),
  }
  return postOutside(url, { headers, body }, { allowPrivate: config.webhooksAllowPrivate })
}

/** A job: what is due although its own job died with its process, or was given up. */
export async function resumeWebhooks({ db }: Pick<Services, 'db'>): Promise<void> {
  await db.execute(sql`
    select ${deliveryJob(sql`e.id`)}
      from webhook_endpoints e
     where e.status = 'active' and ${isAwake(sql`e.rests_until`)}
       and exists (select 1 from webhook_messages m
                    where m.endpoint_id = e.id and m.status = 'pending'
                      and m.next_attempt_at < now() - interval '2 minutes')`)
}
