import { count, eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { supportMessages, supportRequests } from './tables.ts'

export type HeldRequest = typeof supportRequests.$inferSelect & { messagesCount: number }

/**
 * Locks a request after the people whom it is about, in the order of an account's deletion; null when it is
 * gone, or not `ownerId`'s.
 */
export async function holdRequest(
  transaction: Transaction,
  requestId: string,
  { actorId, ownerId }: { actorId: string; ownerId?: string },
): Promise<HeldRequest | null> {
  const [found] = await transaction
    .select({ userId: supportRequests.userId })
    .from(supportRequests)
    .where(eq(supportRequests.id, requestId))
  if (!found || (ownerId !== undefined && found.userId !== ownerId)) return null
  await holdPeople(transaction, found.userId ? [actorId, found.userId] : [actorId])
  const [request] = await transaction
    .select()
    .from(supportRequests)
    .where(eq(supportRequests.id, requestId))
    .for('no key update')
  if (!request) return null
  const [written] = await transaction
    .select({ total: count() })
    .from(supportMessages)
    .where(eq(supportMessages.requestId, requestId))
  return { ...request, messagesCount: written!.total }
}
