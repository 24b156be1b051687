import { and, eq, ne } from 'drizzle-orm'
import { identities, passkeys, users, walletAddresses } from '../../domains/accounts/tables.ts'
import { revokeAllTokens } from '../../domains/tokens/revoke-tokens.ts'
import type { Db } from '../db.ts'
import { forgetBegun } from './begun-before.ts'

/**
 * Whoever signed up with an email address need not be its owner. When the owner proves it by mail, every
 * other way in that was set up before is closed: outside accounts, passkeys, wallets, telephone, access tokens, and what
 * is under way to become one. The password and the sessions are the caller's business. The second step stays: a mailbox
 * alone must never remove it.
 */
export async function closeUnprovenAccess(db: Db, userId: string): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction
      .delete(identities)
      .where(and(eq(identities.userId, userId), ne(identities.providerId, 'credential')))
    await transaction.delete(passkeys).where(eq(passkeys.userId, userId))
    await revokeAllTokens(transaction, userId)
    await forgetBegun(transaction, userId)
    await transaction.delete(walletAddresses).where(eq(walletAddresses.userId, userId))
    await transaction
      .update(users)
      .set({ phoneNumber: null, phoneNumberVerified: false })
      .where(eq(users.id, userId))
  })
}
