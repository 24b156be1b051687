// What people read when signing up or in was refused (spec 1, section 8).
import { featureOff, offSentence } from '../administration/features.ts'
import type { AuthAnswer } from './auth-calls-of.ts'

type Refusal = Pick<AuthAnswer, 'code' | 'message'>

export const signUpFailed = 'Failed to create account. Please try again.'
export const logInFailed = 'Login failed. Please try again.'
export const unreachable =
  'We could not reach the server. Please check your connection and try again.'

export const signUpClosed = 'Account creation is currently restricted. Please contact support.'

const invalidEmail = /Email address.*invalid/i

export function signUpRefusal({ status, code, message }: Refusal & { status: number }): string {
  if (code.startsWith('USER_ALREADY_EXISTS')) {
    return 'An account with this email already exists. Please try logging in instead.'
  }
  if (code === 'PASSWORD_TOO_SHORT') return 'Password must be at least 6 characters long.'
  if (code === 'INVALID_EMAIL') return 'Please enter a valid email address.'
  if (invalidEmail.test(message)) {
    return 'Please enter a valid email address. Make sure it follows the standard email format.'
  }
  // The library says the latter of a database that fails.
  if (status >= 500 || code === 'FAILED_TO_CREATE_USER') {
    return 'There was a temporary issue creating your account. Please try again in a moment.'
  }
  return message || signUpFailed
}

/** The field of the form that a refusal is about; null where none is at fault. */
export function signUpRefusedField({ code, message }: Refusal): 'email' | 'password' | null {
  if (code === 'PASSWORD_TOO_SHORT') return 'password'
  const isAboutEmail =
    code.startsWith('USER_ALREADY_EXISTS') || code === 'INVALID_EMAIL' || invalidEmail.test(message)
  return isAboutEmail ? 'email' : null
}

export function logInRefusal({ code, message }: Refusal): string {
  if (code === 'INVALID_EMAIL_OR_PASSWORD' || code === 'INVALID_EMAIL') {
    return 'Invalid email or password. Please check your credentials and try again.'
  }
  if (code === 'EMAIL_NOT_VERIFIED') {
    return 'Please check your email and click the confirmation link before signing in.'
  }
  return message || logInFailed
}

/** Of the second step; `null` when the log-in has to start anew. */
export function twoStepRefusal({ code, message }: Refusal): string | null {
  switch (code) {
    case 'INVALID_CODE':
      return 'Invalid code. Please type the code that your app shows now; each one works once.'
    case 'INVALID_BACKUP_CODE':
      return 'Invalid backup code. Please check it; each one works once.'
    case 'ACCOUNT_TEMPORARILY_LOCKED':
      return 'There were too many wrong codes. Please wait 15 minutes, then try again.'
    case 'INVALID_TWO_FACTOR_COOKIE':
    case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
      return null
    default:
      return message || logInFailed
  }
}

/** What says nothing about what was tried: it may be good, and is tried again. */
const notLookedAt = new Set(['TOO_MANY_ATTEMPTS', 'SERVICE_UNAVAILABLE', 'INTERNAL_SERVER_ERROR'])

export function passkeyRefusal({ code, message }: Refusal): string {
  if (notLookedAt.has(code)) return message
  switch (code) {
    case 'PASSKEY_NOT_FOUND':
      return 'This passkey is not known here. It may have been removed from your account.'
    case 'CHALLENGE_NOT_FOUND':
      return 'That took too long. Please try again.'
    case 'USER_NOT_VERIFIED':
      return message
    default:
      return 'Your passkey was not accepted. Please try again, or log in another way.'
  }
}

const again = 'Please try again, or log in another way.'
const interrupted = 'That took too long, or was begun in another browser. Please try again.'
const unavailable = `This way to log in is not available. ${again}`

/** Why a page sent somebody back to /login: the codes of identity providers, and our own. */
const returns: Record<string, string> = {
  access_denied: 'The log-in was cancelled at the other service.',
  account_not_linked:
    'There is an account with this email address already. Log in to it as you always do, then connect the other service in your settings.',
  // Nobody can connect an organisation's log-in to an account that is there.
  organization_not_linked:
    'There is an account with this email address already, and your organization’s log-in cannot be connected to it. Log in with a link by email, or with your password.',
  account_already_linked_to_different_user:
    'This login of the other service belongs to another account here.',
  unable_to_link_account: `Your account could not be connected to the other service. ${again}`,
  email_does_not_match: 'The other service gave a different email address than your account has.',
  email_not_found: `The other service gave no email address, and an account needs one. ${again}`,
  email_not_verified: 'Please check your email and click the confirmation link before signing in.',
  state_mismatch: interrupted,
  state_not_found: interrupted,
  state_invalid: interrupted,
  invalid_state: interrupted,
  signup_closed: signUpClosed,
  feature_off: offSentence('sign_up'),
  signup_disabled: signUpClosed,
  provider_not_found: unavailable,
  oauth_provider_not_found: unavailable,
  too_many_attempts:
    'There were too many attempts from here. Please wait a few minutes, then try again.',
  service_unavailable: 'We could not reach our database. Please try again in a moment.',
  'two-step-ended': 'That took too long, or there were too many wrong codes. Please log in again.',
}

const codeOf = (error: string) => error.toLowerCase().replaceAll(' ', '_')

/** For the `error` that /login was opened with: whether another link to confirm the address helps. */
export const waitsForConfirmation = (error: string | null): boolean =>
  error !== null && codeOf(error) === 'email_not_verified'

/** For the `error` that /login was opened with. */
export function returnReason(code: string | null): string | null {
  if (!code) return null
  const known = codeOf(code)
  const reason = Object.hasOwn(returns, known) ? returns[known] : null
  return reason ?? `Logging in with the other service did not work. ${again}`
}

/** Of a link or token that was mailed. */
export function linkRefusal({ code, message }: Refusal): string {
  if (code === 'SIGNUP_CLOSED') return signUpClosed
  if (code === featureOff) return message
  if (code === 'INVALID_USER') {
    return 'This link belongs to another account. Please log out, then open it again.'
  }
  if (code.startsWith('USER_ALREADY_EXISTS')) {
    return 'Another account has this email address by now, so yours was not changed.'
  }
  if (notLookedAt.has(code)) return message
  return 'This link does not work any more: it was used already, it is too old, or a part of it is missing.'
}
