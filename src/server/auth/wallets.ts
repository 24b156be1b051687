import { and, eq, sql } from 'drizzle-orm'
import { identities, walletAddresses } from '../../domains/accounts/tables.ts'
import type { Db, Executor } from '../db.ts'

// The library keeps a wallet twice: its address per chain, and an identity named `address:chain`.
const addressOf = (accountId: string) => accountId.split(':')[0] ?? ''

/** Whether this wallet is a way in already. On all chains it is one key, and one way in. */
export async function isKnownWallet(db: Db, accountId: string): Promise<boolean> {
  const known = await db
    .select({ id: identities.id })
    .from(identities)
    .where(
      and(
        eq(identities.providerId, 'siwe'),
        sql`starts_with(${identities.accountId}, ${`${addressOf(accountId)}:`})`,
      ),
    )
  return known.length > 0
}

/** What the library leaves behind when a wallet is disconnected, and would still let it in by. */
export const forgetWallet = (executor: Executor, userId: string, accountId: string) =>
  executor
    .delete(walletAddresses)
    .where(
      and(eq(walletAddresses.userId, userId), eq(walletAddresses.address, addressOf(accountId))),
    )
