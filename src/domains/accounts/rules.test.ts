import { expect, test } from 'vitest'
import * as z from 'zod'
import { emailPattern, readSignUp, returnPath, signUpProblem } from './rules.ts'

const good = {
  name: 'Ann',
  email: 'ann@example.com',
  password: 'secret1',
  confirmPassword: 'secret1',
  terms: 'on',
}
const problem = (change: Record<string, unknown>) =>
  signUpProblem(readSignUp({ ...good, ...change }))

test('the rules of sign-up, in the order and the words of the specification', () => {
  expect(problem({})).toBeNull()
  expect(signUpProblem(readSignUp({}))).toBe('Display name is required')
  expect(problem({ name: '   ' })).toBe('Display name is required')
  expect(problem({ name: 'A', email: '' })).toBe('Display name must be at least 2 characters long')
  expect(problem({ email: '', password: '' })).toBe('Email address is required')
  expect(problem({ email: 'ann@', password: '' })).toBe('Please enter a valid email address')
  expect(problem({ password: '', confirmPassword: '' })).toBe('Password is required')
  expect(problem({ password: 'short', confirmPassword: '' })).toBe(
    'Password must be at least 6 characters long',
  )
  expect(problem({ confirmPassword: '' })).toBe('Please confirm your password')
  expect(problem({ confirmPassword: 'other1' })).toBe('Passwords do not match')
  expect(problem({ terms: undefined })).toMatch(/accept the Terms/)
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

test('signing in leads back to pages of this site only', () => {
  expect(returnPath('/course/x?success=true#top')).toBe('/course/x?success=true#top')
  for (const foreign of [
    undefined,
    '',
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
