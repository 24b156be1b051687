import { inArray } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { users } from './tables.ts'

/**
 * Keeps these people's accounts until the transaction ends, and answers which of them still have one. It
 * comes before the lock of a course, as in an account's deletion: the other way round, somebody who
 * leaves at this moment and this transaction would wait for each other.
 */
export async function holdPeople(
  transaction: Transaction,
  people: string[],
): Promise<ReadonlySet<string>> {
  const found = await transaction
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, people))
    .orderBy(users.id)
    .for('key share')
  return new Set(found.map(({ id }) => id))
}
