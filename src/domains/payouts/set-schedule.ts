import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import { payoutMethods } from './tables.ts'

/** When what is available is paid out by itself. False when nothing was set up. */
export const setPayoutSchedule = (
  db: Db,
  { userId, schedule }: { userId: string; schedule: 'manual' | 'weekly' | 'monthly' },
): Promise<boolean> =>
  db.transaction(async (transaction) => {
    const own = transaction
      .select({ id: ledgerAccounts.id })
      .from(ledgerAccounts)
      .where(eq(ledgerAccounts.userId, userId))
    const changed = await transaction
      .update(payoutMethods)
      .set({ schedule, updatedAt: sql`now()` })
      .where(inArray(payoutMethods.ledgerAccountId, own))
      .returning({ method: payoutMethods.method })
    if (changed.length === 0) return false
    await publishToPerson(transaction, userId, { type: 'earnings' })
    return true
  })
