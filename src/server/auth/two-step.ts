import { APIError, isAPIError } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins'

/**
 * Every way of opening a session with one factor. The library asks for the second one after passwords
 * only; a mailed link or an outside account must not get around it. Passkeys are two factors by themselves.
 */
export const oneFactorLogins = new Set([
  '/sign-in/email',
  '/sign-in/phone-number',
  '/sign-in/email-otp',
  '/sign-in/social',
  '/phone-number/verify',
  '/magic-link/verify',
  '/siwe/verify',
  '/callback/:id',
  '/sso/callback',
  '/sso/callback/:providerId',
  '/sso/saml2/sp/acs/:providerId',
])

/** Redirects are made by the library's router, whose errors are of a class of their own. */
const isRedirect = (answer: unknown): answer is APIError =>
  isAPIError(answer) && answer.statusCode >= 300 && answer.statusCode < 400

/** better-auth's two-step verification, asked for after every log-in of `oneFactorLogins`. */
export function twoStepForEveryLogin({ issuer, loginPage }: { issuer: string; loginPage: string }) {
  const plugin = twoFactor({
    issuer,
    allowPasswordless: true,
    backupCodeOptions: { amount: 10, length: 10, storeBackupCodes: 'encrypted' },
  })
  const [hook] = plugin.hooks.after
  if (!hook) throw new Error('The two-factor plugin has no hook after log-in.')
  const handler: typeof hook.handler = Object.assign(
    async (context: Parameters<typeof hook.handler>[0]) => {
      const answer = (context as { context: { returned?: unknown } }).context.returned
      const result = (await hook.handler(context)) as unknown as {
        response: unknown
        headers: Headers | null
      }
      if (result.response === undefined || !isRedirect(answer)) return result
      // A link or another site brought the person here: the page that asks for the code is next.
      const headers = new Headers(result.headers ?? {})
      const wanted = new Headers(answer.headers).get('location') ?? '/'
      const page = new URL(loginPage)
      const { pathname, search, hash } = new URL(wanted, page)
      page.searchParams.set('to', pathname + search + hash)
      headers.set('location', page.href)
      return { response: new APIError('FOUND', undefined, { location: page.href }), headers }
    },
    hook.handler,
  )
  return {
    ...plugin,
    hooks: {
      ...plugin.hooks,
      after: [
        {
          matcher: (context: { path?: string }) => oneFactorLogins.has(context.path ?? ''),
          handler,
        },
      ],
    },
  } as unknown as typeof plugin
}
