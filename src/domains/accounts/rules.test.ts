import { expect, test } from 'vitest'
import * as z from 'zod'
import {
  displayNameOf,
  emailPattern,
  emailProblem,
  isPhoneNumber,
  newPasswordProblem,
  passkeyNameProblem,
  readSignUp,
  returnPath,
  signUpFault,
  usernameProblem,
} from './rules.ts'

const good = {
  name: 'Ann',
  email: 'ann@example.com',
  password: 'secret1',
  confirmPassword: 'secret1',
  terms: 'on',
}
const problem = (change: Record<string, unknown>) =>
  signUpFault(readSignUp({ ...good, ...change }))?.problem ?? null

test('the rules of sign-up, in the order and the words of the specification', () => {
  expect(problem({})).toBeNull()
  expect(signUpFault(readSignUp({}))?.problem).toBe('Display name is required')
  expect(problem({ name: '   ' })).toBe('Display name is required')
  expect(problem({ name: '\u200B\u3164' })).toBe('Display name is required')
  expect(problem({ name: 'A', email: '' })).toBe('Display name must be at least 2 characters long')
  expect(problem({ email: '', password: '' })).toBe('Email address is required')
  expect(problem({ email: 'ann@', password: '' })).toBe('Please enter a valid email address')
  expect(problem({ password: '', confirmPassword: '' })).toBe('Password is required')
  expect(problem({ password: 'short', confirmPassword: '' })).toBe(
    'Password must be at least 6 characters long',
  )
  expect(problem({ confirmPassword: '' })).toBe('Please confirm your password')
  expect(problem({ confirmPassword: 'other1' })).toBe('Passwords do not match')
  expect(problem({ terms: undefined })).toBe(
    'Please accept the Terms of Service and Privacy Policy',
  )
})

test.each([
  [{ name: 'A', email: '' }, 'name'],
  [{ email: 'ann@', password: '' }, 'email'],
  [{ password: 'short', confirmPassword: '' }, 'password'],
  [{ confirmPassword: '' }, 'confirmPassword'],
  [{ confirmPassword: 'other1' }, 'confirmPassword'],
  [{ terms: undefined }, 'terms'],
])('%o is at fault in the field %s', (change, field) => {
  expect(signUpFault(readSignUp({ ...good, ...change }))?.field).toBe(field)
})

test('a form ticks a box in three ways', () => {
  for (const terms of [true, 'on', 'true']) expect(readSignUp({ terms }).terms).toBe(true)
  for (const terms of [false, 'off', '', 1]) expect(readSignUp({ terms }).terms).toBe(false)
})

test('what is no text, or cannot be stored as it is, becomes what can', () => {
  expect(readSignUp({ name: 7, email: null })).toMatchObject({ name: '', email: '' })
  expect(readSignUp({ name: 'A\0nn\ud800', email: 'a\0@x.co' })).toMatchObject({
    name: 'Ann\ufffd',
    email: 'a@x.co',
  })
})

test('inputs are trimmed, addresses are lower case', () => {
  expect(
    readSignUp({
      ...good,
      name: '  Ann   Lee ',
      email: ' Ann+1@Example.COM ',
      password: ' secret1 ',
    }),
  ).toEqual({
    name: 'Ann Lee',
    email: 'ann+1@example.com',
    password: 'secret1',
    confirmPassword: 'secret1',
    terms: true,
  })
})

test('minima and maxima themselves are allowed', () => {
  expect(problem({ name: 'Al' })).toBeNull()
  expect(problem({ name: 'n'.repeat(80) })).toBeNull()
  expect(problem({ email: `${'e'.repeat(249)}@x.co` })).toBeNull()
  for (const password of ['secret', 'p'.repeat(128)]) {
    expect(problem({ password, confirmPassword: password })).toBeNull()
  }
})

test('maxima name their number', () => {
  expect(problem({ name: 'n'.repeat(81) })).toBe('Display name can have at most 80 characters')
  expect(problem({ email: `${'e'.repeat(250)}@x.co` })).toBe(
    'Email address can have at most 254 characters',
  )
  expect(problem({ password: 'p'.repeat(129) })).toBe('Password can have at most 128 characters')
})

test('addresses are what the calls take for one', () => {
  expect(emailPattern.source).toBe(z.regexes.email.source.replaceAll('\\-', '-'))
})

test('a username is a part of an address', () => {
  for (const one of ['ann-2', 'a', 'u'.repeat(80)]) expect(usernameProblem(one)).toBeNull()
  expect(usernameProblem('')).toBe('Username is required')
  expect(usernameProblem('u'.repeat(81))).toBe('Username can have at most 80 characters')
  for (const bad of ['Ann', 'a--b', '-a', 'a b', 'é']) {
    expect(usernameProblem(bad)).toBe(
      'Username can have lower-case letters (a to z), digits, and single hyphens between them',
    )
  }
})

test('a passkey has a name', () => {
  expect(passkeyNameProblem('My key')).toBeNull()
  expect(passkeyNameProblem('k'.repeat(80))).toBeNull()
  expect(passkeyNameProblem('')).toBe('Name is required')
  expect(passkeyNameProblem('k'.repeat(81))).toBe('Name can have at most 80 characters')
})

test('an address that is wrong is said to be', () => {
  expect(emailProblem('ann@example.com')).toBeNull()
  expect(emailProblem('ann')).toBe('Please enter a valid email address')
})

test('a new password is typed twice', () => {
  const twice = (password: string, confirmPassword = password) =>
    newPasswordProblem({ password, confirmPassword })
  expect(twice('secret1')).toBeNull()
  expect(twice('secret1', 'secret2')).toBe('Passwords do not match')
})

test.each([
  ['+14155550123', true],
  ['+12345678', true],
  ['+123456789012345', true],
  ['+1234567', false],
  ['+1234567890123456', false],
  ['14155550123', false],
  ['+04155550123', false],
  ['+1415555O123', false],
  [' +14155550123', false],
  ['+14155550123x', false],
])('%s is a phone number: %s', (value, is) => {
  expect(isPhoneNumber(value)).toBe(is)
})

test('a name that another service gave is kept where it can be one here', () => {
  expect(displayNameOf('  Ann   Lee ')).toBe('Ann Lee')
  expect(displayNameOf('n'.repeat(81))).toBe('n'.repeat(80))
  // What is cut leaves no blank and no half of a letter.
  expect(displayNameOf(`${'n'.repeat(79)} x`)).toBe('n'.repeat(79))
  expect(displayNameOf(`${'n'.repeat(79)}\u{1f600}`)).toBe(`${'n'.repeat(79)}\ufffd`)
  for (const none of [undefined, null, '', 'A', 7]) expect(displayNameOf(none)).toBe('New Member')
})

test('signing in leads back to pages of this site only', () => {
  expect(returnPath('/course/x?success=true#top')).toBe('/course/x?success=true#top')
  expect(returnPath('/')).toBe('/')
  expect(returnPath('https://evil.example', '/courses')).toBe('/courses')
  for (const foreign of [
    undefined,
    '',
    'course/x',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/x/..//evil.example',
    'javascript:alert(1)',
  ]) {
    expect(returnPath(foreign)).toBe('/dashboard')
  }
})
