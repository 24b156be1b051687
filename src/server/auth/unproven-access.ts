import { and, eq, ne } from 'drizzle-orm'
import { endAllSessions } from '../../domains/accounts/end-all-sessions.ts'
import { identities, passkeys, users, walletAddresses } from '../../domains/accounts/tables.ts'
import type { Db } from '../db.ts'

/**
 * Whoever signed up with an email address need not be its owner. When the owner proves it by mail, every
 * other way in that was set up before is closed: outside accounts, passkeys, wallets, telephone; then what came of them:
 * sessions, access tokens, and what is under way to become one. The password is the caller's business. The second step
 * stays: a mailbox alone must never remove it.
 */
export async function closeUnprovenAccess(db: Db, userId: string): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction
      .delete(identities)
      .where(and(eq(identities.userId, userId), ne(identities.providerId, 'credential')))
    await transaction.delete(passkeys).where(eq(passkeys.userId, userId))
    await transaction.delete(walletAddresses).where(eq(walletAddresses.userId, userId))
    await transaction
      .update(users)
      .set({ phoneNumber: null, phoneNumberVerified: false })
      .where(eq(users.id, userId))
    await endAllSessions(transaction, userId)
  })
}
