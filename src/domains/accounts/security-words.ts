// What people read under Account & Security when the server, the browser or another service refuses.
import type { AuthAnswer } from './auth-calls-of.ts'

type Refusal = Pick<AuthAnswer, 'code' | 'message'>

/** Refused by the person: there is nothing to say. */
export const canceled: Refusal = { code: 'CANCELED', message: '' }

/** Why the only way to log in is not removed. */
export const lastWayIn = {
  passkey:
    'This is your only way to log in, so it stays. Add an email address first, then remove it.',
  telephone:
    'This is your only way to log in, so it stays. Add an email address or a passkey first, then remove it.',
}

const outdated = 'This has changed in the meantime. Please load the page again.'

const words = new Map(
  Object.entries({
    CANCELED: '',
    UNAUTHORIZED: 'You are no longer logged in. Please log in again.',
    INVALID_TWO_FACTOR_COOKIE: 'You are no longer logged in. Please log in again.',
    INVALID_PASSWORD: 'The password is not correct. Please try again.',
    INVALID_CODE:
      'This code is not correct. Please type the one that your app shows now; each works once.',
    TOTP_ALREADY_ENABLED: outdated,
    TOTP_NOT_ENABLED: outdated,
    TWO_FACTOR_NOT_ENABLED: outdated,
    PASSKEY_NOT_FOUND: outdated,
    ACCOUNT_NOT_FOUND: outdated,
    FAILED_TO_UNLINK_LAST_ACCOUNT:
      'This is your only way to log in, so it stays. Set a password first, then disconnect it.',
    PROVIDER_NOT_FOUND: 'This service cannot be connected here.',
    CHALLENGE_NOT_FOUND: 'That took too long. Please try again.',
    FAILED_TO_VERIFY_REGISTRATION: 'The passkey was not accepted. Please try again.',
  }),
)

/** Of a call under /auth/v1; empty when there is nothing to say. */
export function securityRefusal({ code, message }: Refusal): string {
  if (message === 'Email is the same') return 'This is your email address already.'
  return words.get(code) ?? (message || 'This did not work. Please try again.')
}

/** What is said of a change of password when nothing better is known (spec 2, section 5). */
export const passwordChangeFailed = 'Failed to change password'

/** Of a change of password (spec 2, section 5). */
export function passwordRefusal(refusal: Refusal): string {
  switch (refusal.code) {
    case 'INVALID_PASSWORD':
      return 'The current password is not correct. Please try again.'
    case 'CREDENTIAL_ACCOUNT_NOT_FOUND':
      return 'Your account has no password yet.'
    default:
      return refusal.message || passwordChangeFailed
  }
}

const connecting = new Map(
  Object.entries({
    access_denied: 'You canceled at the other service, so nothing was connected.',
    account_already_linked_to_different_user:
      'That account is connected to another account here, so it was not connected to yours.',
    unable_to_link_account:
      'The other service has not confirmed the email address of that account, so it was not connected.',
    state_mismatch: 'That took too long, or was begun in another browser. Please try again.',
    state_not_found: 'That took too long, or was begun in another browser. Please try again.',
  }),
)

/** Why another service sent somebody back unconnected: the `error` in the address. */
export function connectRefusal(code: string | null): string {
  if (!code) return ''
  return connecting.get(code.toLowerCase()) ?? 'The account was not connected. Please try again.'
}
