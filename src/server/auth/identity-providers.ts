import type { BetterAuthOptions } from 'better-auth'
import type { GenericOAuthConfig } from 'better-auth/plugins'
import { emailProblem } from '../../domains/accounts/rules.ts'

/** What the environment says about outside identity providers; each is off until it has its keys. */
export interface IdentityProviderKeys {
  google?: { clientId: string; clientSecret: string } | undefined
  github?: { clientId: string; clientSecret: string } | undefined
  oidc?:
    | { name: string; discoveryUrl: string; clientId: string; clientSecret?: string | undefined }
    | undefined
}

/** A provider as the pages show it. */
export interface IdentityProvider {
  id: 'google' | 'github' | 'oidc'
  name: string
}

export function identityProviders(keys: IdentityProviderKeys): IdentityProvider[] {
  return [
    ...(keys.google ? [{ id: 'google' as const, name: 'Google' }] : []),
    ...(keys.github ? [{ id: 'github' as const, name: 'GitHub' }] : []),
    ...(keys.oidc ? [{ id: 'oidc' as const, name: keys.oidc.name }] : []),
  ]
}

/**
 * Google and GitHub come with the library, PKCE and state included. Where sign-ups have to confirm their
 * address, so has whoever comes with one that the provider has not confirmed.
 */
export function socialProviders(
  keys: IdentityProviderKeys,
  requireEmailVerification: boolean,
): NonNullable<BetterAuthOptions['socialProviders']> {
  return {
    ...(keys.google ? { google: { ...keys.google, requireEmailVerification } } : {}),
    ...(keys.github ? { github: { ...keys.github, requireEmailVerification } } : {}),
  }
}

/** Any other provider that speaks OpenID Connect. */
export function oidcProviders(
  keys: IdentityProviderKeys,
  requireEmailVerification: boolean,
): GenericOAuthConfig[] {
  if (!keys.oidc) return []
  const { name, discoveryUrl, clientId, clientSecret } = keys.oidc
  return [
    {
      providerId: 'oidc',
      name,
      discoveryUrl,
      clientId,
      ...(clientSecret ? { clientSecret } : {}),
      pkce: true,
      requireEmailVerification,
      scopes: ['openid', 'email', 'profile'],
      // Claims as we understand them: some providers say 'false', which is a true string.
      mapProfileToUser: ({ email, email_verified: verified }) => ({
        email: typeof email === 'string' && !emailProblem(email) ? email : undefined,
        emailVerified: verified === true || verified === 'true',
      }),
    },
  ]
}
