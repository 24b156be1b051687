import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { ledgerAccounts } from '../ledger/tables.ts'

/**
 * Keeps a creator's ledger account until the transaction ends, the person before it, as everywhere: nobody else
 * decides about its balance meanwhile; what is sold or paid back is still written. Answers whose it is: null when
 * the person has left.
 */
export async function holdAccount(
  transaction: Transaction,
  ledgerAccountId: string,
): Promise<{ userId: string | null }> {
  const [seen] = await transaction
    .select({ userId: ledgerAccounts.userId })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.id, ledgerAccountId))
  if (seen?.userId) await holdPeople(transaction, [seen.userId])
  const [held] = await transaction
    .select({ userId: ledgerAccounts.userId })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.id, ledgerAccountId), eq(ledgerAccounts.kind, 'creator')))
    .for('no key update')
  return { userId: held?.userId ?? null }
}
