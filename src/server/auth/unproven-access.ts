import { and, eq, isNotNull, ne } from 'drizzle-orm'
import { endAllSessions } from '../../domains/accounts/end-all-sessions.ts'
import { identities, passkeys, users, walletAddresses } from '../../domains/accounts/tables.ts'
import type { Db } from '../db.ts'
import type { AccountEvents } from './hooks.ts'

/**
 * Whoever signed up with an email address need not be its owner. When the owner proves it by mail, every
 * other way in that was set up before is closed: outside accounts, passkeys, wallets, telephone; then what came of them:
 * sessions, access tokens, and what is under way to become one. The password is the caller's business. The second step
 * stays: a mailbox alone must never remove it. The owner is told of ways in that are gone: they may have been the own ones.
 */
export async function closeUnprovenAccess(
  db: Db,
  userId: string,
  warn: AccountEvents['warn'],
): Promise<void> {
  await db.transaction(async (transaction) => {
    const { rowCount: services } = await transaction
      .delete(identities)
      .where(and(eq(identities.userId, userId), ne(identities.providerId, 'credential')))
    const { rowCount: keys } = await transaction.delete(passkeys).where(eq(passkeys.userId, userId))
    await transaction.delete(walletAddresses).where(eq(walletAddresses.userId, userId))
    const { rowCount: telephones } = await transaction
      .update(users)
      .set({ phoneNumber: null, phoneNumberVerified: false })
      .where(and(eq(users.id, userId), isNotNull(users.phoneNumber)))
    await endAllSessions(transaction, userId)
    if (services || keys || telephones) await warn(userId, 'ways-in-removed', transaction)
  })
}
