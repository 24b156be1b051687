import { tryGetCurrentAuthEndpointContext } from '@better-auth/core/context'
import type { BetterAuthOptions } from 'better-auth'
import { APIError } from 'better-auth/api'
import { sql } from 'drizzle-orm'
import type { Db } from '../db.ts'
import { executePrepared } from '../execute-prepared.ts'
import { isPassword } from './hash-password.ts'

/** With which stored password a call has compared what was typed. */
const comparedWith = new WeakMap<object, string>()

export function comparePassword({ hash: stored, password }: { hash: string; password: string }) {
  const call = tryGetCurrentAuthEndpointContext()
  if (call) comparedWith.set(call, stored)
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
}

type SessionHooks = NonNullable<NonNullable<BetterAuthOptions['databaseHooks']>['session']>
type AfterSession = NonNullable<NonNullable<SessionHooks['create']>['after']>

/**
 * Passwords take a while to compare. Whoever set another one meanwhile has ended all sessions, before this one was
 * there; it is looked at once it is stored, so that one of the two ends it.
 */
export async function refuseOutdatedPassword(
  db: Db,
  session: Parameters<AfterSession>[0],
  context: Parameters<AfterSession>[1],
): Promise<void> {
  const refusal = refusals[context?.path ?? '']
  if (!context || !refusal) return
  const { rows } = await executePrepared<{ password: string | null }>(
    db,
    sql`select password from identities
         where user_id = ${session.userId} and provider_id = 'credential'`,
  )
  if (rows.some(({ password }) => password === comparedWith.get(context))) return
  await context.context.internalAdapter.deleteSession(session.token)
  throw new APIError('UNAUTHORIZED', refusal)
}
