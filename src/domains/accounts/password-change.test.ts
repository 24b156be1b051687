import { describe, expect, test } from 'vitest'
import { isFilled, passwordChangeProblem, readPasswordChange } from './password-change.ts'

const change = (currentPassword: unknown, newPassword: unknown, confirmPassword = newPassword) =>
  readPasswordChange({ currentPassword, newPassword, confirmPassword })

describe('changing the password', () => {
  test.each([
    [change('old one', 'new one', 'new tow'), 'New passwords do not match'],
    [change('old one', 'a', 'b'), 'New passwords do not match'],
    [change('old one', '12345'), 'New password must be at least 6 characters long'],
    [change('old one', '123456'), null],
    [change('old one', 'x'.repeat(128)), null],
    [change('old one', 'x'.repeat(129)), 'New password can have at most 128 characters'],
    [change('old one', '⚡️⚡️⚡️'), null],
    [change('', 'new one'), 'Please fill in all three fields'],
    [change('old one', '      '), 'Please fill in all three fields'],
    [change(undefined, { toString: 1 }), 'Please fill in all three fields'],
  ])('%o: %s', (fields, problem) => {
    expect(passwordChangeProblem(fields)).toBe(problem)
  })

  test('is trimmed, as at sign-up and log-in', () => {
    expect(change(' old one\n', '\tnew one ')).toEqual({
      current: 'old one',
      next: 'new one',
      confirm: 'new one',
    })
  })

  test('can be sent once all three are there', () => {
    expect(isFilled(change('a', 'b', 'c'))).toBe(true)
    expect(isFilled(change('a', 'b', ''))).toBe(false)
    expect(isFilled(change('a', ' ', 'c'))).toBe(false)
  })
})
