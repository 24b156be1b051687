// What is read about the safety of an account.
import { and, asc, desc, eq, gt, isNotNull, ne, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { identities, passkeys, sessions, users } from './tables.ts'

/** The address and the telephone of a person, and what protects the account. */
export async function protectionOf(executor: Executor, userId: string) {
  const [row] = await executor
    .select({
      email: users.email,
      emailVerified: users.emailVerified,
      phoneNumber: users.phoneNumber,
      twoFactorEnabled: users.twoFactorEnabled,
      hasPassword: sql<boolean>`${identities.id} is not null`,
    })
    .from(users)
    .leftJoin(
      identities,
      and(
        eq(identities.userId, users.id),
        eq(identities.providerId, 'credential'),
        isNotNull(identities.password),
      ),
    )
    .where(eq(users.id, userId))
  return row ?? null
}

/** Accounts at other services, and wallets; the password is none of them. */
export const outsideIdentities = (executor: Executor, userId: string) =>
  executor
    .select({
      id: identities.id,
      provider: identities.providerId,
      accountId: identities.accountId,
      createdAt: identities.createdAt,
    })
    .from(identities)
    .where(and(eq(identities.userId, userId), ne(identities.providerId, 'credential')))
    .orderBy(asc(identities.createdAt), asc(identities.id))

export const passkeysOf = (executor: Executor, userId: string) =>
  executor
    .select({ id: passkeys.id, name: passkeys.name, createdAt: passkeys.createdAt })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id))

/** Where a person is signed in, the last used first. */
export const liveSessions = (executor: Executor, userId: string) =>
  executor
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      address: sessions.ipAddress,
      lastUsedAt: sessions.updatedAt,
      createdAt: sessions.createdAt,
      aal: sessions.aal,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.updatedAt), desc(sessions.id))
