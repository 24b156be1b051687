import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { planOf } from '../billing/plan.ts'
import { holdRequest } from './hold-request.ts'
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
  if (request.messagesCount >= supportLimits.messages) return 'too long'
  await transaction.insert(supportMessages).values({ requestId, authorId: userId, body: message })
  const waits = request.status === 'waiting'
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
