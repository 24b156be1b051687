// Sign-up and log-in rules (spec 1, sections 5 and 8): the words are the spec's, in its order.
import { isBlank } from '../../is-blank.ts'
import { slugOf } from '../courses/rules.ts'

export const limits = {
  name: 80,
  email: 254,
  password: 128,
  username: 80,
  bio: 1000,
  website: 2000,
  social: 200,
} as const

const storable = (value: unknown) =>
  (typeof value === 'string' ? value : '').replaceAll('\0', '').toWellFormed().trim()
/** Zod's pattern, so that no form takes what a call refuses; zod itself would make their pages a fifth heavier. */
export const emailPattern =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/

export type SignUpFields = {
  name: string
  email: string
  password: string
  confirmPassword: string
  terms: boolean
}

/** The first thing wrong with a name, or null. */
export function nameProblem(name: string): string | null {
  if (isBlank(name)) return 'Display name is required'
  if (name.length < 2) return 'Display name must be at least 2 characters long'
  if (name.length > limits.name) return `Display name can have at most ${limits.name} characters`
  return null
}

/** The first thing wrong with a username, or null; it is a part of an address, made like a slug. */
export function usernameProblem(username: string): string | null {
  if (username === '') return 'Username is required'
  if (username.length > limits.username)
    return `Username can have at most ${limits.username} characters`
  if (username !== slugOf(username))
    return 'Username can have lower-case letters (a to z), digits, and single hyphens between them'
  return null
}

export function emailProblem(email: string): string | null {
  if (email === '') return 'Email address is required'
  if (email.length > limits.email)
    return `Email address can have at most ${limits.email} characters`
  if (!emailPattern.test(email)) return 'Please enter a valid email address'
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

/** The first thing wrong with a password that is typed twice, or null. */
export function newPasswordProblem({
  password,
  confirmPassword,
}: Pick<SignUpFields, 'password' | 'confirmPassword'>): string | null {
  return (
    passwordProblem(password) ??
    (confirmPassword === '' ? 'Please confirm your password' : null) ??
    (confirmPassword !== password ? 'Passwords do not match' : null)
  )
}

export type SignUpField = keyof SignUpFields

/** The first rule that is broken, in the spec's order, and the field that breaks it; or null. */
export function signUpFault(fields: SignUpFields): { field: SignUpField; problem: string } | null {
  const checked: [SignUpField, string | null][] = [
    ['name', nameProblem(fields.name)],
    ['email', emailProblem(fields.email)],
    ['password', passwordProblem(fields.password)],
    ['confirmPassword', newPasswordProblem(fields)],
    ['terms', fields.terms ? null : 'Please accept the Terms of Service and Privacy Policy'],
  ]
  for (const [field, problem] of checked) if (problem !== null) return { field, problem }
  return null
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

/** The first thing wrong with the name of a passkey, or null. */
export function passkeyNameProblem(name: string): string | null {
  if (name === '') return 'Name is required'
  if (name.length > limits.name) return `Name can have at most ${limits.name} characters`
  return null
}

/** E.164: a plus sign, the country and the number, 8 to 15 digits. */
export const isPhoneNumber = (value: string) => /^\+[1-9]\d{7,14}$/.test(value)

/** The name that another service gave, if it may be a display name here; else a neutral one. */
export function displayNameOf(given: unknown): string {
  const { name } = readSignUp({ name: given })
  const short = name.slice(0, limits.name).toWellFormed().trim()
  return nameProblem(short) ? 'New Member' : short
}
