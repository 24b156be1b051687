// Sign-up and log-in rules (spec 1, sections 5 and 8): the words are the spec's, in its order.
import * as z from 'zod'

export const limits = { name: 80, email: 254, password: 128 } as const

const storable = (value: unknown) =>
  (typeof value === 'string' ? value : '').replaceAll('\0', '').toWellFormed().trim()
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export type SignUpFields = {
  name: string
  email: string
  password: string
  confirmPassword: string
  terms: boolean
}

/** The first thing wrong with a name, or null. */
export function nameProblem(name: string): string | null {
  if (name === '') return 'Display name is required'
  if (name.length < 2) return 'Display name must be at least 2 characters long'
  if (name.length > limits.name) return `Display name can have at most ${limits.name} characters`
  return null
}

export function emailProblem(email: string): string | null {
  if (email === '') return 'Email address is required'
  if (email.length > limits.email)
    return `Email address can have at most ${limits.email} characters`
  if (!emailPattern.test(email) || !z.email().safeParse(email).success)
    return 'Please enter a valid email address'
  return null
}

export function passwordProblem(password: string): string | null {
  if (password === '') return 'Password is required'
  if (password.length < 6) return 'Password must be at least 6 characters long'
  if (password.length > limits.password)
    return `Password can have at most ${limits.password} characters`
  return null
}

/** Sign-up fields from a form, trimmed. */
export function readSignUp(form: Record<string, unknown>): SignUpFields {
  return {
    name: storable(form.name).replace(/\s+/gu, ' '),
    email: storable(form.email).toLowerCase(),
    password: storable(form.password),
    confirmPassword: storable(form.confirmPassword),
    terms: form.terms === true || form.terms === 'on' || form.terms === 'true',
  }
}

/** The first rule that is broken, in the spec's order, or null. */
export function signUpProblem(fields: SignUpFields): string | null {
  return (
    nameProblem(fields.name) ??
    emailProblem(fields.email) ??
    passwordProblem(fields.password) ??
    (fields.confirmPassword === '' ? 'Please confirm your password' : null) ??
    (fields.confirmPassword !== fields.password ? 'Passwords do not match' : null) ??
    (fields.terms ? null : 'Please accept the Terms of Service and Privacy Policy')
  )
}

/** Where to go after signing in: a path of this site, never another one. */
export function returnPath(value: unknown, fallback = '/dashboard'): string {
  const here = 'http://here.invalid'
  if (typeof value !== 'string' || !value.startsWith('/') || !URL.canParse(value, here))
    return fallback
  const url = new URL(value, here)
  // The path is looked at after parsing: '/.//evil.example' turns into '//evil.example' only then.
  if (url.origin !== here || url.pathname.startsWith('//')) return fallback
  return url.pathname + url.search + url.hash
}
