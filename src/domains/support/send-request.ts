import { sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { planOf } from '../billing/plan.ts'
import { tellPeople } from '../notifications/tell-people.ts'
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

/** Puts it into the queue. Who has no account gets a mail that it arrived. */
export async function sendRequest(
  transaction: Transaction,
  { userId, name, email, topic, subject, message }: Sent,
): Promise<{ requestId: string; priority: boolean }> {
  if (userId) await holdPeople(transaction, [userId])
  const priority = userId !== null && (await planOf(transaction, userId)) === 'pro'
  const [request] = await transaction
    .insert(supportRequests)
    .values({ userId, name, email, topic, subject, priority })
    .returning({ id: supportRequests.id })
  const requestId = request!.id
  await transaction.insert(supportMessages).values({ requestId, authorId: userId, body: message })
  if (!userId) await enqueue(transaction, 'sendSupportMail', { requestId })
  await tellTeam(transaction, userId)
  return { requestId, priority }
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
