import { inArray } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { users } from './tables.ts'

/**
 * These accounts as they are until the transaction ends: nobody changes their role, suspends or deletes them
 * meanwhile. By id, like `holdPeople`, and before any course. Who is gone is not in it.
 */
export async function lockPeople(transaction: Transaction, people: string[]) {
  const found = await transaction
    .select({
      id: users.id,
      name: users.name,
      role: users.role,
      verified: users.verified,
      suspendedAt: users.suspendedAt,
    })
    .from(users)
    .where(inArray(users.id, people))
    .orderBy(users.id)
    .for('no key update')
  return new Map(found.map((person) => [person.id, person]))
}
