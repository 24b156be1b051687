import { and, eq, inArray, notInArray, or, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { mediaFiles } from './tables.ts'

/**
 * Gives the files of courses a new owner; what they were called on the old one's disk is forgotten. Files of posts
 * go with the posts of who wrote them.
 */
export async function handOverFiles(
  transaction: Transaction,
  handOver: { from: string; to: string; courseIds: string[]; thumbnailIds: string[] },
): Promise<void> {
  await transaction
    .update(mediaFiles)
    .set({
      ownerId: handOver.to,
      filename: sql`${mediaFiles.purpose}`,
      updatedAt: sql`now()`,
    })
    .where(
      and(
        eq(mediaFiles.ownerId, handOver.from),
        eq(mediaFiles.status, 'ready'),
        notInArray(mediaFiles.purpose, ['post_image', 'post_video']),
        or(
          inArray(mediaFiles.courseId, handOver.courseIds),
          inArray(mediaFiles.id, handOver.thumbnailIds),
        ),
      ),
    )
}
