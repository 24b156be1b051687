import { sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import type { PayoutPage } from './schema.ts'

const perPage = 25

interface Row extends Record<string, unknown> {
  id: string
  method: PayoutPage['payouts'][number]['method']
  destination: string
  amount: number
  fee: number
  currency: string
  status: PayoutPage['payouts'][number]['status']
  isAutomatic: boolean
  requestedAt: string
  arrivesAt: string | null
  endedAt: string | null
  failure: string | null
  place: string
}

const momentOf = (text: string | null) => (text === null ? null : new Date(text))

/** One page of a creator's payouts, newest first. */
export async function payoutsOf(executor: Executor, userId: string, cursor?: string) {
  const end = cursor?.indexOf('_')
  // Microseconds, as PostgreSQL keeps them: a Date would lose three digits.
  const before = cursor
    ? sql`and (o.requested_at, o.id)
            < (timestamptz 'epoch' + ${cursor.slice(0, end)}::bigint * interval '1 microsecond',
               ${cursor.slice(end! + 1)}::uuid)`
    : sql``
  const { rows } = await executor.execute<Row>(sql`
    select o.id, o.method, o.destination, o.amount, o.fee, o.currency, o.status,
           o.is_automatic as "isAutomatic", o.requested_at as "requestedAt",
           o.arrives_at as "arrivesAt", o.ended_at as "endedAt", o.failure,
           (extract(epoch from o.requested_at) * 1000000)::bigint::text as place
      from payouts o
     where o.ledger_account_id = (select a.id from ledger_accounts a where a.user_id = ${userId})
       ${before}
     order by o.requested_at desc nulls last, o.id desc nulls last limit ${perPage + 1}`)
  const shown = rows.slice(0, perPage)
  const last = rows.length > perPage ? shown.at(-1) : undefined
  return {
    payouts: shown.map((row) => ({
      ...row,
      requestedAt: new Date(row.requestedAt),
      arrivesAt: momentOf(row.arrivesAt),
      endedAt: momentOf(row.endedAt),
    })),
    nextCursor: last ? `${last.place}_${last.id}` : null,
  }
}
