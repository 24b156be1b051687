import { createHash } from 'node:crypto'
import { and, eq, inArray, lte, or, sql } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { users, verifications } from '../../domains/accounts/tables.ts'
import type { Db, Executor } from '../db.ts'

/**
 * What this person's browsers have begun, or are trusted for, ends: log-ins that wait for the second step and browsers
 * that are not asked for it, links that set a password, other services that are about to be connected, and changes of
 * the address. The library keeps these under names that only their cookies and links know, with the person as the value
 * or in it, and would go on with them whatever has become of the session that began them.
 */
export const forgetBegun = (executor: Executor, userId: string) =>
  executor
    .delete(verifications)
    .where(
      or(
        eq(verifications.value, userId),
        sql`position(${JSON.stringify(userId)} in ${verifications.value}) > 0`,
      ),
    )

const secondStepOf = (login: string) => `second step of ${login}`

/** Milliseconds; a second step takes less than a request may. */
const secondStepLifetime = 5 * 60 * 1000

/** Notes that the second step of a log-in is being looked at; `login` is what its cookie names. */
export async function beginSecondStep(
  db: Db,
  { login, userId }: { login: string; userId: string },
): Promise<void> {
  await db.insert(verifications).values({
    identifier: secondStepOf(login),
    value: userId,
    expiresAt: new Date(Date.now() + secondStepLifetime),
  })
}

/** False when all that was begun was forgotten meanwhile; who is about to forget it at this moment is waited for. */
export async function endSecondStep(db: Db, login: string): Promise<boolean> {
  const ended = await db
    .delete(verifications)
    .where(eq(verifications.identifier, secondStepOf(login)))
    .returning({ id: verifications.id })
  return ended.length > 0
}

/** The same, of whose address this is. */
export async function forgetBegunAt(db: Db, email: string): Promise<void> {
  const [person] = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  if (person) await forgetBegun(db, person.id)
}

/**
 * Whether a link that was just made may be sent to this address. It waits while the address is being exchanged: either it
 * knows of that, or the link is there when all links are forgotten afterwards.
 */
export async function isStillAt(
  db: Db,
  { id, email }: { id: string; email: string },
): Promise<boolean> {
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.email, email)))
    .for('key share')
  return found.length > 0
}

const hashed = (identifier: string) => createHash('sha256').update(identifier).digest('base64url')

/** Codes that were sent to this telephone are good no more. They belong to the number, whoever has it. */
export const forgetCodesTo = (executor: Executor, phoneNumber: string) =>
  executor
    .delete(verifications)
    .where(
      inArray(verifications.identifier, [
        hashed(phoneNumber),
        hashed(`${phoneNumber}-request-password-reset`),
      ]),
    )

const changeOf = (userId: string) => `change of address ${userId}`

/** As long as its two links may take, of a day each. */
const changeLifetime = 2 * 24 * 60 * 60 * 1000

/** Links that change the address are signed and stored nowhere: this is what ends them before their time. */
export async function beginAddressChange(db: Db, userId: string): Promise<void> {
  const now = Date.now()
  await db.insert(verifications).values({
    identifier: changeOf(userId),
    value: userId,
    // Links tell the time of their making in whole seconds.
    createdAt: new Date(Math.floor(now / 1000) * 1000),
    expiresAt: new Date(now + changeLifetime),
  })
}

/** Whether this link would change an address, and was asked for before all that was begun was forgotten. */
export async function isForgottenChange(db: Db, link: unknown): Promise<boolean> {
  const { email, updateTo, iat } = claimsIn(link)
  if (updateTo === undefined || typeof email !== 'string') return false
  const begun = await db
    .select({ id: verifications.id })
    .from(verifications)
    .innerJoin(users, eq(verifications.identifier, sql`${changeOf('')}::text || ${users.id}`))
    .where(
      and(
        eq(users.email, email.toLowerCase()),
        lte(verifications.createdAt, new Date((iat ?? 0) * 1000)),
      ),
    )
    .limit(1)
  return begun.length === 0
}

/** The address for which this link gives the account another one; null where it does not. */
export function formerAddress(link: unknown, address: unknown): string | null {
  const { email, updateTo } = claimsIn(link)
  return updateTo === address && typeof email === 'string' ? email.toLowerCase() : null
}

/** Nothing is taken at its word: the library checks the signature. */
function claimsIn(link: unknown): { email?: unknown; updateTo?: unknown; iat?: number } {
  try {
    return decodeJwt(String(link))
  } catch {
    return {}
  }
}
