import { sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { netOfSale, takenBack } from './net-of-sale.ts'

/** All prices are in it. */
export const currency = 'usd'

/** What a row of earning_days adds to what we owe: from sales alone, and with what left. */
export const earnedOfDay = sql`
  (gross - platform_fee - provider_fee - refunded - disputed - dispute_fee)`
export const movedOfDay = sql`(${earnedOfDay} - paid_out - payout_fee - given_up)`

/** The sales of an account that the provider has not released yet, each at least nothing. */
export const pendingSales = (accountId: unknown) => sql`
  select coalesce(sum(${netOfSale}), 0) as pending, min(p.available_at) as next_available_at
    from payments p ${takenBack}
   where p.creator_account_id = ${accountId} and p.available_at > now() and ${netOfSale} > 0`

/** Minor units. Below zero when refunds took back what had been paid out. */
export interface Balance {
  balance: number
  pending: number
  /** What can be paid out of the balance. */
  available: number
}

/** What we owe a creator at this moment; its cost does not grow with the sales. */
export async function balanceNow(executor: Executor, ledgerAccountId: string): Promise<Balance> {
  const { rows } = await executor.execute<{ balance: string; pending: string }>(sql`
    select (select coalesce(sum(${movedOfDay}), 0) from earning_days
             where account_id = ${ledgerAccountId} and currency = ${currency}) as balance,
           s.pending
      from (${pendingSales(ledgerAccountId)}) s`)
  const [balance, pending] = [Number(rows[0]!.balance), Number(rows[0]!.pending)]
  return { balance, pending, available: balance - pending }
}
