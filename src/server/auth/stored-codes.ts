import { createHmac } from 'node:crypto'

/**
 * What the database keeps of a one-time code. Six digits are guessed from any plain hash, so this one
 * needs our secret as well: a copy of the database opens no account.
 */
export type HashCode = (code: string) => string

export const codeHasher =
  (secret: string): HashCode =>
  (code) =>
    createHmac('sha256', secret).update(`code ${code}`).digest('base64url')

/** Calls that store a code for a telephone, as `code:attempts`. */
const asksForPhoneCode = /^\/phone-number\/(send-otp|request-password-reset)$/

/** Calls that compare a code for a telephone with the stored one, with the field that it comes in. */
const phoneCodeFields: Record<string, 'code' | 'otp'> = {
  '/phone-number/verify': 'code',
  '/phone-number/reset-password': 'otp',
}

/** The library hashes codes that go by mail; those for telephones it would store as they are. */
export function storedPhoneCode(path: string | undefined, value: string, hash: HashCode): string {
  if (!asksForPhoneCode.test(path ?? '')) return value
  const [code = '', attempts = '0'] = value.split(':')
  return `${hash(code)}:${attempts}`
}

/** The body with the code as it is stored; null when the call compares no such code. */
export function comparedPhoneCode(
  path: string | undefined,
  body: Record<string, unknown> | undefined,
  hash: HashCode,
): Record<string, unknown> | null {
  const field = phoneCodeFields[path ?? '']
  const code = field && body?.[field]
  return typeof code === 'string' ? { ...body, [field!]: hash(code) } : null
}
