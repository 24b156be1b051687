import type { createAuthMiddleware } from 'better-auth/api'
import { and, eq, isNotNull } from 'drizzle-orm'
import { ssoProviders } from '../../domains/accounts/tables.ts'
import type { Db } from '../db.ts'

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/**
 * Of the cookie with the relay state. The provider of an organisation answers with a form of its own site, and browsers send
 * no other cookie with one; they take this over https, and from localhost.
 */
export const relayStateCookie = { sameSite: 'none', secure: true } as const

/**
 * A signed answer says who somebody is, not whose browser asked: a page of another site could send its visitors' browsers
 * here with an answer that was meant for its own, and sign them in as whom it likes. So it takes the browser that asked.
 */
export async function refuseForeignAnswer(db: Db, context: HookContext): Promise<void> {
  if (context.path !== '/sso/saml2/sp/acs/:providerId' || context.method !== 'POST') return
  const { secret, options, createAuthCookie } = context.context
  const asked = await context.getSignedCookie(createAuthCookie('relay_state').name, secret)
  if (asked && asked === context.body?.RelayState) return
  // That a provider is not there is the library's to say.
  const found = await db
    .select({ id: ssoProviders.id })
    .from(ssoProviders)
    .where(
      and(
        eq(ssoProviders.providerId, String(context.params?.providerId)),
        isNotNull(ssoProviders.samlConfig),
      ),
    )
  if (found.length > 0) {
    throw context.redirect(`${options.onAPIError?.errorURL}?error=state_mismatch`)
  }
}
