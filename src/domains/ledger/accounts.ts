import { eq, ne } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import type { Entry } from './rules.ts'
import { ledgerAccounts } from './tables.ts'

/** The account of what we owe a creator; made on first need. */
export async function creatorAccount(transaction: Transaction, userId: string): Promise<string> {
  const find = async () => {
    const [found] = await transaction
      .select({ id: ledgerAccounts.id })
      .from(ledgerAccounts)
      .where(eq(ledgerAccounts.userId, userId))
    return found?.id
  }
  const known = await find()
  if (known) return known
  const [made] = await transaction
    .insert(ledgerAccounts)
    .values({ kind: 'creator', userId })
    .onConflictDoNothing()
    .returning({ id: ledgerAccounts.id })
  // Somebody else may have made it in this moment.
  const id = made?.id ?? (await find())
  if (!id) throw new Error('the account of a creator could not be made')
  return id
}

/** Our own accounts by what they are for; those of creators are found by the creator. */
export async function ownAccounts(executor: Executor): Promise<Map<Entry['account'], string>> {
  const rows = await executor
    .select({ id: ledgerAccounts.id, kind: ledgerAccounts.kind })
    .from(ledgerAccounts)
    .where(ne(ledgerAccounts.kind, 'creator'))
  return new Map(rows.map(({ id, kind }) => [kind, id]))
}
