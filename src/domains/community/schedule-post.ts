import type { Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'

/** The post, stored as scheduled, is published at its time. Called again with another time, at that one. */
export const schedulePost = (
  transaction: Transaction,
  { postId, scheduledFor }: { postId: string; scheduledFor: Date },
) =>
  enqueue(transaction, 'publishScheduledPost', { postId }, `scheduled-post:${postId}`, scheduledFor)
