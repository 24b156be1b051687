import { sql } from 'drizzle-orm'

/** What refunds and disputes took of a sale `p` (payments), beside it as `b`: a part of a FROM. */
export const takenBack = sql`
  cross join lateral (
    select (select coalesce(sum(r.platform_fee), 0) from payment_refunds r where r.payment_id = p.id)
             + coalesce(sum(d.platform_fee), 0) as platform_fee,
           coalesce(sum(d.amount) filter (where d.status <> 'won'), 0) as disputed,
           coalesce(sum(d.fee - case when d.status <> 'won' then 0 else (
             select coalesce(sum(e.amount) filter (where e.amount > 0), 0)
               from ledger_transactions w join ledger_entries e on e.transaction_id = w.id
              where w.source = 'dispute won ' || d.id and e.what = 'dispute_fee') end), 0) as dispute_fee
      from payment_disputes d where d.payment_id = p.id) b`

/** What is left of it for the creator, as the ledger has it; below zero when fees were not given back. */
export const netOfSale = sql`
  (p.gross - p.platform_fee + b.platform_fee - p.provider_fee - p.refunded - b.disputed - b.dispute_fee)`
