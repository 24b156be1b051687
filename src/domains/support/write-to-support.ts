import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { planOf } from '../billing/plan.ts'
import { holdRequest } from './hold-request.ts'
import { isLately } from './is-lately.ts'
import { supportLimits } from './rules.ts'
import { tellTeam } from './send-request.ts'
import { supportMessages, supportRequests } from './tables.ts'

/** More about an own request, which waits from then on, or goes on waiting at its place. */
export async function writeToSupport(
  transaction: Transaction,
  { requestId, userId, message }: { requestId: string; userId: string; message: string },
): Promise<'written' | 'gone' | 'too long'> {
  const request = await holdRequest(transaction, requestId, { actorId: userId, ownerId: userId })
  if (!request) return 'gone'
  const waits = request.status === 'waiting'
  if (waits && (await isLast(transaction, requestId, message))) return 'written'
  if (request.messagesCount >= supportLimits.messages) return 'too long'
  await transaction.insert(supportMessages).values({ requestId, authorId: userId, body: message })
  await transaction
    .update(supportRequests)
    .set({
      status: 'waiting',
      priority: (await planOf(transaction, userId)) === 'pro',
      ...(!waits && { lastMessageAt: sql`clock_timestamp()` }),
    })
    .where(and(eq(supportRequests.id, requestId), eq(supportRequests.userId, userId)))
  if (!waits) await tellTeam(transaction, userId)
  return 'written'
}

/** Whether the last message says so and is of these minutes: whose answer was lost sends the same again. */
async function isLast(transaction: Transaction, requestId: string, message: string) {
  const [last] = await transaction
    .select({
      isSame: sql<boolean>`${eq(supportMessages.body, message)} and ${gt(supportMessages.createdAt, isLately)}`,
    })
    .from(supportMessages)
    .where(eq(supportMessages.requestId, requestId))
    .orderBy(desc(supportMessages.id))
    .limit(1)
  return last?.isSame === true
}

/** The person needs no answer any more; twice is harmless. */
export async function closeOwnRequest(
  transaction: Transaction,
  { requestId, userId }: { requestId: string; userId: string },
): Promise<void> {
  const request = await holdRequest(transaction, requestId, { actorId: userId, ownerId: userId })
  if (!request || request.status === 'closed') return
  await transaction
    .update(supportRequests)
    .set({ status: 'closed', lastMessageAt: sql`clock_timestamp()` })
    .where(and(eq(supportRequests.id, requestId), eq(supportRequests.userId, userId)))
}
