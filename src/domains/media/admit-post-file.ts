import type { Transaction } from '../../server/db.ts'
import { addToDay, askToWaitForDay } from '../../server/day-count.ts'
import { waitLabel } from '../../server/rate-limits.ts'
import { postFilesPerDay, type PostPurpose, problems } from './rules.ts'
import { UploadRefusal } from './upload-refusal.ts'

/**
 * Counts one more file that this person uploads for posts.
 * @throws {UploadRefusal} 429 when there were enough in 24 hours; the count is rolled back with the transaction.
 */
export async function admitPostFile(
  transaction: Transaction,
  ownerId: string,
  purpose: PostPurpose,
): Promise<void> {
  const kind = `upload-${purpose}`
  if ((await addToDay(transaction, kind, ownerId, 1)) < postFilesPerDay[purpose]) return
  const seconds = await askToWaitForDay(transaction, kind, ownerId)
  const problem = purpose === 'post_image' ? problems.postImages : problems.postVideos
  throw new UploadRefusal(429, `${problem} Please continue in ${waitLabel(seconds)}.`)
}
