// Tokens carry what they are worth, so that every node believes those of the others.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** PayPal's: nine hours. */
export const tokenSeconds = 32_400

const signed = (secret: string, claim: string) =>
  createHmac('sha256', secret).update(`paypal token: ${claim}`).digest('base64url')

export function giveToken(secret: string, generation: number): string {
  const claim = `${generation}.${Math.floor(Date.now() / 1000) + tokenSeconds}`
  return `A21AA.${claim}.${signed(secret, claim)}`
}

export function isGoodToken(secret: string, generation: number, token: string): boolean {
  const [, given, until, signature = ''] = token.split('.')
  const expected = Buffer.from(signed(secret, `${given}.${until}`))
  const actual = Buffer.from(signature)
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return false
  return Number(given) >= generation && Number(until) * 1000 > Date.now()
}
