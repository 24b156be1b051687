import { APIError, getOAuthState } from 'better-auth/api'
import { and, eq, sql } from 'drizzle-orm'
import {
  identities,
  passkeys,
  sessions,
  users,
  verifications,
} from '../../domains/accounts/tables.ts'
import type { Db } from '../db.ts'
import { endSecondStep } from './begun-before.ts'
import type { CallContext, NewSession } from './session-hook.ts'

export const signedOut = () =>
  new APIError('UNAUTHORIZED', { code: 'UNAUTHORIZED', message: 'User must be authenticated' })

async function isSignedIn(db: Db, context: CallContext, userId: string): Promise<boolean> {
  const { authCookies, secret } = context.context
  const token = await context.getSignedCookie(authCookies.sessionToken.name, secret)
  if (!token) return false
  const found = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.token, token),
        eq(sessions.userId, userId),
        sql`${sessions.expiresAt} > now()`,
      ),
    )
  return found.length > 0
}

/**
 * A session was looked at before it might add a way in. Whoever closes an account to others ends their sessions first, then
 * takes away what these have added: so it is looked at once more when the way in is stored, and one of the two takes it away.
 */
async function takeAwayUnlessSignedIn(
  db: Db,
  context: CallContext,
  userId: string,
  takeAway: () => Promise<unknown>,
): Promise<void> {
  if (await isSignedIn(db, context, userId)) return
  await takeAway()
  // Who comes back from another service is shown a page, not an answer for programs.
  throw context.path === '/callback/:id'
    ? context.redirect(`${context.context.options.onAPIError?.errorURL}?error=state_mismatch`)
    : signedOut()
}

/** Of the way to another service, which leads back whatever becomes of the session. */
export async function refuseBeginningOfEnded(
  db: Db,
  { id }: { id: string },
  context: CallContext | null,
): Promise<void> {
  const session = context?.path === '/link-social' && context.context.session
  if (!session) return
  await takeAwayUnlessSignedIn(db, context, session.user.id, () =>
    db.delete(verifications).where(eq(verifications.id, id)),
  )
}

/** Of an account at another service that is connected, not logged in with. */
export async function refuseIdentityOfEnded(
  db: Db,
  { id, userId }: { id: string; userId: string },
  context: CallContext | null,
): Promise<void> {
  const isConnected =
    context?.path === '/link-social' ||
    (context?.path === '/callback/:id' && (await getOAuthState())?.link !== undefined)
  if (!context || !isConnected) return
  await takeAwayUnlessSignedIn(db, context, userId, () =>
    db.delete(identities).where(eq(identities.id, id)),
  )
}

/** Of a passkey or a telephone. */
export async function refuseWayInOfEnded(
  db: Db,
  context: CallContext,
  added: unknown,
): Promise<void> {
  const { session } = context.context
  if (!session) return
  const userId = session.user.id
  if (context.path === '/passkey/verify-registration') {
    const { id } = added as { id: string }
    await takeAwayUnlessSignedIn(db, context, userId, () =>
      db.delete(passkeys).where(and(eq(passkeys.id, id), eq(passkeys.userId, userId))),
    )
  }
  if (context.path === '/phone-number/verify' && context.body?.updatePhoneNumber) {
    await takeAwayUnlessSignedIn(db, context, userId, () =>
      db
        .update(users)
        .set({ phoneNumber: null, phoneNumberVerified: false })
        .where(and(eq(users.id, userId), eq(users.phoneNumber, context.body.phoneNumber))),
    )
  }
}

/** Of a second step that is turned on: the library opens a new session in place of the one that asked for it. */
export async function refuseSecondStepOfEnded(
  db: Db,
  { token, userId }: NewSession,
  context: CallContext | null,
): Promise<void> {
  if (context?.path !== '/two-factor/verify-totp' || !context.context.session) return
  await takeAwayUnlessSignedIn(db, context, userId, async () => {
    await context.context.internalAdapter.deleteSession(token)
    await db.update(users).set({ twoFactorEnabled: false }).where(eq(users.id, userId))
  })
}

/** The log-in that waits for its second step, as its cookie names it. */
export async function loginOfSecondStep(context: CallContext): Promise<string | null> {
  const { createAuthCookie, secret } = context.context
  return (await context.getSignedCookie(createAuthCookie('two_factor').name, secret)) || null
}

/**
 * Of a log-in whose second step was right: who set another password, or ended all sessions, has forgotten all that was begun
 * before, this too, and may have done so before its session was there.
 */
export async function refuseForgottenLogin(
  db: Db,
  { token }: NewSession,
  context: CallContext | null,
): Promise<void> {
  if (!context?.path?.startsWith('/two-factor/verify-') || context.context.session) return
  const login = await loginOfSecondStep(context)
  if (login && (await endSecondStep(db, login))) return
  await context.context.internalAdapter.deleteSession(token)
  throw new APIError('UNAUTHORIZED', {
    code: 'INVALID_TWO_FACTOR_COOKIE',
    message: 'This log-in is over. Please log in again.',
  })
}
