import type { Transaction } from '../../server/db.ts'
import type { PostDraft } from './schema.ts'
import { pollOptions, polls } from './tables.ts'

/** Puts a poll below a new post. It stays as it is: what people voted for does not change its words. */
export async function addPoll(
  transaction: Transaction,
  postId: string,
  { options, closesAt }: NonNullable<PostDraft['poll']>,
): Promise<void> {
  await transaction.insert(polls).values({ postId, closesAt })
  await transaction
    .insert(pollOptions)
    .values(options.map((text, index) => ({ postId, text, orderIndex: index + 1 })))
}
