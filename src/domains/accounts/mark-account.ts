import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { users } from './tables.ts'

/** What administrators decide about an account; the caller holds it (`lockPeople`). */
export async function markAccount(
  transaction: Transaction,
  userId: string,
  marks: { verified: boolean } | { suspended: boolean },
): Promise<void> {
  const set =
    'verified' in marks
      ? { verified: marks.verified }
      : { suspendedAt: marks.suspended ? sql`now()` : null }
  await transaction
    .update(users)
    .set({ ...set, updatedAt: sql`now()` })
    .where(eq(users.id, userId))
}
