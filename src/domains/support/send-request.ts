import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { planOf } from '../billing/plan.ts'
import { tellPeople } from '../notifications/tell-people.ts'
import { isLately } from './is-lately.ts'
import { queuePath, type Topic } from './rules.ts'
import { supportMessages, supportRequests } from './tables.ts'

interface Sent {
  /** Null for who is not signed in. */
  userId: string | null
  name: string
  email: string
  topic: Topic
  subject: string
  message: string
}

/**
 * Puts it into the queue, once: whose answer was lost sends the same again. Who has no account gets a mail that it
 * arrived, each time, as the first may not have come.
 */
export async function sendRequest(
  transaction: Transaction,
  sent: Sent,
): Promise<{ requestId: string; priority: boolean }> {
  const { userId } = sent
  if (userId) await holdPeople(transaction, [userId])
  const priority = userId !== null && (await planOf(transaction, userId)) === 'pro'
  const requestId =
    (await sentBefore(transaction, sent, priority)) ?? (await queued(transaction, sent, priority))
  if (!userId) await enqueue(transaction, 'sendSupportMail', { requestId })
  return { requestId, priority }
}

/** The same, sent minutes ago, which still waits. */
async function sentBefore(
  transaction: Transaction,
  { userId, email, topic, subject, message }: Sent,
  priority: boolean,
): Promise<string | undefined> {
  const [before] = await transaction
    .select({ id: supportRequests.id })
    .from(supportRequests)
    .innerJoin(supportMessages, eq(supportMessages.requestId, supportRequests.id))
    .where(
      and(
        userId === null ? isNull(supportRequests.userId) : eq(supportRequests.userId, userId),
        gt(supportRequests.lastMessageAt, isLately),
        eq(supportRequests.status, 'waiting'),
        eq(supportRequests.email, email),
        eq(supportRequests.topic, topic),
        eq(supportRequests.subject, subject),
        eq(supportMessages.body, message),
      ),
    )
    .limit(1)
  if (!before) return undefined
  await transaction
    .update(supportRequests)
    .set({ priority })
    .where(eq(supportRequests.id, before.id))
  return before.id
}

async function queued(
  transaction: Transaction,
  { userId, name, email, topic, subject, message }: Sent,
  priority: boolean,
): Promise<string> {
  const [request] = await transaction
    .insert(supportRequests)
    .values({ userId, name, email, topic, subject, priority })
    .returning({ id: supportRequests.id })
  const requestId = request!.id
  await transaction.insert(supportMessages).values({ requestId, authorId: userId, body: message })
  await tellTeam(transaction, userId)
  return requestId
}

/** Tells the administrators that somebody waits, once until they have looked. */
export async function tellTeam(transaction: Transaction, writerId: string | null): Promise<void> {
  // Who is leaving at this moment has the own row locked; to wait for each other would never end.
  const administrators = sql`
    select id as user_id from users
     where role = 'admin' and suspended_at is null and id is distinct from ${writerId}::uuid
       for key share skip locked`
  await tellPeople(transaction, administrators, {
    kind: 'support_received',
    title: 'Somebody asked for support',
    message: 'A request waits for an answer.',
    href: queuePath,
    sameAs: queuePath,
  })
}
