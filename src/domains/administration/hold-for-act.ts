import type { Transaction } from '../../server/db.ts'
import { lockPeople } from '../accounts/lock-people.ts'

/**
 * Locks whom an act is about, and who does it. Null when that is no administrator any more: of two who suspend
 * each other at once the second is refused, so there is always one left.
 */
export async function holdForAct(transaction: Transaction, actorId: string, about: string[] = []) {
  const people = await lockPeople(transaction, [...new Set([actorId, ...about])])
  const actor = people.get(actorId)
  return actor?.role === 'admin' && actor.suspendedAt === null ? people : null
}
