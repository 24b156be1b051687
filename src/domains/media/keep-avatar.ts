import { and, eq, ne, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import { mediaFiles } from './tables.ts'

/**
 * Keeps one uploaded avatar of a person, or none, and deletes the others with their files. False when the
 * picture is not theirs or not ready; the caller must roll the transaction back.
 */
export async function keepAvatar(
  transaction: Transaction,
  ownerId: string,
  mediaId: string | null,
): Promise<boolean> {
  const ready = and(
    eq(mediaFiles.ownerId, ownerId),
    eq(mediaFiles.purpose, 'avatar'),
    eq(mediaFiles.status, 'ready'),
  )
  if (mediaId !== null) {
    const kept = await transaction
      .update(mediaFiles)
      // So that what removes unused pictures, and looks at the same moment, sees that it is used.
      .set({ updatedAt: sql`now()` })
      .where(and(ready, eq(mediaFiles.id, mediaId)))
      .returning({ id: mediaFiles.id })
    if (kept.length === 0) return false
  }
  const deleted = await transaction
    .delete(mediaFiles)
    .where(and(ready, mediaId === null ? undefined : ne(mediaFiles.id, mediaId)))
    .returning({ id: mediaFiles.id })
  if (deleted.length > 0) {
    await enqueue(transaction, 'removeFiles', { mediaIds: deleted.map(({ id }) => id) })
  }
  return true
}
