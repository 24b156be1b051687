import { eq } from 'drizzle-orm'
import { lastWayIn } from '../../domains/accounts/security-words.ts'
import { signUpClosed } from '../../domains/accounts/sign-in-words.ts'
import { users } from '../../domains/accounts/tables.ts'
import { postWarning } from '../../domains/accounts/send-account-mail.ts'
import { removePasskey } from '../../domains/accounts/ways-in.ts'
import { featureOff } from '../../domains/administration/features.ts'
import { enqueue } from '../jobs.ts'
import { networkOf } from '../network-of.ts'
import { countInTurn, lookAtLimits, waitLabel } from '../rate-limits.ts'
import type { Services } from '../services.ts'
import { inTurns } from '../turns.ts'
import {
  isProven,
  sessionCookie,
  sessionCookieName,
  suspendedRefusal,
  type Viewer,
} from '../viewer.ts'
import { presented, refusal } from './answers.ts'
import { type AuthCall, BadFields, findAuthCall } from './calls.ts'
import { addressHeader } from './address-header.ts'
import { allowedAddress } from './allowing-link.ts'
import { dontRememberOf, endDontRemember, keepDontRemember } from './dont-remember.ts'
import { createKnownDevices } from './known-devices.ts'
import { recordLoginAct } from './organization-logins.ts'

/** What the door needs to know about a request. */
export interface Caller {
  visitor(): Promise<Viewer | null>
  /** The request's headers with the visitor's address in them. */
  authHeaders(): Headers
}

/** Answers every request below /auth/v1, for other programs and for our own forms alike. */
export type AuthDoor = (request: Request, caller: Caller) => Promise<Response>

const tooMany = (seconds: number) =>
  refusal(429, 'TOO_MANY_ATTEMPTS', `Too many attempts. Please try again in ${waitLabel(seconds)}.`)

const notSignedIn = () => refusal(401, 'UNAUTHORIZED', 'User must be authenticated')

function refuseAccess(call: AuthCall, visitor: Viewer | null): Response | null {
  if (call.access === 'public') return null
  // What changes an account takes the session's cookie: a token that leaked is none.
  if (!visitor || visitor.byToken) return notSignedIn()
  if (visitor.suspendedAt && !call.whileSuspended) {
    return refusal(403, suspendedRefusal.code, suspendedRefusal.message)
  }
  if (call.access === 'admin' && visitor.role !== 'admin') {
    return refusal(403, 'FORBIDDEN', 'Only administrators may do this.')
  }
  if (call.access === 'proven' && !isProven(visitor)) {
    return refusal(403, 'PROOF_NEEDED', 'Please confirm that it is you, then try again.')
  }
  return null
}

/** The object that a body holds, an empty one for an empty body, null for anything else. */
function jsonObject(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text, (_name, part: unknown) =>
      typeof part === 'string' ? part.replaceAll('\0', '').toWellFormed() : part,
    )
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const notInHeaders = /[^!-~]+/g

/**
 * Without return addresses that cannot be decoded; the library decodes them once more, and fails. With one in letters that
 * a header takes: the library leads there as it is.
 */
function readable(address: string): string {
  const url = new URL(address)
  for (const name of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
    try {
      decodeURIComponent(url.searchParams.get(name) ?? '')
    } catch {
      url.searchParams.delete(name)
    }
  }
  const returnTo = url.searchParams.get('RelayState')
  if (returnTo && returnTo.search(notInHeaders) >= 0) {
    url.searchParams.set('RelayState', returnTo.replaceAll(notInHeaders, encodeURIComponent))
  }
  return url.href
}

/** The calls that a job makes for the ones of kind `mail`, by path. */
export const mailCalls = {
  '/sign-in/magic-link': 'signInMagicLink',
  '/email-otp/send-verification-otp': 'sendVerificationOTP',
  '/phone-number/send-otp': 'sendPhoneNumberOTP',
  '/phone-number/request-password-reset': 'requestPasswordResetPhoneNumber',
  '/send-verification-email': 'sendVerificationEmail',
  '/request-password-reset': 'requestPasswordReset',
} as const

/** What each of them is for: who has many of one kind sent keeps nobody from the others. A code says it itself. */
const mailPurposes: Partial<Record<string, string>> = {
  '/sign-in/magic-link': 'sign-in',
  '/phone-number/send-otp': 'sign-in',
  '/phone-number/request-password-reset': 'forget-password',
  '/send-verification-email': 'email-verification',
  '/request-password-reset': 'forget-password',
}

/**
 * Use up what came by mail. A link on another site would sign its visitors in, as whom it likes, or confirm addresses
 * with their session. Our pages ask in their name, when a button is pressed.
 */
const mailedTokens = new Set(['/magic-link/verify', '/verify-email'])

/** Letters of an address or a number by which guesses are counted. */
const longestReceiver = 320

/** Links lead on, wrong ones too, but without a cookie. What fails on our side was no guess. */
function isWrong({ status, headers }: Response): boolean {
  if (status >= 400) return status < 500
  return status >= 300 && headers.getSetCookie().length === 0
}

export function createAuthDoor(services: Omit<Services, 'callAuth' | 'publicReads'>): AuthDoor {
  const { auth, config, db, features, pool, rateLimits, secret } = services
  const turnsOfAccount = inTurns(1)
  const turnsOfAddress = inTurns(4)
  const secure = config.appUrl.startsWith('https:')
  const devices = createKnownDevices({ secret, secure })

  /**
   * The library must act for the person whose access was looked at, and for nobody else whom an odd cookie
   * header also names (a second cookie of the name, quotes, a space before the sign).
   */
  function keepSessionOf(visitor: Viewer | null, headers: Headers): void {
    const name = sessionCookieName(secure)
    const cookie = visitor && !visitor.byToken ? sessionCookie(headers, secure) : null
    const others = (headers.get('cookie') ?? '')
      .split(';')
      .filter((part) => part.split('=')[0]?.trim() !== name)
    headers.set('cookie', [...others, ...(cookie ? [`${name}=${cookie}`] : [])].join(';'))
  }

  async function callLibrary(
    call: AuthCall,
    request: Request,
    caller: Caller,
    body?: unknown,
  ): Promise<Response> {
    const headers = new Headers(caller.authHeaders())
    // The app has refused foreign origins already; programs other than browsers send none.
    if (!headers.has('origin')) headers.set('origin', config.appUrl)
    if (call.access !== 'public') keepSessionOf(await caller.visitor(), headers)
    headers.delete('content-length')
    const raw = body instanceof ArrayBuffer
    const chosen = dontRememberOf({ path: call.path, body }, { secret, secure })
    chosen.ask(headers)
    if (body !== undefined && !raw) headers.set('content-type', 'application/json')
    const response = await auth.handler(
      new Request(readable(request.url), {
        method: request.method,
        headers,
        ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
      }),
    )
    const answer = await presented(response, new URL(request.url).pathname, config.appUrl)
    if (call.path.startsWith('/two-factor/verify-')) keepDontRemember(answer.headers, secure)
    chosen.end(caller.authHeaders(), answer.headers)
    return answer
  }

  /** One attempt at a password: in line, refused when there were too many wrong ones, counted when wrong. */
  async function attempt(
    caller: Caller,
    { account, lasting }: { account: string; lasting: boolean },
    tryIt: () => Promise<Response>,
  ): Promise<Response> {
    const address = networkOf(caller.authHeaders().get(addressHeader))
    const device = devices.find(caller.authHeaders(), account)
    const limits = device
      ? // With the account, so that an operator finds what keeps somebody out.
        [{ limit: rateLimits.loginByDevice, key: `${account} ${device}` }]
      : [
          { limit: rateLimits.loginByAccountAndAddress, key: `${account} ${address}` },
          { limit: rateLimits.loginByAccount, key: account },
          { limit: rateLimits.loginByAddress, key: address },
        ]
    const accountDone = await turnsOfAccount.take(device ?? account)
    const addressDone = await turnsOfAddress.take(address)
    try {
      const looks = await lookAtLimits(pool, limits)
      const wait = Math.max(...looks.map(({ seconds }) => seconds))
      if (wait > 0) return tooMany(wait)
      const response = await tryIt()
      if (response.status === 401 || response.status === 400) {
        await Promise.all(limits.map(({ limit, key }) => limit.count(key)))
      } else if (response.ok) {
        if (looks[0]?.isCounted) await limits[0]?.limit.forget(limits[0].key)
        if (!device) devices.remember(response.headers, account, lasting)
      }
      return response
    } finally {
      addressDone()
      accountDone()
    }
  }

  /**
   * One attempt at a code, a token or a signature. It is counted before, so that many at once are no more than one after
   * the other, and given back when it was right: an office or a class comes in behind one address.
   */
  async function guess(
    caller: Caller,
    tryIt: () => Promise<Response>,
    receiver?: unknown,
  ): Promise<Response> {
    const address = networkOf(caller.authHeaders().get(addressHeader))
    const counted = [{ limit: rateLimits.codesByAddress, key: address }]
    // Three wrong ones end a code, whoever tried: a stranger who goes on would keep its owner out.
    if (typeof receiver === 'string') {
      const key = `${receiver.slice(0, longestReceiver).toLowerCase()} ${address}`
      counted.push({ limit: rateLimits.codesByReceiverAndAddress, key })
    }
    const seconds = await countInTurn(counted)
    if (seconds > 0) return tooMany(seconds)
    const response = await tryIt()
    if (!isWrong(response)) {
      await Promise.all(counted.map(({ limit, key }) => limit.giveBack(key)))
    }
    return response
  }

  function refuseNewcomers(): Response | null {
    if (!config.signUpOpen) return refusal(403, 'SIGNUP_CLOSED', signUpClosed)
    const off = features.off.sign_up
    return off ? refusal(403, featureOff, off) : null
  }

  async function signUp(
    call: AuthCall,
    request: Request,
    caller: Caller,
    body: Record<string, unknown>,
  ) {
    const email = String(body.email ?? body.newEmail)
    const address = networkOf(caller.authHeaders().get(addressHeader))
    const seconds = await countInTurn([
      { limit: rateLimits.signUpByAddress, key: address },
      { limit: rateLimits.signUpByAccount, key: email },
    ])
    if (seconds > 0) return tooMany(seconds)
    // The library would answer as if all were well; sign-up's own sentence is specified (spec 1, section 8).
    const taken = async () =>
      (await db.select({ id: users.id }).from(users).where(eq(users.email, email))).length > 0
    const refuseTaken = () =>
      refusal(
        422,
        'USER_ALREADY_EXISTS',
        'An account with this email already exists. Please try logging in instead.',
      )
    const done = await turnsOfAccount.take(`sign-up ${email}`)
    try {
      const isNewcomer = body.newEmail === undefined
      // A closed door tells nothing about who is inside; the library would.
      const closed = isNewcomer && refuseNewcomers()
      if (closed) return closed
      if (isNewcomer && (await taken())) return refuseTaken()
      const response = await callLibrary(call, request, caller, body)
      // Of two sign-ups with one address at once, on two nodes, the loser finds the account.
      if (!response.ok && isNewcomer && (await taken())) return refuseTaken()
      return response
    } finally {
      done()
    }
  }

  /** The limits of mails and messages of one kind to one receiver. */
  const limitsOf = (recipient: string, purpose: string, address: string) => [
    { limit: rateLimits.mailByRecipientAndAddress, key: `${recipient} ${purpose} ${address}` },
    { limit: rateLimits.mailByRecipient, key: `${recipient} ${purpose}` },
  ]

  /** A link that allows a new address is good for a day, and has a mail sent there each time that it is followed. */
  async function refuseManyAllowed(url: string, caller: Caller): Promise<Response | null> {
    const recipient = await allowedAddress(new URL(url).searchParams.get('token') ?? '', secret)
    if (!recipient) return null
    const address = networkOf(caller.authHeaders().get(addressHeader))
    const seconds = await countInTurn(limitsOf(recipient, 'email-change', address))
    return seconds > 0 ? tooMany(seconds) : null
  }

  async function ask(call: AuthCall, caller: Caller, body: Record<string, unknown>) {
    const address = networkOf(caller.authHeaders().get(addressHeader))
    const recipient = String(body.email ?? body.phoneNumber)
    const purpose = mailPurposes[call.path] ?? String(body.type)
    const device = devices.find(caller.authHeaders(), recipient)
    const seconds = await countInTurn(
      device
        ? [{ limit: rateLimits.mailByDevice, key: `${recipient} ${purpose} ${device}` }]
        : [
            { limit: rateLimits.mailByAddress, key: address },
            ...limitsOf(recipient, purpose, address),
          ],
    )
    if (seconds > 0) return tooMany(seconds)
    await enqueue(db, 'askForMail', { path: call.path, body })
    return Response.json({ status: true })
  }

  async function withoutPasskey(remover: Viewer | null, passkeyId: string): Promise<Response> {
    if (!remover) return notSignedIn()
    const removal = await db.transaction(async (transaction) => {
      const done = await removePasskey(transaction, { remover, passkeyId })
      if (done === 'removed') await postWarning(transaction, secret, remover.id, 'passkey-removed')
      return done
    })
    if (removal === 'signed out') return notSignedIn()
    if (removal === 'not there') return refusal(404, 'PASSKEY_NOT_FOUND', 'Passkey not found')
    return removal === 'last'
      ? refusal(409, 'LAST_WAY_IN', lastWayIn.passkey)
      : Response.json({ status: true })
  }

  async function accountOf(body: Record<string, unknown>, caller: Caller): Promise<string> {
    const typed = body.email ?? body.phoneNumber
    if (typeof typed === 'string') return typed.slice(0, 254)
    return (await caller.visitor())?.email ?? 'nobody'
  }

  return async (request, caller) => {
    const path = new URL(request.url).pathname.replace(/^\/auth\/v1/, '')
    const found = findAuthCall(request.method, path)
    if (!found) return refusal(404, 'NOT_FOUND', 'There is no such call.')
    // No text with a NUL can be looked up in the database.
    if (request.url.includes('%00')) {
      return refusal(400, 'BAD_REQUEST', 'This address has a character that it may not have.')
    }
    let call = found
    if (call.access !== 'public') {
      const refused = refuseAccess(call, await caller.visitor())
      if (refused) return refused
    }
    const from = request.headers.get('sec-fetch-site')
    if (mailedTokens.has(path) && from !== null && from !== 'same-origin') {
      return refusal(403, 'FOREIGN_ORIGIN', 'This request came from another site.')
    }
    if (request.method === 'GET') {
      const refused = path === '/verify-email' && (await refuseManyAllowed(request.url, caller))
      if (refused) return refused
      const verify = () => callLibrary(call, request, caller)
      return call.kind === 'code' ? guess(caller, verify) : verify()
    }
    // Identity providers send people back with a form.
    if (path.startsWith('/sso/saml2/sp/acs/')) {
      return callLibrary(call, request, caller, await request.arrayBuffer())
    }
    const sent = jsonObject(await request.text())
    if (!sent) return refusal(400, 'BAD_REQUEST', 'The body must be a JSON object.')
    let body = sent
    try {
      body = call.read?.(sent) ?? sent
    } catch (error) {
      if (error instanceof BadFields) return refusal(400, 'BAD_REQUEST', error.message)
      throw error
    }
    if (call.provenIf?.(body)) {
      call = { ...call, access: 'proven' }
      const refused = refuseAccess(call, await caller.visitor())
      if (refused) return refused
    }
    // The library would remove the last way in as well.
    if (path === '/passkey/delete-passkey') {
      return withoutPasskey(await caller.visitor(), String(body.id))
    }
    if (call.kind === 'mail') return ask(call, caller, body)
    if (call.kind === 'signUp') return signUp(call, request, caller, body)
    if (call.kind === 'code' || call.guessIf?.(body)) {
      const receiver = body.email ?? body.phoneNumber
      return guess(caller, () => callLibrary(call, request, caller, body), receiver)
    }
    if (call.kind === 'beginning') {
      const address = networkOf(caller.authHeaders().get(addressHeader))
      const seconds = await rateLimits.beginningsByAddress.count(address)
      if (seconds > 0) return tooMany(seconds)
    }
    if (call.kind === 'login') {
      const account = await accountOf(body, caller)
      const lasting = body.rememberMe === true
      const response = await attempt(caller, { account, lasting }, () =>
        callLibrary(call, request, caller, body),
      )
      if (lasting && response.ok) endDontRemember(caller.authHeaders(), response.headers, secure)
      return response
    }
    const response = await callLibrary(call, request, caller, body)
    if (call.access === 'admin' && response.ok) {
      await recordLoginAct(db, { path, body, actorId: (await caller.visitor())?.id ?? '' })
    }
    return response
  }
}
