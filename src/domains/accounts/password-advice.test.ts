import { describe, expect, test } from 'vitest'
import { commonPasswords } from './common-passwords.ts'
import { passwordAdvice } from './password-advice.ts'
import { limits } from './rules.ts'

describe('a new password', () => {
  test.each(['123456', 'Password1', ' QWERTY ', 'iloveyou', 'trustno1'])(
    'that everybody tries first is warned about: %j',
    (password) => {
      expect(passwordAdvice(password)).toEqual({ strength: 'weak', common: true })
    },
  )

  test.each([
    ['abc12!', 'weak'],
    ['aaaaaaaaaaaaaaaaaaaa', 'weak'],
    ['abababababababab', 'weak'],
    ['', 'weak'],
    ['ten letters', 'fair'],
    ['blue-horses', 'fair'],
    ['Blue-horse7', 'strong'],
    ['correct horse battery', 'strong'],
    ['пароль-из-Букв-9', 'strong'],
  ] as const)('%j is %s', (password, strength) => {
    expect(passwordAdvice(password)).toEqual({ strength, common: false })
  })
})

test('the list holds what sign-up would take, in lower case', () => {
  expect(commonPasswords.size).toBeGreaterThanOrEqual(100)
  for (const password of commonPasswords) {
    expect(password).toBe(password.toLowerCase().trim())
    expect(password.length).toBeGreaterThanOrEqual(6)
    expect(password.length).toBeLessThanOrEqual(limits.password)
  }
})
