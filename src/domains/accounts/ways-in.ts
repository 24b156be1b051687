// How somebody can log in; one way always stays. Whoever removes one holds the person, so that of two that are removed at
// once the second one knows of the first, and the session: when it is over meanwhile, it may have been a stranger's.
import { and, eq } from 'drizzle-orm'
import { forgetBegun, forgetCodesTo } from '../../server/auth/begun-before.ts'
import { forgetWallet } from '../../server/auth/wallets.ts'
import type { Transaction } from '../../server/db.ts'
import type { Viewer } from '../../server/viewer.ts'
import { holdSession } from './hold-session.ts'
import { lockPeople } from './lock-people.ts'
import { outsideIdentities, passkeysOf, protectionOf } from './security-queries.ts'
import { hasMailbox } from './shown-email.ts'
import { identities, passkeys, users } from './tables.ts'

/** A password is none of them: it takes an address or a number beside it, and both let in without it. */
interface WaysIn {
  mailbox: boolean
  telephone: boolean
  passkeys: { id: string }[]
  identities: { id: string }[]
}

const letIn = ({ mailbox, telephone, passkeys: keys, identities: outside }: WaysIn) =>
  mailbox || telephone || keys.length > 0 || outside.length > 0

const without = <Row extends { id: string }>(rows: Row[], id: string) =>
  rows.filter((row) => row.id !== id)

/** Who removes something, and in which session. */
type Remover = Pick<Viewer, 'id' | 'sessionId'>

async function holdWaysIn(transaction: Transaction, remover: Remover) {
  const userId = remover.id
  await lockPeople(transaction, [userId])
  if (!(await holdSession(transaction, remover))) return null
  const protection = await protectionOf(transaction, userId)
  if (!protection) return null
  const { email, hasPassword, phoneNumber } = protection
  const ways: WaysIn = {
    mailbox: hasMailbox(email),
    telephone: phoneNumber !== null,
    passkeys: await passkeysOf(transaction, userId),
    identities: await outsideIdentities(transaction, userId),
  }
  return { ways, hasPassword, phoneNumber }
}

type Removal = 'removed' | 'not there' | 'last' | 'signed out'

/** Takes the telephone from an account, with all that was begun by it. */
export async function removeTelephone(
  transaction: Transaction,
  remover: Remover,
): Promise<Removal> {
  const userId = remover.id
  const held = await holdWaysIn(transaction, remover)
  if (!held) return 'signed out'
  if (!held.phoneNumber) return 'not there'
  if (!letIn({ ...held.ways, telephone: false })) return 'last'
  await transaction
    .update(users)
    .set({ phoneNumber: null, phoneNumberVerified: false })
    .where(eq(users.id, userId))
  await forgetCodesTo(transaction, held.phoneNumber)
  await forgetBegun(transaction, userId)
  return 'removed'
}

export async function removePasskey(
  transaction: Transaction,
  { remover, passkeyId }: { remover: Remover; passkeyId: string },
): Promise<Removal> {
  const held = await holdWaysIn(transaction, remover)
  if (!held) return 'signed out'
  const left = without(held.ways.passkeys, passkeyId)
  if (left.length === held.ways.passkeys.length) return 'not there'
  if (!letIn({ ...held.ways, passkeys: left })) return 'last'
  await transaction
    .delete(passkeys)
    .where(and(eq(passkeys.id, passkeyId), eq(passkeys.userId, remover.id)))
  return 'removed'
}

interface Identity {
  id: string
  providerId: string
  accountId: string
}

/**
 * Takes an account at another service, a wallet or the password from an account. Whoever has only a service left may never
 * look into the mailbox that it named: the address counts here where there is a password to it.
 */
export async function removeIdentity(
  transaction: Transaction,
  remover: Remover,
  { id, providerId, accountId }: Identity,
): Promise<Removal> {
  const userId = remover.id
  const held = await holdWaysIn(transaction, remover)
  if (!held) return 'signed out'
  const { ways, hasPassword } = held
  const left = {
    ...ways,
    mailbox: ways.mailbox && hasPassword && providerId !== 'credential',
    identities: without(ways.identities, id),
  }
  if (!letIn(left)) return 'last'
  const removed = await transaction
    .delete(identities)
    .where(and(eq(identities.id, id), eq(identities.userId, userId)))
    .returning({ id: identities.id })
  if (providerId === 'siwe') await forgetWallet(transaction, userId, accountId)
  return removed.length > 0 ? 'removed' : 'not there'
}
