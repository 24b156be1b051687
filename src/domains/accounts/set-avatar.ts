import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { keepAvatar } from '../media/keep-avatar.ts'
import { avatarUrl } from '../media/rules.ts'
import { users } from './tables.ts'

/** Shows this picture, or none for null, and deletes the earlier one. False when it is not this person's. */
export async function setAvatar(
  transaction: Transaction,
  userId: string,
  mediaId: string | null,
): Promise<boolean> {
  await transaction
    .update(users)
    .set({ avatarUrl: mediaId === null ? null : avatarUrl(mediaId), updatedAt: sql`now()` })
    .where(eq(users.id, userId))
  return keepAvatar(transaction, userId, mediaId)
}
