import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { isUuid } from '../courses/access.ts'
import { slugOf } from '../courses/rules.ts'
import { users } from './tables.ts'

/** Looked up at once; a name that 500 people share takes three look-ups. */
const batch = 200

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
  for (let first = 1; ; first += batch) {
    const candidates = Array.from({ length: batch }, (_, index) => numbered(base, first + index))
    const rows = await transaction
      .select({ username: users.username })
      .from(users)
      .where(inArray(users.username, candidates))
    const taken = new Set(rows.map((row) => row.username))
    const free = candidates.find((candidate) => !taken.has(candidate))
    if (free !== undefined) return free
  }
}

const numbered = (base: string, number: number) => (number === 1 ? base : `${base}-${number}`)

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
