import { sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { users } from './tables.ts'

/**
 * Who owns what people left to others: one account for all of them, so that nobody can tell which two
 * courses were the same person's. A fixed id, because whoever registers an address must not get it.
 */
export const departedUserId = '00000000-0000-7000-8000-000000000000'

/** Makes that account when somebody leaves something for the first time. */
export async function addDepartedUser(transaction: Transaction): Promise<void> {
  await transaction
    .insert(users)
    .values({
      id: departedUserId,
      name: 'Deleted user',
      // No address: nobody can sign up or log in with it, and no mail goes to `.invalid`.
      email: 'deleted-user.invalid',
      welcomedAt: sql`now()`,
    })
    .onConflictDoNothing({ target: users.id })
}
