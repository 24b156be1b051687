import { sql } from 'drizzle-orm'
import { planOf, transactionFeePercent } from '../billing/plan.ts'
import { leastPayout } from '../payouts/rules.ts'
import type { Executor } from '../../server/db.ts'
import { currency, earnedOfDay, movedOfDay, pendingSales } from './balance-now.ts'
import { isOver, monthOf } from './months.ts'

interface Month {
  month: string
  earned: number
  moved: number
  /** Payouts, whether they have arrived or not. */
  left: number
}

interface Row extends Record<string, unknown> {
  months: Month[]
  pending: string
  nextAvailableAt: string | null
  onItsWay: string
}

/** What a person earned, of all time and this month, and where it is: zeros for who never sold anything. */
export async function earningsOf(executor: Executor, userId: string, now = new Date()) {
  const feePercent = transactionFeePercent(await planOf(executor, userId))
  const { rows } = await executor.execute<Row>(sql`
    select m.months, s.pending, s.next_available_at as "nextAvailableAt",
           (select coalesce(sum(amount), 0) from payouts
             where ledger_account_id = a.id and status in ('requested', 'in_transit')) as "onItsWay"
      from ledger_accounts a
      cross join lateral (
        select coalesce(json_agg(d order by d.month desc), '[]') as months
          from (select to_char(day, 'YYYY-MM') as month, sum(${earnedOfDay}) as earned,
                       sum(${movedOfDay}) as moved, sum(paid_out + payout_fee) as left
                  from earning_days where account_id = a.id and currency = ${currency}
                 group by 1) d) m
      cross join lateral (${pendingSales(sql`a.id`)}) s
     where a.user_id = ${userId}`)
  const [row] = rows
  const months = row?.months ?? []
  const sum = (of: 'earned' | 'moved' | 'left') => months.reduce((all, one) => all + one[of], 0)
  const pending = Number(row?.pending ?? 0)
  const onItsWay = Number(row?.onItsWay ?? 0)
  return {
    currency,
    total: sum('earned'),
    thisMonth: months.find(({ month }) => month === monthOf(now))?.earned ?? 0,
    pending,
    nextAvailableAt: row?.nextAvailableAt ? new Date(row.nextAvailableAt) : null,
    available: sum('moved') - pending,
    onItsWay,
    paidOut: sum('left') - onItsWay,
    leastPayout,
    feePercent,
    statements: months.map(({ month }) => ({ month, isOver: isOver(month, now) })),
  }
}
