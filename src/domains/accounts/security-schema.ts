// What a person sees about the safety of the own account. No token, secret or hash is ever in it.
import * as z from 'zod'
import { timestamp, uuid } from '../../fields.ts'

export const mySecurity = z.object({
  /** The server's clock, for how long ago something was. */
  now: timestamp,
  email: z.string(),
  emailVerified: z.boolean(),
  /** False for an address that only holds a place: the account was opened without one. */
  hasMailbox: z.boolean(),
  /** One that was connected: codes that are sent to it let in. */
  phoneNumber: z.string().nullable(),
  hasPassword: z.boolean(),
  twoFactorEnabled: z.boolean(),
  passkeys: z.array(z.object({ id: z.uuid(), name: z.string(), createdAt: timestamp })),
  /** Accounts at other services, and wallets. */
  identities: z.array(
    z.object({ id: z.uuid(), provider: z.string(), name: z.string(), createdAt: timestamp }),
  ),
  /** Other services that are not connected, and can be. */
  connectable: z.array(z.object({ id: z.string(), name: z.string() })),
  /** This one first, then the last used. */
  sessions: z.array(
    z.object({
      id: z.uuid(),
      device: z.string(),
      /** Null when it was not known. */
      address: z.string().nullable(),
      current: z.boolean(),
      /** Exact to the hour. */
      lastUsedAt: timestamp,
      createdAt: timestamp,
      aal: z.enum(['aal1', 'aal2']),
    }),
  ),
})

/** As it crosses the wire. */
export type MySecurity = z.output<typeof mySecurity>

export const ownSession = z.object({ sessionId: uuid('The session') })
