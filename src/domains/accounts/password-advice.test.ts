import { describe, expect, test } from 'vitest'
import { commonPasswords } from './common-passwords.ts'
import { passwordAdvice } from './password-advice.ts'
import { limits } from './rules.ts'

describe('a new password', () => {
  test.each(
    // Some of each part of the list.
    (
      '123456 Password1 iloveyou trustno1 12345678910 123456a 1q2w3e 131313 147258369 222222 999999 ' +
      'aa123456 access administrator adobe123 alexander andrew azerty bailey baseball buster changeme ' +
      'corvette daniel dragon freedom guest123 hannah hunter2 internet jennifer killer liverpool loveme ' +
      'maggie monkey nicole ninja1 passw0rd p@ssw0rd pepper pokemon qwerty samsung secret sunshine ' +
      'superman thomas thunder welcome zxcvbnm'
    )
      .split(' ')
      .concat(' QWERTY '),
  )('that everybody tries first is warned about: %j', (password) => {
    expect(passwordAdvice(password)).toEqual({ strength: 'weak', common: true })
  })

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
    // Eight characters, five of them different, are the least that is fair.
    ['abcdefg', 'weak'],
    [' abcdefg ', 'weak'],
    ['abcdefgh', 'fair'],
    ['aabbccdd', 'weak'],
    ['aabbccde', 'fair'],
    // Strong are fifteen, or ten of three kinds; eight of them different.
    ['abcdefghijklmn', 'fair'],
    ['abcdefghijklmno', 'strong'],
    ['Abcdefg1h', 'fair'],
    ['Abcdefg1hi', 'strong'],
    ['abcdefg1hi', 'fair'],
    ['abcdefg-1i', 'strong'],
    ['ABCDEFG-1I', 'strong'],
    ['Abcdefg-hi', 'strong'],
    ['abcdefgabcdefga', 'fair'],
    ['abcdefghabcdefg', 'strong'],
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
