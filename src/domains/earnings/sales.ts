import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { shownEmail } from '../accounts/shown-email.ts'
import { netOfSale, takenBack } from './net-of-sale.ts'
import {
  isPaidOut,
  isReleased,
  refundableOf,
  type SaleFacts,
  saleStateConditions,
  saleStateOf,
} from './sale-state.ts'
import type { Sale, salesQuery } from './schema.ts'
import type { refundRequests } from './tables.ts'

const perPage = 25

type Refund = Pick<typeof refundRequests.$inferSelect, 'id' | 'amount' | 'status' | 'refusal'>

interface Row extends SaleFacts, Record<string, unknown> {
  id: string
  courseId: string | null
  courseTitle: string
  pricingType: Sale['pricingType']
  isRenewal: boolean
  buyer: Sale['buyer']
  paidAt: string
  bookedAt: string
  currency: string
  feePercent: number
  platformFee: number
  providerFee: number
  disputed: number
  disputeFee: number
  net: number
  availableAt: string
  refund: Refund | null
  place: string
}

interface Wanted {
  /** Of the creator. */
  userId: string
  /** Of which sales `p`. */
  where: SQL
  limit: number
}

/** Sales of one creator, newest first: read from one end of an index, so that a page costs the same of many. */
const select = ({ userId, where, limit }: Wanted) => sql`
  select p.id, p.course_id as "courseId", p.description as "courseTitle",
         coalesce(u.pricing_type, 'one_time') as "pricingType",
         exists (select from payments e
                  where e.purchase_id = p.purchase_id and (e.paid_at, e.id) < (p.paid_at, p.id)
                ) as "isRenewal",
         case when w.id is not null
              then json_build_object('name', w.name, 'email', ${sql.raw(shownEmail('w'))}) end as buyer,
         p.paid_at as "paidAt", p.created_at as "bookedAt", p.currency, p.gross, p.dispute,
         p.fee_percent as "feePercent", (p.platform_fee - b.platform_fee)::int as "platformFee",
         p.provider_fee as "providerFee", p.refunded, b.disputed::int as disputed,
         b.dispute_fee::int as "disputeFee", ${netOfSale}::int as net,
         p.available_at as "availableAt", ${isPaidOut} as "isPaidOut",
         ${isReleased} as "isReleased", q.refund,
         (extract(epoch from p.paid_at) * 1000000)::bigint::text as place
    from payments p
    left join purchases u on u.id = p.purchase_id
    left join users w on w.id = p.payer_id
    left join lateral (select covers_until, covers_payment_id from payouts
                        where ledger_account_id = p.creator_account_id and status <> 'failed'
                        order by requested_at desc nulls last, id desc nulls last limit 1) c on true
    left join lateral (select json_build_object('id', id, 'amount', amount, 'status', status,
                                                'refusal', refusal) as refund
                         from refund_requests where payment_id = p.id
                        order by created_at desc nulls last limit 1) q on true
         ${takenBack}
   where p.creator_account_id = (select id from ledger_accounts where user_id = ${userId}) and ${where}
   order by p.paid_at desc nulls last, p.id desc nulls last limit ${limit}`

function saleFrom(row: Row) {
  const { refund, ...shown } = row
  return {
    ...shown,
    paidAt: new Date(row.paidAt),
    availableAt: new Date(row.availableAt),
    bookedAt: new Date(row.bookedAt),
    refund,
    state: saleStateOf(row),
    refundable: refundableOf(row, refund?.status === 'waiting'),
  }
}

/** A place in the list, as it is written in `nextCursor`: microseconds, which a Date would lose. */
const after = (cursor: string) => {
  const end = cursor.indexOf('_')
  return sql`(p.paid_at, p.id)
    < (timestamptz 'epoch' + ${cursor.slice(0, end)}::bigint * interval '1 microsecond',
       ${cursor.slice(end + 1)}::uuid)`
}

type Query = ReturnType<typeof salesQuery.parse>

/** One page of a creator's sales, newest first. */
export async function salesOf(
  executor: Executor,
  userId: string,
  { courseId, state, cursor, limit = perPage }: Query & { limit?: number },
) {
  const conditions = [
    sql`true`,
    ...(courseId ? [sql`p.course_id = ${courseId}`] : []),
    ...(state ? [saleStateConditions[state]] : []),
    ...(cursor ? [after(cursor)] : []),
  ]
  const where = sql.join(conditions, sql` and `)
  const { rows } = await executor.execute<Row>(select({ userId, where, limit: limit + 1 }))
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { sales: shown.map(saleFrom), nextCursor: last ? `${last.place}_${last.id}` : null }
}

/** One of a creator's own sales; null when it is nobody's or somebody else's. */
export async function saleOf(executor: Executor, userId: string, saleId: string) {
  const where = sql`p.id = ${saleId}`
  const { rows } = await executor.execute<Row>(select({ userId, where, limit: 1 }))
  return rows[0] ? saleFrom(rows[0]) : null
}
