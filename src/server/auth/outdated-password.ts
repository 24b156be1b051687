import { defineRequestState, hasRequestState } from '@better-auth/core/context'
import type { BetterAuthOptions } from 'better-auth'
import { APIError } from 'better-auth/api'
import { and, eq, sql } from 'drizzle-orm'
import { identities, verifications } from '../../domains/accounts/tables.ts'
import type { Db } from '../db.ts'
import { executePrepared } from '../execute-prepared.ts'
import { forgetBegun } from './begun-before.ts'
import { isPassword } from './hash-password.ts'
import type { CallContext, NewSession } from './session-hook.ts'

/** With which stored password a request has compared what was typed, or which one it has stored itself since. */
const comparedWith = defineRequestState<string | null>(() => null)

interface Comparison {
  hash: string
  password: string
}

export async function comparePassword({ hash: stored, password }: Comparison): Promise<boolean> {
  if (await hasRequestState()) await comparedWith.set(stored)
  return isPassword(stored, password)
}

const refusals: Partial<Record<string, { code: string; message: string }>> = {
  '/sign-in/email': {
    code: 'INVALID_EMAIL_OR_PASSWORD',
    message: 'Invalid email or password',
  },
  '/sign-in/phone-number': {
    code: 'INVALID_PHONE_NUMBER_OR_PASSWORD',
    message: 'Invalid phone number or password',
  },
  '/change-password': {
    code: 'UNAUTHORIZED',
    message: 'Your password was reset in the meantime. Please log in with the new one.',
  },
}

type AccountHooks = NonNullable<NonNullable<BetterAuthOptions['databaseHooks']>['account']>
type BeforeUpdate = NonNullable<NonNullable<AccountHooks['update']>['before']>

/**
 * Stores the password of a change in place of the one that was typed, and answers whether this was such a change. The
 * library would write over whatever is there by then: who reset the password meanwhile has had the last word.
 */
export async function storeChangedPassword(
  db: Db,
  { password }: Parameters<BeforeUpdate>[0],
  context: Parameters<BeforeUpdate>[1],
): Promise<boolean> {
  const session = context?.path === '/change-password' && context.context.session
  if (!session || !password) return false
  const typed = await comparedWith.get()
  if (typed === null) return false
  await db.transaction(async (transaction) => {
    const { rowCount } = await transaction
      .update(identities)
      .set({ password, updatedAt: sql`now()` })
      .where(
        and(
          eq(identities.userId, session.user.id),
          eq(identities.providerId, 'credential'),
          eq(identities.password, typed),
        ),
      )
    if (rowCount === 0) {
      throw new APIError('BAD_REQUEST', { code: 'INVALID_PASSWORD', message: 'Invalid password' })
    }
    // With it: nothing that the old one began goes on once the new one is there.
    await forgetBegun(transaction, session.user.id)
  })
  await comparedWith.set(password)
  return true
}

/**
 * Passwords take a while to compare. Whoever set another one meanwhile has ended all sessions, before this one was
 * there; it is looked at once it is stored, so that one of the two ends it.
 */
export async function refuseOutdatedPassword(
  db: Db,
  session: NewSession,
  context: CallContext | null,
): Promise<void> {
  const refusal = refusals[context?.path ?? '']
  if (!context || !refusal) return
  if (await isStillStored(db, session.userId)) return
  await context.context.internalAdapter.deleteSession(session.token)
  throw new APIError('UNAUTHORIZED', refusal)
}

/** The same of a log-in that waits for its second step, and of the trust in a browser that a password renews. */
export async function refuseOutdatedBeginning(
  db: Db,
  { id, value }: { id: string; value: string },
  context: CallContext | null,
): Promise<void> {
  const refusal = refusals[context?.path ?? '']
  // How often its code was tried is a row of its own, which names nobody.
  if (!context || !refusal || /^\d+$/.test(value)) return
  if (await isStillStored(db, value)) return
  await db.delete(verifications).where(eq(verifications.id, id))
  throw new APIError('UNAUTHORIZED', refusal)
}

/**
 * Whether the password is the one with which this request has compared what was typed. One that is being stored is
 * waited for: what it ends it has looked for already, and not seen what this request has stored since.
 */
async function isStillStored(db: Db, userId: string): Promise<boolean> {
  const compared = await comparedWith.get()
  const { rows } = await executePrepared<{ password: string | null }>(
    db,
    sql`select password from identities
         where user_id = ${userId} and provider_id = 'credential' for share`,
  )
  return rows.some(({ password }) => password === compared)
}
