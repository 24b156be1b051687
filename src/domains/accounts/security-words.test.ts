import { describe, expect, test } from 'vitest'
import { deviceRefusal } from './passkey-words.ts'
import { canceled, connectRefusal, passwordRefusal, securityRefusal } from './security-words.ts'

describe('what people read when something is refused', () => {
  test.each([
    [{ code: 'INVALID_PASSWORD', message: 'Invalid password' }, /password is not correct/],
    [{ code: 'FAILED_TO_UNLINK_LAST_ACCOUNT', message: '' }, /only way to log in/],
    [{ code: 'EMAIL_IS_THE_SAME', message: 'Email is the same' }, /your email address already/],
    [{ code: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts.' }, /^Too many attempts\.$/],
    [{ code: '', message: '' }, /^This did not work/],
    [{ code: 'CANCELED', message: '' }, /^$/],
  ])('%o', (refusal, words) => {
    expect(securityRefusal(refusal)).toMatch(words)
  })

  test('a change of password shows the server’s message, or the one of the specification', () => {
    const said = (code: string, message: string) => passwordRefusal({ code, message })
    expect(said('INVALID_PASSWORD', 'Invalid password')).toMatch(/current password is not correct/)
    expect(said('TOO_MANY_ATTEMPTS', 'Too many attempts.')).toBe('Too many attempts.')
    expect(said('', '')).toBe('Failed to change password')
  })

  test.each(['NotAllowedError', 'InvalidStateError', 'SecurityError', 'UnknownError'])(
    'a device’s %s',
    (name) => expect(deviceRefusal(name)).toMatch(/\w+ \w+.*\.$/),
  )

  test.each([
    ['AbortError', ''],
    [
      'NotAllowedError',
      'No passkey was made: it was canceled, or it took too long. Please try again.',
    ],
    ['InvalidStateError', 'This device has a passkey for your account already.'],
    [
      'ConstraintError',
      'This device cannot make a passkey. Set a screen lock on it, or use another device.',
    ],
    [
      'NotSupportedError',
      'This device cannot make a passkey. Set a screen lock on it, or use another device.',
    ],
    ['SecurityError', 'Passkeys do not work at this address of the site.'],
    ['UnknownError', 'Your device could not make a passkey. Please try again.'],
  ])('when a device says %s: “%s”', (name, words) => {
    expect(deviceRefusal(name)).toBe(words)
  })

  const outdated = 'This has changed in the meantime. Please load the page again.'
  test.each([
    ['UNAUTHORIZED', 'You are no longer logged in. Please log in again.'],
    ['INVALID_PASSWORD', 'The password is not correct. Please try again.'],
    [
      'INVALID_CODE',
      'This code is not correct. Please type the one that your app shows now; each works once.',
    ],
    ['TOTP_ALREADY_ENABLED', outdated],
    ['TOTP_NOT_ENABLED', outdated],
    ['TWO_FACTOR_NOT_ENABLED', outdated],
    ['PASSKEY_NOT_FOUND', outdated],
    ['ACCOUNT_NOT_FOUND', outdated],
    [
      'FAILED_TO_UNLINK_LAST_ACCOUNT',
      'This is your only way to log in, so it stays. Set a password first, then disconnect it.',
    ],
    ['PROVIDER_NOT_FOUND', 'This service cannot be connected here.'],
    ['CHALLENGE_NOT_FOUND', 'That took too long. Please try again.'],
    ['FAILED_TO_VERIFY_REGISTRATION', 'The passkey was not accepted. Please try again.'],
    ['constructor', 'What the library says'],
  ])('a call’s %s: “%s”', (code, words) => {
    expect(securityRefusal({ code, message: 'What the library says' })).toBe(words)
  })

  test('what somebody canceled needs no words', () => {
    expect(canceled).toEqual({ code: 'CANCELED', message: '' })
    expect(securityRefusal({ ...canceled, message: 'Canceled' })).toBe('')
  })

  test('a password that is not there cannot be changed', () => {
    expect(passwordRefusal({ code: 'CREDENTIAL_ACCOUNT_NOT_FOUND', message: 'No account' })).toBe(
      'Your account has no password yet.',
    )
  })

  const interrupted = 'That took too long, or was begun in another browser. Please try again.'
  test.each([
    ['access_denied', 'You canceled at the other service, so nothing was connected.'],
    [
      'account_already_linked_to_different_user',
      'That account is connected to another account here, so it was not connected to yours.',
    ],
    [
      'unable_to_link_account',
      'The other service has not confirmed the email address of that account, so it was not connected.',
    ],
    ['STATE_MISMATCH', interrupted],
    ['state_not_found', interrupted],
    ['anything else', 'The account was not connected. Please try again.'],
    ['', ''],
  ])('another service’s %j: “%s”', (code, words) => {
    expect(connectRefusal(code)).toBe(words)
  })

  test('another service’s reasons, and none without one', () => {
    expect(connectRefusal('account_already_linked_to_different_user')).toMatch(/another account/)
    expect(connectRefusal('something_else')).toMatch(/was not connected/)
    expect(connectRefusal('constructor')).toMatch(/was not connected/)
    expect(connectRefusal(null)).toBe('')
  })
})
