import { APIError } from 'better-auth/api'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db.ts'
import type { CallContext, NewSession } from './session-hook.ts'

/** From another service, which sends the person here: who comes so is shown a page, not an answer for programs. */
const leadsHere = (path: string) => path === '/callback/:id' || path.startsWith('/sso/')

/** Finds what a log-in came through, and holds it: whoever is taking it away at this moment is waited for. */
function wayIn({ userId }: NewSession, { path = '', body }: CallContext): SQL | null {
  if (path === '/passkey/verify-authentication') {
    const credential: string = body.response.id
    return sql`select 1 from passkeys
                where user_id = ${userId} and credential_id = ${credential} for key share`
  }
  if (path === '/siwe/verify') {
    return sql`select 1 from wallet_addresses where user_id = ${userId} for key share`
  }
  if (path === '/phone-number/verify') {
    return sql`select 1 from users where id = ${userId} and phone_number is not null for key share`
  }
  if (path === '/sign-in/social' || leadsHere(path)) {
    return sql`select 1 from identities
                where user_id = ${userId} and provider_id not in ('credential', 'siwe') for key share`
  }
  return null
}

/**
 * Who closes an account to others takes away their ways in first, then ends the sessions. A log-in may be under way
 * meanwhile: its way in is looked at once more when the session is stored, so that one of the two ends it.
 */
export async function refuseClosedWayIn(
  db: Db,
  session: NewSession,
  context: CallContext | null,
): Promise<void> {
  const found = context && wayIn(session, context)
  if (!found || (await db.execute(found)).rows.length > 0) return
  await context.context.internalAdapter.deleteSession(session.token)
  if (leadsHere(context.path ?? '')) {
    throw context.redirect(`${context.context.options.onAPIError?.errorURL}?error=state_mismatch`)
  }
  throw new APIError('UNAUTHORIZED', {
    code: 'UNAUTHORIZED',
    message: 'This way to log in was removed a moment ago. Please log in another way.',
  })
}
