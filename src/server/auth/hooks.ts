import { createHash } from 'node:crypto'
import type { BetterAuthOptions } from 'better-auth'
import {
  APIError,
  createAuthMiddleware,
  getOAuthState,
  getSessionFromCtx,
  isAPIError,
} from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import { eq, sql } from 'drizzle-orm'
import { decodeJwt, errors } from 'jose'
import { endSessionOfToken } from '../../domains/accounts/end-session.ts'
import { hasMailbox } from '../../domains/accounts/shown-email.ts'
import { displayNameOf } from '../../domains/accounts/rules.ts'
import { signUpClosed } from '../../domains/accounts/sign-in-words.ts'
import { sessions, usedCodes } from '../../domains/accounts/tables.ts'
import { removeIdentity } from '../../domains/accounts/ways-in.ts'
import { featureOff } from '../../domains/administration/features.ts'
import { tellProviderOf } from '../../domains/payments/customer-facts.ts'
import type { Config } from '../config.ts'
import type { Db, Executor } from '../db.ts'
import {
  beginAddressChange,
  beginSecondStep,
  forgetBegun,
  forgetBegunAt,
  formerAddress,
  isForgottenChange,
} from './begun-before.ts'
import { refuseClosedWayIn } from './closed-way-in.ts'
import {
  refuseBeginningOfEnded,
  loginOfSecondStep,
  refuseForgottenLogin,
  refuseIdentityOfEnded,
  refuseSecondStepOfEnded,
  refuseWayInOfEnded,
  signedOut,
} from './ended-session.ts'
import { asRegistrarOfAll } from './organization-logins.ts'
import {
  refuseOutdatedBeginning,
  refuseOutdatedPassword,
  storeChangedPassword,
} from './outdated-password.ts'
import { refuseForeignAnswer } from './relay-state.ts'
import { comparedPhoneCode, type HashCode, storedPhoneCode } from './stored-codes.ts'
import { refuseUnknownPerson } from './unknown-person.ts'
import { closeUnprovenAccess } from './unproven-access.ts'
import { isKnownWallet } from './wallets.ts'

/** Something about an account's safety that its owner should hear of, wherever it came from. */
export type SecurityEvent =
  | 'password-changed'
  | 'password-removed'
  | 'ways-in-removed'
  | 'two-step-on'
  | 'two-step-off'
  | 'passkey-added'
  | 'passkey-removed'
  | 'identity-linked'
  | 'identity-removed'
  | 'telephone-connected'
  | 'telephone-removed'
  | 'token-made'
  | 'token-revoked'
  | 'webhook-added'
  | 'webhook-moved'

export interface AccountEvents {
  /** A new account that may be used at once. */
  welcome: (userId: string) => Promise<void>
  /** A new account whose email address has to be confirmed first. */
  /** `to`: the page that the person wanted. */
  askToConfirm: (email: string, to?: string) => Promise<void>
  /** Tells the owner by mail; within a transaction, if and only if it is committed. */
  warn: (userId: string, event: SecurityEvent, executor?: Executor) => Promise<void>
  /** The account has another address now: tells its former one. */
  addressChanged: (former: { to: string; name: string }) => Promise<void>
  /** A session is over: who watches with it is told nothing more. */
  sessionEnded: (sessionId: string) => Promise<void>
  /** What people are told while administrators have switched sign-up off; null while it is on. */
  whySignUpIsOff: () => string | null
}

const refuseNewcomer = (code: string, message: string) =>
  new APIError('FORBIDDEN', { code, message })

/** In the library's words; pages have others (security-words.ts). */
const whyNotUnlinked = {
  last: { code: 'FAILED_TO_UNLINK_LAST_ACCOUNT', message: "You can't unlink your last account" },
  'not there': { code: 'ACCOUNT_NOT_FOUND', message: 'Account not found' },
}

/** Log-ins that prove an address by mail. */
const provesByMail = new Set(['/magic-link/verify', '/sign-in/email-otp'])

/** Calls that write another name or address to the account. */
const renamedBy = new Set(['/update-user', '/verify-email'])

const secondFactors = /^\/(two-factor\/verify-|passkey\/verify-authentication)/

/** A new session is as sure of its person as what opened it; a changed password takes nothing away. */
const aalOf = (path = '', before?: unknown) =>
  secondFactors.test(path) || (path === '/change-password' && before === 'aal2') ? 'aal2' : 'aal1'

type RowContext = { path?: string; query?: { token?: unknown } } | null | undefined

const addressExchanged = (context: RowContext, address: unknown) =>
  context?.path === '/verify-email' ? formerAddress(context.query?.token, address) : null

/** Where whoever signs up wanted to go: said with the call, or with the question to another service they come back from. */
async function wantedPage(
  context: { path?: string; body?: { callbackURL?: string } } | null,
  appUrl: string,
): Promise<string | undefined> {
  const comesBack = context?.path === '/callback/:id' || context?.path?.startsWith('/sso/callback')
  const wanted = comesBack ? (await getOAuthState())?.callbackURL : context?.body?.callbackURL
  const page = wanted ? URL.parse(wanted, appUrl) : null
  return page?.origin === new URL(appUrl).origin
    ? page.pathname + page.search + page.hash
    : undefined
}

const thirtyDays = 30 * 24 * 60 * 60 * 1000

/** Takes the other service's tokens out of a change; one that has none stays as it is. */
const noTokens = (change: object) =>
  Object.fromEntries(
    ['accessToken', 'refreshToken', 'idToken']
      .filter((name) => name in change)
      .map((name) => [name, null]),
  )

/** What is decided about rows before they are stored, and what follows from them. */
export function storedRows(
  db: Db,
  config: Config,
  events: AccountEvents,
  hashCode: HashCode,
): NonNullable<BetterAuthOptions['databaseHooks']> {
  const signingUp = new WeakSet<object>()
  return {
    verification: {
      create: {
        before: async (row, context) => ({
          data: { ...row, value: storedPhoneCode(context?.path, row.value, hashCode) },
        }),
        after: async (row, context) => {
          await refuseBeginningOfEnded(db, row, context)
          await refuseOutdatedBeginning(db, row, context)
        },
      },
    },
    user: {
      create: {
        before: async (user, context) => {
          if (!config.signUpOpen) throw refuseNewcomer('SIGNUP_CLOSED', signUpClosed)
          const off = events.whySignUpIsOff()
          if (off) throw refuseNewcomer(featureOff, off)
          if (context) signingUp.add(context)
          // A wallet is nobody's business: whoever knows its address can see what is in it. And pictures
          // of other sites would tell those sites who is looked at.
          const given = context?.path === '/siwe/verify' ? '' : user.name
          return { data: { ...user, name: displayNameOf(given), image: null } }
        },
        after: async (user, context) => {
          const confirms = config.confirmsEmail && !user.emailVerified && hasMailbox(user.email)
          await (confirms
            ? events.askToConfirm(user.email, await wantedPage(context, config.appUrl))
            : events.welcome(user.id))
        },
      },
      update: {
        // Before as well as after: where this process dies in between, the former mailbox has no good link either.
        before: async (user, context) => {
          const former = addressExchanged(context, user.email)
          if (former) await forgetBegunAt(db, former)
        },
        // In these calls only an address that nobody had proved before is written to the account.
        after: async (user, context) => {
          if (provesByMail.has(context?.path ?? '')) {
            await closeUnprovenAccess(db, user.id, events.warn)
          }
          if (renamedBy.has(context?.path ?? '')) await tellProviderOf(db, user.id)
          const former = addressExchanged(context, user.email)
          if (!former) return
          await forgetBegun(db, user.id)
          if (hasMailbox(former)) await events.addressChanged({ to: former, name: user.name })
        },
      },
    },
    account: {
      update: {
        before: async (account, context) => {
          if (await storeChangedPassword(db, account, context)) return false
          return { data: { ...account, ...noTokens(account) } }
        },
      },
      create: {
        before: async (account) => {
          if (account.providerId === 'siwe' && (await isKnownWallet(db, account.accountId))) {
            return false
          }
          // Nothing here acts for the person at the other service, so its tokens are not kept.
          return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } }
        },
        after: async (account, context) => {
          if (account.providerId === 'credential' || (context && signingUp.has(context))) return
          await refuseIdentityOfEnded(db, account, context)
          await events.warn(account.userId, 'identity-linked')
        },
      },
      delete: {
        before: async (account, context) => {
          if (context?.path !== '/unlink-account') return true
          const session = context.context.session?.session
          if (!session) throw signedOut()
          const remover = { id: account.userId, sessionId: session.id }
          const removal = await db.transaction(async (transaction) => {
            const done = await removeIdentity(transaction, remover, account)
            if (done === 'removed') {
              await events.warn(account.userId, 'identity-removed', transaction)
            }
            return done
          })
          if (removal === 'signed out') throw signedOut()
          if (removal !== 'removed') throw new APIError('BAD_REQUEST', whyNotUnlinked[removal])
          // The library has nothing more to do.
          return false
        },
        after: async (account, context) => {
          // A mailed link or code proved the address of an account that had never confirmed it: what
          // somebody else may have set up before is gone, and its owner hears of it.
          if (provesByMail.has(context?.path ?? '') && account.providerId === 'credential') {
            await events.warn(account.userId, 'password-removed')
          }
        },
      },
    },
    session: {
      create: {
        before: async (session, context) => ({
          data: {
            ...session,
            // Also without 'remember me': then the browser forgets its cookie, not the server the session.
            expiresAt: new Date(Date.now() + thirtyDays),
            aal: aalOf(context?.path, context?.context.session?.session.aal),
            provenAt: new Date(),
          },
        }),
        // Who logs in anew where somebody was signed in leaves no session behind that no browser has.
        after: async (session, context) => {
          await refuseOutdatedPassword(db, session, context)
          await refuseClosedWayIn(db, session, context)
          await refuseSecondStepOfEnded(db, session, context)
          await refuseForgottenLogin(db, session, context)
          if (!context || context.path === '/verify-email') return
          const { authCookies, internalAdapter, secret } = context.context
          const earlier = await context.getSignedCookie(authCookies.sessionToken.name, secret)
          if (earlier && earlier !== session.token) await internalAdapter.deleteSession(earlier)
        },
      },
      delete: { after: (session) => events.sessionEnded(session.id) },
    },
  }
}

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** Whose second step this is: of the signed-in person, or of the log-in under way, which its cookie names. */
async function secondStepOf(
  context: HookContext,
): Promise<{ userId: string; login: string | null } | null> {
  const session = await getSessionFromCtx(context)
  if (session) return { userId: session.user.id, login: null }
  const login = await loginOfSecondStep(context)
  if (!login) return null
  const pending = await context.context.internalAdapter.findVerificationValue(login)
  return pending ? { userId: pending.value, login } : null
}

/** Seconds in which a code of an authenticator app could be accepted, with some more. */
const codeLifetime = 120

/** Counts each code of an authenticator once; two requests at the same moment cannot both use it. */
async function claimCode(db: Db, userId: string, code: string): Promise<boolean> {
  const codeHash = createHash('sha256').update(`${userId} ${code}`).digest('base64url')
  const { rowCount } = await db.execute(sql`
    insert into used_codes (user_id, code_hash) values (${userId}, ${codeHash})
    on conflict (user_id, code_hash) do update set used_at = now()
     where used_codes.used_at < now() - make_interval(secs => ${codeLifetime})`)
  return rowCount === 1
}

/** The flag that an authenticator sets, and signs, when it has checked its owner (WebAuthn, section 6.1). */
function checkedItsOwner(body: unknown): boolean {
  const response = (body as { response?: { response?: { authenticatorData?: unknown } } })?.response
  const data = response?.response?.authenticatorData
  return typeof data === 'string' && ((Buffer.from(data, 'base64url')[32] ?? 0) & 4) !== 0
}

/** An ID token that carries a nonce is good only with it: whoever found the token alone cannot use it. */
function lacksItsNonce(body: unknown): boolean {
  const idToken = (body as { idToken?: { token?: unknown; nonce?: unknown } } | undefined)?.idToken
  if (typeof idToken?.token !== 'string' || idToken.nonce) return false
  try {
    return decodeJwt(idToken.token).nonce !== undefined
  } catch (error) {
    if (error instanceof errors.JOSEError) return false
    throw error
  }
}

/** The library would answer that it is done, and take the cookie away, also when the session could not be deleted. */
async function endOwnSession(db: Db, context: HookContext): Promise<void> {
  const { authCookies, secret } = context.context
  const token = await context.getSignedCookie(authCookies.sessionToken.name, secret)
  if (token) await db.transaction((transaction) => endSessionOfToken(transaction, token))
}

export function beforeCalls(db: Db, hashCode: HashCode) {
  return createAuthMiddleware(async (context) => {
    const body = comparedPhoneCode(context.path, context.body, hashCode)
    if (body) return { context: { body } }
    await refuseForeignAnswer(db, context)
    if (context.path === '/sign-out') await endOwnSession(db, context)
    const asRegistrar = await asRegistrarOfAll(context)
    if (asRegistrar) return { context: asRegistrar }
    await refuseUnknownPerson(db, context, context.context.password.hash)
    if (context.path === '/passkey/verify-authentication' && !checkedItsOwner(context.body)) {
      throw new APIError('UNAUTHORIZED', {
        code: 'USER_NOT_VERIFIED',
        message: 'Your device did not check that it is you. Please unlock it and try again.',
      })
    }
    if (lacksItsNonce(context.body)) {
      throw new APIError('UNAUTHORIZED', { code: 'INVALID_TOKEN', message: 'Invalid token' })
    }
    if (context.path === '/change-email') {
      const session = await getSessionFromCtx(context)
      if (session) await beginAddressChange(db, session.user.id)
    }
    if (context.path === '/verify-email' && (await isForgottenChange(db, context.query?.token))) {
      throw new APIError('UNAUTHORIZED', { code: 'INVALID_TOKEN', message: 'Invalid token' })
    }
    if (!context.path?.startsWith('/two-factor/verify-')) return undefined
    const step = await secondStepOf(context)
    if (step?.login) await beginSecondStep(db, { userId: step.userId, login: step.login })
    if (context.path !== '/two-factor/verify-totp') return undefined
    const code: unknown = context.body?.code
    if (typeof code !== 'string' || !/^\d{6}$/.test(code)) return undefined
    if (step && !(await claimCode(db, step.userId, code))) {
      throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' })
    }
    return undefined
  })
}

const eventsOfCalls: Partial<Record<string, SecurityEvent>> = {
  '/change-password': 'password-changed',
  '/two-factor/disable': 'two-step-off',
  '/passkey/verify-registration': 'passkey-added',
}

/**
 * Confirming a changed address logs nobody in: the library would, without the second step, and the
 * mailbox may be a stranger's when the address was mistyped.
 */
async function endSessionOfConfirmation(context: HookContext): Promise<void> {
  const opened = context.context.newSession
  if (!opened || (await getSessionFromCtx(context))) return
  await context.context.internalAdapter.deleteSession(opened.session.token)
  deleteSessionCookie(context, true)
  context.context.setNewSession(null)
}

export function afterCalls(db: Db, events: AccountEvents) {
  return createAuthMiddleware(async (context) => {
    if (context.path === '/verify-email') await endSessionOfConfirmation(context)
    if (isAPIError(context.context.returned)) return
    await refuseWayInOfEnded(db, context, context.context.returned)
    const session = context.context.session
    if (context.path === '/verify-password' && session) {
      await db
        .update(sessions)
        .set({ provenAt: sql`now()` })
        .where(eq(sessions.id, session.session.id))
    }
    const event = eventsOfCalls[context.path ?? '']
    if (event && session) {
      if (event === 'two-step-off') await forgetBegun(db, session.user.id)
      await events.warn(session.user.id, event)
    }
    if (context.path === '/phone-number/verify' && session && context.body?.updatePhoneNumber) {
      await events.warn(session.user.id, 'telephone-connected')
    }
    if (context.path === '/two-factor/verify-totp' && session && !session.user.twoFactorEnabled) {
      await events.warn(session.user.id, 'two-step-on')
    }
  })
}

/** For the clean-up job. */
export const forgetUsedCodes = (db: Db) =>
  db
    .delete(usedCodes)
    .where(sql`${usedCodes.usedAt} < now() - make_interval(secs => ${codeLifetime})`)
