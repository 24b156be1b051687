// How a personal access token is written: pat_, 32 random letters and digits, and 6 more that are their checksum, so that
// scanners of source code find one that was published, and a mistyped one costs no look-up.
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const pattern = /^pat_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

function checksumOf(random: string): string {
  let rest = crc32(random)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % alphabet.length] + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

/** About 190 bits of chance. */
export function makeToken(): string {
  const random = Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `pat_${random}${checksumOf(random)}`
}

/** Whether this can be a token at all. */
export function isWellFormed(token: string): boolean {
  const found = pattern.exec(token)
  return found !== null && checksumOf(found[1]!) === found[2]
}

/** What is stored of a token. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/**
 * The personal token that a request shows, well formed or not; null when it shows none. Session cookies and the short
 * tokens of /auth/v1/token are something else.
 */
export function tokenIn(headers: Headers): string | null {
  const shown = headers.get('authorization')
  return (shown && /^Bearer\s+(pat_\S*)$/i.exec(shown)?.[1]) || null
}
