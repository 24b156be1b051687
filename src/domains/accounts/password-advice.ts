// Advice about a new password; what is allowed says rules.ts.
import { commonPasswords } from './common-passwords.ts'

export interface PasswordAdvice {
  strength: 'weak' | 'fair' | 'strong'
  /** Among the ones that are guessed first. */
  common: boolean
}

const kinds = [/\p{Lowercase}/u, /\p{Uppercase}/u, /\p{N}/u, /[^\p{L}\p{N}]/u]

/** Length counts most, then how many kinds of characters there are. */
export function passwordAdvice(typed: string): PasswordAdvice {
  const password = typed.trim()
  if (commonPasswords.has(password.toLowerCase())) return { strength: 'weak', common: true }
  const variety = kinds.filter((kind) => kind.test(password)).length
  const different = new Set(password).size
  if (password.length < 8 || different < 5) return { strength: 'weak', common: false }
  const isLong = password.length >= 15 || (password.length >= 10 && variety >= 3)
  return { strength: isLong && different >= 8 ? 'strong' : 'fair', common: false }
}
