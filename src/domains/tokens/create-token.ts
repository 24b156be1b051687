import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { lockPeople } from '../accounts/lock-people.ts'
import { mostTokens } from './rules.ts'
import { shownToken } from './queries.ts'
import type { NewToken } from './schema.ts'
import { personalTokens } from './tables.ts'
import { hashOf, makeToken } from './token-text.ts'

/** The account's row is locked, so that two at once cannot both be the last one. */
export async function createToken(
  transaction: Transaction,
  { userId, name, scopes, expiresInDays }: NewToken & { userId: string },
) {
  if (!(await lockPeople(transaction, [userId])).has(userId)) return 'gone'
  const count = await transaction.$count(personalTokens, eq(personalTokens.userId, userId))
  if (count >= mostTokens) return 'too many'
  const secret = makeToken()
  const [token] = await transaction
    .insert(personalTokens)
    .values({
      userId,
      name,
      scopes,
      tokenHash: hashOf(secret),
      ending: secret.slice(-4),
      expiresAt:
        expiresInDays === null ? null : sql`now() + make_interval(days => ${expiresInDays})`,
    })
    .returning(shownToken)
  return { token: token!, secret }
}
