import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { firstFreeName } from '../../server/first-free-name.ts'
import { isUuid } from '../courses/access.ts'
import { slugOf } from '../courses/rules.ts'
import { users } from './tables.ts'

/**
 * Until the transaction ends nobody else takes this username, or a number behind the same name: whoever
 * takes 'ann-2' waits for whoever looks for a free number behind 'ann'.
 */
async function lockUsername(transaction: Transaction, username: string): Promise<void> {
  const names = new Set([username.replace(/-[0-9]+$/, ''), username])
  // Shorter first, in everybody's order, so that two people never wait for each other.
  for (const name of names) {
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtext(${`username ${name}`}))`)
  }
}

/** A newcomer's name as an address, with a number where others have it; without Latin letters the id. */
export async function freeUsername(
  transaction: Transaction,
  user: { id: string; name: string },
): Promise<string> {
  const base = slugOf(slugOf(user.name).slice(0, 60))
  if (base === '' || isUuid(base)) return user.id
  await lockUsername(transaction, base)
  return firstFreeName(base, async (candidates) => {
    const taken = await transaction
      .select({ username: users.username })
      .from(users)
      .where(inArray(users.username, candidates))
    return taken.map(({ username }) => username!)
  })
}

/** Whether this person may take the username; if so, nobody else can before the transaction ends. */
export async function mayTakeUsername(
  transaction: Transaction,
  userId: string,
  username: string,
): Promise<boolean> {
  // What looks like an id is kept for the person who has it.
  if (isUuid(username)) return username === userId
  await lockUsername(transaction, username)
  const others = await transaction
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.username, username), ne(users.id, userId)))
  return others.length === 0
}
