import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import type { Viewer } from '../../server/viewer.ts'
import { holdSession } from '../accounts/hold-session.ts'
import { lockPeople } from '../accounts/lock-people.ts'
import { mostTokens } from './rules.ts'
import { shownToken } from './queries.ts'
import type { NewToken } from './schema.ts'
import { personalTokens } from './tables.ts'
import { hashOf, makeToken } from './token-text.ts'

/**
 * The account's row is locked, so that two at once cannot both be the last one; the session is kept, so that none outlives
 * the end of all sessions and tokens.
 */
export async function createToken(
  transaction: Transaction,
  viewer: Pick<Viewer, 'id' | 'sessionId'>,
  { name, scopes, expiresInDays }: NewToken,
) {
  const { id: userId } = viewer
  await lockPeople(transaction, [userId])
  if (!(await holdSession(transaction, viewer))) return 'signed out'
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
