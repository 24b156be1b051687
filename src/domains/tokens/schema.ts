// What crosses the wire about personal access tokens. The token itself does so once, when it is made.
import * as z from 'zod'
import { line, timestamp, uuid } from '../../fields.ts'
import { lifetimes, longestTokenName, scopes } from './rules.ts'

const scope = z.enum(scopes)

const personalToken = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The last four letters of the token. */
  ending: z.string(),
  scopes: z.array(scope),
  /** Null: for ever. */
  expiresAt: timestamp.nullable(),
  isExpired: z.boolean(),
  /** Exact to the minute. */
  lastUsedAt: timestamp.nullable(),
  createdAt: timestamp,
})

/** As it crosses the wire. */
export type PersonalToken = z.output<typeof personalToken>

export const personalTokens = z.object({
  /** The server's clock, for how long ago something was. */
  now: timestamp,
  /** Newest first. */
  tokens: z.array(personalToken),
})

export const newToken = z.object({
  name: line('A name', longestTokenName),
  scopes: z
    .array(scope)
    .min(1, 'Choose at least one thing that the token may do')
    .max(scopes.length)
    .transform((chosen) => scopes.filter((one) => chosen.includes(one))),
  /** Days; null is for ever. */
  expiresInDays: z.literal(lifetimes, 'A token is good for 30, 90 or 365 days, or for ever'),
})

export type NewToken = z.output<typeof newToken>

export const madeToken = z.object({
  token: personalToken,
  /** What a program shows: said here only, and never again. */
  secret: z.string(),
})

export const byToken = z.object({ tokenId: uuid('The token') })
