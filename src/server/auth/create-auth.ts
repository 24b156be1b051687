import { passkey } from '@better-auth/passkey'
import { sso } from '@better-auth/sso'
import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { eq } from 'drizzle-orm'
import { isAPIError } from 'better-auth/api'
import { generateRandomString } from 'better-auth/crypto'
import { emailOTP, genericOAuth, jwt, magicLink, phoneNumber, siwe } from 'better-auth/plugins'
import type { Pool } from 'pg'
import type { AccountMail } from '../../domains/accounts/account-mails.ts'
import { endAllSessions } from '../../domains/accounts/end-all-sessions.ts'
import { isPhoneNumber, limits } from '../../domains/accounts/rules.ts'
import {
  identities,
  passkeys,
  sessions,
  signingKeys,
  ssoProviders,
  twoFactors,
  users,
  verifications,
  walletAddresses,
} from '../../domains/accounts/tables.ts'
import { brand } from '../../domains/site/brand.ts'
import type { Config } from '../config.ts'
import { databaseProblemOf } from '../database-problem.ts'
import type { Db } from '../db.ts'
import type { Log } from '../log.ts'
import { addressHeader } from './address-header.ts'
import { isStillAt } from './begun-before.ts'
import { hashPassword } from './hash-password.ts'
import { type AccountEvents, afterCalls, beforeCalls, storedRows } from './hooks.ts'
import { oidcProviders, socialProviders } from './identity-providers.ts'
import { mailedLink } from './mailed-link.ts'
import { withNamedStatements } from './named-statements.ts'
import { comparePassword } from './outdated-password.ts'
import { relayStateCookie } from './relay-state.ts'
import { codeHasher } from './stored-codes.ts'
import { twoStepForEveryLogin } from './two-step.ts'
import { closeUnprovenAccess } from './unproven-access.ts'
import { hasReadableTimes, isSignedByWallet } from './wallet-signature.ts'

export type Auth = ReturnType<typeof createAuth>

const days = 60 * 60 * 24
const minutes = 60

/** What the accounts need of the rest of the product. */
export interface AuthNeeds extends AccountEvents {
  /** Puts a mail in the queue; the private links and codes in it are sealed there. */
  mail: (mail: AccountMail) => Promise<void>
  text: (message: { to: string; text: string }) => Promise<void>
}

/**
 * Accounts and sessions, by better-auth. People reach it only through the door (auth/door.ts), which says
 * which of its calls are open, to whom and how often.
 */
export function createAuth(options: {
  db: Db
  pool: Pool
  secret: string
  config: Config
  log: Log
  needs: AuthNeeds
}) {
  const { db, pool, config, log, needs } = options
  const { appUrl } = config
  const hashCode = codeHasher(options.secret)
  const { hostname } = new URL(appUrl)

  return betterAuth({
    appName: brand.name,
    baseURL: appUrl,
    basePath: '/auth/v1',
    secret: options.secret,
    // A page of this site is trusted under whatever name the site was reached by.
    trustedOrigins: (request) => {
      const host = request?.headers.get('host')
      return [...config.ssoTrustedOrigins, ...(host ? [`http://${host}`, `https://${host}`] : [])]
    },
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_level, message) => log.error({ auth: message }, 'accounts') },
    onAPIError: {
      errorURL: `${appUrl}/login`,
      // What a person did wrong is answered. What we did wrong goes past the library, which would print it with
      // whatever a statement was asked with, to where every failure is told of.
      onError: (error) => {
        if (!isAPIError(error) || databaseProblemOf(error)) throw error
        if (error.statusCode >= 500) log.error({ err: error }, 'a call of accounts failed')
      },
    },
    database: drizzleAdapter(withNamedStatements(pool), {
      provider: 'pg',
      transaction: true,
      schema: {
        user: users,
        session: sessions,
        account: identities,
        verification: verifications,
        twoFactor: twoFactors,
        passkey: passkeys,
        walletAddress: walletAddresses,
        ssoProvider: ssoProviders,
        jwks: signingKeys,
      },
    }),
    user: {
      fields: { image: 'avatarUrl' },
      additionalFields: {
        role: { type: 'string', input: false, required: false, returned: false },
      },
      changeEmail: {
        enabled: true,
        sendChangeEmailConfirmation: ({ user, newEmail, token }) =>
          needs.mail({
            kind: 'allow-email-change',
            to: user.email,
            name: user.name,
            newEmail,
            url: `${appUrl}/confirm-email?token=${token}`,
          }),
      },
    },
    session: {
      expiresIn: 30 * days,
      updateAge: 60 * minutes,
      // How recently one proved who one is, is the door's question; it knows about passwords typed again.
      freshAge: 0,
      additionalFields: {
        aal: { type: 'string', input: false, required: false },
        provenAt: { type: 'date', input: false, required: false, returned: false },
      },
    },
    account: {
      updateAccountOnSignIn: false,
      // The last way in stays, by a count of ours that knows of telephones and passkeys as well (hooks.ts).
      accountLinking: { allowDifferentEmails: true, allowUnlinkingAll: true },
    },
    verification: { storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: config.confirmsEmail,
      minPasswordLength: 6,
      maxPasswordLength: limits.password,
      password: {
        hash: hashPassword,
        verify: comparePassword,
      },
      resetPasswordTokenExpiresIn: 60 * minutes,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: async ({ user }, request) => {
        // Sessions first, which the library would end last: nothing is made by them after all that they made is gone.
        await db.transaction((transaction) => endAllSessions(transaction, user.id))
        // A link or code that came by mail proves the address as well; one that came by telephone does not.
        const byMail = !request?.url.includes('/phone-number/')
        if (byMail && !user.emailVerified) {
          await closeUnprovenAccess(db, user.id, needs.warn)
          await db.update(users).set({ emailVerified: true }).where(eq(users.id, user.id))
        }
        await needs.warn(user.id, 'password-changed')
      },
      sendResetPassword: async ({ user, token, url }) => {
        if (!(await isStillAt(db, user))) return
        await needs.mail({
          kind: 'reset-password',
          to: user.email,
          url: mailedLink(appUrl, '/reset-password', token, url),
        })
      },
    },
    emailVerification: {
      expiresIn: days,
      sendOnSignUp: false,
      autoSignInAfterVerification: false,
      sendVerificationEmail: ({ user, token, url }) =>
        needs.mail({
          kind: 'confirm-email',
          to: user.email,
          url: mailedLink(appUrl, '/confirm-email', token, url),
        }),
    },
    socialProviders: socialProviders(config.identityProviders, config.confirmsEmail),
    advanced: {
      cookiePrefix: 'thunder',
      // Otherwise the library would not look at return addresses while it is tested.
      disableOriginCheck: false,
      useSecureCookies: appUrl.startsWith('https:'),
      cookies: { relay_state: { attributes: relayStateCookie } },
      database: { generateId: false, joins: true },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    rateLimit: { enabled: false },
    databaseHooks: storedRows(db, config, needs, hashCode),
    hooks: { before: beforeCalls(db, hashCode), after: afterCalls(db, needs) },
    plugins: [
      twoStepForEveryLogin({ issuer: brand.name, loginPage: `${appUrl}/login/two-step` }),
      passkey({
        rpID: hostname,
        rpName: brand.name,
        origin: appUrl,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      }),
      magicLink({
        expiresIn: 10 * minutes,
        storeToken: 'hashed',
        sendMagicLink: ({ email, token, url }) =>
          needs.mail({
            kind: 'login-link',
            to: email,
            url: mailedLink(appUrl, '/login/link', token, url),
          }),
      }),
      emailOTP({
        otpLength: 6,
        expiresIn: 10 * minutes,
        allowedAttempts: 3,
        storeOTP: { hash: async (code) => hashCode(code) },
        sendVerificationOTP: ({ email, otp }) => needs.mail({ kind: 'code', to: email, code: otp }),
      }),
      phoneNumber({
        otpLength: 6,
        expiresIn: 10 * minutes,
        allowedAttempts: 3,
        requireVerification: true,
        phoneNumberValidator: isPhoneNumber,
        sendOTP: ({ phoneNumber: to, code }) =>
          needs.text({
            to,
            text: `${code} is your ${brand.name} code. It is good for 10 minutes.`,
          }),
        sendPasswordResetOTP: ({ phoneNumber: to, code }) =>
          needs.text({ to, text: `${code} resets your ${brand.name} password.` }),
        signUpOnVerification: {
          // An address that can never exist: the number itself stays out of what others may see.
          getTempEmail: () => `${generateRandomString(24, 'a-z', '0-9')}@phone.invalid`,
          getTempName: () => '',
        },
      }),
      siwe({
        domain: new URL(appUrl).host,
        anonymous: true,
        getNonce: async () => generateRandomString(24, 'a-z', 'A-Z', '0-9'),
        verifyMessage: async ({ message, signature, address }) =>
          hasReadableTimes(message) && isSignedByWallet(message, signature, address),
      }),
      genericOAuth({ config: oidcProviders(config.identityProviders, config.confirmsEmail) }),
      sso({ saml: { enableInResponseToValidation: true } }),
      jwt({
        disableSettingJwtHeader: true,
        jwks: { jwksPath: '/.well-known/jwks.json' },
        jwt: {
          issuer: appUrl,
          audience: appUrl,
          expirationTime: '15m',
          definePayload: ({ session }) => ({ sid: session.id, aal: session.aal }),
        },
      }),
    ],
  })
}
