import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Switch, switches } from './kinds.ts'

/** What a link in a mail stops: the mails of one switch, or the daily one with all that is in it. */
export type MailScope = Switch | 'daily'

export interface Subscription {
  userId: string
  scope: MailScope
}

const scopes: readonly string[] = [...switches, 'daily']

const signatureOf = (secret: string, signed: string) =>
  createHmac('sha256', secret).update(`unsubscribe ${signed}`).digest()

/** Good for this and nothing else, for as long as the secret lives: old mails can be stopped, too. */
export function unsubscribeToken(secret: string, { userId, scope }: Subscription): string {
  const signed = `${userId}.${scope}`
  return `${signed}.${signatureOf(secret, signed).toString('base64url')}`
}

/** Null when nobody of ours made this token. */
export function readUnsubscribeToken(secret: string, token: string): Subscription | null {
  const end = token.lastIndexOf('.')
  const signed = token.slice(0, end)
  const given = Buffer.from(token.slice(end + 1), 'base64url')
  const made = signatureOf(secret, signed)
  if (given.length !== made.length || !timingSafeEqual(given, made)) return null
  const [userId, scope] = signed.split('.') as [string, string]
  return scopes.includes(scope) ? { userId, scope: scope as MailScope } : null
}

export const unsubscribeUrl = (appUrl: string, secret: string, subscription: Subscription) =>
  `${appUrl}/unsubscribe?token=${unsubscribeToken(secret, subscription)}`
