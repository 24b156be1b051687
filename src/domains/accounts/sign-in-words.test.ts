import { describe, expect, test } from 'vitest'
import {
  linkRefusal,
  logInRefusal,
  passkeyRefusal,
  returnReason,
  signUpRefusal,
  signUpRefusedField,
  twoStepRefusal,
} from './sign-in-words.ts'

const refusal = (code: string, message = '') => ({ code, message })

test('what sign-up says, in the words of the specification', () => {
  const words: [string, string, string][] = [
    [
      'USER_ALREADY_EXISTS',
      'User exists',
      'An account with this email already exists. Please try logging in instead.',
    ],
    ['PASSWORD_TOO_SHORT', 'Too short', 'Password must be at least 6 characters long.'],
    ['INVALID_EMAIL', 'Invalid email', 'Please enter a valid email address.'],
    [
      '',
      'Email address "a@b" is invalid',
      'Please enter a valid email address. Make sure it follows the standard email format.',
    ],
    [
      'SIGNUP_CLOSED',
      'Account creation is currently restricted. Please contact support.',
      'Account creation is currently restricted. Please contact support.',
    ],
    [
      'FAILED_TO_CREATE_USER',
      'Failed to create user',
      'There was a temporary issue creating your account. Please try again in a moment.',
    ],
    ['OTHER', 'Something that the server says', 'Something that the server says'],
    ['', '', 'Failed to create account. Please try again.'],
  ]
  for (const [code, message, said] of words) {
    expect(signUpRefusal({ status: 400, ...refusal(code, message) })).toBe(said)
  }
  for (const status of [500, 503]) {
    expect(signUpRefusal({ status, ...refusal('SERVICE_UNAVAILABLE', 'Our database') })).toBe(
      'There was a temporary issue creating your account. Please try again in a moment.',
    )
  }
})

test('sign-up knows which field a refusal is about', () => {
  expect(signUpRefusedField(refusal('USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL'))).toBe('email')
  expect(signUpRefusedField(refusal('INVALID_EMAIL'))).toBe('email')
  expect(signUpRefusedField(refusal('', 'Email address "a@b" is invalid'))).toBe('email')
  expect(signUpRefusedField(refusal('PASSWORD_TOO_SHORT'))).toBe('password')
  expect(signUpRefusedField(refusal('SIGNUP_CLOSED'))).toBeNull()
})

test('what log-in says, in the words of the specification', () => {
  const words: [string, string, string][] = [
    [
      'EMAIL_NOT_VERIFIED',
      'Email not verified',
      'Please check your email and click the confirmation link before signing in.',
    ],
    [
      'INVALID_EMAIL_OR_PASSWORD',
      'Invalid email or password',
      'Invalid email or password. Please check your credentials and try again.',
    ],
    ['TOO_MANY_ATTEMPTS', 'Too many attempts.', 'Too many attempts.'],
    ['', '', 'Login failed. Please try again.'],
  ]
  for (const [code, message, said] of words) {
    expect(logInRefusal(refusal(code, message))).toBe(said)
  }
})

test('a second step that cannot go on has no words of its own: the log-in starts anew', () => {
  expect(twoStepRefusal(refusal('INVALID_TWO_FACTOR_COOKIE'))).toBeNull()
  expect(twoStepRefusal(refusal('TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE'))).toBeNull()
  expect(twoStepRefusal(refusal('INVALID_CODE', 'Invalid code'))).toMatch(/^Invalid code\./)
  expect(twoStepRefusal(refusal('INVALID_BACKUP_CODE'))).toMatch(/^Invalid backup code\./)
  expect(twoStepRefusal(refusal('ACCOUNT_TEMPORARILY_LOCKED'))).toMatch(/wait 15 minutes/)
})

describe('why somebody was sent back to log in', () => {
  test.each([
    'access_denied',
    'account_not_linked',
    'account not linked',
    'organization_not_linked',
    'state_mismatch',
    'state_not_found',
    'SIGNUP_CLOSED',
    'PROVIDER_NOT_FOUND',
    'two-step-ended',
  ])('%s has words of its own', (code) => {
    expect(returnReason(code)).toMatch(/\w.*\.$/)
    expect(returnReason(code)).not.toContain('did not work')
  })

  test('says what to do about each', () => {
    const codes = [
      'access_denied',
      'account_not_linked',
      'organization_not_linked',
      'account_already_linked_to_different_user',
      'unable_to_link_account',
      'email_does_not_match',
      'email_not_found',
      'email_not_verified',
      'state_mismatch',
      'state_not_found',
      'state_invalid',
      'invalid_state',
      'signup_closed',
      'signup_disabled',
      'feature_off',
      'provider_not_found',
      'oauth_provider_not_found',
      'TOO_MANY_ATTEMPTS',
      'SERVICE_UNAVAILABLE',
      'two-step-ended',
    ]
    expect(Object.fromEntries(codes.map((code) => [code, returnReason(code)])))
      .toMatchInlineSnapshot(`
      {
        "SERVICE_UNAVAILABLE": "We could not reach our database. Please try again in a moment.",
        "TOO_MANY_ATTEMPTS": "There were too many attempts from here. Please wait a few minutes, then try again.",
        "access_denied": "The log-in was cancelled at the other service.",
        "account_already_linked_to_different_user": "This login of the other service belongs to another account here.",
        "account_not_linked": "There is an account with this email address already. Log in to it as you always do, then connect the other service in your settings.",
        "email_does_not_match": "The other service gave a different email address than your account has.",
        "email_not_found": "The other service gave no email address, and an account needs one. Please try again, or log in another way.",
        "email_not_verified": "Please check your email and click the confirmation link before signing in.",
        "feature_off": "Sign-up is switched off at the moment.",
        "invalid_state": "That took too long, or was begun in another browser. Please try again.",
        "oauth_provider_not_found": "This way to log in is not available. Please try again, or log in another way.",
        "organization_not_linked": "There is an account with this email address already, and your organization’s log-in cannot be connected to it. Log in with a link by email, or with your password.",
        "provider_not_found": "This way to log in is not available. Please try again, or log in another way.",
        "signup_closed": "Account creation is currently restricted. Please contact support.",
        "signup_disabled": "Account creation is currently restricted. Please contact support.",
        "state_invalid": "That took too long, or was begun in another browser. Please try again.",
        "state_mismatch": "That took too long, or was begun in another browser. Please try again.",
        "state_not_found": "That took too long, or was begun in another browser. Please try again.",
        "two-step-ended": "That took too long, or there were too many wrong codes. Please log in again.",
        "unable_to_link_account": "Your account could not be connected to the other service. Please try again, or log in another way.",
      }
    `)
  })

  test('anything else is never repeated on the page', () => {
    for (const code of ['<script>', 'constructor', 'You won a prize']) {
      expect(returnReason(code)).toBe(
        'Logging in with the other service did not work. Please try again, or log in another way.',
      )
    }
    expect(returnReason(null)).toBeNull()
    expect(returnReason('')).toBeNull()
  })
})

test.each([
  [
    'PASSKEY_NOT_FOUND',
    'This passkey is not known here. It may have been removed from your account.',
  ],
  ['CHALLENGE_NOT_FOUND', 'That took too long. Please try again.'],
  ['USER_NOT_VERIFIED', 'As the server says.'],
  ['TOO_MANY_ATTEMPTS', 'As the server says.'],
  ['SERVICE_UNAVAILABLE', 'As the server says.'],
  ['INTERNAL_SERVER_ERROR', 'As the server says.'],
  ['', 'Your passkey was not accepted. Please try again, or log in another way.'],
])('a passkey’s %s: “%s”', (code, words) => {
  expect(passkeyRefusal(refusal(code, 'As the server says.'))).toBe(words)
})

test.each([
  ['SIGNUP_CLOSED', 'Account creation is currently restricted. Please contact support.'],
  ['FEATURE_OFF', 'As the server says.'],
  ['INVALID_USER', 'This link belongs to another account. Please log out, then open it again.'],
  [
    'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL',
    'Another account has this email address by now, so yours was not changed.',
  ],
  ['TOO_MANY_ATTEMPTS', 'As the server says.'],
  ['INTERNAL_SERVER_ERROR', 'As the server says.'],
  ['SERVICE_UNAVAILABLE', 'As the server says.'],
  [
    'INVALID_TOKEN',
    'This link does not work any more: it was used already, it is too old, or a part of it is missing.',
  ],
])('a link’s %s: “%s”', (code, words) => {
  expect(linkRefusal(refusal(code, 'As the server says.'))).toBe(words)
})

test('a refusal that is not known is said as the server says it, or in words of its own', () => {
  expect(twoStepRefusal(refusal('OTHER', 'As the server says.'))).toBe('As the server says.')
  expect(twoStepRefusal(refusal('OTHER'))).toBe('Login failed. Please try again.')
  expect(logInRefusal(refusal('INVALID_EMAIL', 'Invalid email'))).toBe(
    'Invalid email or password. Please check your credentials and try again.',
  )
  expect(signUpRefusedField(refusal('USER_ALREADY_EXISTS'))).toBe('email')
  expect(signUpRefusedField(refusal('', 'This email address is fine'))).toBeNull()
})

test('links that are old, used or foreign, and passkeys that are not known', () => {
  expect(linkRefusal(refusal('INVALID_TOKEN', 'Invalid token'))).toMatch(/does not work any more/)
  expect(linkRefusal(refusal('TOKEN_EXPIRED', 'Token expired'))).toMatch(/does not work any more/)
  expect(linkRefusal(refusal('INVALID_USER', 'Invalid user'))).toMatch(/another account/)
  expect(linkRefusal(refusal('TOO_MANY_ATTEMPTS', 'Too many.'))).toBe('Too many.')
  expect(passkeyRefusal(refusal('PASSKEY_NOT_FOUND', 'Passkey not found'))).toMatch(
    /not known here/,
  )
  expect(passkeyRefusal(refusal('AUTHENTICATION_FAILED', 'x'))).toMatch(/was not accepted/)
})
