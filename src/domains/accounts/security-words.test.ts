import { describe, expect, test } from 'vitest'
import { deviceRefusal } from './passkey-words.ts'
import { connectRefusal, passwordRefusal, securityRefusal } from './security-words.ts'

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

  test('another service’s reasons, and none without one', () => {
    expect(connectRefusal('account_already_linked_to_different_user')).toMatch(/another account/)
    expect(connectRefusal('something_else')).toMatch(/was not connected/)
    expect(connectRefusal('constructor')).toMatch(/was not connected/)
    expect(connectRefusal(null)).toBe('')
  })
})
